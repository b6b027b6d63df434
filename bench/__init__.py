"""Benchmarks.

Each module compares one subject with a baseline in the same run, so that the ratios are meaningful on any machine.
`python -m bench [names…]` runs them; docs/benchmarks.md explains the tables.
"""
