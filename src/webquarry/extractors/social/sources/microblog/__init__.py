"""Services that republish the microblog's posts."""
