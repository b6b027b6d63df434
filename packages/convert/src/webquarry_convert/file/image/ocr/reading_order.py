"""Reading order of lines: columns of prose one after the other, everything else row by row.

A vertical gap separates columns if both sides contain prose, which is lines of many words. A gap next to short text is
between the label and the price on a receipt, or between the cells of a table; such lines are read across it.
"""

from bisect import bisect_right, insort
from collections.abc import Sequence
from itertools import accumulate
from statistics import median

from webquarry_convert.file.image.ocr.lines import Line

Row = list[Line]
"""Adjacent lines from left to right."""
Region = list[Row]
"""Rows from top to bottom, in one column."""

_PROSE = 18  # minimum median length of prose lines; newspaper columns have 25, table cells fewer than 15
_FEWEST = 3  # minimum number of lines in a column
_PLACES = 200  # number of positions at which a gap is searched
_ACROSS = 0.2  # maximum share of lines that may cross the gap, such as titles and captions
_DEEPEST = 8
_NEAR = 4  # number of preceding lines that may extend down to a position


def find_regions(lines: Sequence[Line]) -> list[Region]:
    """Group all lines into rows, and rows into regions."""
    found: list[Region] = []
    _split_region(sorted(lines, key=lambda line: line.top), found, _DEEPEST)
    return found


def _split_region(lines: Sequence[Line], found: list[Region], depth: int) -> None:
    """Split lines into regions. lines: sorted by top."""
    place = _find_gap(lines) if depth else None
    if place is None:
        if lines:
            found.append(group_rows(lines))
        return
    beside = [line for line in lines if line.right <= place or line.left >= place]
    left: list[Line] = []
    right: list[Line] = []
    inset: list[Line] = []
    for line in lines:
        if line.right <= place:
            left.append(line)
        elif line.left >= place:
            right.append(line)
        elif _is_inset(line, beside):
            inset.append(line)
        else:  # the line is a title across both columns
            for part in (left, right, inset):
                _split_region(part, found, depth - 1)
            left, right, inset = [], [], []
            found.append([[line]])
    for part in (left, right, inset):
        _split_region(part, found, depth - 1)


def _is_inset(line: Line, others: Sequence[Line]) -> bool:
    """Return whether other lines are at the same height, such as text next to a caption.

    others: lines sorted by top.
    """
    core = line.height / 4
    near = bisect_right(others, line.bottom - core, key=lambda other: other.top)
    return any(other.bottom > line.top + core for other in others[max(0, near - _NEAR) : near])


def _find_gap(lines: Sequence[Line]) -> float | None:
    """Return the position of the gap between two columns of prose, or None."""
    if len(lines) < 2 * _FEWEST:
        return None
    start = min(line.left for line in lines)
    width = max(line.right for line in lines) - start
    if width <= 0:
        return None
    place = start + _find_best_place(lines, start, width) * width / _PLACES
    left = [line for line in lines if line.right <= place]
    right = [line for line in lines if line.left >= place]
    across = len(lines) - len(left) - len(right)
    if min(len(left), len(right)) < _FEWEST or across > _ACROSS * len(lines):
        return None
    if not _is_side_by_side(left, right) or not (_is_prose(left) and _is_prose(right)):
        return None
    return place


def _find_best_place(lines: Sequence[Line], start: float, width: float) -> int:
    """Compare `_PLACES` positions across the width.

    Return the one with the most lines on both sides and the fewest lines across it.
    """
    # for each position, the lines that end before it and those that begin after it; all other lines cross it
    ends, begins = [0] * (_PLACES + 1), [0] * (_PLACES + 1)
    for line in lines:
        ends[min(_PLACES, int((line.right - start) / width * _PLACES) + 1)] += 1
        begins[int((line.left - start) / width * _PLACES)] += 1
    before = list(accumulate(ends))
    after = [len(lines), *[len(lines) - begun for begun in accumulate(begins)][:-1]]
    return max(range(_PLACES + 1), key=lambda at: min(before[at], after[at]) - (len(lines) - before[at] - after[at]))


def _is_prose(lines: Sequence[Line]) -> bool:
    return median(line.signs for line in lines) >= _PROSE


def _is_side_by_side(left: Sequence[Line], right: Sequence[Line]) -> bool:
    return left[0].top < right[-1].bottom and right[0].top < left[-1].bottom


def group_rows(lines: Sequence[Line]) -> Region:
    """Group lines into rows. Lines in a row overlap by more than half of their height."""
    region: Region = []
    heights: list[float] = []  # sorted tops or bottoms of the lines in the last row
    middles = 0.0  # the sum of `heights`
    for line in sorted(lines, key=lambda line: line.top + line.bottom):
        middle = (line.top + line.bottom) / 2
        row = region[-1] if region else []
        usual = (heights[(len(row) - 1) // 2] + heights[len(row) // 2]) / 2 if row else 0.0
        if row and abs(middle - middles / len(row)) < 0.5 * min(line.height, usual):
            row.append(line)
        else:
            region.append([line])
            heights, middles = [], 0.0
        insort(heights, line.height)
        middles += middle
    for row in region:
        row.sort(key=lambda line: line.left)
    return region
