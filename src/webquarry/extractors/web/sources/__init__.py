"""Requests for the page that the caller names."""
