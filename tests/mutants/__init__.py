"""Mutation testing: change one place of the code and see whether a test fails.

`python -m mutants` draws places from a seed and tries one change at a time in a copy of the repository.
"""
