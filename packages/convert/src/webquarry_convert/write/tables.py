"""Tables: data tables as pipe tables, and layout tables as normal content.

Spans are filled, so each row can be read on its own. The header is a row that is marked as the header, or a
first row that looks like a header.
"""

from typing import NamedTuple

from webquarry_convert.tree import Node, walk
from webquarry_convert.write import code
from webquarry_convert.write.flow import collect_pieces, write_apart, write_children
from webquarry_convert.write.inline import write_line
from webquarry_convert.write.listings import write_preformatted
from webquarry_convert.write.pieces import BREAK
from webquarry_convert.write.state import WriterState

MAX_CELL = 1000
"""Minimum length, in characters, of a cell that makes its table a layout table."""
MAX_FILLED = 120
"""Maximum length, in characters, of a cell that is repeated in each position that it spans."""
MAX_SPAN = 100
_FLOW = frozenset({"table", "pre", "blockquote", "form", "article", "section", "iframe", "video"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = frozenset({"p", "div", "li"})
_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
MAX_BLOCKS = 8
MAX_PARTS = 8
MAX_PART = 80
MAX_LAST_PART = 240
"""Maximum number of cells in a row that forms a line.

Also the maximum number of characters in each cell, and in the last one.
"""
_NO_PARTS = _FLOW | _HEADINGS | _BLOCKS | {"br", "img", "picture", "ul", "ol", "dl", "button", "input"}


class Row(NamedTuple):
    cells: list[Node]
    is_head: bool


def write(state: WriterState, node: Node) -> None:
    """Write a `table`."""
    if state.is_flat:
        write_apart(state, node)
        return
    if code.is_code_table(node):
        write_preformatted(state, node)
        return
    state.flush()
    caption, rows = _collect_rows(node)
    if not _is_layout(node, rows):
        _write_data(state, caption, rows)
    elif caption is None and len(rows) == 1 and _is_line(rows[0].cells):
        for cell in rows[0].cells:
            write_children(state, [*cell.children, " "])
        state.flush()
    else:
        for child in node.children:
            write_children(state, [child])
        state.flush()


def _write_data(state: WriterState, caption: Node | None, rows: list[Row]) -> None:
    """Write the caption and the rows of a table."""
    if caption is not None:
        write_children(state, caption.children)
        state.flush()
    lines = _build_lines(rows, _write_cells(state, rows))
    if lines:
        state.output.block("\n".join(lines))


def _collect_rows(node: Node) -> tuple[Node | None, list[Row]]:
    """Return the caption, and the rows that contain cells."""
    caption: Node | None = None
    rows: list[Row] = []
    foot: list[Row] = []  # old pages write the footer before the body
    for child in _list_elements(node):
        if child.tag == "caption":
            caption = child
        elif child.tag == "tr":
            rows.append(Row(_collect_cells(child), is_head=False))
        elif child.tag in _SECTIONS:
            is_head = child.tag == "thead"
            own = [Row(_collect_cells(row), is_head) for row in _list_elements(child) if row.tag == "tr"]
            (foot if child.tag == "tfoot" else rows).extend(own)
    return caption, [row for row in rows + foot if row.cells]


def _collect_cells(row: Node) -> list[Node]:
    return [cell for cell in _list_elements(row) if cell.tag in ("td", "th")]


def _list_elements(node: Node) -> list[Node]:
    return [child for child in node.children if isinstance(child, Node) and not child.is_dropped]


def _is_layout(node: Node, rows: list[Row]) -> bool:
    """Return whether a table is used only for layout."""
    role = node.attributes.get("role")
    if role in ("presentation", "none", "table"):
        return role != "table"
    if len(rows) < 2 or max(len(row.cells) for row in rows) < 2:
        return True
    return any(_is_flow(cell) for row in rows for cell in row.cells)


def _is_line(cells: list[Node]) -> bool:
    """Return whether short cells form a line, such as the parts of a declaration, or a label and its value."""
    return (
        1 < len(cells) <= MAX_PARTS
        and all(_is_part(cell, MAX_PART) for cell in cells[:-1])
        and _is_part(cells[-1], MAX_LAST_PART)
    )


def _is_part(cell: Node, most: int) -> bool:
    """Return whether a cell has at most `most` characters of text, and no blocks, line breaks or pictures."""
    size = 0
    for current in walk(cell.children):
        if isinstance(current, str):
            size += len(current.strip())
        elif current.tag in _NO_PARTS:
            return False
        if size > most:
            return False
    return True


def _is_flow(cell: Node) -> bool:
    """Return whether a cell contains more than fits on one line of a table."""
    children = cell.children
    if not children or (len(children) == 1 and isinstance(only := children[0], str) and len(only) < MAX_CELL):
        return False
    blocks = length = headings = 0
    waiting: list[Node | str] = [*children]
    while waiting:
        current = waiting.pop()
        if isinstance(current, str):
            length += len(current) if len(current) < 40 else len(" ".join(current.split()))
            if length > MAX_CELL:
                return True
        elif not current.is_dropped:
            if current.tag in _FLOW:
                if not _is_line_of_code(current):
                    return True
                continue
            headings += current.tag in _HEADINGS
            blocks += current.tag in _BLOCKS
            if blocks > MAX_BLOCKS or headings > 1:
                return True
            waiting += current.children
    return headings == 1 and not _is_heading(cell)


def _is_line_of_code(node: Node) -> bool:
    return node.tag == "pre" and "\n" not in code.read(node)[0]


def _is_heading(cell: Node) -> bool:
    """Return whether a cell contains only a heading."""
    node = cell
    while node.tag not in _HEADINGS:
        inner = [child for child in node.children if isinstance(child, Node) or not child.isspace()]
        if len(inner) != 1 or not isinstance(inner[0], Node):
            return False
        node = inner[0]
    return True


def _write_cells(state: WriterState, rows: list[Row]) -> list[list[str]]:
    return [[_write_cell(state, cell, is_bold=row.is_head or cell.tag == "th") for cell in row.cells] for row in rows]


def _build_lines(rows: list[Row], texts: list[list[str]]) -> list[str]:
    """Return the lines of a table, or [] if there is no text. texts: the contents of the cells, row by row."""
    grid = _fill_grid(rows, texts)
    kept = [(row, cells) for row, cells in zip(rows, grid, strict=True) if any(cells)]
    if len(kept) > 2 and _is_head_again(kept[0], kept[-1]):
        kept.pop()
    if not kept:
        return []
    rows, grid = [row for row, _ in kept], _strip_columns([cells for _, cells in kept])
    width = max(map(len, grid))
    head, body = _divide_rows(rows, grid)
    # a short row of a wide table stays short; markdown parsers fill it
    if width * len(grid) <= 8 * sum(map(len, texts)) + 64:
        body = [_widen(cells, width) for cells in body]
    rule = "|" + " --- |" * width
    return [_write_row(_widen(head, width)), rule, *map(_write_row, body)]


def _holds_names_only(row: Row) -> bool:
    return all(cell.tag == "th" for cell in row.cells)


def _is_head_again(first: tuple[Row, list[str]], last: tuple[Row, list[str]]) -> bool:
    """Return whether the last row repeats the header."""
    return last[1] == first[1] and _holds_names_only(last[0])


def _divide_rows(rows: list[Row], grid: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Return the header row, or [] if there is no header, and the other rows."""
    return (grid[0], grid[1:]) if _has_header(rows, grid) else ([], grid)


def _strip_columns(grid: list[list[str]]) -> list[list[str]]:
    """Return the rows without empty columns at the end."""
    width = max(map(len, grid))
    while width > 1 and not any(len(cells) == width and cells[-1] for cells in grid):
        width -= 1
        grid = [cells[:width] for cells in grid]
    return grid


def _widen(cells: list[str], width: int) -> list[str]:
    return cells + [""] * (width - len(cells))


def _write_row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _write_cell(state: WriterState, cell: Node, *, is_bold: bool) -> str:
    before, state.is_bold = state.is_bold, is_bold
    text = write_line(collect_pieces(state, cell.children, BREAK), "<br>")
    state.is_bold = before
    return text.replace("|", "\\|") if "|" in text else text


def _fill_grid(rows: list[Row], texts: list[list[str]]) -> list[list[str]]:
    """Return the strings by row and column, with each span filled with its cell's text.

    The number of filled positions is limited to a multiple of the number of actual cells.
    """
    budget = 8 * sum(map(len, texts)) + 64
    grid: list[list[str]] = []
    carried: dict[int, tuple[int, str]] = {}  # column → number of rows still to fill, and the text
    for row, row_texts in zip(rows, texts, strict=True):
        line: list[str] = []
        for cell, text in zip(row.cells, row_texts, strict=True):
            _carry(line, carried)
            across, down = _parse_span(cell.attributes.get("colspan")), _parse_span(cell.attributes.get("rowspan"))
            across = min(across, max(budget, 1))
            budget -= across - 1
            filler = text if len(text) <= MAX_FILLED else ""
            if across > 1 and len(row.cells) == 1:
                filler = ""  # the cell is a title above all columns
            if down > 1 and budget > 0:
                down = min(down, budget // across + 1)
                budget -= (down - 1) * across
                for column in range(len(line), len(line) + across):
                    carried[column] = (down - 1, filler)
            line.append(text)
            line += [filler] * (across - 1)
        _carry(line, carried)
        grid.append(line)
    return grid


def _carry(line: list[str], carried: dict[int, tuple[int, str]]) -> None:
    """Fill a row's next columns with the cells above that span it."""
    while (above := carried.get(len(line))) is not None:
        rows, text = above
        if rows == 1:
            del carried[len(line)]
        else:
            carried[len(line)] = (rows - 1, text)
        line.append(text)


def _parse_span(text: str | None) -> int:
    text = (text or "").strip()
    return min(max(int(text), 1), MAX_SPAN) if text.isascii() and text.isdigit() and len(text) < 6 else 1


def _has_header(rows: list[Row], grid: list[list[str]]) -> bool:
    """Return whether the first row is the header."""
    first = rows[0]
    if first.is_head:
        return True
    if _holds_names_only(first):
        return len(first.cells) > 1 or len(grid[0]) == 1
    if len(first.cells) < 2:
        return False
    # each row consists of names and values
    return not all(row.cells[0].tag == "th" for row in rows)
