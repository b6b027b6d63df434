"""Splits text runs that extend across two cells on a tagged page.

liteparse joins adjacent text into one run with the marked content of its first word, which leaves the next cell empty.
In this case, the positions of all marked content on the page are read, and runs are split accordingly:

    | Basket Cellar | Pasture |     one run "Basket Cellar" of marked content 4, and no run of 5: content 5 is drawn at
                                    "Cellar", which becomes a separate run
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby

from webquarry_convert.file.pdf.source.content import Box, Page, Span
from webquarry_convert.file.pdf.source.pdfium import File
from webquarry_convert.file.pdf.source.structure import Element, find_outermost

_CELLS = frozenset({"TD", "TH"})
_STEP = 10.0
"""Height, in points, of the steps by which boxes are indexed."""
_LAST = 8
"""Number of boxes that begin before a word and are checked for containing it."""

Levels = Mapping[int, list[tuple[float, float, float, float, int]]]
"""Boxes by height, in units of `_STEP`: left, right, top and bottom, sorted from the left, and their marked content."""


def divide_marked_runs(pages: Sequence[Page], file: File) -> None:
    for page in pages:
        cells = _find_cells(page.structure)
        unseen = _find_unseen(page, cells) if cells else set()
        if unseen and (boxes := file.locate_texts(page.number, unseen)):
            levels = _sort_boxes(boxes)
            page.spans = [part for span in page.spans for part in _divide(span, levels, cells)]


def _find_cells(elements: list[Element]) -> dict[int, int]:
    """Return the cell of each marked content that is in a cell, in the order of the structure tree."""
    cells: dict[int, int] = {}
    for place in find_outermost(elements, _CELLS):
        for part in elements[place : elements[place].end]:
            for mark in part.marked_content_ids:
                cells.setdefault(mark, place)
    return cells


def _find_unseen(page: Page, cells: Mapping[int, int]) -> set[int]:
    """Return the marked content of cells without a run.

    This content must directly follow content that has a run of several words.
    """
    runs: dict[int | None, bool] = {}
    for span in page.spans:
        runs[span.mark] = runs.get(span.mark, False) or " " in span.text
    unseen: set[int] = set()
    may_hold = False
    for mark in cells:
        if mark in runs:
            may_hold = runs[mark]
        elif may_hold:
            unseen.add(mark)
    return unseen


def _sort_boxes(boxes: Sequence[tuple[int, Box]]) -> Levels:
    levels: defaultdict[int, list[tuple[float, float, float, float, int]]] = defaultdict(list)
    for mark, box in boxes:
        levels[int((box.y0 + box.y1) / 2 // _STEP)].append((box.x0, box.x1, box.y0, box.y1, mark))
    for level in levels.values():
        level.sort()
    return levels


def _divide(span: Span, levels: Levels, cells: Mapping[int, int]) -> list[Span]:
    if span.mark is None or span.mark not in cells or " " not in span.text or span.parts is not None:
        return [span]
    marks: list[int] = []
    for word in span.source.words:
        found = _find_mark(word.x + word.width / 2, word.y + word.height / 2, levels)
        marks.append(found if found is not None else marks[-1] if marks else span.mark)
    if cells[marks[-1]] == cells[span.mark]:
        return [span]
    parts: list[Span] = []
    for _, group in groupby(zip(marks, span.words(), strict=True), key=lambda pair: cells[pair[0]]):
        held = list(group)
        part = span.join([word for _, word in held])
        part.mark = held[0][0]
        parts.append(part)
    return parts


def _find_mark(x: float, y: float, levels: Levels) -> int | None:
    """Return the marked content whose box contains a word's center, or None."""
    at = int(y // _STEP)
    for level in (at, at - 1, at + 1):
        boxes = levels.get(level, ())
        end = bisect_right(boxes, (x, 0.0, 0.0, 0.0, 0))
        for left, right, top, bottom, mark in boxes[max(end - _LAST, 0) : end]:
            if left <= x <= right and top - 1 <= y <= bottom + 1:
                return mark
    return None
