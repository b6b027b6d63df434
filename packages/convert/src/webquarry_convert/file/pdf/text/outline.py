"""Headings from a file's outline: lines on an entry's target page with the same text as the entry."""

from collections.abc import Iterable, Sequence

from webquarry_convert.file.pdf.source.pdfium import OutlineEntry
from webquarry_convert.file.pdf.tables.table import Table
from webquarry_convert.file.pdf.text.paragraphs import CAPTION
from webquarry_convert.file.pdf.words.lines import Line

_MOST_LINES = 4
"""Maximum number of lines in one heading."""
_LONGEST = 200


class Outline:
    def __init__(self, entries: Iterable[OutlineEntry]) -> None:
        self._pages: dict[int, dict[str, int]] = {}  # levels by title, for each target page
        for entry in entries:
            title = _normalise(entry.title)
            if title and len(entry.title) <= _LONGEST and not CAPTION.match(entry.title):
                self._pages.setdefault(entry.page, {}).setdefault(title, entry.depth)

    def mark(self, page: int, parts: Sequence[Line | Table]) -> None:
        """Set the level of a page's lines according to the outline."""
        titles = self._pages.get(page)
        if not titles:
            return
        texts = [_normalise(part.text) if isinstance(part, Line) else None for part in parts]
        for place in range(len(parts)):
            count, level = _find_title(texts[place : place + _MOST_LINES], titles)
            for line in parts[place : place + count]:
                if isinstance(line, Line):
                    line.level = level


def _find_title(texts: Sequence[str | None], titles: dict[str, int]) -> tuple[int, int]:
    """Return the number of lines that together form a title, and the title's level, or 0 and 0 if there is no match.

    texts: the texts of lines, with None for other content.
    """
    said = ""
    for count, text in enumerate(texts, 1):
        if text is None or len(said) > _LONGEST:
            break
        said += text
        if (depth := titles.get(said)) is not None:
            return count, depth + 1
    return 0, 0


def _normalise(text: str) -> str:
    """Return a title in a form that is the same in the outline and on the page."""
    return "".join(filter(str.isalnum, text.casefold()))
