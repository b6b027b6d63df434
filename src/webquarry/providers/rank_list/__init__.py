"""Open PageRank's public list of domains in the data folder.

`update` fetches the list, `rows` parses it, and `index` looks up domains.
"""
