"""The calls of the platform's own pages, without a key."""
