"""OpenDocument spreadsheets (`.ods`): OpenDocument 1.3 part 3, chapter 9. Cells hold what they show as text."""

from collections.abc import Iterator, Mapping

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file import properties
from webquarry_convert.file.archive import Archive
from webquarry_convert.file.document import Document, make_corrupt_error, make_encrypted_error, make_limit_error
from webquarry_convert.file.limits import MAX_COLUMNS
from webquarry_convert.file.properties import Properties
from webquarry_convert.file.sheets.drawn import name_chart
from webquarry_convert.file.sheets.formats import GENERAL
from webquarry_convert.file.sheets.links import find_address, link_pieces, link_text
from webquarry_convert.file.sheets.notes import Note
from webquarry_convert.file.sheets.table import Budget, Table, escape_cell
from webquarry_convert.file.sheets.workbook import Tab, build_document, warn_of_hidden_columns, warn_of_hidden_rows
from webquarry_convert.file.xml import parse, walk

_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_TABLE = f"{{{_OASIS}:table:1.0}}"
_TEXT = f"{{{_OASIS}:text:1.0}}"
_OFFICE = f"{{{_OASIS}:office:1.0}}"
_STYLE = f"{{{_OASIS}:style:1.0}}"
_DRAW = f"{{{_OASIS}:drawing:1.0}}"
_LINK = f"{_TEXT}a"
_ADDRESS = "{http://www.w3.org/1999/xlink}href"
_NOTE = f"{_OFFICE}annotation"
_AUTHOR = "{http://purl.org/dc/elements/1.1/}creator"

_CELL = f"{_TABLE}table-cell"
_COVERED = f"{_TABLE}covered-table-cell"
_ROW = f"{_TABLE}table-row"
_COLUMN = f"{_TABLE}table-column"
_SHEET = f"{_TABLE}table"
_COLUMNS_REPEATED = f"{_TABLE}number-columns-repeated"
_ROWS_REPEATED = f"{_TABLE}number-rows-repeated"
_PARAGRAPHS = frozenset({f"{_TEXT}p", f"{_TEXT}h"})
_ASIDE = frozenset(
    {
        _NOTE,
        f"{_DRAW}frame",
        f"{_DRAW}custom-shape",
        f"{_DRAW}g",
        f"{_TEXT}ruby-text",
        f"{_TABLE}shapes",
        f"{_TABLE}tracked-changes",
        f"{_TABLE}dde-links",
    }
)
"""Elements whose text is not that of a cell."""
_BOXES = frozenset({f"{_DRAW}text-box", f"{_DRAW}custom-shape"})
_CHART_TITLE = f"{_OFFICE}body/{_OFFICE}chart/{{{_OASIS}:chart:1.0}}chart/{{{_OASIS}:chart:1.0}}title"
MAX_CHARTS = 1_000
MAX_ROWS = 1_048_576
MAX_SPACES = 1_000
"""Of one `text:s`."""


def read(body: bytes) -> Document:
    archive = Archive(body)
    manifest = archive.read("META-INF/manifest.xml")
    if manifest is not None and b"encryption-data" in manifest:
        raise make_encrypted_error()
    if "content.xml" not in archive:
        raise make_corrupt_error("it has no content")
    content = _Content(Budget())
    walk(archive.stream("content.xml"), content)
    content.warnings += _name_charts(archive, content.charts)
    return build_document(content.tabs, _read_properties(archive)).add_warnings(*content.warnings)


def _name_charts(archive: Archive, charts: list[tuple[list[str], str]]) -> list[str]:
    """Adds the titles of charts to what is drawn on their sheets; each part is read once. The answer is warnings."""
    parts = {
        f"{place.removeprefix('./').strip('/')}/content.xml": drawn for drawn, place in reversed(charts[:MAX_CHARTS])
    }
    damaged = 0
    for part, drawn in reversed(parts.items()):
        body = archive.read(part)
        try:
            title = None if body is None else parse(body).find(_CHART_TITLE)
        except ConversionFailed as failed:
            if failed.reason != "corrupt":
                raise
            damaged += 1
            continue
        if title is not None and (named := name_chart("".join(title.itertext()))):
            drawn.append(named)
    return [f"Charts that are damaged are left out: {damaged}."] if damaged else []


