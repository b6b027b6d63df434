"""Independent columns next to each other. They have no common rows, and their lines are not level.

Experience                  Contact          the left and the right lines are level only by chance,
                                             but in a table all of them would be
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
"""Minimum number of lines in a column."""
_LETTERS = 4
"""Minimum average number of letters in a line."""
_LEVEL = 0.1
"""Maximum difference, in ems, between the baselines of one row."""
_MOSTLY, _EITHER = 0.5, 0.8
"""Maximum share of the shorter column's lines that are level with a line in the other column.

The second number also counts lines midway between two lines, such as a cell centered next to two lines.
"""
_FARTHEST = 6.0
"""Maximum white space, in ems, inside a column that continues after the other column has ended."""
_MARGIN = 5
"""Minimum ratio between the numbers of lines in a text and in the notes in its margin."""
_APART, _CLOSE = 0.6, 0.6
"""Minimum white space above a block, in ems, and maximum white space between a paragraph's lines, in line heights."""
_ALIKE = 0.5
"""Maximum difference between font sizes in one paragraph, in points."""
_DESCENT = 0.2
"""Share of a line's height that is below the baseline."""
Gaps = Sequence[tuple[float, float]]


def find_parting(band: Sequence[Strip], shared: Gaps, em: float) -> float | None:
    """Return the x of the gutter whose sides have the fewest level lines, or None if the two sides form rows.

    shared: the gutters of all strips in the band.
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
    """Return the end of the columns, one of which may continue after the row `end`.

    Separate content directly above a row across both columns belongs to that row.
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
    """Return the start and end of columns of prose, including lines of one column that are above or below the others.

    Such lines must be as close to their column as the lines of a paragraph are to each other. first: the earliest
    start. shared: the gutters of the columns.
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
    """Return the boxes of both columns, left column first.

    A box around which the left column's text flows comes first.
    """
    sides = split_at(rows[start:end], parting)
    if end < len(rows) and rows[end].x0 < parting:
        last = max(sides[0], key=lambda box: box.y1)
        if rows[end].y0 - last.y1 < _CLOSE * (last.y1 - last.y0):
            sides.reverse()
    return sides


def split_at(rows: Sequence[Strip], x: float) -> list[list[Box]]:
    """Return the boxes on the left and the boxes on the right."""
    boxes = [box for row in rows for box in row.boxes]
    return [[box for box in boxes if box.x0 < x], [box for box in boxes if box.x0 >= x]]


def _is_on_a_side(row: Strip, parting: float) -> bool:
    return row.x1 <= parting or row.x0 >= parting


def _are_rows(band: Sequence[Strip], parting: float, em: float) -> bool:
    """Return whether most strips extend over both sides and are not much taller than their content.

    This is a quick check.
    """
    both = 0
    for row in band:
        if row.x0 < parting < row.x1:
            both += row.y1 - row.y0 < max([box.y1 - box.y0 for box in row.boxes]) + _LEVEL * em
    return both * 3 > len(band) * 2


def _compute_level_share(sides: Sequence[list[Box]], em: float) -> float:
    """Return the share of the shorter side's lines that are level with the other side, or 1 if there are too few."""
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
    """Return the distance to the nearest of the other lines. others: their heights in ascending order."""
    at = bisect_left(others, line)
    return min(abs(line - other) for other in others[max(at - 1, 0) : at + 1])


def _has_words(side: Sequence[Box], lines: Sequence[float]) -> bool:
    """Return whether a column has words.

    Columns of numbers, dates or check boxes belong to the adjacent column. Marks in the margin don't.
    """
    return count_letters(side) >= _LETTERS * len(lines)


def _find_base_lines(side: list[Box]) -> list[float]:
    """Return the baselines in ascending order."""
    lines = []
    for row in group_strips(side):
        widest = max(row.boxes, key=lambda box: box.x1 - box.x0)
        lines.append(widest.y1 - _DESCENT * (widest.y1 - widest.y0))
    return sorted(lines)
