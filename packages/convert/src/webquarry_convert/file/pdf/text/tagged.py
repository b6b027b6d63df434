"""The structure tree of a tagged PDF: headings, table cells and descriptions of pictures.

An element of the tree (`H1`, `Table`, `Figure` and so on) lists the numbers of its marked content. `Span.mark` is the
number of a span's marked content. The tree therefore shows, for example, which spans are in a heading:

    H1 with marked content 3, 4   →   spans with mark 3 or 4 get level 1

Many files are tagged incorrectly. Headings are ignored if they are more than `_MOST_HEADINGS` of the text. A table
counts only if it has several rows and columns with text and is not almost empty. A single row of cells with several
lines is a layout table, such as the boxes of a newsletter.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from webquarry_convert.file.pdf.source.content import Box, Page, Span
from webquarry_convert.file.pdf.source.structure import Element, find_outermost
from webquarry_convert.file.pdf.tables.table import Figure, Frame, Table, write_cell

_LEVELS = {"Title": 1, "H": 1, "H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}
_SAYS_NOTHING = re.compile(
    r"\W*+(?:figure|imagen?|img|picture|photo|graphic|shape|chart|bild|grafik|abbildung|foto)?+[\W\d_]*+", re.IGNORECASE
)
_WORD = re.compile(r"\w")
_FILES = frozenset({"png", "jpg", "jpeg", "gif", "tif", "tiff", "bmp", "svg", "emf", "wmf", "eps", "webp"})
_LONGEST = 1_000
"""Maximum length of a picture's description, in characters."""
_FLAT = 0.1
"""Height, in points, of the box that represents a picture's description."""
_HEADINGS = frozenset(_LEVELS)
_TABLES, _ROWS = frozenset({"Table"}), frozenset({"TR"})
_CELLS = frozenset({"TD", "TH"})
_WIDEST = 100
"""Maximum number of columns that a cell can span."""
_MOST_TAKEN = 100_000
"""Maximum number of slots in a table that cells from rows above may occupy."""
_MOST_DRAWN, _MOST_EMPTY = 10_000, 20
"""Maximum number of slots in a table, plus a number for each cell with text."""
_SEVERAL_LINES = 2.0
"""Minimum height of a cell with several lines, relative to its first line."""
_MOST_HEADINGS = 0.3
"""Maximum share of the text of all pages that may be headings."""


def mark_levels(pages: list[Page]) -> bool:
    """Set the `level` of spans inside heading tags, and return whether there are such spans.

    If too much of the text is tagged as headings, set no level and return False.
    """
    spans: list[Span] = []
    written = 0
    for page in pages:
        levels = _find_levels(page.structure)
        for span in page.spans:
            written += len(span.text)
            if span.mark in levels:
                span.level = levels[span.mark]
                spans.append(span)
    if sum(len(span.text) for span in spans) > _MOST_HEADINGS * written:
        for span in spans:
            span.level = 0
        return False
    return bool(spans)


def find_tables(page: Page) -> tuple[list[Table], list[Span]]:
    """Return tables and frames, and the spans outside of them. A nested table becomes text in the enclosing cell."""
    owners: dict[int | None, tuple[int, int, int]] = {}
    widths: dict[int, dict[int, int]] = {}  # number of columns in each row, by table
    for number, table in enumerate(find_outermost(page.structure, _TABLES)):
        marks, widths[number] = _locate_marks(page.structure, table)
        for mark, (row, column) in marks.items():
            owners.setdefault(mark, (number, row, column))
    if not owners:
        return [], page.spans
    held: dict[int, dict[tuple[int, int], list[Span]]] = {}
    for span in page.spans:
        if span.mark in owners:
            number, row, column = owners[span.mark]
            held.setdefault(number, {}).setdefault((row, column), []).append(span)
    believed = [_place_cells(cells, widths[number]) for number, cells in held.items() if _is_plausible(cells)]
    framed = [cells for cells in held.values() if _is_frame(cells)]
    taken = {id(span) for cells in (*believed, *framed) for cell in cells.values() for span in cell}
    tables = [*map(_build_table, believed), *map(_build_frame, framed)]
    return tables, [span for span in page.spans if id(span) not in taken]


