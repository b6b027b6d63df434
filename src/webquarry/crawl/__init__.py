"""Rules of maps and crawls: which addresses are the same, which belong to a site, and which lead nowhere. All pure.

- `addresses`: the canonical form of an address
"""
