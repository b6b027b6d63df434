"""A fetched page: HTML in, markdown and metadata out. Pure and total; the time grows with the size."""

from webquarry_convert.links import Image, Link
from webquarry_convert.page.document import Page, convert, to_markdown
from webquarry_convert.page.head import Head, refresh_of

__all__ = ["Head", "Image", "Link", "Page", "convert", "refresh_of", "to_markdown"]
