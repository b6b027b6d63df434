"""A table as rows of text, and its output as markdown."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.source.content import Box, Span
from webquarry_convert.file.pdf.words.inline import write_spans
from webquarry_convert.file.pdf.words.lines import group_strips, join_lines
from webquarry_convert.text import escape

_FIGURE = re.compile(
    r"[^\w]*+[0-9][0-9.,:/\s-]*+[^\w]*+[a-z]{0,2}+[^\w]*+|[-\u2013\u2014.*\u2020\u2021]+|n/?a|n\.a\.",
    re.IGNORECASE,
)
_LONGEST_FIGURE = 40

_ROOM = 1.0
"""Minimum space, in ems, that remains after a line with an intentional break if the next word would have fit."""
_LEAST_LEADER = 4
"""Minimum number of dots or strokes in a leader to the next cell."""
_STROKES = frozenset("-_=\u2500")
_LEADERS = _STROKES | frozenset(".\u2026")


class Table(Box):
    """A table found on a page.

    rows: inline markdown; all rows have the same number of cells. If a cell spans several rows or columns, its text is
    in the first of them, and the others are empty. places: the x positions between the columns. page: the number of the
    table's first page, from 1.
    """

    __slots__ = ("page", "places", "rows")

    def __init__(self, box: Box, rows: list[list[str]], places: Sequence[float]) -> None:
        super().__init__(box.x0, box.y0, box.x1, box.y1)
        self.page = 0
        self.rows = [row for row in rows if any(row)]
        kept = [column for column in range(len(places) + 1) if any(row[column] for row in self.rows)]
        if len(kept) <= len(places):
            self.rows = [[row[column] for column in kept] for row in self.rows]
            places = [places[column] for column in kept[:-1]]
        self.places = list(places)

    def head(self, spans: Sequence[Span]) -> bool:
        """Insert spans as the table's first row. Returns False if the spans are not cells of several columns."""
        cells: list[list[Span]] = [[] for _ in range(len(self.places) + 1)]
        for span in spans:
            cells[bisect_right(self.places, (span.x0 + span.x1) / 2)].append(span)
        if sum(map(bool, cells)) < 2:
            return False
        self.rows.insert(0, [write_cell(cell) for cell in cells])
        return True

    def markdown(self) -> str:
        width = len(self.rows[0])
        lines = ["| " + " | ".join([cell.replace("|", r"\|") for cell in row]) + " |" for row in self.rows]
        lines.insert(1, "|" + " --- |" * width)
        return "\n".join(lines)


class Figure(Table):
    """A picture, written as its description.

    Like a table, a picture is not part of a line. says: the markdown of the description, on one line.
    """

    __slots__ = ("says",)

    def __init__(self, box: Box, says: str) -> None:
        super().__init__(box, [[says]], [])
        self.says = says

    def markdown(self) -> str:
        return f"![{escape.label(self.says)}](picture)"


class Frame(Table):
    """Adjacent columns that are not cells and are read one after the other.

    Like a table, a frame is not part of a line. columns: the spans of each column.
    """

    __slots__ = ("columns",)

    def __init__(self, box: Box, columns: Sequence[list[Span]]) -> None:
        super().__init__(box, [], [])
        self.columns = columns


def write_cell(spans: Sequence[Span], right: float | None = None) -> str:
    """Write the spans of one cell as inline markdown, in lines from the top.

    right: the cell's right end. A line keeps its break if it ends well before `right` although the next word would
    have fit.
    """
    if not spans:
        return ""
    if len(spans) == 1:
        return _strip_leader(write_spans(spans))
    strips = [strip.spans() for strip in group_strips(spans)]
    texts = [write_spans(strip) for strip in strips]
    if right is None or len(strips) == 1:
        return _strip_leader(join_lines(texts))
    starts = [0]
    for place, (above, below) in enumerate(pairwise(strips), 1):
        first = below[0]
        word = (first.x1 - first.x0) * len(first.text.split(None, 1)[0]) / len(first.text)
        if right - above[-1].x1 > word + _ROOM * first.size:
            starts.append(place)
    parts = [join_lines(texts[start:end]) for start, end in pairwise([*starts, len(texts)])]
    return "<br>".join(filter(None, map(_strip_leader, parts)))


def _strip_leader(text: str) -> str:
    """Remove a leader of dots from the end of a text. Returns "" for a text that consists only of strokes."""
    if not text or (text[-1] not in _LEADERS and not text[-1].isspace()):
        return text
    if len(text) >= _LEAST_LEADER and _STROKES.issuperset(text):
        return ""
    dots = at = 0
    for at in range(len(text), 0, -1):
        sign = text[at - 1]
        if sign not in ".\u2026" and not sign.isspace():
            return text[:at] if dots >= _LEAST_LEADER else text
        dots += not sign.isspace()
    return "" if dots >= _LEAST_LEADER else text


def is_figure(text: str) -> bool:
    """Return whether a cell contains a number, a numeric date, or a sign that represents an empty value."""
    return len(text) <= _LONGEST_FIGURE and _FIGURE.fullmatch(text) is not None
