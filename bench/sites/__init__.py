"""Pages in the markup of the software that makes the web, drawn from a seed, with truth known because it was their source.

Run as `python -m bench.sites`. Even seeds are those by which rules are chosen, odd ones those that are reported.
"""
