"""Properties of tables: whether a table is used for layout, and the size of its cells."""

from typing import Final

from webquarry_convert.file.text.docx.formats import VAL, get_value, parse_number
from webquarry_convert.file.text.ooxml.package import W
from webquarry_convert.file.text.table import MAX_COLUMNS, MAX_LAYOUT_DEPTH, is_layout
from webquarry_convert.file.xml import Element

_PARAGRAPH: Final = f"{W}p"
_TABLE, _ROW, _CELL = f"{W}tbl", f"{W}tr", f"{W}tc"


def is_layout_table(node: Element, depth: int) -> bool:
    """Return whether a table is used for layout.

    Such a table has one cell, has a few long cells, or contains tables larger than itself. depth: number of enclosing
    tables.
    """
    if depth >= MAX_LAYOUT_DEPTH:
        return False
    rows = node.findall(_ROW)
    cells = [cell for row in rows for cell in row.iterchildren(_CELL)]
    own = len(cells)
    has_more = any(each.find(f"{W}sdt") is not None for each in (node, *rows))
    lines = max((len(cell.findall(_PARAGRAPH)) for cell in cells), default=0)
    if not has_more and is_layout(own, lines, len(rows)):
        return True
    inner = max(map(_count_cells, _find_tables(rows)), default=0)
    return inner > 0 and (len(rows) == 1 or inner > 2 * own)


def _count_cells(table: Element) -> int:
    """Return the number of cells in a table and in its nested tables."""
    return sum(1 for _ in table.iter(_CELL))


def _find_tables(rows: list[Element]) -> list[Element]:
    """Return the outermost tables in the cells of these rows."""
    return [table for row in rows for cell in row.iterchildren(_CELL) for table in cell.iterchildren(_TABLE)]


def read_cell_frame(node: Element) -> tuple[int, bool] | None:
    """Return the number of columns that a cell spans, and whether it continues the cell above or before it.

    Returns None for a deleted cell.
    """
    properties = node.find(f"{W}tcPr")
    if properties is None:
        return 1, False
    if properties.find(f"{W}cellDel") is not None:
        return None
    across = min(max(parse_number(get_value(properties, "gridSpan")) or 1, 1), MAX_COLUMNS)
    goes_on = any(
        merged is not None and merged.get(VAL, "continue") == "continue"
        for merged in (properties.find(f"{W}vMerge"), properties.find(f"{W}hMerge"))
    )
    return across, goes_on
