"""Assembles sheets into a document."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.document import Document, Sheet, make_limit_error
from webquarry_convert.file.limits import MAX_MARKDOWN
from webquarry_convert.file.properties import Properties
from webquarry_convert.file.sheets.drawn import write_drawn
from webquarry_convert.file.sheets.notes import Note, name_column, write_notes
from webquarry_convert.file.sheets.regions import write_table
from webquarry_convert.file.sheets.table import Table
from webquarry_convert.text.escape import heading

MAX_LISTED: Final = 20
"""Maximum number of rows or columns that a warning names."""
MAX_RANGES: Final = 100
"""Maximum number of hidden column ranges that are examined. A sheet may list any number of ranges."""


@dataclass(frozen=True, slots=True)
class Tab:
    """A sheet that was read.

    tables: tables from top to bottom, each with a caption or ""; only Numbers has more than one. notes: the notes on
    cells of the first table. drawn: the text in drawings.
    """

    name: str
    tables: Sequence[tuple[str, Table]]
    is_hidden: bool = False
    notes: Sequence[Note] = ()
    drawn: Sequence[str] = ()


def build_document(tabs: Sequence[Tab], about: Properties | None = None) -> Document:
    """Build a document with a section for each non-empty sheet, with the sheet's name as its heading.

    Empty sheets are only listed.
    """
    parts: list[str] = []
    size = 0
    for tab in tabs:
        section = _write_section(tab)
        parts += section
        size += sum(map(len, section))
        if size > MAX_MARKDOWN:
            raise make_limit_error(f"more than {MAX_MARKDOWN // 1_000_000} million characters of text and cells")
    sheets = tuple(_describe_sheet(tab) for tab in tabs)
    about = about or Properties()
    return Document("\n".join(parts), title=about.title, author=about.author, language=about.language, sheets=sheets)


def _write_section(tab: Tab) -> list[str]:
    """Return a sheet's parts below a heading with its name, or [] for an empty sheet."""
    tables = [(caption, markdown) for caption, table in tab.tables if (markdown := write_table(table))]
    notes = write_notes(tab.notes, tab.tables[0][1]) if tab.notes else ""
    drawn = write_drawn(tab.drawn)
    if not tables and not notes and not drawn:
        return []
    name = heading(f"{tab.name} (hidden)" if tab.is_hidden else tab.name)
    section = _write_heading(2, name)
    for caption, markdown in tables:
        section += [*_write_heading(3, heading(caption)), markdown]
    return [*section, *filter(None, (notes, drawn))]


def _write_heading(level: int, text: str) -> list[str]:
    return [f"{'#' * level} {text}\n"] if text else []


def warn_of_hidden_rows(sheet: str, rows: Sequence[int]) -> list[str]:
    """Return the warning about hidden rows that the table nevertheless contains. A filter, for example, hides rows."""
    return _warn_of_hidden("rows", sheet, list(map(str, rows[: MAX_LISTED + 1])), len(rows))


def warn_of_hidden_columns(sheet: str, table: Table, hidden: Sequence[range]) -> list[str]:
    """Return the warning about hidden columns.

    hidden: ranges of column indexes, which may include empty columns. Only the first `MAX_RANGES` are examined.
    """
    known = hidden[:MAX_RANGES]
    columns = [column for column in sorted(table.used_columns) if any(column in one for one in known)]
    return _warn_of_hidden("columns", sheet, [name_column(column) for column in columns], len(columns))


def _warn_of_hidden(what: str, sheet: str, names: Sequence[str], count: int) -> list[str]:
    if not names:
        return []
    more = f" and {count - MAX_LISTED:,} more" if count > MAX_LISTED else ""
    return [f"Hidden {what} of the sheet {sheet!r} are included: {', '.join(names[:MAX_LISTED])}{more}."]


def _describe_sheet(tab: Tab) -> Sheet:
    """Describe a sheet.

    The number of rows is the total of its tables, and the number of columns is that of the widest table.
    """
    tables = [table for _, table in tab.tables]
    return Sheet(
        tab.name,
        rows=sum(table.rows for table in tables),
        columns=max((table.columns for table in tables), default=0),
        is_hidden=tab.is_hidden,
    )
