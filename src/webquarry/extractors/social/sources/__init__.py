"""Requests to the platforms, and parsers of their responses."""