def _is_plausible(cells: Mapping[tuple[int, int], Any]) -> bool:
    """Return whether the cells fill several rows and columns, so that the table is not almost empty."""
    rows, columns = {row for row, _ in cells}, {column for _, column in cells}
    drawn = (max(rows) + 1) * (max(columns) + 1)
    return len(rows) > 1 and len(columns) > 1 and drawn <= _MOST_DRAWN + _MOST_EMPTY * len(cells)


def _is_frame(cells: Mapping[tuple[int, int], list[Span]]) -> bool:
    """Return whether the cells form a single row and at least one has several lines."""
    boxes = [(_enclose(cell), cell[0]) for cell in cells.values()]
    has_lines = any(box.y1 - box.y0 > _SEVERAL_LINES * (first.y1 - first.y0) for box, first in boxes)
    return has_lines and len({row for row, _ in cells}) == 1 < len(cells)


def _place_cells(
    cells: Mapping[tuple[int, int], list[Span]], widths: Mapping[int, int]
) -> dict[tuple[int, int], list[Span]]:
    """Move cells to the columns with which they are aligned.

    Some programs omit empty cells from the structure tree, which would shift the following cells to the left. widths:
    the number of columns in each row, according to the structure tree.
    """
    rows: dict[int, dict[int, list[Span]]] = {}
    for (row, column), spans in cells.items():
        rows.setdefault(row, {})[column] = spans
    columns = max(column for _, column in cells) + 1
    full = [row for row in rows.values() if len(row) == columns and _is_ascending(row)]
    if not full:
        return dict(cells)
    edges = [_measure_column([row[column] for row in full]) for column in range(columns)]
    placed: dict[tuple[int, int], list[Span]] = {}
    for row, held in rows.items():
        at = -1
        is_wrong = not _is_ascending(held) or (len(held) > 1 and widths.get(row, columns) < columns)
        for column in sorted(held, key=lambda one: _get_left(held[one])) if is_wrong else sorted(held):
            nearest = column
            if is_wrong:
                left, right = min(span.x0 for span in held[column]), max(span.x1 for span in held[column])
                nearest = min(range(columns), key=lambda one: _measure_distance(left, right, edges[one]))
            at = min(max(nearest, at + 1), columns - 1)
            placed.setdefault((row, at), []).extend(held[column])
    return placed


def _is_ascending(row: Mapping[int, list[Span]]) -> bool:
    """Return whether the cells of a row are ordered from left to right in the structure tree."""
    lefts = [_get_left(row[column]) for column in sorted(row)]
    return all(one < other for one, other in pairwise(lefts))


def _get_left(cell: list[Span]) -> float:
    return cell[0].x0 if len(cell) == 1 else min(span.x0 for span in cell)


def _measure_column(cells: list[list[Span]]) -> tuple[float, float]:
    return min(span.x0 for cell in cells for span in cell), max(span.x1 for cell in cells for span in cell)


def _measure_distance(left: float, right: float, column: tuple[float, float]) -> float:
    """Return a cell's distance from the left edge, right edge or middle of a column, whichever is smallest."""
    return min(abs(left - column[0]), abs(right - column[1]), abs(left + right - column[0] - column[1]) / 2)


def find_figures(page: Page) -> list[Figure]:
    """Return the pictures that have a description, each placed below the preceding tagged text."""
    if not any(element.element_type == "Figure" for element in page.structure):
        return []
    lowest: dict[int | None, Span] = {}
    for span in page.spans:
        if span.mark not in lowest or span.y1 > lowest[span.mark].y1:
            lowest[span.mark] = span
    found: list[Figure] = []
    above = Box(0, 0, page.width, 0)
    for element in page.structure:
        if element.element_type == "Figure":
            caption = " ".join((element.alt_text or "").split())
            if caption and not _is_meaningless(caption):
                found.append(Figure(Box(above.x0, above.y1, above.x1, above.y1 + _FLAT), caption[:_LONGEST]))
        for mark in element.marked_content_ids:
            above = lowest.get(mark, above)
    return found


