"""A fetched page: HTML in, markdown and metadata out. Pure and total; the time is bounded by the size (`body`)."""

from webquarry.convert.page.document import Page, convert, to_markdown
from webquarry.convert.page.head import refresh_of
from webquarry.convert.page.links import Image, Link

__all__ = ["Image", "Link", "Page", "convert", "refresh_of", "to_markdown"]
