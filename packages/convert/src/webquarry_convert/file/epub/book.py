"""Conversion of a book, chapter by chapter, in reading order."""

from typing import Final

from webquarry_convert.file.document import Document, make_corrupt_error, make_limit_error
from webquarry_convert.file.epub.contents import Point, name_parts, read_points
from webquarry_convert.file.epub.endnotes import Endnotes
from webquarry_convert.file.epub.package import Item, Package
from webquarry_convert.file.hypertext import Hypertext, HypertextPage
from webquarry_convert.file.limits import MAX_MARKDOWN
from webquarry_convert.hidden import warn_of_hidden
from webquarry_convert.text.charset import decode

MAX_MARKUP: Final = 20_000_000
"""Maximum total size of all chapters, in bytes."""
MAX_TAGS: Final = 800_000
"""Maximum number of tags in all chapters. Most of the conversion time is spent on tags."""
MAX_AHEAD: Final = 4
"""Maximum number of note chapters that are kept in memory until their turn."""
_PAGE_BREAK: Final = "doc-pagebreak"


def read(body: bytes) -> Document:
    """Convert a book to markdown. Raises only `ConversionFailed`."""
    package = Package(body)
    chapters = package.spine
    missing = _count_missing(package)
    chapters_read = _Chapters(package, read_points(package))
    texts: list[str] = []
    hidden = length = 0
    for number, item in enumerate(chapters, 1):
        made = chapters_read.read(item, number)
        if made is None:
            continue
        hidden += made.hidden
        length += len(made.markdown)
        if length > MAX_MARKDOWN:
            raise make_limit_error(f"more than {MAX_MARKDOWN // 1_000_000} million characters of text")
        if made.markdown:
            texts.append(made.markdown)
    warnings = [*package.warnings]
    if missing:
        warnings.append(f"Chapters that are listed but missing from the book: {missing}.")
    warnings += warn_of_hidden(hidden, "book")
    return Document(
        markdown="\n".join(texts),
        title=package.metadata.title,
        author=package.metadata.author,
        language=package.metadata.language,
        warnings=tuple(warnings),
    )


def _count_missing(package: Package) -> int:
    """Return how many listed chapters the book lacks.

    Raises `ConversionFailed` if all are missing or the book is too large.
    """
    sizes = [package.archive.size(item.name) for item in package.spine]
    if sum(size or 0 for size in sizes) > MAX_MARKUP:
        raise make_limit_error(f"more than {MAX_MARKUP // 1_000_000} MB of markup")
    missing = sum(size is None for size in sizes)
    if missing == len(sizes):
        raise make_corrupt_error("its chapters are missing")
    return missing


class _Chapters:
    """Reads the chapters in order. A chapter is read early if an earlier chapter refers to notes in it."""

    def __init__(self, package: Package, points: dict[str, list[Point]]) -> None:
        self._package = package
        self._points = points
        self._endnotes = Endnotes(package, self._open_ahead)
        self._left = {item.name: item for item in package.spine}
        self._ahead: dict[str, HypertextPage] = {}
        self._tags = 0

    def read(self, item: Item, number: int) -> Hypertext | None:
        """Read a chapter, or return None if it is missing. number: the chapter's position in the book."""
        page = self._ahead.pop(item.name, None) or self._open(item)
        self._left.pop(item.name, None)
        if page is None:
            return None
        self._endnotes.fetch(page, item.name)
        name_parts(page.tree, self._points.get(item.name, ()))
        return page.write(note_prefix=f"{number}-")

    def _open_ahead(self, name: str) -> HypertextPage | None:
        item = self._left.get(name)
        if item is None or name in self._ahead or len(self._ahead) >= MAX_AHEAD:
            return self._ahead.get(name)
        page = self._open(item)
        if page is not None:
            self._ahead[name] = page
        return page

    def _open(self, item: Item) -> HypertextPage | None:
        chapter = self._package.archive.read(item.name)
        if chapter is None:
            return None
        self._tags += chapter.count(b"<")
        if self._tags > MAX_TAGS:
            raise make_limit_error(f"more than {MAX_TAGS:,} tags")
        page = HypertextPage(decode(chapter, item.media_type).text, is_xml=True)
        for node in page.tree:
            if node.attributes.get("role") == _PAGE_BREAK or node.attributes.get("epub:type") == "pagebreak":
                node.is_dropped = True  # the element is a page number of the printed book
        return page
