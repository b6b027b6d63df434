"""Pages in the markup of common web software, drawn from a seed. The truth is known because it was their source.

Even seeds are those by which rules are chosen, odd ones those that are reported. `bench.sites` scores them.
"""
