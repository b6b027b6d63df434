"""Registries, link indexes and files of sites."""
