"""The tables of one sheet, and the lines of text around the tables.

Empty rows and columns may separate tables, but they also occur inside tables. A separate block is therefore a table
only if it begins with a header: a complete row of names above values. If there is only one such table, the sheet is not
divided.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from webquarry_convert.file.sheets.table import Budget, Table
from webquarry_convert.text import escape

_VALUE: Final = re.compile(r"(?=[^0-9]{0,6}[0-9])[^A-Za-z]{1,40}+(?:%|[A-Za-z€]{1,3}\.?)?")
"""Matches numbers, amounts, dates and percentages."""
_DIGIT: Final = re.compile("[0-9]")
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}")
_MOST_LINES: Final = 20
"""Maximum number of lines of text directly above a header."""
_MOST_HEAD_ROWS: Final = 3
_LEAST_COMPLETE: Final = 0.8
_WIDTH_OF_PAIRS: Final = 2
_WIDE: Final = 5
"""Minimum number of columns in a table whose header may lack some names."""
_LEAST_VALUES: Final = 0.5
"""Minimum share of values in a column of values."""
_LEAST_NAMES: Final = 3
"""Minimum number of columns in a table without values. Narrower blocks are pairs of names and descriptions."""
_LEAST_BODY: Final = 2
"""Minimum number of rows below the header in a table without values."""
_MOST_GAPS: Final = 20
"""Maximum number of gaps in a sheet that are examined."""
_BEGINNING: Final = _MOST_LINES + _MOST_HEAD_ROWS + 2
"""Number of initial rows that may contain the header."""
_FAR: Final = 3
"""Minimum distance between one table's last column and the next table's first column.

A smaller gap may be a spacer inside one table.
"""


class Row(NamedTuple):
    """The non-empty cells of a row. columns: the cells' column indexes, ascending. texts: the cells' escaped text."""

    number: int
    columns: tuple[int, ...]
    texts: list[str]


@dataclass(slots=True)
class Region:
    """Rows that belong together.

    names: the row that names the columns, or None. is_text: whether the rows are lines of text rather than a table.
    left, right: the first and the last column.
    """

    rows: list[Row]
    names: Row | None = None
    is_text: bool = False
    left: int = field(init=False)
    right: int = field(init=False)

    def __post_init__(self) -> None:
        self.left = min(row.columns[0] for row in self.rows)
        self.right = max(row.columns[-1] for row in self.rows)


def write_table(table: Table, *, is_plain: bool = False) -> str:
    """Return the tables of a sheet and the paragraphs around them as markdown, or "" for a sheet without cells.

    is_plain: whether the sheet is delimited text. In delimited text, lines before the only table are also paragraphs.
    """
    regions = divide(table, is_plain=is_plain)
    if regions is None:
        return table.markdown()
    return "\n".join(_write_text(region.rows) if region.is_text else _write_table(region.rows) for region in regions)


def divide(table: Table, *, is_plain: bool = False) -> list[Region] | None:
    """Return the tables and paragraphs of a sheet, or None for a single table.

    They are sorted from top to bottom, and tables next to each other from left to right.
    """
    if not _may_be_divided(table, is_plain=is_plain):
        return None
    regions = _find_regions([Row(*row) for row in table.list_rows()], is_plain=is_plain)
    count = sum(region.names is not None for region in regions)
    if is_plain and count == 1:
        return regions if len(regions) > 1 and regions[0].is_text else None
    return regions if count > 1 else None


def _find_regions(rows: list[Row], *, is_plain: bool) -> list[Region]:
    reader = _Reader(max(len(row.columns) for row in rows) if is_plain else 0)
    for band in _split_rows(rows):
        blocks = _split_columns(band)
        if len(blocks) == 1:
            reader.add(band)
        else:
            reader.add_blocks(blocks)
    return reader.regions


def _may_be_divided(table: Table, *, is_plain: bool) -> bool:
    """Return whether the table has an empty row or column, or its first row is narrower than other rows."""
    layouts = table.layouts
    if not layouts:
        return False
    if table.has_empty_rows or (is_plain and len(next(table.list_rows())[1]) < max(map(len, layouts))):
        return True
    return bool(_find_gaps(layouts))


def _split_rows(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield groups of consecutive rows, which empty rows separate."""
    first = 0
    for at, (before, row) in enumerate(pairwise(rows), 1):
        if row.number > before.number + 1:
            yield list(rows[first:at])
            first = at
    yield list(rows[first:])


