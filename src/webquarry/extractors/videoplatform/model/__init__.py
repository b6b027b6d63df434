"""Ids, parameters and results."""
