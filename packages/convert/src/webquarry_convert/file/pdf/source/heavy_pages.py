"""Detects pages with more drawings than liteparse can read in reasonable time.

liteparse compares all drawings within a square of 64 points with each other, lines of the same height with each other,
and horizontal lines with all text. On a page of nested frames the work is quadratic, and it cannot be interrupted. Such
pages are read without liteparse, and only as text, without fonts, lines and links.

Opening a page to count its drawings takes a large part of the time needed to read it. Files whose streams cannot
contain too many drawings are therefore not opened.
"""

import contextlib
import ctypes
import math
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any

import pypdfium2.raw as pdfium  # type: ignore[import-untyped]  # no types

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.pdf.source.content import Box, Page, Span
from webquarry_convert.file.pdf.source.drawn import SAME_PLACE, Matrix, multiply
from webquarry_convert.file.pdf.source.pdfium import File
from webquarry_convert.file.pdf.source.streams import Stream

_MOST_PAIRS = 600_000_000
"""The maximum number of comparisons in a file, about 1.5 seconds. Pages that exceed it are heavy."""
_FREE = 5_000_000
"""The number of comparisons on each page that don't count, because reading the page's text takes longer."""
_SHARE = 2
"""A page may use one `_SHARE`th of the remaining comparisons without an exact count."""
_MOST_BOXES = 1_000_000
"""The maximum number of boxes in all squares of a page together."""
_SQUARE, _REACH = 64.0, 5.0
"""The side of each square, and the margin around a box that is included, in points."""
_LEAST = 4.0
"""The minimum length of compared lines, in points."""
_RECTANGLE = 5
"""The number of segments of a filled path that counts as a rectangle."""
_SHORT, _FEW = 12, 4
"""The maximum numbers of segments and of squares for a path whose lines are not measured separately."""
_SAME = 1_000
"""The number of units per point in which line heights are compared."""
_DEEPEST = 6
"""The maximum depth of nested forms that are read."""
_MARKS = (b" re", b" l", b" c", b" v", b" y")
"""Operators that draw a line, a curve or a rectangle."""
_FEW_DRAWN = 16
"""The number of potential drawing operators in a stream up to which they are not counted exactly."""
_SPACES = bytes.maketrans(b"\0\t\n\f\r)]>", b"        ")
_BEGINNINGS = bytes.maketrans(b"\0\t\n\f\r)]>rcvy", b"        llll")
"""Maps white space like `_SPACES`, and the first letters of drawing operators to one letter."""