def _find_gaps(layouts: Collection[tuple[int, ...]]) -> list[tuple[int, int]]:
    """Return the columns before and after each run of empty columns. layouts: the columns of each row."""
    used = sorted({column for columns in layouts for column in columns})
    return [(before, after) for before, after in pairwise(used) if after > before + 1]


def _split_columns(band: list[Row]) -> list[list[Row]]:
    """Return the tables next to each other that empty columns separate, or only the band if it is a single table."""
    gaps = _find_gaps({row.columns for row in band})
    blocks: list[list[Row]] = []
    rest = band
    for before, after in gaps[:_MOST_GAPS]:
        beginning = _cut(rest[:_BEGINNING], after)
        if any(part and find_head(next(_split_rows(part))) is None for part in beginning):
            continue
        left, right = _cut(rest, after)
        if left and right and _are_apart(left, right, after - before):
            blocks.append(left)
            rest = right
    return [*blocks, rest]


def _cut(rows: Sequence[Row], column: int) -> tuple[list[Row], list[Row]]:
    """Return the rows' cells before a column, and the rows' other cells."""
    left: list[Row] = []
    right: list[Row] = []
    for number, columns, texts in rows:
        at = bisect_left(columns, column)
        if at:
            left.append(Row(number, columns[:at], texts[:at]))
        if at < len(columns):
            right.append(Row(number, columns[at:], texts[at:]))
    return left, right


def _are_apart(left: list[Row], right: list[Row], distance: int) -> bool:
    """Return whether two blocks next to each other are separate tables.

    Both must have a header, the second must begin with a column of names, and the blocks must be far apart or differ in
    height.
    """
    part = next(_split_rows(right))
    heads = [find_head(next(_split_rows(left))), find_head(part)]
    if None in heads:
        return False
    body = part[(heads[1] or 0) + 1 :]
    first = min(part[heads[1] or 0].columns)
    names = [row.texts[0] for row in body if row.columns[0] == first]
    if len(names) < len(body) or len(set(names)) < len(names) or all(map(_is_value, names)):
        return False
    return distance >= _FAR or (left[0].number, left[-1].number) != (right[0].number, right[-1].number)


class _Reader:
    """Combines rows into regions from top to bottom.

    width: the width of the widest row in delimited text, or 0 for a workbook's sheet and for a block next to other
    blocks.
    """

    def __init__(self, width: int = 0) -> None:
        self.regions: list[Region] = []
        self._width = width
        self._last: Region | None = None
        """The previous table."""
        self._between: list[Row] = []
        """The lines of text after the previous table."""

    def add(self, band: list[Row]) -> None:
        """Add adjacent rows as paragraphs and a table, or as a continuation of the previous table."""
        last = self._last
        begins_plain = self._width > 0 and last is None
        is_preamble = begins_plain and self._width > _WIDTH_OF_PAIRS and _are_pairs(band)
        head = None if is_preamble else find_head(band, is_plain=begins_plain)
        if head is not None and (begins_plain or _is_table(band, head, last)):
            above = _count_lines(band, is_plain=begins_plain)
            if above:
                self._add_text(band[:above])
            self._add_table(Region(band[above:], band[head]))
        elif is_preamble or all(len(row.columns) == 1 for row in band):
            self._add_text(band)
        else:
            more = Region(band)
            if last is not None and last.left <= more.left and more.right <= last.right:
                self._continue(last, band)
            else:
                self._add_table(more)

    def add_blocks(self, blocks: Sequence[list[Row]]) -> None:
        """Add tables next to each other, each with the rows below it."""
        for block in blocks:
            reader = _Reader()
            for part in _split_rows(block):
                reader.add(part)
            self.regions += reader.regions
            self._last, self._between = reader._last, []

    def _add_text(self, rows: list[Row]) -> None:
        self.regions.append(Region(rows, is_text=True))
        self._between += rows

    def _add_table(self, region: Region) -> None:
        self.regions.append(region)
        self._last, self._between = region, []

    def _continue(self, last: Region, band: list[Row]) -> None:
        """Add rows to the previous table. Text between two parts of the table becomes a row of the table."""
        while self.regions[-1] is not last:
            self.regions.pop()
        last.rows += (*self._between, *band)
        self._between = []


