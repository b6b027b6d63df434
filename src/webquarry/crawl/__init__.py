"""Rules of maps and crawls: which addresses are the same, which belong to a site, and which lead nowhere. All pure.

- `addresses`: clean and canonical forms of an address
- `site`, `files`, `globs`, `scope`: which addresses a map or a crawl takes
- `traps`: addresses that a site makes up without end
- `frontier`: the order of visits
- `copies`, `changes`: equal pages of one crawl, and of two crawls
- `repeats`: parts that repeat on the pages of a site
"""
