"""Columns of prose by the edge at which lines begin: set as TeX sets them, with a narrow gutter and lines not level.

Rivers of Wales        protects the mill. The     the left column begins with a title, lines are not level, and
                       miller opens the gate,     the gutter is hardly wider than the spaces of a justified
Ada Birkett            and the water reaches      line; what tells the columns is where lines begin
"""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby

from webquarry_convert.file.pdf.layout.blocks import choose_prose
from webquarry_convert.file.pdf.layout.side_columns import split_at
from webquarry_convert.file.pdf.source.content import Rule
from webquarry_convert.file.pdf.words.lines import Strip

_LEAST = 8
"""Lines that begin at one edge."""
_EDGE = 1.0
"""Points by which lines of one column begin beside each other."""
_NARROWEST = 0.5
"""Gutter, in sizes of the font."""
_MOST_EDGES = 6
_CLOSE = 0.75
"""Height of white space within a paragraph, in sizes of the font."""
_FULL = 0.9
"""Share of its column that a full line has."""


def find_columns(rows: Sequence[Strip], em: float, rules: Sequence[Rule]) -> tuple[int, int, float] | None:
    """The first and the last strip but one of two columns, and the x between them; None where there are none.

    What is right of it may be several columns. em: size of the running text, in points. rules: of the page.
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
    """Whether a line that lies between the strips goes over all of their width, as below the head of a table."""
    if not rules or not rows:
        return False
    top, bottom = rows[0].y1 - _EDGE, rows[-1].y0 + _EDGE
    left, right = min([row.x0 for row in rows]) + _EDGE, max([row.x1 for row in rows]) - _EDGE
    return any(top < rule.y0 < bottom and rule.y0 == rule.y1 and rule.x0 <= left and rule.x1 >= right for rule in rules)


def _find_edges(rows: Sequence[Strip]) -> list[float]:
    """Where many lines begin, but for the left edge of all; those of most lines first."""
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
    """Whether nothing stands right before the edge."""
    start, end = edge - _NARROWEST * em, edge - _EDGE / 2
    return not any(box.x1 > start and box.x0 < end for box in row.boxes)


def _trim(rows: Sequence[Strip], start: int, end: int, parting: float, em: float) -> tuple[int, int]:
    """Start and end without what stands at the left alone: above the columns, and below where it is no part of them."""
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
