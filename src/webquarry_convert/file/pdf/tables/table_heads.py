"""Heads of tables that begin a page: they repeat as running titles do, and are none.

Date        Text            Amount     right below stand cells, each below one of the heads
3 May       Bright meadow    12.40
"""

from collections.abc import Sequence

from webquarry_convert.file.pdf.source.content import Span

_LEAST_HEADS, _LEAST_CELLS = 3, 2
"""Parts of a head, and cells of the row right below it."""
_CLOSE = 1.5
"""Heights of a line between them."""


def is_table_head(parts: Sequence[list[Span]], below: Sequence[list[Span]]) -> bool:
    """Whether what stands right below several parts of a line are cells of their columns, two at least."""
    if len(parts) < _LEAST_HEADS or len(below) < _LEAST_CELLS:
        return False
    head, cell = parts[0][0], below[0][0]
    if cell.y0 - head.y1 > _CLOSE * (head.y1 - head.y0):
        return False
    columns = [
        [place for place, part in enumerate(parts) if part[0].x0 < cells[-1].x1 and cells[0].x0 < part[-1].x1]
        for cells in below
    ]
    return all(len(places) == 1 for places in columns) and len({places[0] for places in columns}) >= _LEAST_CELLS
