"""Columns without drawn borders, which are recognized by white gutters between aligned numbers within one drawn column.

+--------+---------------+
| Region |  2023    2024 |     the second drawn column has a gutter, so it is two columns
| North  |    10      12 |
| South  |     8       9 |
+--------+---------------+
"""

from bisect import bisect_right
from collections.abc import Sequence
from statistics import median

from webquarry_convert.file.pdf.source.content import Box, Span
from webquarry_convert.file.pdf.tables.borderless_tables import find_gutters
from webquarry_convert.file.pdf.tables.table import is_figure
from webquarry_convert.file.pdf.words.lines import Strip, group_strips

_LEAST = 3
"""Minimum number of rows with numbers after a gutter."""
_MOST = 50
"""Maximum number of columns within a drawn column."""


def find_undrawn_columns(spans: Sequence[Span], xs: Sequence[float]) -> list[float]:
    """Return the gutters within drawn columns. xs: the positions of the grid's vertical lines in ascending order."""
    inside: dict[int, list[Span]] = {}
    for span in spans:
        column = bisect_right(xs, span.x0 + 1)
        if column == bisect_right(xs, max(span.x0, span.x1 - 1)):
            inside.setdefault(column, []).append(span)
    found: list[float] = []
    for column in sorted(inside):
        held = inside[column]
        if len(held) < 2 * _LEAST or sum(map(_holds_figures, held)) * 3 < len(held):
            continue
        rows = group_strips(held)
        if len(held) < len(rows) + _LEAST:
            continue
        places = find_gutters(rows, median([span.size for span in held]))
        if 0 < len(places) < _MOST and _are_of_figures(rows, places):
            found += places
    return found


def _are_of_figures(rows: Sequence[Strip], places: Sequence[float]) -> bool:
    """Return whether most rows have numbers after the gutters and text before them."""
    several = sum(
        row.boxes[0].x0 < places[0] and any(box.x0 > places[0] and _is_figure(box) for box in row.boxes) for row in rows
    )
    return several >= _LEAST and several * 2 >= len(rows)


def _is_figure(box: Box) -> bool:
    return isinstance(box, Span) and _holds_figures(box)


def _holds_figures(span: Span) -> bool:
    """Return whether a span is a number, or several numbers that are close together."""
    return all(map(is_figure, span.text.split()))
