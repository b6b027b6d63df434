"""Conversion of a fetched page from HTML to markdown and metadata. Never fails, and takes linear time."""

from webquarry_convert.links import Image, Link
from webquarry_convert.page.document import Page, convert, explain, to_markdown
from webquarry_convert.page.entities import Article, Entity, Event, Product, Recipe
from webquarry_convert.page.head import Feed, Head, find_refresh

__all__ = [
    "Article",
    "Entity",
    "Event",
    "Feed",
    "Head",
    "Image",
    "Link",
    "Page",
    "Product",
    "Recipe",
    "convert",
    "explain",
    "find_refresh",
    "to_markdown",
]
