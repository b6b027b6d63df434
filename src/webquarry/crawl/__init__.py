"""Rules for maps and crawls, as pure functions.

- `addresses`: clean and canonical forms of URLs
- `site`, `files`, `globs`, `scope`: which URLs a map or a crawl includes
- `traps`: endless groups of URLs, such as calendars
- `frontier`: the order in which pages are visited
- `copies`: duplicate pages within a crawl
- `changes`: differences between two crawls
- `repeats`: parts that repeat on several pages of a site
"""
