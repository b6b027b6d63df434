"""Conversion of Excel workbooks (`.xls`) of versions 2 to 2003. xlrd decodes the records."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import xlrd  # type: ignore[import-untyped]  # no stubs
from xlrd.compdoc import CompDocError  # type: ignore[import-untyped]

from webquarry_convert.errors import ConversionError, ConversionFailed
from webquarry_convert.file.compound import SIGNATURE, Compound
from webquarry_convert.file.document import Document, make_corrupt_error, make_encrypted_error, make_limit_error
from webquarry_convert.file.properties import Properties
from webquarry_convert.file.sheets.formats import GENERAL, Format, builtin
from webquarry_convert.file.sheets.links import link_areas
from webquarry_convert.file.sheets.table import Budget, Table, escape_cell
from webquarry_convert.file.sheets.workbook import Tab, build_document, warn_of_hidden_columns, warn_of_hidden_rows
from webquarry_convert.file.sheets.xls.annotations import Annotations
from webquarry_convert.file.sheets.xls.encryption import remove_encryption

_HOLDING = frozenset(
    {xlrd.XL_CELL_TEXT, xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE, xlrd.XL_CELL_BOOLEAN, xlrd.XL_CELL_ERROR}
)
_STREAMS = ("Workbook", "Book")
MAX_ROWS = 4_194_304
"""Maximum total number of rows of all sheets. A single cell in the last row gives a sheet the maximum height."""
MAX_REREAD = 4
"""Maximum total size of all sheets, as a multiple of the file's size. A few bytes can list the same sheet again."""
_FALLBACK = "cp1252"
"""Codec of 8-bit strings in files with a missing or invalid code page."""


def read(body: bytes) -> Document:
    try:
        return _read(body)
    except ConversionFailed as exc:
        if exc.reason != "encrypted":
            raise
        stream = _find_stream(body)
        plain = remove_encryption(stream) if stream is not None else None
        if plain is None:
            raise
    return _read(plain)


def _find_stream(body: bytes) -> bytes | None:
    """Return the records of a workbook. Newer workbooks store them in a compound file."""
    if not body.startswith(SIGNATURE):
        return body
    compound = Compound(body)
    return next((stream for name in _STREAMS if (stream := compound.get(name)) is not None), None)


def _read(body: bytes) -> Document:
    """Read a workbook. Errors that programs commonly write are worked around one after the other."""
    aside = _read_annotations(body)
    if aside.reach > MAX_REREAD * len(body):
        raise make_limit_error("sheets that overlap")
    body = aside.left or body
    for options in ({}, {"encoding_override": _FALLBACK}, {"ignore_workbook_corruption": True}):
        try:
            return _convert(body, aside, options)
        except (UnicodeDecodeError, CompDocError):
            continue
        except ConversionFailed:
            raise
        except MemoryError as exc:
            raise make_limit_error("its sheets") from exc
        except Exception as exc:  # xlrd raises arbitrary errors for damaged records
            if type(exc) is LookupError:  # Python does not know the code page
                continue
            raise _make_error(exc) from exc
    raise make_corrupt_error("its records are damaged")


def _read_annotations(body: bytes) -> Annotations:
    """Return the annotations, or none if the compound file is damaged. xlrd is more tolerant and may read its cells."""
    try:
        return Annotations(_find_stream(body) or b"")
    except ConversionFailed:
        return Annotations(b"")


def _make_error(fault: Exception) -> ConversionError:
    """Return the error to raise for an error of xlrd."""
    if isinstance(fault, xlrd.XLRDError) and "encrypted" in str(fault):
        return make_encrypted_error()
    return make_corrupt_error("its records are damaged")


def _convert(body: bytes, aside: Annotations, options: Mapping[str, Any]) -> Document:
    """Convert a workbook. options: options of xlrd for files with errors."""
    book = xlrd.open_workbook(
        file_contents=body,
        formatting_info=True,
        on_demand=True,
        ragged_rows=True,
        logfile=io.StringIO(),
        **options,
    )
    formats = _build_formats(book)
    budget = Budget()
    tabs: list[Tab] = []
    warnings: list[str] = []
    rows = 0
    for index in range(book.nsheets):
        sheet = book.sheet_by_index(index)
        rows += sheet.nrows
        if rows > MAX_ROWS:
            raise make_limit_error(f"more than {MAX_ROWS:,} rows in all its sheets")
        links, notes, boxes = aside.of(index, book.encoding)
        hidden: list[int] = []
        table = _build_table(sheet, formats, budget, hidden)
        warnings += warn_of_hidden_rows(sheet.name, hidden)
        columns = [range(at, at + 1) for at in sorted(table.used_columns) if _is_hidden(sheet.colinfo_map.get(at))]
        warnings += warn_of_hidden_columns(sheet.name, table, columns)
        link_areas(table, links)
        tabs.append(Tab(sheet.name, [("", table)], sheet.visibility != 0, notes, boxes))
        book.unload_sheet(index)
    return build_document(tabs, Properties(author=(book.user_name or "").strip() or None)).add_warnings(*warnings)


def _is_hidden(said: Any) -> bool:
    """Return whether a row or column is hidden.

    said: xlrd's information about the row or column, or None.
    """
    return said is not None and bool(said.hidden)


def _build_formats(book: xlrd.Book) -> list[Format]:
    """Return a format for each cell style. Styles with the same code share a format."""
    made: dict[str, Format] = {}
    found: list[Format] = []
    for style in book.xf_list:
        known = book.format_map.get(style.format_key)
        code = known.format_str if known is not None else builtin(style.format_key)
        if code not in made:
            made[code] = Format(code, from_1904=book.datemode == 1)
        found.append(made[code])
    return found


def _build_table(sheet: xlrd.sheet.Sheet, formats: Sequence[Format], budget: Budget, hidden: list[int]) -> Table:
    """Build the table of a sheet. hidden: a list that receives the numbers, from 1, of non-empty hidden rows."""
    table = Table(budget)
    for row in range(sheet.nrows):
        columns: list[int] = []
        texts: list[str] = []
        for column, (kind, value) in enumerate(zip(sheet.row_types(row), sheet.row_values(row), strict=True)):
            if kind not in _HOLDING:
                continue
            style = sheet.cell_xf_index(row, column)
            text = _format_cell(kind, value, formats[style] if style < len(formats) else GENERAL, budget)
            if text:
                columns.append(column)
                texts.append(text)
        table.add(row, columns, texts)
        if texts and _is_hidden(sheet.rowinfo_map.get(row)):
            hidden.append(row + 1)
    return table


def _format_cell(kind: int, value: Any, style: Format, budget: Budget) -> str:
    """Format a non-empty cell.

    kind: the cell's type in xlrd.
    """
    if kind == xlrd.XL_CELL_TEXT:
        budget.share(len(value) * style.text_places)
        return escape_cell(style.text(value))
    if kind == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if value else "FALSE"
    if kind == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(value, "#N/A"))
    return escape_cell(style.number(value))
