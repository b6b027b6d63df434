"""Generators of documents and pages with known content. Each document is drawn from a seed.

The truth of a document is known because it was generated first. `bench` scores the converter's results for the
documents, and `training` learns from some of them. Even seeds are for choosing rules, odd seeds are for reporting.
"""
