"""What people have remarked on cells: `Notes:` and a list behind the table."""

from collections.abc import Sequence
from dataclasses import dataclass

from webquarry_convert.file.sheets.table import Table
from webquarry_convert.text.escape import clean_line, inline

MAX_QUOTED = 40
"""Characters of a cell that a note may quote; a longer one is known by its place alone."""

MAX_AUTHOR = 200
"""Characters of a name."""


@dataclass(frozen=True, slots=True)
class Note:
    """row, column: of the cell, from 0 on. author: "" when the file does not say who wrote it."""

    row: int
    column: int
    text: str
    author: str = ""


def write_notes(notes: Sequence[Note], table: Table) -> str:
    """One item for each note that says something, by rows and columns; each with its cell's place and content, since
    rows and columns without content are not in the table. "" without notes."""
    items = [
        item for note in sorted(notes, key=lambda note: (note.row, note.column)) if (item := _write_item(note, table))
    ]
    return "\n".join(["Notes:", "", *items, ""]) if items else ""


def _write_item(note: Note, table: Table) -> str:
    author = clean_line(note.author[:MAX_AUTHOR])
    text = clean_line(note.text)
    if author:  # the program has put it in front of what was written
        text = text.removeprefix(f"{author}:").strip()
    if not text:
        return ""
    content = table.get_cell_text(note.row, note.column)
    quoted = f' "{content}"' if content and len(content) <= MAX_QUOTED else ""
    by = f" ({inline(author)})" if author else ""
    return f"- {name_column(note.column)}{note.row + 1}{quoted}{by}: {inline(text)}"


def name_column(column: int) -> str:
    """Letters of a column: 0 is `A`, 26 is `AA`."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(65 + letter) + letters
    return letters
