"""Columns of prose that are recognized by the common left edge of their lines.

TeX typesets columns with narrow gutters and lines that are not level:

Rivers of Wales        protects the mill. The     the left column begins with a title, lines are not level, and
                       miller opens the gate,     the gutter is hardly wider than the spaces of a justified
Ada Birkett            and the water reaches      line, so only the left edges show the columns
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby

from webquarry_convert.file.pdf.layout.blocks import choose_prose
from webquarry_convert.file.pdf.layout.side_columns import split_at
from webquarry_convert.file.pdf.source.content import Rule
from webquarry_convert.file.pdf.words.lines import Strip

_LEAST = 8
"""Minimum number of lines with a common left edge."""
_EDGE = 1.0
"""Tolerance, in points, for the left edge of lines in one column."""
_NARROWEST = 0.5
"""Minimum width of a gutter, in ems."""
_MOST_EDGES = 6
_CLOSE = 0.75
"""Maximum white space inside a paragraph, in ems."""
_FULL = 0.9
"""Minimum share of the column's width that a full line fills."""


def find_columns(rows: Sequence[Strip], em: float, rules: Sequence[Rule]) -> tuple[int, int, float] | None:
    """Return the first strip of two columns, the end after their last strip, and the x between them, or None if there
    are no columns. There may be several columns to the right of x. em: the running text's size, in points. rules: the
    page's ruling lines.
    """
    if len(rows) < _LEAST:
        return None
    for edge in _find_edges(rows):
        parting = edge - _NARROWEST * em / 2
        free = [_is_free(row, edge, em) for row in rows]
        for is_free, members in groupby(range(len(rows)), free.__getitem__):
            places = list(members)
            if not is_free or len(places) < _LEAST:
                continue
            start, end = _trim(rows, places[0], places[-1] + 1, parting, em)
            if is_ruled_across(rows[start:end], rules):
                continue
            sides = split_at(rows[start:end], parting)
            if min(map(len, sides)) >= _LEAST and choose_prose(sides):
                return start, end, parting
    return None


def is_ruled_across(rows: Sequence[Strip], rules: Sequence[Rule]) -> bool:
    """Return whether a ruling line spans the whole width between the strips, as below a table's header."""
    if not rules or not rows:
        return False
    top, bottom = rows[0].y1 - _EDGE, rows[-1].y0 + _EDGE
    left, right = min([row.x0 for row in rows]) + _EDGE, max([row.x1 for row in rows]) - _EDGE
    return any(top < rule.y0 < bottom and rule.y0 == rule.y1 and rule.x0 <= left and rule.x1 >= right for rule in rules)


def _find_edges(rows: Sequence[Strip]) -> list[float]:
    """Return the common left edges of lines, except the leftmost one. Edges with more lines come first."""
    lefts = sorted([box.x0 for row in rows for box in row.boxes])
    place = bisect_right(lefts, lefts[0] + _EDGE)
    counted: list[tuple[int, float]] = []
    while place + _LEAST <= len(lefts):
        end = bisect_right(lefts, lefts[place] + _EDGE, place)
        if end - place >= _LEAST:
            counted.append((end - place, lefts[place]))
        place = end
    return [edge for _, edge in sorted(counted, reverse=True)[:_MOST_EDGES]]


def _is_free(row: Strip, edge: float, em: float) -> bool:
    """Return whether the space directly before the edge is empty."""
    start, end = edge - _NARROWEST * em, edge - _EDGE / 2
    return not any(box.x1 > start and box.x0 < end for box in row.boxes)


def _trim(rows: Sequence[Strip], start: int, end: int, parting: float, em: float) -> tuple[int, int]:
    """Return start and end after excluding strips that have text only on the left.

    Such strips are above the columns, or below them without being part of the left column.
    """
    while start < end and rows[start].x1 < parting:
        start += 1
    stop = end
    while stop > start and rows[stop - 1].x1 < parting:
        stop -= 1
    rest = rows[stop:end]
    if not rest or stop == start:
        return start, stop
    left = min(row.x0 for row in rest)
    if sum(row.x1 - left > _FULL * (parting - left) for row in rest) > 1:
        return start, end
    while stop < end and rows[stop].y0 - rows[stop - 1].y1 < _CLOSE * em:
        stop += 1
    return start, stop
