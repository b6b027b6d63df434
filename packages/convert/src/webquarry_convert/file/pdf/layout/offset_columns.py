"""Columns with few lines.

They are recognized because their lines are slightly higher or lower than the lines next to them.

Applications                     the cells of a table row have one base line; here lines of one size overlap
                Features         without a common one, so both sides are separate text
Base stations
and equipment.  - Gain 20 dB
                - Supply 5 V
"""

from collections.abc import Iterator, Sequence

from webquarry_convert.file.pdf.layout.blocks import count_letters
from webquarry_convert.file.pdf.layout.flush_columns import is_ruled_across
from webquarry_convert.file.pdf.layout.side_columns import split_at
from webquarry_convert.file.pdf.source.content import Box, Rule, Span
from webquarry_convert.file.pdf.words.lines import Strip

Gutter = tuple[float, float]
_WIDEST_GAP = 1.5
"""Maximum white space between two strips of the columns, in ems."""
_APART = 0.6
"""Minimum white space above a heading, in ems."""
_NARROWEST = 1.0
"""Minimum width of the gutter, in ems."""
_LEVEL = 0.03
"""Maximum difference between the tops of two lines on the same baseline, relative to their size."""
_HALF, _AROUND_HALF = 0.5, 0.12
"""Offset of a cell that is centered next to two lines, relative to a line's height, and its tolerance."""
_VARIED = 0.2
"""Minimum difference between two lines' offsets, in line heights."""
_SAME_SIZE = 0.2
"""Maximum difference, in points, between font sizes that count as the same."""
_LEAST = 3
"""Minimum number of pairs of lines that are not on the same baseline."""
_MOST_LEVEL = 0.25
"""Maximum share of pairs of lines that are on the same baseline."""
_LETTERS = 4
"""Minimum average number of letters in a line."""
_MOST = 200
"""Maximum number of strips in the columns, and of lines on each side."""


def find_columns(
    rows: Sequence[Strip], first: int, start: int, gutter: Gutter, em: float, rules: Sequence[Rule]
) -> tuple[int, int, float] | None:
    """Return the first strip of two columns, the end after their last strip, and the x between them, or None if there
    are no columns.

    first: the earliest start. start: a strip with text on both sides. gutter: the white space between them.
    """
    shared = _narrow(gutter, rows[start], em)
    if shared is None:
        return None
    begin, shared = _extend(rows, start, -1, first - 1, shared, em)
    last, shared = _extend(rows, start, 1, len(rows), shared, em)
    middle = sum(shared) / 2
    end = _leave_heading(rows, start, last + 1, middle, em) if last + 1 < len(rows) else last + 1
    band = rows[begin:end]
    sides = split_at(band, middle)
    if min(map(len, sides)) < _LEAST or any(count_letters(side) < _LETTERS * len(side) for side in sides):
        return None
    if is_ruled_across(band, rules) or not _are_offset(*sides):
        return None
    return begin, end, middle


def _extend(rows: Sequence[Strip], start: int, step: int, stop: int, gutter: Gutter, em: float) -> tuple[int, Gutter]:
    """Return the last strip before `stop` that shares a gutter with all strips from `start` on, and this gutter."""
    place = start
    while place + step != stop and abs(place - start) < _MOST:
        upper, lower = sorted((place, place + step))
        narrowed = _narrow(gutter, rows[place + step], em)
        if narrowed is None or rows[lower].y0 - rows[upper].y1 >= _WIDEST_GAP * em:
            break
        gutter, place = narrowed, place + step
    return place, gutter


def _leave_heading(rows: Sequence[Strip], start: int, end: int, middle: float, em: float) -> int:
    """Return the columns' end without a heading on the left that belongs to the row below both columns."""
    alone = end
    while alone > start + 1 and rows[alone - 1].x1 < middle:
        alone -= 1
    for place in range(alone, end):
        if rows[place].y0 - rows[place - 1].y1 > _APART * em and all(span.is_bold for span in rows[place].spans()):
            return place
    return end


def _narrow(gutter: Gutter, row: Strip, em: float) -> Gutter | None:
    """Return the part of a gutter in which a strip has no text, or None if this part is too narrow."""
    left, right = gutter
    middle = (left + right) / 2
    for box in row.boxes:
        if (box.x0 + box.x1) / 2 < middle:
            left = max(left, box.x1)
        else:
            right = min(right, box.x0)
    return (left, right) if right - left >= _NARROWEST * em else None


def _are_offset(left: Sequence[Box], right: Sequence[Box]) -> bool:
    """Return whether lines of the same size whose heights overlap are on different baselines."""
    offsets = list(_measure_offsets(left, right))
    level = sum(offset < _LEVEL for offset in offsets)
    if any(abs(offset - _HALF) < _AROUND_HALF for offset in offsets):
        return False
    if max(offsets, default=0.0) - min(offsets, default=0.0) < _VARIED:
        return False  # the lines are a table column that is slightly higher or lower
    return len(offsets) - level >= _LEAST and level <= _MOST_LEVEL * len(offsets)


def _find_lines(side: Sequence[Box]) -> list[Span]:
    return [box for box in side if isinstance(box, Span) and box.source is not None and any(map(str.isalpha, box.text))]


def _measure_offsets(left: Sequence[Box], right: Sequence[Box]) -> Iterator[float]:
    """Yield, for each line on the shorter side, the smallest offset from the adjacent lines, in line heights."""
    few, many = sorted((_find_lines(left), _find_lines(right)), key=len)
    if len(many) > _MOST:
        return
    for line in few:
        height = line.y1 - line.y0
        beside = [
            abs(other.y0 - line.y0) / height
            for other in many
            if other.y0 < line.y1 and other.y1 > line.y0 and abs(other.size - line.size) < _SAME_SIZE
        ]
        if beside:
            yield min(beside)
