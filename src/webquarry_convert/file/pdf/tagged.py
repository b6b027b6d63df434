"""The structure tree of a tagged PDF: headings, cells of tables and descriptions of pictures.

An element of the tree (`H1`, `Table`, `Figure` and so on) lists the numbers of the marked content that belongs to it.
`Span.mark` is the number of a span's marked content, so the tree says which spans are, for example, in a heading:

    H1 with marked content 3, 4   →   spans whose mark is 3 or 4 get level 1

Many files are tagged wrongly. Headings are ignored when they are more than `_MOST_HEADINGS` of the text. A table counts
only when it has several rows and columns with text and is not nearly empty.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from webquarry_convert.file.pdf.content import Box, Page, Span
from webquarry_convert.file.pdf.table import Figure, Table, write_cell

_LEVELS = {"Title": 1, "H": 1, "H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}
_SAYS_NOTHING = re.compile(
    r"\W*+(?:figure|imagen?|img|picture|photo|graphic|shape|chart|bild|grafik|abbildung|foto)?+[\W\d_]*+", re.IGNORECASE
)
_WORD = re.compile(r"\w")
_FILES = frozenset({"png", "jpg", "jpeg", "gif", "tif", "tiff", "bmp", "svg", "emf", "wmf", "eps", "webp"})
_LONGEST = 1_000
"""Characters of a description."""
_FLAT = 0.1
"""Points."""
_CELLS = frozenset({"TD", "TH"})
_MOST_ELEMENTS = 100_000
_WIDEST = 100
"""Columns over which a cell can go."""
_MOST_TAKEN = 100_000
"""Places of a table that cells reach down to from rows above; those of further cells are not kept free."""
_MOST_DRAWN, _MOST_EMPTY = 10_000, 20
"""Places of a table, and for each cell with text, beyond which it is none."""
_MOST_HEADINGS = 0.3
"""Share of the text of all pages."""


def mark_levels(pages: list[Page]) -> bool:
    """Sets `level` of the spans that heading tags hold. Returns whether there are any.

    When too much of the text is tagged as headings, no level is set and False is returned.
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
    """Tables, and the spans that are in none of them. A table within a table is text of its cell."""
    owners: dict[int | None, tuple[int, int, int]] = {}
    number = 0
    for element in _walk_elements(page.structure, within=("Table",)):
        if element.element_type == "Table":
            for mark, (row, column) in _locate_marks(element).items():
                owners.setdefault(mark, (number, row, column))
            number += 1
    held: dict[int, dict[tuple[int, int], list[Span]]] = {}
    for span in page.spans:
        if span.mark in owners:
            number, row, column = owners[span.mark]
            held.setdefault(number, {}).setdefault((row, column), []).append(span)
    believed = [cells for cells in held.values() if _is_plausible(cells)]
    taken = {id(span) for cells in believed for cell in cells.values() for span in cell}
    return [_build_table(cells) for cells in believed], [span for span in page.spans if id(span) not in taken]


def _is_plausible(cells: Mapping[tuple[int, int], Any]) -> bool:
    """Whether cells in several rows and columns are a table that does not stand nearly empty."""
    rows, columns = {row for row, _ in cells}, {column for _, column in cells}
    drawn = (max(rows) + 1) * (max(columns) + 1)
    return len(rows) > 1 and len(columns) > 1 and drawn <= _MOST_DRAWN + _MOST_EMPTY * len(cells)


def find_figures(page: Page) -> list[Figure]:
    """Pictures that are described, each below the text that is tagged before it."""
    if page.structure is None:
        return []
    lowest: dict[int | None, Span] = {}
    for span in page.spans:
        if span.mark not in lowest or span.y1 > lowest[span.mark].y1:
            lowest[span.mark] = span
    found: list[Figure] = []
    above = Box(0, 0, page.width, 0)
    for element in _walk_elements(page.structure):
        said = " ".join((element.alt_text or "").split())
        if element.element_type == "Figure" and said and not _is_meaningless(said):
            found.append(Figure(Box(above.x0, above.y1, above.x1, above.y1 + _FLAT), said[:_LONGEST]))
        for mark in element.marked_content_ids:
            above = lowest.get(mark, above)
    return found


def _is_meaningless(said: str) -> bool:
    """Whether a description is only the word for one, or the name of a file. said: on one line."""
    before, _, last = said.rpartition(" ")
    name, _, kind = last.rpartition(".")
    is_file = bool(name) and kind.lower() in _FILES and _WORD.search(before) is None
    return is_file or _SAYS_NOTHING.fullmatch(said) is not None


def _build_table(held: dict[tuple[int, int], list[Span]]) -> Table:
    rows, columns = max(row for row, _ in held) + 1, max(column for _, column in held) + 1
    texts = [[write_cell(held.get((row, column), [])) for column in range(columns)] for row in range(rows)]
    spans = [span for cell in held.values() for span in cell]
    box = Box(
        min(span.x0 for span in spans),
        min(span.y0 for span in spans),
        max(span.x1 for span in spans),
        max(span.y1 for span in spans),
    )
    lefts = [box.x1] * columns
    for (_, column), cell in held.items():
        lefts[column] = min(lefts[column], *(span.x0 for span in cell))
    return Table(box, texts, lefts[1:])


def _locate_marks(table: Any) -> dict[int, tuple[int, int]]:
    """Row and column of each marked content in a table, by its number.

    Cells may span columns and rows, so a cell stands in the first place of its row that no cell above reaches down to.
    In the rows [A (rowspan 2), B] and [C], C stands in row 1, column 1, below B.
    """
    owners: dict[int, tuple[int, int]] = {}
    taken: dict[int, dict[int, int]] = {}  # by cells of rows above: where each run of places begins, and ends
    room = _MOST_TAKEN
    row = -1
    for line in _walk_elements(table, within=("TR",)):
        if line.element_type != "TR":
            continue
        row += 1
        column = 0
        for cell in line.children:
            if cell.element_type not in _CELLS:
                continue
            while (end := taken.get(row, {}).get(column)) is not None:
                column = end
            across, down = _read_span(cell, "ColSpan"), _read_span(cell, "RowSpan")
            room -= down - 1
            for below in range(1, down) if room > 0 else ():
                taken.setdefault(row + below, {})[column] = column + across
            for part in _walk_elements(cell):
                for mark in part.marked_content_ids:
                    owners.setdefault(mark, (row, column))
            column += across
    return owners


def _read_span(cell: Any, name: str) -> int:
    for attribute in cell.attributes:
        if attribute.name == name and attribute.number_value is not None:
            return max(1, min(int(attribute.number_value), _WIDEST))
    return 1


def _find_levels(structure: Any) -> dict[int | None, int]:
    """Level of each marked content below a heading tag."""
    levels: dict[int | None, int] = {}
    for heading in _walk_elements(structure, within=_LEVELS):
        if (level := _LEVELS.get(heading.element_type, 0)) > 0:
            for part in _walk_elements(heading):
                levels |= dict.fromkeys(part.marked_content_ids, level)
    return levels


def _walk_elements(top: Any, within: Collection[str] = ()) -> Iterator[Any]:
    """Elements below and with the top one, in their order. within: those inside such elements are left out."""
    if top is None:
        return
    stack = list(reversed(top.roots)) if hasattr(top, "roots") else [top]
    for _ in range(_MOST_ELEMENTS):
        if not stack:
            return
        element = stack.pop()
        yield element
        if element.element_type not in within:
            stack.extend(reversed(element.children))
