"""A fetched page: HTML in, markdown and metadata out. Pure and total; the time grows with the size."""

from webquarry_convert.links import Image, Link
from webquarry_convert.page.document import Page, convert, to_markdown
from webquarry_convert.page.head import Head, find_refresh

__all__ = ["Head", "Image", "Link", "Page", "convert", "find_refresh", "to_markdown"]
