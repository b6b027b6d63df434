"""White space in strips: gaps between a strip's boxes, and gutters, which are gaps that several strips share."""

import re

from webquarry_convert.file.pdf.source.content import Span
from webquarry_convert.file.pdf.tables.borderless_tables import MOST_GUTTERS
from webquarry_convert.file.pdf.words.lines import MARKER, Strip

_GUTTER = 0.8
"""Minimum width of a gutter, in ems."""
_TIGHT = 0.2
"""Minimum width, in ems, of a gap before text that is aligned in several rows."""
_FLUSH = 0.6
"""Tolerance for aligned positions, in points."""
_EVERYWHERE = float("inf")
LARGER = 1.15
"""Minimum size of a heading, relative to the surrounding text."""
_SAME_SIZE = 0.5
"""Maximum difference, in points, between measured sizes of the same font size."""
_NUMBER = re.compile("[0-9]{1,3}|[A-Z]|[IVX]{1,5}")
"""Matches a heading's number. If a period follows, it is a list marker."""
Gaps = list[tuple[float, float]]


def find_gaps(row: Strip, em: float) -> Gaps:
    """Return a strip's gaps, including the space beyond its ends."""
    least, tight = _GUTTER * em, _TIGHT * em
    gaps: Gaps = [(-_EVERYWHERE, row.x0)]
    end = row.boxes[0].x1
    first = row.boxes[0]
    after_marker = isinstance(first, Span) and MARKER.fullmatch(first.text) is not None
    for box in row.boxes[1:]:
        width = box.x0 - end
        is_gap = width >= least or (width >= tight and isinstance(box, Span) and box.begins_cell)
        if is_gap and not after_marker:
            gaps.append((end, box.x0))
        after_marker = False
        if box.x1 > end:
            end = box.x1
    gaps.append((row.x1, _EVERYWHERE))
    if len(gaps) > MOST_GUTTERS + 2 or (len(gaps) == 3 and _is_numbered_heading(row, em)):
        return [gaps[0], gaps[-1]]
    return gaps


def _is_numbered_heading(row: Strip, em: float) -> bool:
    """Return whether a strip of two cells is a number and a heading in the same font size.

    The font size must be larger than the running text's.
    """
    number, title = row.boxes[:2]
    return (
        isinstance(number, Span)
        and isinstance(title, Span)
        and number.size > LARGER * em
        and abs(number.size - title.size) < _SAME_SIZE
        and _NUMBER.fullmatch(number.text) is not None
        and _NUMBER.fullmatch(title.text) is None
    )


def find_shared_gaps(some: Gaps, others: Gaps, em: float) -> Gaps:
    """Return the gaps that both lists have in common.

    Gaps that are too narrow for their one or two common edges are dropped.

    some, others: gaps sorted from the left.

    For example, [(10, 20), (30, 50)] and [(15, 40)] share [(15, 20), (30, 40)].
    """
    found: Gaps = []
    place = at = 0
    places, ends = len(some), len(others)
    while place < places and at < ends:
        start, end = some[place]
        other_start, other_end = others[at]
        low = start if start > other_start else other_start
        if end < other_end:
            place, high = place + 1, end
        else:
            at, high = at + 1, other_end
        if high - low >= (_GUTTER if abs(end - other_end) > _FLUSH else _TIGHT) * em:
            found.append((low, high))
    return found
