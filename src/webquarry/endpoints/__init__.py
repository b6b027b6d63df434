"""Endpoints: their declarations, parameters and sources, and how a request runs.

The endpoints themselves are in `webquarry.extractors`.
"""
