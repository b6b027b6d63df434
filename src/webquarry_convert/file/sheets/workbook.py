"""Sheets put together to a document."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.document import Document, Sheet, make_limit_error
from webquarry_convert.file.limits import MAX_MARKDOWN
from webquarry_convert.file.properties import Properties
from webquarry_convert.file.sheets.notes import Note, write_notes
from webquarry_convert.file.sheets.table import Table
from webquarry_convert.text.escape import heading

MAX_LISTED: Final = 20
"""Numbers of rows that a warning names."""


@dataclass(frozen=True, slots=True)
class Tab:
    """A sheet that was read. tables: from the top down, each with a caption or ""; only Numbers has more than one.
    notes: on cells of the first one."""

    name: str
    tables: Sequence[tuple[str, Table]]
    is_hidden: bool = False
    notes: Sequence[Note] = ()


def build_document(tabs: Sequence[Tab], about: Properties | None = None) -> Document:
    """Each sheet that holds something as a section with its name as heading; empty ones are listed only."""
    parts: list[str] = []
    size = 0
    for tab in tabs:
        tables = [(caption, markdown) for caption, table in tab.tables if (markdown := table.markdown())]
        notes = write_notes(tab.notes, tab.tables[0][1]) if tab.notes else ""
        if not tables and not notes:
            continue
        name = heading(f"{tab.name} (hidden)" if tab.is_hidden else tab.name)
        section = [f"## {name}\n"] if name else []
        for caption, markdown in tables:
            if caption_text := heading(caption):
                section.append(f"### {caption_text}\n")
            section.append(markdown)
        if notes:
            section.append(notes)
        parts += section
        size += sum(map(len, section))
        if size > MAX_MARKDOWN:
            raise make_limit_error(f"more than {MAX_MARKDOWN // 1_000_000} million characters of text and cells")
    sheets = tuple(_describe_sheet(tab) for tab in tabs)
    about = about or Properties()
    return Document("\n".join(parts), title=about.title, author=about.author, language=about.language, sheets=sheets)


def warn_of_hidden_rows(sheet: str, rows: Sequence[int]) -> list[str]:
    """What a caller is told about rows in the table that the workbook does not show, as those that a filter hides."""
    if not rows:
        return []
    more = f" and {len(rows) - MAX_LISTED:,} more" if len(rows) > MAX_LISTED else ""
    return [f"Rows that the sheet {sheet!r} hides are in its table: {', '.join(map(str, rows[:MAX_LISTED]))}{more}."]


def _describe_sheet(tab: Tab) -> Sheet:
    """rows of all tables together; columns of the widest."""
    tables = [table for _, table in tab.tables]
    return Sheet(
        tab.name,
        rows=sum(table.rows for table in tables),
        columns=max((table.columns for table in tables), default=0),
        is_hidden=tab.is_hidden,
    )
