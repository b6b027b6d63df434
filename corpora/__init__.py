"""Generators of documents and pages with known content, each drawn from a seed.

The truth is known because it was the source of the document. `bench` scores what the converter makes of them and
`training` learns from some of them. Even seeds are for choosing rules, odd seeds are for reporting.
"""
