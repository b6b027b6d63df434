"""Books: EPUB 2 and 3. `package` finds the chapters and their order, `contents` how the book's own table of contents
calls them, `endnotes` brings notes to what refers to them, `book` puts all together.
"""

from webquarry_convert.file.epub.book import read

__all__ = ["read"]
