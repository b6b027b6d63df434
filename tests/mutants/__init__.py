"""Mutation testing: change one position in the code and check whether a test fails.

`python -m mutants` draws places from a seed and tries one change at a time in a copy of the repository.
"""
