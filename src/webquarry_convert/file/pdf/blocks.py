"""Columns side by side that are no table: blocks of records (addresses on labels, sender and recipient), boxes to tick;
and columns that are one, though their cells are prose.

Blocks of records are lines with breaks that somebody wanted; cells of a table wrap where they have no more room.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from webquarry_convert.file.pdf.content import Box, Span
from webquarry_convert.file.pdf.lines import Strip, group_strips, join_spans
from webquarry_convert.file.pdf.table import Table, is_figure

_BOXES = "\u2610\u2611\u2612\u25a1\u25a2\u2751\u2752\u25fb"
_APART = 1.6
"""Distance of lines, in the least distance, from which on blocks are parted."""
_MOSTLY = 0.6
"""Share of the cells that have several lines, and of their breaks that were wanted."""
_MOST_FIGURES = 0.15
_ROWS = 3
"""Rows that columns have in common, from which on they are a table."""
_COMMON = 0.7
"""Share of the rows of a column that others have too."""
_LEVEL = 2.0
"""Points by which the first lines of a row may differ."""
_STEP = 1.12
"""Distance of lines, in the least distance, from which on a row begins."""


def begins_with_box(span: Span) -> bool:
    """Whether it begins with a box to tick."""
    return span.text[:1] in _BOXES or span.text.startswith(("[ ]", "[x]"))


def are_boxes_to_tick(band: Sequence[Strip]) -> bool:
    spans = [span for row in band for span in row.spans()]
    ticks = sum(begins_with_box(span) for span in spans)
    return ticks >= 2 and ticks * 2 >= len(spans)


def are_records(columns: Sequence[Sequence[Box]]) -> bool:
    """Whether columns are blocks of records, above and beside each other."""
    if any(isinstance(box, Table) for column in columns for box in column):
        return False
    cells = several = breaks = wanted = lines = figures = 0
    groups = 0
    for column in columns:
        rows = group_strips(column)
        right = max(row.x1 for row in rows)
        parted = list(_part_blocks(rows))
        groups = max(groups, len(parted))
        for block in parted:
            cells += 1
            several += len(block) > 1
            lines += len(block)
            figures += sum(is_figure(join_spans(row.spans())) for row in block)
            for above, below in pairwise(block):
                breaks += 1
                wanted += right - above.x1 > _measure_first_word(below)
    if groups < 2:
        return False
    return (
        several >= _MOSTLY * cells
        and wanted >= _MOSTLY * breaks
        and breaks > 0
        and figures <= _MOST_FIGURES * lines
        and cells > groups
    )


def order_blocks(columns: Sequence[Sequence[Box]]) -> list[list[Box]]:
    """Blocks row by row, each to be read for itself."""
    found: list[tuple[float, float, list[Box]]] = []
    for column in columns:
        for block in _part_blocks(group_strips(column)):
            boxes = [box for row in block for box in row.boxes]
            found.append((block[0].y0, block[0].x0, boxes))
    found.sort(key=lambda block: (round(block[0] / _LEVEL), block[1]))
    return [boxes for _, _, boxes in found]


def have_common_rows(columns: Sequence[Sequence[Box]]) -> bool:
    """Whether the cells of neighbouring columns begin at the same heights, behind white space."""
    if any(isinstance(box, Table) for column in columns for box in column):
        return False
    starts = [_find_starts(group_strips(column)) for column in columns]
    shortest = min(starts, key=len)
    if len(shortest) < _ROWS:
        return False
    for tops in starts:
        common = sum(any(abs(top - other) < _LEVEL for other in shortest) for top in tops)
        if common < max(_ROWS, _COMMON * len(tops)):
            return False
    return True


def _find_starts(rows: Sequence[Strip]) -> list[float]:
    """Heights of lines that stand farther from the one above than lines do at least."""
    steps = [below.y0 - above.y0 for above, below in pairwise(rows)]
    if not steps:
        return [rows[0].y0]
    height = median([row.y1 - row.y0 for row in rows])
    least = max(min(steps), height * 0.9)
    return [rows[0].y0, *(row.y0 for row, step in zip(rows[1:], steps, strict=True) if step > _STEP * least)]


def _part_blocks(rows: Sequence[Strip]) -> Iterator[list[Strip]]:
    steps = [below.y0 - above.y0 for above, below in pairwise(rows)]
    least = min((step for step in steps if step > 0), default=0.0)
    block = [rows[0]]
    for row, step in zip(rows[1:], steps, strict=True):
        if step > _APART * least:
            yield block
            block = []
        block.append(row)
    yield block


def _measure_first_word(row: Strip) -> float:
    box = row.boxes[0]
    if not isinstance(box, Span):
        return box.x1 - box.x0
    word = (box.text.split(None, 1) or [box.text])[0]
    return (box.x1 - box.x0) * len(word) / max(len(box.text), 1) + 0.5 * box.size
