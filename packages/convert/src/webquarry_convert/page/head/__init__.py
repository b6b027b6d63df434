"""What a page says about itself outside its text: title, dates, author, canonical address and their sources.

Values come from JSON-LD, meta elements (Open Graph, Twitter, Dublin Core and the usual others), microdata and plain
HTML; for each one the places are asked in a fixed order and the first that answers is named in `sources`.
"""

from webquarry_convert.page.head.places import Places
from webquarry_convert.page.head.read import Feed, Head, read_head
from webquarry_convert.page.head.refresh import find_refresh
from webquarry_convert.page.head.title import is_own

__all__ = ["Feed", "Head", "Places", "find_refresh", "is_own", "read_head"]
