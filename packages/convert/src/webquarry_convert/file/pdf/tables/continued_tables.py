"""Tables that go on over pages: parts with the same columns at the foot of one page and the top of the next are one.

A part that begins with the rows that the table began with repeats its head, which is left out. One that does not must
stand right below, and begin as the rows before went on: with figures where they have figures.
"""

import re
from collections.abc import Iterable, Sequence

from webquarry_convert.file.pdf.source.content import Page
from webquarry_convert.file.pdf.tables.table import Figure, Table, is_figure
from webquarry_convert.file.pdf.words.lines import Line

_NEAR = 4.0
"""Points."""
_SAME = 1.0
"""Points."""
_FOOT = 0.75
"""Share of the height of a page from which on what ends there may go on."""
_TOP = 0.25
_MOST_HEAD = 5
"""Rows."""
_CONTINUED = re.compile(
    r"\b(?:continued|cont['\u2019]?d|cont\.|fortsetzung|fortgesetzt|suite|continuaci\u00f3n|continua|segue|vervolg)",
    re.IGNORECASE,
)
_LONGEST_CAPTION = 200
_MOST_BODY = 200
"""Rows of a table by which it is told where it has figures: it may go on over thousands of pages."""


def join_tables(pages: Iterable[tuple[Page, Sequence[Line | Table]]]) -> tuple[list[Line | Table], int]:
    """What stands on all pages, in order; and how many characters repeated heads have, which are left out."""
    repeated = 0
    parts: list[Line | Table] = []
    whole: Table | None = None  # that the last page ended with
    last: tuple[Page, Table] | None = None  # its part on that page
    for page, found in pages:
        first = _find_first_table(found)
        if whole is not None and last is not None and first is not None:
            table = found[first]
            if isinstance(table, Table) and (rows := _find_further_rows(whole, last, page, table)) is not None:
                whole.rows += rows
                repeated += sum(len("".join(cell.split())) for row in table.rows for cell in row)
                repeated -= sum(len("".join(cell.split())) for row in rows for cell in row)
                found = found[first + 1 :]
                if not found:
                    last = page, table
                    continue
        parts += found
        whole, last = None, None
        if found and isinstance(found[-1], Table):
            whole = found[-1]
            last = page, whole
    return parts, repeated


def _find_first_table(parts: Sequence[Line | Table]) -> int | None:
    """Place of the table that a page begins with; a caption may say that it goes on."""
    for place, part in enumerate(parts[:2]):
        if isinstance(part, Table):
            return place if part.rows else None
        if len(part.text) > _LONGEST_CAPTION or not _CONTINUED.search(part.text):
            return None
    return None


def _find_further_rows(whole: Table, last: tuple[Page, Table], page: Page, table: Table) -> list[list[str]] | None:
    """Rows by which a table goes on; None when it is another one."""
    before_page, before = last
    if isinstance(whole, Figure) or not whole.rows or len(whole.rows[0]) != len(table.rows[0]):
        return None
    head = 0
    while head < min(_MOST_HEAD, len(table.rows)) and table.rows[head : head + 1] == whole.rows[head : head + 1]:
        head += 1
    if head:
        return table.rows[head:]
    if before.y1 < before_page.height * _FOOT or table.y0 > page.height * _TOP:
        return None
    edges = zip([before.x0, *before.places, before.x1], [table.x0, *table.places, table.x1], strict=True)
    farthest = max(abs(one - other) for one, other in edges)
    return table.rows if farthest < _NEAR and _is_continuation(whole, table, is_same=farthest < _SAME) else None


def _is_continuation(whole: Table, table: Table, *, is_same: bool) -> bool:
    """Whether the first row has figures where most rows of the table have them. is_same: whether the columns are the
    same to the point, as only drawn ones are: then there may be no figures.
    """
    body = whole.rows[1 : _MOST_BODY + 1]
    figures = [
        column
        for column in range(len(table.rows[0]))
        if sum(is_figure(row[column]) for row in body) * 2 > sum(bool(row[column]) for row in body)
    ]
    return (bool(figures) or is_same) and all(
        not (cell := table.rows[0][column]) or is_figure(cell) for column in figures
    )
