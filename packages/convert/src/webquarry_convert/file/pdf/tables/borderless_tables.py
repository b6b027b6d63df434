"""Borderless tables, whose columns are separated by white gutters rather than ruling lines.

A few rows may cross a gutter: headings above several columns, and labels wider than their column. Example:

    Income by region               one cell: no evidence about columns
    Region       2023   2024
    North          10     12       two gutters: after "Region" and after "2023"
    South,                         the first of two lines of one row, whose label is
    and islands     8      9       "South, and islands"
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.source.content import Box, Rule, Span
from webquarry_convert.file.pdf.tables.row_groups import group_rows
from webquarry_convert.file.pdf.tables.table import Table, is_figure, write_cell
from webquarry_convert.file.pdf.words.lines import MARKER, Strip

_CROSSED = 0.2
"""Maximum share of rows that may cross a gutter."""
_NARROWEST, _FLUSH = 0.35, 0.15
"""Minimum width of a gutter, in ems.

The second value applies if the text after the gutter is aligned in half of the rows and in at least three.
"""
_ROWS = 3
_SPARSE = 0.8
"""Minimum width, in ems, of a gap that no row crosses."""
MOST_GUTTERS = 200
"""Maximum number of gutters between columns. No table has more columns, and text with more white gaps has no columns.
"""
_Cell = tuple[float, float, int]
"""A cell's start and end, and the index of its row."""


def find_gutters(rows: Sequence[Strip], em: float) -> list[float]:
    """Return the x position of each gutter's middle, from the left, or [] if there are more than `MOST_GUTTERS`.

    A sweep from left to right counts the rows with text at each x. A gutter is an interval with text in at most
    `_CROSSED` of the rows, between intervals with more. For cells at x = 0 to 40 and 60 to 90 in each row, the gutter
    is at 50. Rows with one cell are not counted.
    """
    rows = [row for row in rows if _has_gap(row, em)]
    edges: list[tuple[float, int]] = []
    for row in rows:
        start, end = row.boxes[0].x0, row.boxes[0].x1
        for box in row.boxes:
            if box.x0 > end + 0.1:
                edges += ((start, 1), (end, -1))
                start = box.x0
            if box.x1 > end:
                end = box.x1
        edges += ((start, 1), (end, -1))
    edges.sort()
    starts = Counter(place for row in rows for place in {round(box.x0) for box in row.boxes})
    most = int(len(rows) * _CROSSED)
    found: list[float] = []
    covering = peak = 0
    opened: float | None = None
    free = widest = (0.0, 0.0)  # gaps inside an open gutter that no row crosses
    for x, change in edges:
        if covering == 0 and opened is not None:
            free = (free[0], x)
            widest = max(widest, free, key=_measure_width)
        covering += change
        if covering == 0:
            free = (x, x)
        if covering <= most and change < 0:
            if opened is None and peak > most:
                opened, widest = x, (x, x)
        elif covering > most:
            least = _FLUSH if starts[round(x)] >= max(_ROWS, len(rows) / 2) else _NARROWEST
            if opened is not None and x - opened >= least * em:
                is_free = _measure_width(widest) >= _SPARSE * em
                found.append(sum(widest) / 2 if is_free else (opened + x) / 2)
                peak = 0
            opened = None
            peak = max(peak, covering)
    if len(found) > MOST_GUTTERS:
        return []
    return _add_sparse_gutters(found, rows, em)


def _measure_width(stretch: tuple[float, float]) -> float:
    return stretch[1] - stretch[0]


def _add_sparse_gutters(places: list[float], rows: Sequence[Strip], em: float) -> list[float]:
    """Return the gutters, including gutters before columns that have cells in only a few rows.

    Such a gutter is a gap that no row crosses, followed by at least two aligned cells. One of these cells must be in a
    row that also has a cell before the gap.
    """
    inside: dict[int, list[_Cell]] = {}
    for number, row in enumerate(rows):
        for box in row.boxes:
            inside.setdefault(bisect_left(places, (box.x0 + box.x1) / 2), []).append((box.x0, box.x1, number))
    found = list(places)
    for cells in inside.values():
        cells.sort()
        groups = [cells[:1]]
        reach = cells[0][1]
        for cell in cells[1:]:
            if cell[0] - reach >= _SPARSE * em:
                groups.append([])
            groups[-1].append(cell)
            reach = max(reach, cell[1])
        for before, behind in pairwise(groups):
            is_flush = _are_flush([x0 for x0, _, _ in behind]) or _are_flush([x1 for _, x1, _ in behind])
            if len(behind) > 1 and is_flush and not {cell[2] for cell in before}.isdisjoint(cell[2] for cell in behind):
                found.append((max(x1 for _, x1, _ in before) + behind[0][0]) / 2)
    return sorted(found)


