"""Plain rows of a worksheet. Most programs write only such rows, and they are read without an XML parser (`blocks.py`).

A plain row has a number and is not hidden. Each of its cells has a reference, and optionally a style, a type and a
value:

    <row r="2"><c r="B2" s="1"><v>4.5</v></c></row>   →   row 1 with the cell ("B", "1", "", "4.5", "", "")

Other rows are passed to the parser.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from webquarry_convert.file.sheets.xlsx.blocks import split_blocks

_OPENING = re.compile(rb"<sheetData>")
_END = "</row>"
MAX_ODD = 200
"""Number of consecutive rows that are not plain after which the search stops, because a program writes all its rows in
the same way.
"""
_ROW = re.compile(
    r"""
    \s*+ (?:<row(?:\ [\w:]+="[^"<&]*")*+/>\s*+)*+  # rows without cells
    <row(?![^>]*?\ hidden="(?:1|true)")(?:\ (?!r=)[\w:]+="[^"<&]*")*+ \ r="([0-9]{1,7})" (?:\ [\w:]+="[^"<&]*")*+>
    """,
    re.VERBOSE,
)
_CELL = re.compile(
    r"""
      <c\ r="[A-Z]{1,3}[0-9]+"(?:\ s="[0-9]+")?\ t="str"><f(?:\ [^<>&]*)?(?:/>|>[^<]*</f>)<v></v></c>  # says nothing
    | <c\ r="([A-Z]{1,3})[0-9]+"(?:\ s="([0-9]+)")?(?:\ t="([A-Za-z]+)")?
      (?: />
        | > (?:<f(?:\ [^<>&]*)?(?:/>|>(?!\s*(?i:HYPERLINK))[^<]*</f>)(?=<v>[^<]))?
            (?:<v>([^<]*)</v>|<is><t(?:\ xml:space="preserve")?>([^<]*)</t></is>)?
          </c> )
    | (<)
    """,
    re.VERBOSE,
)

Cell = tuple[str, str, str, str, str, str]
"""A cell's column letters, style, type, value and inline text (both with character references), and a marker that is
not empty if the cell is not plain. All are empty for a formula whose value is an empty text.
"""


class RowTaker(Protocol):
    """A class that receives plain rows."""

    def take_plain_row(self, number: int, cells: list[Cell]) -> bool:
        """Take a row, or return False to leave the row to the parser. number: index of the row, from 0."""


def filter_plain_rows(pieces: Iterable[bytes], rows: RowTaker) -> Iterator[bytes]:
    """Yield the pieces of a worksheet without the rows that `rows` has taken."""
    giving = _RowGiver(rows)
    for block in split_blocks(pieces, _OPENING, _END.encode()):
        if isinstance(block, bytes):
            yield block
        else:
            yield from giving.left(block)


class _RowGiver:
    """A filter that passes plain rows to `rows`.

    Stops searching after `MAX_ODD` consecutive rows that are not plain.
    """

    def __init__(self, rows: RowTaker) -> None:
        self._rows = rows
        self._odd = 0

    def left(self, text: str) -> Iterator[bytes]:
        """Yield the rows of a block that were not taken, for the parser. text: complete rows."""
        at = left = 0
        while at < len(text) and self._odd < MAX_ODD:
            stop = text.index(_END, at)
            head = _ROW.match(text, at, stop)
            after = stop + len(_END)
            if head and self._rows.take_plain_row(int(head[1]) - 1, _CELL.findall(text, head.end(), stop)):
                if left < at:
                    yield text[left:at].encode()
                left = after
                self._odd = 0
            else:
                self._odd += 1
            at = after
        if left < len(text):
            yield text[left:].encode()
