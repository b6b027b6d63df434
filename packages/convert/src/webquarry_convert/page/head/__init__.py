"""Metadata of a page: title, dates, author, canonical URL, and their sources.

Values come from JSON-LD, meta elements (Open Graph, Twitter, Dublin Core and other common ones), microdata and plain
HTML. For each value, these places are searched in a fixed order. `sources` names the first place with a value.
"""

from webquarry_convert.page.head.places import Places
from webquarry_convert.page.head.read import Feed, Head, read_head
from webquarry_convert.page.head.refresh import find_refresh
from webquarry_convert.page.head.title import is_own

__all__ = ["Feed", "Head", "Places", "find_refresh", "is_own", "read_head"]