def _are_flush(edges: list[float]) -> bool:
    """Return whether half of the edges are at the same position."""
    edges = sorted(edges)
    middle = edges[len(edges) // 2]
    return sum(abs(edge - middle) < 1.0 for edge in edges) * 2 > len(edges)


def is_table(band: Sequence[Strip], places: Sequence[float], em: float) -> bool:
    """Return whether rows have enough cells in several columns, and whether these cells are aligned."""
    several = figures = 0
    cells: list[list[tuple[float, float]]] = [[] for _ in range(len(places) + 1)]
    for row in band:
        taken: dict[int, tuple[float, float]] = {}
        for box in row.boxes[1:] if _begins_item(row) else row.boxes:
            column = bisect_right(places, (box.x0 + box.x1) / 2)
            x0, x1 = taken.get(column, (box.x0, box.x1))
            taken[column] = (min(x0, box.x0), max(x1, box.x1))
            if isinstance(box, Span) and is_figure(box.text):
                figures += 1
        several += len(taken) > 1
        for column, edges in taken.items():
            cells[column].append(edges)
    if several < 2:
        return False
    are_figures = figures >= 2 * several  # labels may have many lines
    if not are_figures and (several * 3 < len(band) or sum(map(len, cells)) * 3 < len(band) * len(cells)):
        return False
    if sum(_are_cells_flush(column, em) for column in cells if len(column) > 1) * 2 < sum(
        len(column) > 1 for column in cells
    ):
        return False
    return len(places) > 1 or several > 2 or figures > 0


def _are_cells_flush(column: Sequence[tuple[float, float]], em: float) -> bool:
    """Return whether most cells are aligned by their left edges, right edges or middles."""
    for edges in ([x0 for x0, _ in column], [x1 for _, x1 in column], [(x0 + x1) / 2 for x0, x1 in column]):
        edges.sort()
        middle = edges[len(edges) // 2]
        if sum(abs(edge - middle) < 0.35 * em for edge in edges) * 2 > len(edges):
            return True
    return False


def build_table(rows: Sequence[Strip], places: Sequence[float], rules: Sequence[Rule]) -> Table:
    """Build a table. rows: strips of spans. places: gutters between columns. rules: all ruling lines on the page."""
    box = Box(min(row.x0 for row in rows), rows[0].y0, max(row.x1 for row in rows), rows[-1].y1)
    extents = _measure_columns(rows, places)
    parted = [_split_row(row, places, extents) for row in rows]
    texts = [[write_cell(cell) for cell in cells] for cells in parted]
    groups = group_rows(rows, box, parted, texts, places, rules)
    merged = []
    for start, end in groups:
        if end - start == 1:
            merged.append(texts[start])
        else:
            merged.append(
                [
                    write_cell([span for cells in parted[start:end] for span in cells[place]])
                    for place in range(len(places) + 1)
                ]
            )
    return Table(box, merged, places)


def _begins_item(row: Strip) -> bool:
    first = row.boxes[0]
    return isinstance(first, Span) and len(row.boxes) > 1 and MARKER.fullmatch(first.text) is not None


def _has_gap(row: Strip, em: float) -> bool:
    """Return whether a row has a gap between its boxes, other than the gap after a list marker."""
    end = row.boxes[0].x1
    for box in row.boxes[2:] if _begins_item(row) else row.boxes[1:]:
        if box.x0 - end > 0.6 * em or (isinstance(box, Span) and box.begins_cell and box.x0 > end):
            return True
        end = max(end, box.x1)
    return False


def _measure_columns(rows: Sequence[Strip], places: Sequence[float]) -> list[tuple[float, float] | None]:
    """Return the horizontal extent of each column's cells, ignoring cells that cross a gutter.

    A column without other cells has the extent None.
    """
    extents: list[tuple[float, float] | None] = [None] * (len(places) + 1)
    ends = [*places, float("inf")]
    for row in rows:
        for box in row.boxes:
            column = bisect_right(places, box.x0)
            if box.x1 < ends[column] or column == bisect_right(places, box.x1):
                known = extents[column]
                extents[column] = (min(known[0], box.x0), max(known[1], box.x1)) if known else (box.x0, box.x1)
    return extents


def _find_column(span: Span, first: int, last: int, extents: Sequence[tuple[float, float] | None]) -> int:
    """Return the column to which a span that crosses gutters belongs.

    This is the column in which the span begins, or the only column whose cells are below the span, because headers may
    be wider than the cells below them.
    """
    over = [
        column
        for column in range(first, last + 1)
        if (known := extents[column]) is not None and min(known[1], span.x1) - max(known[0], span.x0) > 0
    ]
    return over[0] if len(over) == 1 else first


def _split_row(row: Strip, places: Sequence[float], extents: Sequence[tuple[float, float] | None]) -> list[list[Span]]:
    """Split the spans of a row by column.

    If a span crosses a gutter and ends with numbers, it is split before each number, because liteparse joins numbers in
    adjacent cells that are close together. Each number gets a separate column.
    """
    cells: list[list[Span]] = [[] for _ in range(len(places) + 1)]
    for span in row.spans():
        column = bisect_right(places, span.x0)
        if column < len(places) and span.x1 >= places[column]:
            if span.x1 > places[column] and len(parts := _split_figures(span, places)) > 1:
                for part in parts:
                    cells[bisect_right(places, (part.x0 + part.x1) / 2)].append(part)
                continue
            column = _find_column(span, column, bisect_right(places, span.x1), extents)
        cells[column].append(span)
    return cells


def _split_figures(span: Span, places: Sequence[float]) -> list[Span]:
    """Split a span into its text and the numbers at its end.

    After several words, at least two columns must have numbers, because a single number may belong to the text.
    """
    words = span.words()
    first = len(words)
    while first > 1 and is_figure(words[first - 1].text):
        first -= 1
    if first == len(words):
        return [span]
    if first == 1:
        return words
    columns = {bisect_right(places, (word.x0 + word.x1) / 2) for word in words[first:]}
    is_parted = len(columns) == len(words) - first > 1
    return [span.join(words[:first]), *words[first:]] if is_parted else [span]
