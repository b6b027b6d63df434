"""Requests of the platform's own pages, without a key."""
