"""Columns beside each other whose lines are not level: each was written for itself, and no row goes over both.

Experience                  Contact          the lines at the left and at the right are level by chance only,
                                             in a table all of them would be
Baker, Mill Lane            12 Rose Walk
He baked bread and          York YO1 7HH
sold it.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from webquarry_convert.file.pdf.layout.blocks import count_letters
from webquarry_convert.file.pdf.source.content import Box, Span
from webquarry_convert.file.pdf.tables.table import Table
from webquarry_convert.file.pdf.words.lines import Strip, group_strips

_LEAST = 3
"""Lines of a column."""
_LETTERS = 4
"""Of a line, on average."""
_LEVEL = 0.1
"""Sizes of the font by which the base lines of one row differ."""
_MOSTLY, _EITHER = 0.5, 0.8
"""Share of the lines of the shorter column that are level with one of the other; and with those right between two, as
cells are that stand in the middle beside one of two lines."""
_FARTHEST = 6.0
"""Height of white space within a column that goes on alone, in sizes of the font."""
_MARGIN = 5
"""Times as many lines as what stands in the margin beside a text."""
_APART, _CLOSE = 0.6, 0.6
"""White space above a block, in sizes of the font; that between two lines of a paragraph, in heights of a line."""
_ALIKE = 0.5
"""Points by which sizes of the font of one paragraph differ."""
_DESCENT = 0.2
"""Part of a line's height below its base line."""
Gaps = Sequence[tuple[float, float]]


def find_parting(band: Sequence[Strip], shared: Gaps, em: float) -> float | None:
    """The x of the gutter whose sides are least level; None where they are rows.

    shared: the gutters of all strips of the band.
    """
    if sum(len(row.boxes) for row in band) < 2 * _LEAST:
        return None
    least, chosen = _MOSTLY, None
    for start, end in shared:
        middle = (start + end) / 2
        if _are_rows(band, middle, em):
            continue
        share = _compute_level_share(split_at(band, middle), em)
        if share < least:
            least, chosen = share, middle
    return chosen


def find_end(rows: Sequence[Strip], end: int, parting: float, em: float) -> int:
    """The end of columns of which one goes on alone behind the row `end`. What stands apart right above a row over both
    columns belongs to that row.
    """
    stop = end
    while (
        stop < len(rows) and _is_on_a_side(rows[stop], parting) and rows[stop].y0 - rows[stop - 1].y1 < _FARTHEST * em
    ):
        stop += 1
    if stop == len(rows) or _is_on_a_side(rows[stop], parting):
        return stop
    apart = [row for row in range(end, stop) if rows[row].y0 - rows[row - 1].y1 > _APART * em]
    return apart[-1] if apart else stop


def extend_columns(rows: Sequence[Strip], start: int, end: int, first: int, shared: Gaps) -> tuple[int, int]:
    """Start and end of columns of prose, with the lines that one of them has above and below all others: those that
    stand as near to its own as lines of a paragraph do.

    first: the row above which they do not start. shared: their gutters.
    """
    while start > first and _goes_on(rows[start - 1], rows[start : start + 2], shared):
        start -= 1
    while end < len(rows) and _goes_on(rows[end], rows[end - 2 : end], shared):
        end += 1
    return start, end


def _goes_on(row: Strip, near: Sequence[Strip], shared: Gaps) -> bool:
    box = row.boxes[0]
    if (
        len(row.boxes) > 1
        or not isinstance(box, Span)
        or any(row.x0 < left and row.x1 > right for left, right in shared)
    ):
        return False
    return any(
        isinstance(other, Span)
        and abs(other.size - box.size) < _ALIKE
        and other.is_bold == box.is_bold
        and not any(min(other.x0, box.x0) < left < max(other.x0, box.x0) for left, _ in shared)
        and max(box.y0, other.y0) - min(box.y1, other.y1) < _CLOSE * (box.y1 - box.y0)
        for strip in near
        for other in strip.boxes
    )


def order_sides(rows: Sequence[Strip], start: int, end: int, parting: float) -> list[list[Box]]:
    """The boxes of both columns, from the left, but a box first that the text at its left goes around and on below."""
    sides = split_at(rows[start:end], parting)
    if end < len(rows) and rows[end].x0 < parting:
        last = max(sides[0], key=lambda box: box.y1)
        if rows[end].y0 - last.y1 < _CLOSE * (last.y1 - last.y0):
            sides.reverse()
    return sides


def split_at(rows: Sequence[Strip], x: float) -> list[list[Box]]:
    """The boxes at the left and at the right."""
    boxes = [box for row in rows for box in row.boxes]
    return [[box for box in boxes if box.x0 < x], [box for box in boxes if box.x0 >= x]]


def _is_on_a_side(row: Strip, parting: float) -> bool:
    return row.x1 <= parting or row.x0 >= parting


def _are_rows(band: Sequence[Strip], parting: float, em: float) -> bool:
    """A quick look: whether most strips go over both sides and are hardly higher than what stands in them."""
    both = 0
    for row in band:
        if row.x0 < parting < row.x1:
            both += row.y1 - row.y0 < max([box.y1 - box.y0 for box in row.boxes]) + _LEVEL * em
    return both * 3 > len(band) * 2


def _compute_level_share(sides: Sequence[list[Box]], em: float) -> float:
    """Of the lines of the shorter side, those that are level with the other; 1 where there are too few to tell."""
    if any(isinstance(box, Table) for side in sides for box in side) or min(map(len, sides)) < _LEAST:
        return 1.0
    lines = [_find_base_lines(side) for side in sides]
    few, many = sorted(lines, key=len)
    if len(few) < _LEAST or (len(few) * _MARGIN > len(many) and not all(map(_has_words, sides, lines))):
        return 1.0
    top, bottom = max(few[0], many[0]), min(few[-1], many[-1])
    few = [line for line in few if top - em <= line <= bottom + em]
    if len(few) < _LEAST or sum(top - em <= line <= bottom + em for line in many) < _LEAST:
        return 1.0
    half = median([below - above for above, below in pairwise(many)]) / 2
    offs = [_measure_distance(line, many) for line in few]
    level = sum(off < _LEVEL * em for off in offs)
    between = sum(_LEVEL * em <= off and abs(off - half) < _LEVEL * em for off in offs)
    return level / len(few) if level + between < _EITHER * len(few) else 1.0


def _measure_distance(line: float, others: Sequence[float]) -> float:
    """To the nearest. others: from the top."""
    at = bisect_left(others, line)
    return min(abs(line - other) for other in others[max(at - 1, 0) : at + 1])


def _has_words(side: Sequence[Box], lines: Sequence[float]) -> bool:
    """Columns of figures, dates or boxes to tick belong to what is beside them, marks in the margin do not."""
    return count_letters(side) >= _LETTERS * len(lines)


def _find_base_lines(side: list[Box]) -> list[float]:
    """From the top."""
    lines = []
    for row in group_strips(side):
        widest = max(row.boxes, key=lambda box: box.x1 - box.x0)
        lines.append(widest.y1 - _DESCENT * (widest.y1 - widest.y0))
    return sorted(lines)