def _is_meaningless(caption: str) -> bool:
    """Return whether a description is only a word like "picture" or a file name.

    caption: the description on one line.
    """
    before, _, last = caption.rpartition(" ")
    name, _, kind = last.rpartition(".")
    is_file = bool(name) and kind.lower() in _FILES and _WORD.search(before) is None
    return is_file or _SAYS_NOTHING.fullmatch(caption) is not None


def _build_table(held: dict[tuple[int, int], list[Span]]) -> Table:
    rows, columns = max(row for row, _ in held) + 1, max(column for _, column in held) + 1
    texts = [[write_cell(held.get((row, column), [])) for column in range(columns)] for row in range(rows)]
    box = _enclose([span for cell in held.values() for span in cell])
    lefts = [box.x1] * columns
    for (_, column), cell in held.items():
        lefts[column] = min(lefts[column], *(span.x0 for span in cell))
    return Table(box, texts, lefts[1:])


def _build_frame(held: dict[tuple[int, int], list[Span]]) -> Frame:
    box = _enclose([span for cell in held.values() for span in cell])
    return Frame(box, [held[place] for place in sorted(held)])


def _enclose(spans: Sequence[Span]) -> Box:
    return Box(
        min(span.x0 for span in spans),
        min(span.y0 for span in spans),
        max(span.x1 for span in spans),
        max(span.y1 for span in spans),
    )


def _locate_marks(elements: list[Element], table: int) -> tuple[dict[int, tuple[int, int]], dict[int, int]]:
    """Return the row and column of each marked content in a table, and the number of columns in each row.

    Cells may span columns and rows, so each cell is placed in the first column of its row that no cell from above
    occupies. In the rows [A (rowspan 2), B] and [C], C is in row 1, column 1, below B.

    table: the table's index among the elements.
    """
    owners: dict[int, tuple[int, int]] = {}
    # by row: start and end of each run of columns that cells from rows above occupy
    taken: dict[int, dict[int, int]] = {}
    widths: dict[int, int] = {}
    room = _MOST_TAKEN
    row = -1
    for line in find_outermost(elements, _ROWS, range(table, elements[table].end)):
        row += 1
        column = 0
        inner = line + 1
        while inner < elements[line].end:
            cell = elements[inner]
            inner, first = cell.end, inner
            if cell.element_type not in _CELLS:
                continue
            while (end := taken.get(row, {}).get(column)) is not None:
                column = end
            across, down = _read_spans(cell)
            room -= down - 1
            for below in range(1, down) if room > 0 else ():
                taken.setdefault(row + below, {})[column] = column + across
            place = row, column
            for part in elements[first : cell.end]:
                for mark in part.marked_content_ids:
                    owners.setdefault(mark, place)
            column += across
        widths[row] = column + sum(end > column for end in taken.get(row, {}).values())
    return owners, widths


def _read_spans(cell: Element) -> tuple[int, int]:
    """Return the number of columns and rows that a cell spans."""
    spans = {"ColSpan": 1, "RowSpan": 1}
    for attribute in reversed(cell.attributes):
        if attribute.name in spans and attribute.number_value is not None:
            spans[attribute.name] = max(1, min(int(attribute.number_value), _WIDEST))
    return spans["ColSpan"], spans["RowSpan"]


def _find_levels(elements: list[Element]) -> dict[int | None, int]:
    """Return the level of each marked content inside a heading tag."""
    levels: dict[int | None, int] = {}
    for heading in find_outermost(elements, _HEADINGS):
        level = _LEVELS[elements[heading].element_type]
        for part in elements[heading : elements[heading].end]:
            levels |= dict.fromkeys(part.marked_content_ids, level)
    return levels
