"""Groups paragraphs into cells, rows and tables, based on the marks between the paragraphs."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Union

from webquarry_convert.file.text.table import MAX_COLUMNS
from webquarry_convert.file.word97.paragraphs import ParagraphProperties
from webquarry_convert.file.word97.source import CELL, Paragraph

MAX_DEPTH: Final = 6
"""Maximum nesting of tables. Deeper tables become text in the enclosing cell."""
_NEAR: Final = 120
"""Tolerance, in twentieths of a point, for cell edges that were drawn by hand."""


@dataclass(slots=True)
class Cell:
    content: list[Union[Paragraph, "Table"]] = field(default_factory=list)


@dataclass(slots=True)
class Row:
    """A table row. end: the paragraph that ends and describes the row, or None if the table is incomplete."""

    cells: list[Cell]
    end: Paragraph | None

    @property
    def properties(self) -> ParagraphProperties | None:
        return None if self.end is None else self.end.properties


@dataclass(slots=True)
class Table:
    """A table that is being read. cells: number of its cells, including cells of nested tables."""

    rows: list[Row] = field(default_factory=list)
    cells: int = 0


Story = list[Paragraph | Table]


@dataclass(slots=True)
class _OpenTable:
    """A table that is being read, with the unfinished row's cells and the open cell."""

    table: Table = field(default_factory=Table)
    cells: list[Cell] = field(default_factory=list)
    cell: Cell = field(default_factory=Cell)

    def end_cell(self) -> None:
        self.cells.append(self.cell)
        self.table.cells += 1 + sum(one.cells for one in self.cell.content if isinstance(one, Table))
        self.cell = Cell()

    def end_row(self, end: Paragraph | None) -> None:
        if self.cell.content:
            self.end_cell()
        if self.cells:
            self.table.rows.append(Row(self.cells, end))
            self.cells = []


def group_paragraphs(paragraphs: Iterable[Paragraph]) -> Story:
    """Group the paragraphs of a story. Paragraphs in tables are grouped into their tables."""
    content: Story = []
    opened: list[_OpenTable] = []

    def close(depth: int) -> None:
        while len(opened) > depth:
            done = opened.pop()
            done.end_row(None)
            if done.table.rows:
                (opened[-1].cell.content if opened else content).append(done.table)

    for paragraph in paragraphs:
        properties = paragraph.properties
        depth = _get_depth(properties)
        close(min(depth, MAX_DEPTH))
        while len(opened) < min(depth, MAX_DEPTH):
            opened.append(_OpenTable())
        if not opened:
            content.append(paragraph)
            continue
        top = opened[-1]
        is_row_end = bool(properties.is_row_end if depth == 1 else properties.is_inner_row_end)
        is_cell_end = paragraph.mark == CELL if depth == 1 else bool(properties.is_inner_cell)
        if depth > MAX_DEPTH:
            if not is_row_end:
                top.cell.content.append(paragraph)
        elif is_row_end:
            top.end_row(paragraph)
        else:
            top.cell.content.append(paragraph)
            if is_cell_end:
                top.end_cell()
    close(0)
    return content


def _get_depth(properties: ParagraphProperties) -> int:
    depth = properties.depth or 0
    return max(depth if depth < 1 << 31 else 0, 1 if properties.is_in_table else 0)


class Grid:
    """The columns of a table, derived from the edges of all its cells."""

    def __init__(self, table: Table) -> None:
        self._edges: list[int] = []
        if len({len(row.cells) for row in table.rows}) == 1:
            return  # each cell is a separate column, regardless of where its edges were moved
        last: int | None = None
        for edge in sorted({edge for row in table.rows for edge in _get_edges(row)}):
            if last is None or edge - last > _NEAR:
                self._edges.append(edge)
                last = edge

    def spans(self, row: Row) -> list[tuple[int, int]]:
        """Return the number of free columns before each cell, and the number of columns that the cell spans."""
        edges = _get_edges(row)
        if not self._edges or not edges:
            return [(0, 1)] * len(row.cells)
        columns = [bisect_right(self._edges, edge) - 1 for edge in edges]
        before = columns[0]
        spans: list[tuple[int, int]] = []
        for left, right in pairwise(columns):
            spans.append((before, min(max(right - left, 1), MAX_COLUMNS)))
            before = 0
        return spans


def _get_edges(row: Row) -> tuple[int, ...]:
    """Return the edges of a row's cells, or () if their number does not match the cells."""
    properties = row.properties
    if properties is None or properties.edges is None or len(properties.edges) != len(row.cells) + 1:
        return ()
    return properties.edges
