"""Conversion of EPUB 2 and 3 books.

`package` finds the chapters and their order, and `contents` finds their titles in the table of contents. `endnotes`
moves notes to the chapters that refer to them. `book` assembles the document.
"""

from webquarry_convert.file.epub.book import read

__all__ = ["read"]
