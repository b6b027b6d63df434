"""The outline of a file as a witness: lines that say what it lists, on the page that it leads to, are headings."""

from collections.abc import Iterable, Sequence

from webquarry_convert.file.pdf.source.pdfium import OutlineEntry
from webquarry_convert.file.pdf.tables.table import Table
from webquarry_convert.file.pdf.text.paragraphs import CAPTION
from webquarry_convert.file.pdf.words.lines import Line

_MOST_LINES = 4
"""Of one heading."""
_LONGEST = 200


class Outline:
    def __init__(self, entries: Iterable[OutlineEntry]) -> None:
        self._pages: dict[int, dict[str, int]] = {}  # depth of the titles that lead there
        for entry in entries:
            title = _normalise(entry.title)
            if title and len(entry.title) <= _LONGEST and not CAPTION.match(entry.title):
                self._pages.setdefault(entry.page, {}).setdefault(title, entry.depth)

    def mark(self, page: int, parts: Sequence[Line | Table]) -> None:
        """Tells the lines of a page the level that they have in the outline."""
        titles = self._pages.get(page)
        if not titles:
            return
        for place, part in enumerate(parts):
            if (
                isinstance(part, Line)
                and (found := _find_title_lines(parts[place : place + _MOST_LINES], titles)) is not None
            ):
                lines, level = found
                for line in lines:
                    line.level = level


def _find_title_lines(parts: Sequence[Line | Table], titles: dict[str, int]) -> tuple[list[Line], int] | None:
    """Lines that together say a title, and its level."""
    text = ""
    lines: list[Line] = []
    for part in parts:
        if not isinstance(part, Line) or len(text) > _LONGEST:
            return None
        lines.append(part)
        text += _normalise(part.text)
        if (depth := titles.get(text)) is not None:
            return lines, depth + 1
    return None


def _normalise(text: str) -> str:
    """What is the same of a title in the outline and on its page."""
    return "".join(filter(str.isalnum, text.casefold()))
