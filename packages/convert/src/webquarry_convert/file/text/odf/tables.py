"""Detects tables that are used for layout."""

from typing import Final

from webquarry_convert.file.text.odf.package import TABLE, TEXT
from webquarry_convert.file.text.odf.styles import parse_number
from webquarry_convert.file.text.table import MAX_COLUMNS, MAX_LAYOUT_DEPTH, is_layout
from webquarry_convert.file.xml import Element

REPEATED: Final = f"{TABLE}number-columns-repeated"
_LINES: Final = (f"{TEXT}p", f"{TEXT}h")
_TABLE, _ROW, _CELL = f"{TABLE}table", f"{TABLE}table-row", f"{TABLE}table-cell"


def is_layout_table(node: Element, depth: int) -> bool:
    """Return whether a table is used for layout.

    Such a table has one cell, has a few long cells, or contains tables larger than itself. depth: number of enclosing
    tables.
    """
    if depth >= MAX_LAYOUT_DEPTH:
        return False
    cells = list(node.iter(_CELL))
    every = len(cells)
    lines = max((sum(1 for _ in cell.iter(*_LINES)) for cell in cells[:MAX_COLUMNS]), default=0)
    if is_layout(every, lines, sum(1 for _ in node.iter(_ROW))) and not any(map(_is_repeated, cells)):
        return True
    sizes = [sum(1 for _ in table.iter(_CELL)) for table in node.iterdescendants(_TABLE)][:MAX_COLUMNS]
    return bool(sizes) and max(sizes) > 2 * (every - sum(sizes))


def _is_repeated(cell: Element) -> bool:
    return bool(parse_number(cell.get(REPEATED)))
