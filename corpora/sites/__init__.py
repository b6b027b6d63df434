"""Generated pages in the markup of common web software, drawn from a seed, with known content.

Even seeds are for choosing rules, and odd seeds are for reports. `bench.sites` scores the results.
"""
