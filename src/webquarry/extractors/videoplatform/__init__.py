"""A video platform: one video, what is said in it, a channel, and a search."""
