"""A microblog: an account's profile, its timeline, one post with its thread, and the replies to a post."""
