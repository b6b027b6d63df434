"""The open sheet: its rows, columns and notes."""

from collections.abc import Mapping
from typing import Final

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.limits import MAX_COLUMNS
from webquarry_convert.file.sheets.notes import Note
from webquarry_convert.file.sheets.ods.names import COLUMNS_REPEATED, TABLE, parse_repeats
from webquarry_convert.file.sheets.table import Budget, Table
from webquarry_convert.file.sheets.workbook import Tab, warn_of_hidden_columns, warn_of_hidden_rows

MAX_ROWS: Final = 1_048_576
_ROWS_REPEATED: Final = f"{TABLE}number-rows-repeated"


class Sheet:
    """Fills a table from a sheet, row by row.

    Repeated rows and cells are expanded only if non-empty content follows, because most sheets end with a million
    repeated empty rows.
    """

    def __init__(self, name: str, budget: Budget, *, is_hidden: bool) -> None:
        self._budget = budget
        self._table = Table(budget)
        self._notes: list[Note] = []
        self.drawn: list[str] = []
        self.tab = Tab(name, [("", self._table)], is_hidden, self._notes, self.drawn)
        self._row = 0
        self._row_repeats = 1
        self._is_hidden_row = False
        self._hidden_rows: list[int] = []
        self._hidden_columns: list[range] = []
        self._passed_columns = 0
        self._column = 0
        self._columns: list[int] = []
        self._shown: list[str] = []

    def pass_columns(self, attributes: Mapping[str, str]) -> None:
        repeats = parse_repeats(attributes.get(COLUMNS_REPEATED))
        if _is_hidden(attributes):
            self._hidden_columns.append(range(self._passed_columns, self._passed_columns + repeats))
        self._passed_columns += repeats

    def start_row(self, attributes: Mapping[str, str]) -> None:
        if self._shown:  # damaged files may have nested rows
            self.end_row()
        self._row_repeats = parse_repeats(attributes.get(_ROWS_REPEATED))
        self._is_hidden_row = _is_hidden(attributes)
        self._column = 0

    def add_cells(self, text: str, count: int) -> None:
        """Add `count` cells with the same escaped text."""
        if text:
            if self._column + count > MAX_COLUMNS:
                raise make_limit_error(f"more than {MAX_COLUMNS:,} columns")
            self._columns += range(self._column, self._column + count)
            self._shown += [text] * count
        self._column += count

    def end_row(self) -> None:
        if self._shown:
            if self._row + self._row_repeats > MAX_ROWS:
                raise make_limit_error(f"more than {MAX_ROWS:,} rows")
            for row in range(self._row, self._row + self._row_repeats):
                self._table.add(row, self._columns, self._shown)
                if self._is_hidden_row:
                    self._hidden_rows.append(row + 1)
        self._columns, self._shown = [], []  # the table still refers to the previous lists
        self._row += self._row_repeats

    def add_note(self, text: str, author: str) -> None:
        """Add a note to the open cell."""
        self._budget.take(1)
        self._notes.append(Note(self._row, self._column, text, author))

    def add_drawn(self, text: str) -> None:
        self._budget.take(1)
        self.drawn.append(text)

    def list_warnings(self) -> list[str]:
        name = self.tab.name
        rows = warn_of_hidden_rows(name, self._hidden_rows)
        return rows + warn_of_hidden_columns(name, self._table, self._hidden_columns)


def _is_hidden(attributes: Mapping[str, str]) -> bool:
    """Return whether a row or column is hidden."""
    return attributes.get(f"{TABLE}visibility", "visible") != "visible"
