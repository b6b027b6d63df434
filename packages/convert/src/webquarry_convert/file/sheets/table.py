"""The cells of a sheet, stored sparsely, and their pipe table."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.limits import MAX_CELLS, MAX_MARKDOWN
from webquarry_convert.text.escape import cell

_LINE_END = re.compile(r"\r\n?|\n")
_NEEDS_NOTHING = re.compile(r"[0-9A-Za-z.,:/%+$€£()-]+(?: [0-9A-Za-z.,:/%+$€£()-]+)*")
_MOST_SHARED = 5 * MAX_MARKDOWN
_LOOK = 100
"""Number of characters whose processing costs as much as one cell."""
_PER_CELL = 3
"""Number of characters that separate two cells."""


class Area(NamedTuple):
    """A rectangular range of cells, given by its first and last row and column, inclusive and from 0."""

    top: int
    left: int
    bottom: int
    right: int


class Budget:
    """The remaining numbers of cells that a file may have, and of characters in strings that several cells may share.

    There is one budget per workbook.
    """

    def __init__(self, cells: int = MAX_CELLS) -> None:
        self._all = self._left = cells
        self._characters = _MOST_SHARED

    def take(self, cells: int) -> None:
        self._left -= cells
        if self._left < 0:
            raise make_limit_error(f"more than {self._all:,} cells")

    def share(self, characters: int) -> None:
        """Charge a text that other cells may share, even if it turns out to be blank."""
        self._characters -= characters
        if self._characters < 0:
            raise make_limit_error(f"more than {_MOST_SHARED:,} characters in repeated cells")


class Table:
    """A sheet's rows from top to bottom. They may be added in any order.

    The output lacks empty rows and columns. Texts must be escaped (`escape_cell`) and not empty.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._rows: list[tuple[tuple[int, ...], list[str]]] = []
        self._numbers: list[int] = []
        self._is_ordered = True
        self._layout: tuple[int, ...] = ()
        self._characters = 0

    def add(self, row: int, columns: Sequence[int], texts: list[str]) -> None:
        """Add a row's cells from left to right.

        columns: the cells' distinct column indexes. Ignores rows without cells.
        """
        if not texts:
            return
        self._budget.take(len(texts))
        layout = tuple(columns)
        if layout == self._layout:
            layout = self._layout  # most rows of a sheet have the same columns, so these are stored once
        self._layout = layout
        if self._numbers and row < self._numbers[-1]:
            self._is_ordered = False
        self._numbers.append(row)
        self._rows.append((layout, texts))
        self._characters += sum(map(len, texts))
        if self._characters > MAX_MARKDOWN:
            raise _make_limit_error()

    @property
    def weight(self) -> int:
        """The cost of examining the whole table: the number of rows and cells, and of characters in hundreds."""
        return len(self._rows) + sum(len(texts) for _, texts in self._rows) + self._characters // _LOOK

    @property
    def rows(self) -> int:
        """Number of rows from the first to the last non-empty row."""
        self._order()
        return self._numbers[-1] - self._numbers[0] + 1 if self._rows else 0

    @property
    def has_empty_rows(self) -> bool:
        """Whether there are empty rows between other rows."""
        return self.rows > len(set(self._numbers))

    @property
    def layouts(self) -> set[tuple[int, ...]]:
        """The layouts of all rows. A layout is the row's non-empty columns."""
        return {layout for layout, _ in self._rows}

    @property
    def used_columns(self) -> set[int]:
        """Indexes of non-empty columns."""
        return {column for layout in self.layouts for column in layout}

    @property
    def columns(self) -> int:
        """Number of columns from the first to the last non-empty column."""
        layouts = self.layouts
        if not layouts:
            return 0
        return max(layout[-1] for layout in layouts) - min(layout[0] for layout in layouts) + 1

    def markdown(self) -> str:
        """Return the table with its first row as the header, ending with a line break, or "" if there are no cells."""
        if not self._rows:
            return ""
        self._order()
        used = sorted(self.used_columns)
        if len(self._rows) * len(used) * _PER_CELL + self._characters > MAX_MARKDOWN:
            raise _make_limit_error()
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

    def list_rows(self) -> Iterator[tuple[int, tuple[int, ...], list[str]]]:
        """Yield the index, columns and strings of each non-empty row, from top to bottom."""
        self._order()
        for number, (layout, texts) in zip(self._numbers, self._rows, strict=True):
            yield number, layout, texts

    def get_cell_text(self, row: int, column: int) -> str:
        """Return a cell's displayed text, or "" if the cell is empty."""
        self._order()
        at = bisect_left(self._numbers, row)
        if at == len(self._numbers) or self._numbers[at] != row:
            return ""
        layout, texts = self._rows[at]
        place = bisect_left(layout, column)
        return texts[place] if place < len(layout) and layout[place] == column else ""

    def change(self, area: Area, change: Callable[[str], str]) -> int:
        """Replace each text in an area with the result of `change`. Return the cost, in the unit of `weight`.

        The rows must not share their lists of strings.
        """
        self._order()
        start, stop = bisect_left(self._numbers, area.top), bisect_right(self._numbers, area.bottom)
        looks = stop - start
        for layout, texts in self._rows[start:stop]:
            first, last = bisect_left(layout, area.left), bisect_right(layout, area.right)
            looks += last - first
            for place in range(first, last):
                before = texts[place]
                looks += len(before) // _LOOK
                texts[place] = change(before)
                self._characters += len(texts[place]) - len(before)
            if self._characters > MAX_MARKDOWN:
                raise _make_limit_error()
        return looks

    def _order(self) -> None:
        if not self._is_ordered:
            order = sorted(range(len(self._numbers)), key=self._numbers.__getitem__)
            self._rows = [self._rows[at] for at in order]
            self._numbers = [self._numbers[at] for at in order]
            self._is_ordered = True


def _make_limit_error() -> ConversionFailed:
    return make_limit_error(f"more than {MAX_MARKDOWN // 1_000_000} million characters of text and cells")


def escape_cell(text: str) -> str:
    """Escape a text for a table cell, with `<br>` between lines. Returns "" if nothing is visible."""
    if _NEEDS_NOTHING.fullmatch(text):
        return text
    if "\n" not in text and "\r" not in text:
        return cell(text)
    return "<br>".join(filter(None, map(cell, _LINE_END.split(text))))


def build_row(row: Iterable[str]) -> tuple[list[int], list[str]]:
    """Return the columns and the escaped strings of a row. The row's cells are given from the first column on."""
    columns: list[int] = []
    texts: list[str] = []
    for column, text in enumerate(row):
        if text and (escaped := escape_cell(text)):
            columns.append(column)
            texts.append(escaped)
    return columns, texts
