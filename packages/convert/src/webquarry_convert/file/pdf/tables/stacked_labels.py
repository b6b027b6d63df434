"""Pairs small labels with the large values above or below them, as on tickets and forms.

Passenger From two rows of labels, each with a row of values in larger type; Ada Birkett York they are read as
"Passenger Ada Birkett", "From York", "Date 3 May 2026" Date Seat and "Seat 14A", not as a table 3 May 2026 14A
"""

from collections.abc import Sequence

from webquarry_convert.file.pdf.source.content import Span
from webquarry_convert.file.pdf.words.lines import Line, Strip

_SMALLER = 0.87
"""Maximum size of a label, relative to its value."""
_FLUSH = 0.35
"""Maximum horizontal offset, in ems, between the starts of a label and its value."""
_CLOSE = 0.8
"""Maximum white space between a label and its value, in ems."""
_CELL = 0.8
"""Minimum white space between two cells, in ems."""
_LEAST = 2
"""Minimum number of rows of labels."""


def find_pairs(rows: Sequence[Strip], start: int, em: float) -> tuple[int, list[list[Span]]]:
    """Return the row after the last pair, and the spans of each label with its value, in order.

    The list of spans is empty if there are no pairs. start: a row of labels.
    """
    found: list[list[Span]] = []
    place, count = start, 0
    is_first = compare_sizes(rows, start)
    while is_first and compare_sizes(rows, place) == is_first:
        upper, lower = _find_cells(rows[place], em), _find_cells(rows[place + 1], em)
        pairs = _pair(upper, lower, em) if _are_apart(rows, place, em) else []
        if not pairs or (not found and len(pairs) < _LEAST):
            break
        found += pairs
        count += 1
        place += 2
    return (place, found) if count >= _LEAST else (start, [])


def make_line(spans: list[Span], right: float, em: float) -> Line:
    """Return a label and its value as one line, in the running text's size and never bold."""
    line = Line(spans, right)
    line.text = " ".join([span.text for span in spans])
    line.size, line.is_bold, line.is_new = em, False, True
    return line


def compare_sizes(rows: Sequence[Strip], place: int) -> int:
    """Return 1 if a row of labels is above its values, -1 if the row is below its values, and otherwise 0."""
    if place + 1 >= len(rows):
        return 0
    spans = [row.spans() for row in rows[place : place + 2]]
    if not all(spans) or sum(map(len, spans)) < sum(len(row.boxes) for row in rows[place : place + 2]):
        return 0
    (least, most), (lower_least, lower_most) = (
        (min(span.size for span in row), max(span.size for span in row)) for row in spans
    )
    if most <= _SMALLER * lower_least:
        return 1
    return -1 if lower_most <= _SMALLER * least else 0


def _are_apart(rows: Sequence[Strip], place: int, em: float) -> bool:
    """Return whether two rows are not close to each other."""
    return rows[place + 1].y0 - rows[place].y1 < _CLOSE * em


def _find_cells(row: Strip, em: float) -> list[list[Span]]:
    cells: list[list[Span]] = []
    for span in row.spans():
        if cells and span.x0 - cells[-1][-1].x1 < _CELL * em:
            cells[-1].append(span)
        else:
            cells.append([span])
    return cells


def _pair(upper: list[list[Span]], lower: list[list[Span]], em: float) -> list[list[Span]]:
    """Pair each cell with the cell below it. Returns [] if a cell has no counterpart."""
    if len(upper) != len(lower):
        return []
    if any(abs(above[0].x0 - below[0].x0) > _FLUSH * em for above, below in zip(upper, lower, strict=True)):
        return []
    return [[*above, *below] for above, below in zip(upper, lower, strict=True)]
