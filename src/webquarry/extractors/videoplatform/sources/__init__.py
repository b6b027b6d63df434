"""Requests and parsers for the platform's providers."""