def find_heavy_pages(streams: Sequence[Stream], file: File, pages: int) -> frozenset[int]:
    """Return the numbers of pages, from 1 on, with too many drawings. pages: the number of pages in the file."""
    squares = max((_count_squares(*file.measure_size(page)) for page in range(1, pages + 1)), default=1)
    enough = math.isqrt(2 * _MOST_PAIRS // (squares + 1)) + 1
    if _bound_pairs(_count_drawn(streams, enough), squares + 1) <= _MOST_PAIRS:
        return frozenset()
    left = unseen = _MOST_PAIRS
    heavy: set[int] = set()
    for number in range(1, pages + 1):
        with contextlib.suppress(ConversionFailed):  # a missing page draws nothing
            page = file.get_page(number)
            bound = _bound_page(page)
            if bound <= unseen // _SHARE:
                unseen -= bound
                continue
            needed = _Work(page, left + _FREE).measure()
            if needed > left + _FREE:
                heavy.add(number)
            else:
                left -= max(0, needed - _FREE)
    return frozenset(heavy)


def read_heavy_page(number: int, file: File) -> Page:
    """Return a page with only its lines of text. number: the page number, from 1."""
    left, bottom, right, top = file.get_page(number).get_bbox()
    page = Page(number, right - left, top - bottom, [], [])
    characters = file.characters(number)
    text = characters.text
    start = 0
    for line in text.splitlines(keepends=True):
        places = range(start, start + len(line.rstrip()))
        start += len(line)
        boxes = [box for at in places if (box := characters.measure(at)).y1 > box.y0]
        if boxes and line.strip():
            page.spans.append(_make_span(line.strip(), boxes))
    return page


def _make_span(text: str, boxes: Sequence[Box]) -> Span:
    bounds = (
        min(box.x0 for box in boxes),
        min(box.y0 for box in boxes),
        max(box.x1 for box in boxes),
        max(box.y1 for box in boxes),
    )
    return Span(bounds, text, boxes[0].y1 - boxes[0].y0)


def _count_drawn(streams: Sequence[Stream], enough: int) -> int:
    """Return the maximum number of lines, curves and rectangles that the streams of a file may draw.

    enough: the number after which counting may stop.
    """
    own = of_forms = uses = 0
    for stream in streams:
        if stream.content is None:
            return _MOST_PAIRS  # the number is unknown
        drawn = stream.content.translate(_BEGINNINGS).count(b" l")
        if drawn > _FEW_DRAWN:
            content = stream.content.translate(_SPACES)
            drawn = sum(map(content.count, _MARKS))
        if b"/Form" in stream.dictionary:
            of_forms += drawn
        else:
            own += drawn
        if own + of_forms > enough:
            return own + of_forms
    if of_forms:
        uses = sum(stream.content.translate(_SPACES).count(b" Do") for stream in streams if stream.content)
    return own + of_forms * max(1, uses)


def _bound_page(page: Any) -> int:
    """Return an upper bound for the number of comparisons on a page.

    The bound assumes that each box is in all squares and that all lines are at the same height.
    """
    boxes = lines = texts = 0
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    count, read_mode = pdfium.FPDFPath_CountSegments, pdfium.FPDFPath_GetDrawMode
    for drawn, kind, _ in _walk_page(page.raw, SAME_PLACE):
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            texts += 1
        elif kind == pdfium.FPDF_PAGEOBJ_PATH:
            segments = count(drawn)
            read_mode(drawn, fill, stroke)
            boxes += (fill.value != 0) + segments * (stroke.value != 0)
            lines += segments + 1
    return _bound_pairs(boxes, _count_squares(*page.get_size())) + _bound_pairs(lines, 1) + lines * texts


def _bound_pairs(boxes: int, squares: int) -> int:
    return boxes * boxes // 2 * squares


def _count_squares(width: float, height: float) -> int:
    return int(width // _SQUARE + 1) * int(height // _SQUARE + 1)


class _Work:
    """The comparisons that liteparse makes on a page. most: the number after which counting stops."""

    def __init__(self, page: Any, most: int) -> None:
        self._handle = page.raw
        self._left, self._bottom, right, top = page.get_bbox()
        self._columns = int((right - self._left) // _SQUARE + 1)
        self._rows = int((top - self._bottom) // _SQUARE + 1)
        self._right, self._high = right - self._left, top - self._bottom
        self._most = most
        self._fill, self._stroke, self._edges = ctypes.c_int(), ctypes.c_int(), [ctypes.c_float() for _ in range(4)]
        self._squares: dict[int, int] = {}
        self._levels: dict[tuple[bool, int], int] = {}
        self._texts = self._lying = self._boxes = self._pairs = 0

    def measure(self) -> int:
        matrix = (1.0, 0.0, 0.0, 1.0, -self._left, -self._bottom)
        for drawn, kind, place in _walk_page(self._handle, matrix):
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                self._texts += 1
            elif kind == pdfium.FPDF_PAGEOBJ_PATH:
                self._add_path(drawn, place)
            if self._is_over():
                break
        return self._pairs + self._texts * self._lying

    def _is_over(self) -> bool:
        if self._boxes > _MOST_BOXES:
            self._pairs = self._most + 1
        return self._pairs + self._texts * self._lying > self._most

    def _add_path(self, path: Any, matrix: Matrix) -> None:
        pdfium.FPDFPath_GetDrawMode(path, self._fill, self._stroke)
        is_filled, is_drawn = self._fill.value != 0, self._stroke.value != 0
        if not is_filled and not is_drawn:
            return
        x0, y0, x1, y1 = self._measure_box(path, matrix)
        columns, rows = self._find_squares(x0, y0, x1, y1)
        lines = pdfium.FPDFPath_CountSegments(path)
        if lines <= _SHORT and len(columns) * len(rows) <= _FEW:  # all lines of the path are in the same squares
            self._add_box(columns, rows, is_filled + is_drawn * lines)
            self._add_level(x0, y0, x1, y1)
            return
        if is_filled:
            self._add_box(columns, rows, 1)
        if not is_drawn and lines <= _RECTANGLE:
            for edge in ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)):
                self._add_level(*edge)
            return
        for (x0, y0), (x1, y1) in _read_lines(path, matrix):
            across, down = abs(x1 - x0), abs(y1 - y0)
            if across < 1 or down < 1:
                self._add_level(x0, y0, x1, y1)
            if not is_drawn or (across < _LEAST and down < _LEAST):
                continue
            columns, rows = self._find_squares(
                x0 if x0 < x1 else x1, y0 if y0 < y1 else y1, x1 if x0 < x1 else x0, y1 if y0 < y1 else y0
            )
            self._add_box(columns, rows, 1)
            if self._is_over():
                return

    def _measure_box(self, path: Any, matrix: Matrix) -> tuple[float, float, float, float]:
        pdfium.FPDFPageObj_GetBounds(path, *self._edges)
        left, bottom, right, top = (edge.value for edge in self._edges)
        if matrix[1] == matrix[2] == 0:
            (x0, y0), (x1, y1) = _move(matrix, left, bottom), _move(matrix, right, top)
            return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
        corners = [_move(matrix, x, y) for x in (left, right) for y in (bottom, top)]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return min(xs), min(ys), max(xs), max(ys)

    def _find_squares(self, x0: float, y0: float, x1: float, y1: float) -> tuple[range, range]:
        """Return the columns and rows of the squares that a box overlaps."""
        left, right, low, high = x0 - _REACH, x1 + _REACH, y0 - _REACH, y1 + _REACH
        if left >= 0 and low >= 0 and right < self._right and high < self._high:  # true for nearly all boxes
            return (
                range(int(left / _SQUARE), int(right / _SQUARE) + 1),
                range(int(low / _SQUARE), int(high / _SQUARE) + 1),
            )
        return (
            range(_place(left, self._columns), _place(right, self._columns) + 1),
            range(_place(low, self._rows), _place(high, self._rows) + 1),
        )

    def _add_level(self, x0: float, y0: float, x1: float, y1: float) -> None:
        across, down = abs(x1 - x0), abs(y1 - y0)
        if min(across, down) < 1:
            level = (down < across, round((y0 if down < across else x0) * _SAME))
            before = self._levels.get(level, 0)
            self._pairs += before
            self._levels[level] = before + 1
            self._lying += down < across

    def _add_box(self, columns: range, rows: range, times: int) -> None:
        """Add a box. times: the number of boxes in the same squares."""
        self._boxes += len(columns) * len(rows) * times
        if self._boxes > _MOST_BOXES:
            return
        squares, get = self._squares, self._squares.get
        within = times * times // 2
        for row in rows:
            first = row * self._columns
            for square in range(first + columns.start, first + columns.stop):
                before = get(square, 0)
                self._pairs += before * times + within
                squares[square] = before + times


def _place(at: float, count: int) -> int:
    return min(max(int(at // _SQUARE), 0), count - 1) if abs(at) < 1e9 else 0


def _walk_page(page: Any, matrix: Matrix) -> Iterator[tuple[Any, int, Matrix]]:
    """Yield a page's drawings, each with its kind and its coordinate matrix."""
    return _walk(page, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, matrix, 0)


def _walk(
    holder: Any, count: Callable[[Any], int], get: Callable[[Any, int], Any], matrix: Matrix, depth: int
) -> Iterator[tuple[Any, int, Matrix]]:
    read_kind = pdfium.FPDFPageObj_GetType
    for at in range(count(holder)):
        drawn = get(holder, at)
        kind = read_kind(drawn)
        if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
            inner = multiply(_read_matrix(drawn), matrix)
            yield from _walk(drawn, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, inner, depth + 1)
        else:
            yield drawn, kind, matrix


def _read_lines(path: Any, matrix: Matrix) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Yield the ends of each straight line in a path."""
    a, b, c, d, e, f = multiply(_read_matrix(path), matrix)
    x, y = ctypes.c_float(), ctypes.c_float()
    get_point, get_kind, is_closed = (
        pdfium.FPDFPathSegment_GetPoint,
        pdfium.FPDFPathSegment_GetType,
        pdfium.FPDFPathSegment_GetClose,
    )
    before = first = (0.0, 0.0)
    count = pdfium.FPDFPath_CountSegments(path)
    for segment in map(pdfium.FPDFPath_GetPathSegment, repeat(path, count), range(count)):
        get_point(segment, x, y)
        across, up = x.value, y.value
        point = (a * across + c * up + e, b * across + d * up + f)
        kind = get_kind(segment)
        if kind == pdfium.FPDF_SEGMENT_LINETO:
            yield before, point
        elif kind == pdfium.FPDF_SEGMENT_MOVETO:
            first = point
        if is_closed(segment):
            yield point, first
        before = point


def _read_matrix(drawn: Any) -> Matrix:
    found = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(drawn, found)
    return found.a, found.b, found.c, found.d, found.e, found.f


def _move(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