def find_head(rows: Sequence[Row], *, is_plain: bool = False) -> int | None:
    """Return the index of the row that names the columns, or None. Lines of text may precede it."""
    first = _count_lines(rows, is_plain=is_plain)
    used = sorted({column for columns in {row.columns for row in rows[first:]} for column in columns})
    if len(used) < 2 or first + 1 >= len(rows):
        return None
    for at, row in enumerate(rows[first : first + _MOST_HEAD_ROWS], first):
        if at + 1 == len(rows) or not _are_names(row.texts):
            return None
        missing = len(used) - len(row.columns)
        if not missing or (missing == 1 and row.columns[0] != used[0]):
            return at
        if len(used) >= _WIDE and len(row.columns) >= _LEAST_COMPLETE * len(used):
            return at
    return None


def _count_lines(rows: Sequence[Row], *, is_plain: bool) -> int:
    """Return the number of initial rows that are lines of text above a wider row."""
    lines = _count_leading(rows, {1})
    if not is_plain:
        return lines
    # A single pair may be the upper row of a two-row header.
    pairs = _count_leading(rows, {1, 2})
    is_clear = pairs > 1 or rows[0].texts[0].endswith(":")
    return pairs if is_clear and _are_pairs(rows[:pairs]) else lines


def _count_leading(rows: Sequence[Row], widths: Collection[int]) -> int:
    """Return the number of initial rows with these widths, or 0 if there are more than `_MOST_LINES` or no other row
    follows.
    """
    return next((at for at, row in enumerate(rows[: _MOST_LINES + 1]) if len(row.columns) not in widths), 0)


def _are_pairs(rows: Sequence[Row]) -> bool:
    """Return whether each row is a single text, or a name with its description.

    Returns False for a two-column table.
    """
    if any(row.columns not in ((0,), (0, 1)) for row in rows):
        return False
    first = next((row.texts for row in rows if len(row.columns) > 1), None)
    return first is None or len(rows) == 1 or any(text.endswith(":") or _DIGIT.search(text) for text in first)


def _are_names(texts: Sequence[str]) -> bool:
    """Return whether strings may be column names: they contain no values, except years in ascending order."""
    values = [text for text in texts if _is_value(text)]
    if not values:
        return True
    if len(values) == len(texts) or not all(map(_YEAR.fullmatch, values)):
        return False
    return len({int(after) - int(before) for before, after in pairwise(values)} | {1}) <= 2 and len(set(values)) == len(
        values
    )


def _is_table(band: Sequence[Row], head: int, last: Region | None) -> bool:
    """Return whether rows with a header form a separate table rather than continue the previous one."""
    body = band[head + 1 :]
    cells: dict[int, int] = {}
    values: dict[int, int] = {}
    for row in body:
        for column, text in zip(row.columns, row.texts, strict=True):
            cells[column] = cells.get(column, 0) + 1
            values[column] = values.get(column, 0) + _is_value(text)
    if any(
        found >= _LEAST_VALUES * cells[column] and (found > 1 or len(body) == 1) for column, found in values.items()
    ):
        return True
    names = band[head]
    above = None if last is None else last.names or last.rows[0]
    if above is not None and names.texts == above.texts:
        return True
    is_other = above is None or names.columns != above.columns
    return is_other and len(names.columns) >= _LEAST_NAMES and len(body) >= _LEAST_BODY


def _is_value(text: str) -> bool:
    return _VALUE.fullmatch(text) is not None


def _write_text(rows: Sequence[Row]) -> str:
    """Write lines as a paragraph, with a name and its description on one line."""
    lines = [
        f"{row.texts[0].removesuffix(':')}: {' '.join(row.texts[1:])}" if len(row.texts) > 1 else row.texts[0]
        for row in rows
    ]
    first, *others = lines
    return "  \n".join([escape.start(first), *map(escape.further, others)]) + "\n"


def _write_table(rows: Sequence[Row]) -> str:
    table = Table(Budget())
    for row in rows:
        table.add(*row)
    return table.markdown()
