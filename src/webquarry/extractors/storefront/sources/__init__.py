"""Platforms of shops."""
