"""Notes on cells. They are written after the table as a list below `Notes:`."""

from collections.abc import Sequence
from dataclasses import dataclass

from webquarry_convert.file.sheets.table import Table
from webquarry_convert.text.escape import clean_line, inline

MAX_QUOTED = 40
"""Maximum length, in characters, of a cell's content that a note quotes.

A longer cell is identified by its position only.
"""

MAX_AUTHOR = 200
"""Maximum length of an author's name, in characters."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note on a cell. row, column: indexes of the cell, from 0. author: "" if unknown."""

    row: int
    column: int
    text: str
    author: str = ""


def write_notes(notes: Sequence[Note], table: Table) -> str:
    """Write an item for each non-empty note, sorted by row and column, or return "" if there are no notes.

    Each item states the cell's position and content, because the table lacks empty rows and columns.
    """
    items = [
        item for note in sorted(notes, key=lambda note: (note.row, note.column)) if (item := _write_item(note, table))
    ]
    return "\n".join(["Notes:", "", *items, ""]) if items else ""


def _write_item(note: Note, table: Table) -> str:
    author = clean_line(note.author[:MAX_AUTHOR])
    text = clean_line(note.text)
    if author:  # the program inserted the author's name in front of the text
        text = text.removeprefix(f"{author}:").strip()
    if not text:
        return ""
    content = table.get_cell_text(note.row, note.column)
    quoted = f' "{content}"' if content and len(content) <= MAX_QUOTED else ""
    by = f" ({inline(author)})" if author else ""
    return f"- {name_column(note.column)}{note.row + 1}{quoted}{by}: {inline(text)}"


def name_column(column: int) -> str:
    """Return the letters of a column: 0 is `A`, 26 is `AA`."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(65 + letter) + letters
    return letters
