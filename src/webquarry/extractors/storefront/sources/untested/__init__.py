"""Providers without a complete recorded response. Their parsers were written from descriptions."""
