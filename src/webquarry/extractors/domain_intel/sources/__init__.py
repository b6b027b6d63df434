"""Registries, indexes and files of sites."""
