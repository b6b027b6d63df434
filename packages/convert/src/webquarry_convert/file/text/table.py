"""A table while it is read: cells in their columns, merged ones once, columns and rows without text left out."""

from typing import Final

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.limits import MAX_CELLS, MAX_MARKDOWN
from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.tree import Node

MAX_COLUMNS: Final = 1024
"""Columns of a table in a text; no program draws as many. What stands further right is put in the last one."""

MAX_EMPTY: Final = 400_000
"""Cells without text that a document's tables draw before others; none takes a byte of the file."""
MAX_LAYOUT_DEPTH: Final = 4
"""Tables within each other that are looked at for whether they only place other tables."""
_FEW_CELLS: Final = 6
_MANY_LINES: Final = 10


def is_layout(cells: int, lines: int, rows: int) -> bool:
    """Whether a table sets texts beside or below each other and holds no data: it has one cell, or passages stand in
    few cells or in a single column. cells, rows: how many it has; lines: paragraphs of the longest cell."""
    return cells <= 1 or (lines >= _MANY_LINES and (cells <= _FEW_CELLS or cells <= rows))


class Budget:
    """How much the tables of one document may still hold. A few bytes can claim many cells, and text many times."""

    def __init__(self) -> None:
        self._cells = MAX_CELLS
        self._empty = MAX_EMPTY
        self._repeated = MAX_MARKDOWN

    def cells(self, count: int, empty: int = 0) -> None:
        self._cells -= count + empty
        self._empty -= empty
        if self._cells < 0:
            raise make_limit_error(f"more than {MAX_CELLS:,} cells")
        if self._empty < 0:
            raise make_limit_error(f"more than {MAX_EMPTY:,} empty cells before others")

    def charge_repeated(self, content: Content, times: int) -> None:
        """times: how often the content stands again."""
        self._repeated -= _count_characters(content) * times
        if self._repeated < 0:
            raise make_limit_error(f"more than {MAX_MARKDOWN // 1_000_000} million characters of repeated cells")


class Table:
    """Rows are opened one after the other, cells added from the left."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._rows: list[tuple[dict[int, Content], bool]] = []
        self._column = 0
        self._drawn = 0  # cells, with those that hold nothing

    def row(self, *, is_head: bool = False) -> None:
        self._rows.append(({}, is_head))
        self._column = 0

    def skip(self, columns: int) -> None:
        """Columns without a cell, or of a cell that reaches down from above."""
        self._column = min(self._column + max(columns, 0), MAX_COLUMNS)

    def cell(self, content: Content, across: int = 1, times: int = 1) -> None:
        """across: columns that the cell takes. times: how often it stands, each beside the one before."""
        if not self._rows:
            self.row()
        self._drawn += times
        if any(not isinstance(child, str) or not child.isspace() for child in content):
            cells = self._rows[-1][0]
            if times > 1:
                self._budget.charge_repeated(content, times - 1)
            for _ in range(times):
                held = cells.setdefault(min(self._column, MAX_COLUMNS - 1), [])
                held += [" ", *content] if held else content
                self.skip(max(across, 1))
        else:
            self.skip(max(across, 1) * times)

    def copy_last_row(self, times: int) -> None:
        """The last row stands `times` times."""
        if self._rows and self._rows[-1][0] and times > 1:
            for content in self._rows[-1][0].values():
                self._budget.charge_repeated(content, times - 1)
            self._rows += [self._rows[-1]] * (times - 1)

    def nodes(self) -> Content:
        """The table as one node; what it holds as flow when it has a single cell; nothing when it is empty."""
        rows = [(cells, is_head) for cells, is_head in self._rows if cells]
        columns = sorted({column for cells, _ in rows for column in cells})
        if not columns:
            return []
        if self._drawn == 1:
            return [make_element("div", rows[0][0][columns[0]])]
        places = {column: place for place, column in enumerate(columns)}
        table = Node("table", {"role": "table"}, -1)
        empty = Node("td", {}, -1)
        for cells, is_head in rows:
            self._budget.cells(len(cells), empty=places[max(cells)] + 1 - len(cells))
            row: Content = []
            for column in sorted(cells):
                row += [empty] * (places[column] - len(row))
                row.append(make_element("th" if is_head else "td", cells[column]))
            table.children.append(make_element("tr", row))
        return [table]


def _count_characters(content: Content) -> int:
    """Characters of all texts."""
    length = 0
    waiting = [content]
    while waiting:
        for child in waiting.pop():
            if isinstance(child, str):
                length += len(child)
            else:
                length += sum(map(len, filter(None, child.attributes.values())))
                waiting.append(child.children)
    return length
