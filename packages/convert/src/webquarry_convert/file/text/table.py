"""A table being read. Cells are placed in columns, merged cells appear once, and empty columns and rows are dropped."""

from typing import Final

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.limits import MAX_CELLS, MAX_MARKDOWN
from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.tree import Node

MAX_COLUMNS: Final = 1024
"""Maximum number of columns in a text document's table.

No program creates as many. Further cells are added to the last column.
"""

MAX_EMPTY: Final = 400_000
"""Maximum number of empty cells that precede other cells in a document's tables.

Empty cells take no bytes in the file.
"""
MAX_LAYOUT_DEPTH: Final = 4
"""Maximum depth of nested tables that are checked for being layout tables."""
_FEW_CELLS: Final = 6
_MANY_LINES: Final = 10


def is_layout(cells: int, lines: int, rows: int) -> bool:
    """Return whether a table is used for layout, which is true for one cell, or for long text in few cells or in a
    single column.

    cells, rows: number of cells and rows. lines: number of paragraphs in the longest cell.
    """
    return cells <= 1 or (lines >= _MANY_LINES and (cells <= _FEW_CELLS or cells <= rows))


class Budget:
    """The remaining amount of table content that is allowed in one document.

    The amount is limited because a few bytes can declare many cells, or repeat a text many times.
    """

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
        """Charge repeated content. times: number of further repetitions."""
        self._repeated -= _count_characters(content) * times
        if self._repeated < 0:
            raise make_limit_error(f"more than {MAX_MARKDOWN // 1_000_000} million characters of repeated cells")


class Table:
    """A table. Rows are opened one after the other, and cells are added from left to right."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._rows: list[tuple[dict[int, Content], bool]] = []
        self._column = 0
        self._drawn = 0  # number of all cells, including empty ones

    def row(self, *, is_head: bool = False) -> None:
        self._rows.append(({}, is_head))
        self._column = 0

    def skip(self, columns: int) -> None:
        """Skip columns that have no cell, or that a cell in a row above covers."""
        self._column = min(self._column + max(columns, 0), MAX_COLUMNS)

    def cell(self, content: Content, across: int = 1, times: int = 1) -> None:
        """Add a cell. across: number of columns that the cell spans. times: number of repetitions in the row."""
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
        """Repeat the last row. It then appears `times` times."""
        if self._rows and self._rows[-1][0] and times > 1:
            for content in self._rows[-1][0].values():
                self._budget.charge_repeated(content, times - 1)
            self._rows += [self._rows[-1]] * (times - 1)

    def nodes(self) -> Content:
        """Return the table as one node, the content of its only cell as blocks, or [] if it is empty."""
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
    """Return the total number of characters in the strings."""
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