class _Content:
    """Walks through `content.xml` and fills a table for each sheet.

    Rows and cells that say they are repeated are repeated when something else follows that holds anything: most
    sheets end with a million repeated empty rows.
    """

    def __init__(self, budget: Budget) -> None:
        self.tabs: list[Tab] = []
        self._budget = budget
        self._hidden_styles: set[str] = set()
        self._style = ""
        self._table: Table | None = None
        self._open_tables = 0
        self._aside = 0
        self._row = 0
        self._row_repeats = 1
        self._is_hidden_row = False
        self._hidden_rows: list[int] = []
        self._hidden_columns: list[range] = []
        self._passed_columns = 0
        self.warnings: list[str] = []
        self._column = 0
        self._columns: list[int] = []
        self._shown: list[str] = []
        self._cell: Mapping[str, str] | None = None
        self._pieces: list[str] = []
        self._paragraphs = 0
        self._links: list[tuple[int, int, str]] = []
        """Which pieces of a cell lead where: the first one, the one behind them, the address."""
        self._notes: list[Note] = []
        self._note: _Note | None = None
        self._drawn: list[str] = []
        self._box: list[str] | None = None
        """The text of the shape that is open."""
        self.charts: list[tuple[list[str], str]] = []
        """Objects that are drawn: the texts of their sheet, and where in the file they are."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _ASIDE:
            self._aside += 1
            if tag == _NOTE and self._aside == 1 and self._cell is not None:
                self._note = _Note()
        if tag in _ASIDE or self._aside:
            if self._note is not None:
                self._note.start(tag)
            elif self._open_tables:
                self._start_drawn(tag, attributes)
            return
        if tag == _SHEET:
            self._open_tables += 1
            if self._open_tables == 1:
                self._begin(attributes)
        elif self._open_tables > 1:
            return  # a table inside a cell: its paragraphs are the cell's
        elif tag == _COLUMN:
            repeats = _parse_repeats(attributes.get(_COLUMNS_REPEATED))
            if attributes.get(f"{_TABLE}visibility", "visible") != "visible":
                self._hidden_columns.append(range(self._passed_columns, self._passed_columns + repeats))
            self._passed_columns += repeats
        elif tag == _ROW:
            self._row_repeats = _parse_repeats(attributes.get(_ROWS_REPEATED))
            self._is_hidden_row = attributes.get(f"{_TABLE}visibility", "visible") != "visible"
            self._column = 0
            self._columns, self._shown = [], []
        elif tag in (_CELL, _COVERED):
            self._cell = attributes
            self._pieces, self._paragraphs, self._links = [], 0, []
        elif tag == f"{_STYLE}style":
            self._style = attributes.get(f"{_STYLE}name", "")
        elif tag == f"{_STYLE}table-properties" and attributes.get(f"{_TABLE}display") == "false":
            self._hidden_styles.add(self._style)
        if self._cell is not None:
            self._add_sign(tag, attributes)

    def _start_drawn(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _BOXES:
            self._box = []
        elif tag in _PARAGRAPHS or tag == f"{_TEXT}line-break":
            if self._box is not None:
                self._box.append(" ")
        elif tag == f"{_DRAW}object":
            self.charts.append((self._drawn, attributes.get(_ADDRESS, "")))

    def _end_drawn(self, tag: str) -> None:
        if tag in _BOXES and self._box is not None:
            if text := "".join(self._box).strip():
                self._budget.take(1)
                self._drawn.append(text)
            self._box = None

    def _add_sign(self, tag: str, attributes: Mapping[str, str]) -> None:
        """What stands for signs in the text of a cell."""
        if tag in _PARAGRAPHS:
            if self._paragraphs:
                self._pieces.append("\n")
            self._paragraphs += 1
        elif tag == f"{_TEXT}s":
            self._pieces.append(" " * min(_parse_repeats(attributes.get(f"{_TEXT}c")), MAX_SPACES))
        elif tag == f"{_TEXT}tab":
            self._pieces.append(" ")
        elif tag == f"{_TEXT}line-break":
            self._pieces.append("\n")
        elif tag == _LINK:
            self._links.append((len(self._pieces), len(self._pieces), attributes.get(_ADDRESS, "")))

    def data(self, text: str) -> None:
        if self._aside:
            if self._note is not None:
                self._note.data(text)
            elif self._box is not None:
                self._box.append(text)
        elif self._paragraphs and self._cell is not None:
            self._pieces.append(text)

    def end(self, tag: str) -> None:
        if tag in _ASIDE:
            self._aside -= 1
            if self._note is not None and not self._aside:
                self._put_note(self._note)
            self._end_drawn(tag)
        elif self._aside:
            self._end_drawn(tag)
            if self._note is not None:
                self._note.end(tag)
            return
        elif tag == _LINK and self._links:
            self._links[-1] = (self._links[-1][0], len(self._pieces), self._links[-1][2])
        elif tag == _SHEET:
            self._open_tables -= 1
            if not self._open_tables:
                self.warnings += warn_of_hidden_rows(self.tabs[-1].name, self._hidden_rows)
                self._hidden_rows = []
                if self._table is not None:
                    self.warnings += warn_of_hidden_columns(self.tabs[-1].name, self._table, self._hidden_columns)
                self._hidden_columns, self._passed_columns = [], 0
        elif self._open_tables != 1:
            return
        elif tag in (_CELL, _COVERED):
            self._end_cell(is_covered=tag == _COVERED)
        elif tag == _ROW:
            self._end_row()

    def _begin(self, attributes: Mapping[str, str]) -> None:
        self._table = Table(self._budget)
        self._row = 0
        name = attributes.get(f"{_TABLE}name", "")
        is_hidden = attributes.get(f"{_TABLE}style-name") in self._hidden_styles
        self._notes, self._drawn = [], []
        self.tabs.append(Tab(name, [("", self._table)], is_hidden, self._notes, self._drawn))

    def _put_note(self, note: "_Note") -> None:
        self._note = None
        self._budget.take(1)
        self._notes.append(Note(self._row, self._column, "".join(note.text), "".join(note.author)))

    def _end_cell(self, *, is_covered: bool) -> None:
        attributes, self._cell = self._cell or {}, None
        repeats = _parse_repeats(attributes.get(_COLUMNS_REPEATED))
        text = "" if is_covered else self._write_cell(attributes)
        if text:
            if self._column + repeats > MAX_COLUMNS:
                raise make_limit_error(f"more than {MAX_COLUMNS:,} columns")
            self._columns += range(self._column, self._column + repeats)
            self._shown += [text] * repeats
        self._column += repeats

    def _write_cell(self, attributes: Mapping[str, str]) -> str:
        """What a cell shows, escaped."""
        if self._links:
            return link_pieces(list(self._split_parts()))
        text = escape_cell("".join(self._pieces) if self._paragraphs else _format_value(attributes))
        formula = attributes.get(f"{_TABLE}formula")
        return link_text(text, find_address(formula)) if formula else text

    def _split_parts(self) -> Iterator[tuple[str, str | None]]:
        """The text of a cell in parts, each with the address that it leads to."""
        at = 0
        for start, stop, address in self._links:
            yield "".join(self._pieces[at:start]), None
            yield "".join(self._pieces[start:stop]), address
            at = max(stop, at)
        yield "".join(self._pieces[at:]), None

    def _end_row(self) -> None:
        if self._shown and self._table is not None:
            if self._row + self._row_repeats > MAX_ROWS:
                raise make_limit_error(f"more than {MAX_ROWS:,} rows")
            for row in range(self._row, self._row + self._row_repeats):
                self._table.add(row, self._columns, self._shown)
                if self._is_hidden_row:
                    self._hidden_rows.append(row + 1)
        self._row += self._row_repeats


class _Note:
    """Collects a note: its paragraphs, and who wrote it."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.author: list[str] = []
        self._into: list[str] | None = None

    def start(self, tag: str) -> None:
        if tag in _PARAGRAPHS:
            self.text.append("\n")
            self._into = self.text
        elif tag == _AUTHOR:
            self._into = self.author
        elif tag in (f"{_TEXT}s", f"{_TEXT}tab", f"{_TEXT}line-break"):
            self.text.append(" ")

    def data(self, text: str) -> None:
        if self._into is not None:
            self._into.append(text)

    def end(self, tag: str) -> None:
        if tag in _PARAGRAPHS or tag == _AUTHOR:
            self._into = None


def _format_value(attributes: Mapping[str, str]) -> str:
    """A cell that holds a value and no text, as the simplest format shows it."""
    match attributes.get(f"{_OFFICE}value-type"):
        case "float" | "currency":
            return GENERAL.written(attributes.get(f"{_OFFICE}value", ""))
        case "percentage":
            try:
                return f"{GENERAL.number(float(attributes.get(f'{_OFFICE}value', '')) * 100)}%"
            except ValueError:
                return ""
        case "date":
            return attributes.get(f"{_OFFICE}date-value", "").replace("T", " ")
        case "time":
            return attributes.get(f"{_OFFICE}time-value", "")
        case "boolean":
            return attributes.get(f"{_OFFICE}boolean-value", "").upper()
        case "string":
            return attributes.get(f"{_OFFICE}string-value", "")
        case _:
            return ""


def _parse_repeats(text: str | None) -> int:
    """A number of repetitions; 1 for what is none."""
    return max(int(text), 1) if text and text.isascii() and text.isdigit() and len(text) < 12 else 1


def _read_properties(archive: Archive) -> Properties:
    body = archive.read("meta.xml")
    return properties.read(parse(body) if body else None)
