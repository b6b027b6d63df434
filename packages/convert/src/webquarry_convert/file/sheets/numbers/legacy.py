"""Conversion of Numbers documents of iWork '08 and '09, which are XML: `index.xml`, compressed or not.

`ls:workspace` is a sheet, and `sf:tabular-model` is a table on a sheet. The table's `sf:datasource` contains the cells
row by row, and `sf:grid` contains their number in each row. A cell that spans several columns appears once.
"""

import zlib
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from webquarry_convert.file.archive import Archive
from webquarry_convert.file.document import make_corrupt_error, make_limit_error
from webquarry_convert.file.limits import MAX_COLUMNS, MAX_PART
from webquarry_convert.file.sheets.formats import GENERAL
from webquarry_convert.file.sheets.table import Budget, Table, escape_cell
from webquarry_convert.file.sheets.workbook import Tab
from webquarry_convert.file.xml import get_local_name, walk

PLAIN, PACKED = "index.xml", "index.xml.gz"
_SF = "{http://developer.apple.com/namespaces/sf}"
_SFA = "{http://developer.apple.com/namespaces/sfa}"
_LS = "{http://developer.apple.com/namespaces/ls}"
_EPOCH = datetime(2001, 1, 1)
_GZIP = 16 + zlib.MAX_WBITS
_CHUNK = 256 * 1024
_MOST_SECONDS = 1e11


def is_legacy(archive: Archive) -> bool:
    return PLAIN in archive or PACKED in archive


def read_tabs(archive: Archive) -> list[Tab]:
    document = _Document(Budget())
    walk(archive.stream(PLAIN) if PLAIN in archive else _inflate(archive.read(PACKED) or b""), document)
    return document.tabs


def _inflate(packed: bytes) -> Iterator[bytes]:
    inflater = zlib.decompressobj(_GZIP)
    left = MAX_PART
    at, rest = 0, b""  # in slices, because zlib copies the remaining input for each chunk
    try:
        while not inflater.eof:
            if not rest:
                rest, at = packed[at : at + _CHUNK], at + _CHUNK
            is_end = not rest
            piece = inflater.decompress(rest, _CHUNK)
            rest = inflater.unconsumed_tail
            if is_end and not piece:
                raise make_corrupt_error("its content ends too early")
            left -= len(piece)
            if left < 0:
                raise make_limit_error(f"a part of more than {MAX_PART // 1_000_000} MB")
            yield piece
    except zlib.error as exc:
        raise make_corrupt_error("its content is damaged") from exc


class _Document:
    """Walks the XML, and fills a table for each `sf:tabular-model`."""

    def __init__(self, budget: Budget) -> None:
        self.tabs: list[Tab] = []
        self._budget = budget
        self._tables: list[tuple[str, Table]] = []
        self._width = 0
        self._depth = 0
        """Number of open elements from a table's cells inwards, or 0 outside of cells."""
        self._row = self._column = 0
        self._columns: list[int] = []
        self._texts: list[str] = []
        self._span = 1
        self._text: str | None = None
        self._pieces: list[str] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._depth:
            self._depth += 1
            if self._depth == 2:
                self._begin_cell(attributes)
            self._read_value(tag, attributes)
        elif tag == f"{_SF}datasource" and self._tables:
            self._depth = 1
            self._row = self._column = 0
        elif tag == f"{_SF}grid":
            self._width = min(_parse_count(attributes.get(f"{_SF}numcols")), MAX_COLUMNS)
        elif tag == f"{_SF}tabular-model":
            self._tables.append((attributes.get(f"{_SF}name", ""), Table(self._budget)))
        elif tag == f"{_LS}workspace":
            self._tables = []
            self.tabs.append(Tab(attributes.get(f"{_LS}workspace-name", ""), self._tables))

    def data(self, text: str) -> None:
        if self._depth > 2:
            self._pieces.append(text)

    def end(self, tag: str) -> None:
        if not self._depth:
            return
        self._depth -= 1
        if self._depth == 1:
            self._end_cell()
        elif self._depth == 0:
            self._end_row()

    def _begin_cell(self, attributes: Mapping[str, str]) -> None:
        self._span = min(_parse_count(attributes.get(f"{_SF}col-span")), MAX_COLUMNS)
        self._text = None
        self._pieces = []

    def _read_value(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Read a cell's value from the cell's element or a child.

        If there are several values, the text is displayed.
        """
        if (text := attributes.get(f"{_SFA}s")) is not None and get_local_name(tag) == "ct":
            self._text = text
        elif self._text is None and (date := attributes.get(f"{_SF}cell-date")) is not None:
            self._text = _format_date(date)
        elif self._text is None and (number := attributes.get(f"{_SF}v")) is not None:
            self._text = GENERAL.written(number)

    def _end_cell(self) -> None:
        text = escape_cell("".join(self._pieces) if self._text is None else self._text)
        if text:
            self._columns.append(self._column)
            self._texts.append(text)
        self._column += self._span
        if self._column >= self._width:
            self._end_row()

    def _end_row(self) -> None:
        self._tables[-1][1].add(self._row, self._columns, self._texts)
        self._row += 1
        self._column = 0
        self._columns, self._texts = [], []


def _format_date(text: str) -> str:
    """Format a date, which is stored as seconds since 2001 or as text."""
    try:
        seconds = float(text)
    except ValueError:
        return text
    if not abs(seconds) < _MOST_SECONDS:
        return text
    try:
        return str(_EPOCH + timedelta(seconds=round(seconds)))
    except OverflowError:
        return text


def _parse_count(text: str | None) -> int:
    return max(int(text), 1) if text and text.isascii() and text.isdigit() and len(text) < 10 else 1
