"""The cells of a sheet, kept sparsely, and the pipe table they make."""

import re
from collections.abc import Iterable, Sequence

from webquarry.convert.file.document import beyond
from webquarry.convert.file.limits import MAX_CELLS, MAX_MARKDOWN
from webquarry.escape import cell

_NEEDS_NOTHING = re.compile(r"[0-9A-Za-z.,:/%+$€£()-]+(?: [0-9A-Za-z.,:/%+$€£()-]+)*")
_PER_CELL = 3
"""Characters between two cells."""


class Budget:
    """How many cells of a file may still be read. One for a whole workbook."""

    def __init__(self, cells: int = MAX_CELLS) -> None:
        self._all = self._left = cells

    def take(self, cells: int) -> None:
        self._left -= cells
        if self._left < 0:
            raise beyond(f"more than {self._all:,} cells")


class Table:
    """Rows of a sheet from the top down. Rows and columns that hold nothing are left out of what is written.

    Texts are escaped already (`shown`), and none is empty.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._rows: list[tuple[tuple[int, ...], Sequence[str]]] = []
        self._layout: tuple[int, ...] = ()
        self._first = self._last = 0
        self._characters = 0

    def add(self, row: int, columns: Sequence[int], texts: Sequence[str]) -> None:
        """A row's cells from left to right; columns: their numbers, each once. No cells: nothing happens."""
        if not texts:
            return
        self._budget.take(len(texts))
        layout = tuple(columns)
        if layout == self._layout:
            layout = self._layout  # most rows of a sheet have the same ones: kept once
        self._layout = layout
        if not self._rows:
            self._first = row
        self._last = max(row, self._last)
        self._rows.append((layout, texts))
        self._characters += sum(map(len, texts))

    @property
    def rows(self) -> int:
        """From the first row that holds something to the last."""
        return self._last - self._first + 1 if self._rows else 0

    @property
    def columns(self) -> int:
        """From the first column that holds something to the last."""
        layouts = {layout for layout, _ in self._rows}
        if not layouts:
            return 0
        return max(layout[-1] for layout in layouts) - min(layout[0] for layout in layouts) + 1

    def markdown(self) -> str:
        """The table, its first row as the header; "" without cells. Ends with a line break otherwise."""
        if not self._rows:
            return ""
        used = sorted({column for layout in {layout for layout, _ in self._rows} for column in layout})
        if len(self._rows) * len(used) * _PER_CELL + self._characters > MAX_MARKDOWN:
            raise beyond(f"more than {MAX_MARKDOWN // 1_000_000} million characters of text and cells")
        everywhere = tuple(used)
        place = {column: index for index, column in enumerate(used)}
        lines: list[str] = []
        for layout, texts in self._rows:
            if layout == everywhere:
                lines.append(f"| {' | '.join(texts)} |")
                continue
            line = [""] * len(used)
            for column, text in zip(layout, texts, strict=True):
                line[place[column]] = text
            lines.append(f"| {' | '.join(line)} |")
        lines.insert(1, f"|{' --- |' * len(used)}")
        return "\n".join(lines) + "\n"


def shown(text: str) -> str:
    """A text as a cell of the table: escaped, one line; "" when there is nothing to see."""
    return text if _NEEDS_NOTHING.fullmatch(text) else cell(text)


def dense(row: Iterable[str]) -> tuple[list[int], list[str]]:
    """Columns and escaped texts of a row that is given cell by cell from the first column on."""
    columns: list[int] = []
    texts: list[str] = []
    for column, text in enumerate(row):
        if text and (escaped := shown(text)):
            columns.append(column)
            texts.append(escaped)
    return columns, texts
