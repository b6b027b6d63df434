"""Parses a spreadsheet's `content.xml`, element by element."""

from collections.abc import Mapping
from typing import Final

from webquarry_convert.file.sheets.ods.cell import Cell, NoteText
from webquarry_convert.file.sheets.ods.names import ADDRESS, DRAW, LINE_BREAK, OFFICE, PARAGRAPHS, STYLE, TABLE, TEXT
from webquarry_convert.file.sheets.ods.sheet import Sheet
from webquarry_convert.file.sheets.table import Budget
from webquarry_convert.file.sheets.workbook import Tab

_CELL: Final = f"{TABLE}table-cell"
_COVERED: Final = f"{TABLE}covered-table-cell"
_ROW: Final = f"{TABLE}table-row"
_COLUMN: Final = f"{TABLE}table-column"
_TABLE: Final = f"{TABLE}table"
_GRID: Final = frozenset({_COLUMN, _ROW, _CELL, _COVERED})
_NOTE: Final = f"{OFFICE}annotation"
_ASIDE: Final = frozenset(
    {
        _NOTE,
        f"{DRAW}frame",
        f"{DRAW}custom-shape",
        f"{DRAW}g",
        f"{TEXT}ruby-text",
        f"{TABLE}shapes",
        f"{TABLE}tracked-changes",
        f"{TABLE}dde-links",
    }
)
"""Elements whose text does not belong to the cell."""
_BOXES: Final = frozenset({f"{DRAW}text-box", f"{DRAW}custom-shape"})


class Content:
    """Walks `content.xml` and passes content to the open element.

    charts: embedded objects, as pairs of their sheet's drawing text and their path in the archive.
    """

    def __init__(self, budget: Budget) -> None:
        self.tabs: list[Tab] = []
        self.charts: list[tuple[list[str], str]] = []
        self.warnings: list[str] = []
        self._budget = budget
        self._hidden_styles: set[str] = set()
        self._style = ""
        self._sheet: Sheet | None = None
        self._inner = 0
        """Number of tables and rows inside the open cell. Their paragraphs belong to the open cell."""
        self._cell: Cell | None = None
        self._aside = 0
        self._note: NoteText | None = None
        self._box: list[str] | None = None
        """The text of the open shape."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _ASIDE:
            self._aside += 1
            if tag == _NOTE and self._aside == 1 and self._cell is not None:
                self._note = NoteText()
        if self._aside:
            self._start_aside(tag, attributes)
        elif self._sheet is None:
            self._start_outside(tag, attributes)
        else:
            self._start_inside(self._sheet, tag, attributes)

    def data(self, text: str) -> None:
        if self._aside:
            if self._note is not None:
                self._note.data(text)
            elif self._box is not None:
                self._box.append(text)
        elif self._cell is not None:
            self._cell.data(text)

    def end(self, tag: str) -> None:
        if self._aside:
            self._end_aside(tag)
        elif self._sheet is not None:
            self._end_inside(self._sheet, tag)

    def _start_outside(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == _TABLE:
            is_hidden = attributes.get(f"{TABLE}style-name") in self._hidden_styles
            self._sheet = Sheet(attributes.get(f"{TABLE}name", ""), self._budget, is_hidden=is_hidden)
            self.tabs.append(self._sheet.tab)
        elif tag == f"{STYLE}style":
            self._style = attributes.get(f"{STYLE}name", "")
        elif tag == f"{STYLE}table-properties" and attributes.get(f"{TABLE}display") == "false":
            self._hidden_styles.add(self._style)

    def _start_inside(self, sheet: Sheet, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == _TABLE or (tag == _ROW and self._cell is not None):
            self._inner += 1
        elif self._inner or tag not in _GRID:
            if self._cell is not None:
                self._cell.start(tag, attributes)
        elif tag == _COLUMN:
            sheet.pass_columns(attributes)
        elif tag == _ROW:
            sheet.start_row(attributes)
        else:
            self._cell = Cell(attributes)

    def _end_inside(self, sheet: Sheet, tag: str) -> None:
        if self._cell is not None:
            self._cell.end(tag)
        if tag in (_TABLE, _ROW) and self._inner:
            self._inner -= 1
        elif self._inner:
            return
        elif tag == _TABLE:
            self.warnings += sheet.list_warnings()
            self._sheet = None
        elif tag in (_CELL, _COVERED) and self._cell is not None:
            sheet.add_cells("" if tag == _COVERED else self._cell.write(), self._cell.repeats)
            self._cell = None
        elif tag == _ROW:
            sheet.end_row()

    def _start_aside(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._note is not None:
            self._note.start(tag)
        elif self._sheet is None:
            return
        elif tag in _BOXES:
            self._box = []
        elif tag in PARAGRAPHS or tag == LINE_BREAK:
            if self._box is not None:
                self._box.append(" ")
        elif tag == f"{DRAW}object":
            self.charts.append((self._sheet.drawn, attributes.get(ADDRESS, "")))

    def _end_aside(self, tag: str) -> None:
        if tag in _ASIDE:
            self._aside -= 1
        if self._note is not None:
            self._note.end(tag)
            if not self._aside and self._sheet is not None:
                self._sheet.add_note("".join(self._note.text), "".join(self._note.author))
                self._note = None
        elif tag in _BOXES and self._box is not None and self._sheet is not None:
            if text := "".join(self._box).strip():
                self._sheet.add_drawn(text)
            self._box = None
