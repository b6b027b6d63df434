"""Conversion of web pages to markdown: converts HTML in this process.

from webquarry.convert.page import to_markdown

text = to_markdown("<h1>Hello</h1>", "https://example.com/")
"""

from webquarry_convert.page import to_markdown

__all__ = ["to_markdown"]
