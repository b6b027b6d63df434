"""Tables across pages. Parts with the same columns at the bottom of one page and the top of the next page are joined.

If a part begins with the table's first rows, it repeats the header, which is dropped. Other parts must begin at the
top of the page, and their rows must have numbers in the same columns as the previous rows.
"""

import re
from collections.abc import Iterable, Sequence

from webquarry_convert.file.pdf.source.content import Page
from webquarry_convert.file.pdf.tables.table import Figure, Table, is_figure
from webquarry_convert.file.pdf.words.lines import Line

_NEAR = 4.0
"""Tolerance for the horizontal positions of columns, in points."""
_SAME = 1.0
"""Tolerance, in points, for positions of columns that count as the same."""
_FOOT = 0.75
"""Minimum share of the page height above the end of a table that may continue on the next page."""
_TOP = 0.25
_MOST_HEAD = 5
"""Maximum number of header rows."""
_CONTINUED = re.compile(
    r"\b(?:continued|cont['\u2019]?d|cont\.|fortsetzung|fortgesetzt|suite|continuaci\u00f3n|continua|segue|vervolg)",
    re.IGNORECASE,
)
_LONGEST_CAPTION = 200
_MOST_BODY = 200
"""Number of rows that are examined for numbers. The limit is needed because a table may extend over thousands of pages.
"""


def join_tables(pages: Iterable[tuple[Page, Sequence[Line | Table]]]) -> tuple[list[Line | Table], int]:
    """Join tables across pages.

    Returns the content of all pages in order, and the number of characters in repeated headers, which are dropped.
    """
    repeated = 0
    parts: list[Line | Table] = []
    whole: Table | None = None  # the table that ends the previous page
    last: tuple[Page, Table] | None = None  # the part of this table that is on the previous page
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
    """Return the index of the table that a page begins with. A caption may state that the table is continued."""
    for place, part in enumerate(parts[:2]):
        if isinstance(part, Table):
            return place if part.rows else None
        if len(part.text) > _LONGEST_CAPTION or not _CONTINUED.search(part.text):
            return None
    return None


def _find_further_rows(whole: Table, last: tuple[Page, Table], page: Page, table: Table) -> list[list[str]] | None:
    """Return the rows that continue a table, or None if the page's table is a different one."""
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
    """Return whether the first row has numbers in the columns in which most of the table's rows have numbers.

    is_same: whether the columns match exactly, which usually only drawn columns do. If they do, numbers are not
    required.
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
