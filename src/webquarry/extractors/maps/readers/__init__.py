"""Wires of the sources of places as results: one module for each source."""
