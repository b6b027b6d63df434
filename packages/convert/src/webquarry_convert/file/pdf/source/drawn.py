"""A page's text objects, areas and pictures in drawing order, with their positions and colors.

A page has hundreds of such objects, and converting values to pypdfium2's usual types takes longer than the calls
themselves. The functions here use plain addresses, and each call handles many objects.
"""

import ctypes
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from ctypes import c_float, c_int, c_size_t, c_uint
from itertools import repeat
from typing import Any, Final, NamedTuple

import pypdfium2.raw as pdfium  # type: ignore[import-untyped]  # no types

MOST: Final = 1_000_000
"""The maximum number of a page's objects that are read."""
DEEPEST: Final = 6
"""The maximum depth of nested forms that are read."""
TEXT: Final = pdfium.FPDF_PAGEOBJ_TEXT
PATH: Final = pdfium.FPDF_PAGEOBJ_PATH
PICTURE: Final = pdfium.FPDF_PAGEOBJ_IMAGE
_FORM: Final = pdfium.FPDF_PAGEOBJ_FORM

Matrix = tuple[float, float, float, float, float, float]
SAME_PLACE: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
Edges = tuple[float, float, float, float]
"""Left, bottom, right and top, in points, in the coordinates of the page's content."""
Colour = tuple[int, int, int, int]
"""Red, green, blue and opacity, from 0 to 255."""


def bind(name: str, *arguments: Any, result: Any = c_int) -> Callable[..., int]:
    """Return a pdfium function whose parameters and result are addresses as integers."""
    address = get_address(getattr(pdfium, name))
    bound: Callable[..., int] = ctypes.PYFUNCTYPE(result, *arguments)(address)
    return bound


def get_address(handle: Any) -> int:
    """Return the address in a pdfium handle."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


_Address = c_size_t
_count_on_page = bind("FPDFPage_CountObjects", _Address)
_get_on_page = bind("FPDFPage_GetObject", _Address, c_int, result=_Address)
_count_in_form = bind("FPDFFormObj_CountObjects", _Address)
_get_in_form = bind("FPDFFormObj_GetObject", _Address, ctypes.c_ulong, result=_Address)
_get_type = bind("FPDFPageObj_GetType", _Address)
_get_bounds = bind("FPDFPageObj_GetBounds", *[_Address] * 5)
_get_matrix = bind("FPDFPageObj_GetMatrix", _Address, _Address)
_get_fill = bind("FPDFPageObj_GetFillColor", *[_Address] * 5)
_get_draw_mode = bind("FPDFPath_GetDrawMode", _Address, _Address, _Address)
_has_transparency = bind("FPDFPageObj_HasTransparency", _Address)
_get_render_mode = bind("FPDFTextObj_GetTextRenderMode", _Address)
_count_marks = bind("FPDFPageObj_CountMarks", _Address)
_get_mark = bind("FPDFPageObj_GetMark", _Address, ctypes.c_ulong, result=_Address)
_get_mark_name = bind("FPDFPageObjMark_GetName", _Address, _Address, ctypes.c_ulong, _Address)
_get_stroke_width = bind("FPDFPageObj_GetStrokeWidth", _Address, _Address)
_get_pixel_size = bind("FPDFImageObj_GetImagePixelSize", _Address, _Address, _Address)
_set_active = bind("FPDFPageObj_SetIsActive", _Address, c_int)

_numbers = (c_uint * 4)()
_NUMBERS: Final = [ctypes.addressof(_numbers) + 4 * at for at in range(4)]
_floats = (c_float * 6)()
_FLOATS: Final = [ctypes.addressof(_floats) + 4 * at for at in range(6)]

_name = (ctypes.c_ubyte * 8)()
_NAME: Final = ctypes.addressof(_name)
_OPTIONAL: Final = "OC\0".encode("utf-16-le")


class Run(NamedTuple):
    """Consecutive objects with the same coordinate system.

    objects: their addresses. kinds: pdfium's numbers for their types. matrix: the matrix that maps their coordinates to
    the page's. depth: number of enclosing forms.
    """

    objects: Sequence[int]
    kinds: Sequence[int]
    matrix: Matrix
    depth: int


def read_runs(page: Any) -> list[Run]:
    """Return the objects on an open pypdfium2 page. Stops soon after `MOST` objects."""
    runs: list[Run] = []
    left = MOST
    for run in _read_holder(get_address(page.raw), _count_on_page, _get_on_page):
        runs.append(run)
        left -= len(run.objects)
        if left <= 0:
            break
    return runs


def _read_holder(
    holder: int,
    count: Callable[..., int],
    get: Callable[..., int],
    matrix: Matrix = SAME_PLACE,
    depth: int = 0,
) -> Iterator[Run]:
    objects = list(map(get, repeat(holder), range(min(count(holder), MOST))))
    kinds = list(map(_get_type, objects))
    if _FORM not in kinds or depth == DEEPEST:
        yield Run(objects, kinds, matrix, depth)
        return
    start = 0
    for at, kind in enumerate(kinds):
        if kind == _FORM:
            if at > start:
                yield Run(objects[start:at], kinds[start:at], matrix, depth)
            inner = multiply(_read_matrix(objects[at]), matrix)
            yield from _read_holder(objects[at], _count_in_form, _get_in_form, inner, depth + 1)
            start = at + 1
    if start < len(objects):
        yield Run(objects[start:], kinds[start:], matrix, depth)


def measure(objects: Sequence[int], matrix: Matrix) -> Iterator[Edges]:
    """Yield the edges of each object, regardless of clipping. matrix: the run's matrix."""
    count = len(objects)
    floats = (c_float * (4 * count))()
    first = ctypes.addressof(floats)
    end = first + 16 * count
    places = [range(first + 4 * edge, end, 16) for edge in range(4)]
    deque(map(_get_bounds, objects, *places), 0)
    edges = iter(floats[:])
    each = zip(edges, edges, edges, edges, strict=True)
    return each if matrix is SAME_PLACE else (_move(matrix, *one) for one in each)


def _move(matrix: Matrix, left: float, bottom: float, right: float, top: float) -> Edges:
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x in (left, right) for y in (bottom, top)]
    ys = [b * x + d * y + f for x in (left, right) for y in (bottom, top)]
    return min(xs), min(ys), max(xs), max(ys)


def is_filled(path: int) -> bool:
    """Return whether a path's area is filled."""
    return bool(_get_draw_mode(path, *_NUMBERS[:2])) and _numbers[0] != 0


def measure_stroke(path: int) -> float:
    """Return a path's line width in its own units, or 0 if its lines are not drawn."""
    if not _get_draw_mode(path, *_NUMBERS[:2]) or not _numbers[1]:
        return 0.0
    return float(_floats[0]) if _get_stroke_width(path, _FLOATS[0]) else 0.0


def count_pixels(picture: int) -> int:
    """Return the number of pixels that a picture has in the file."""
    return int(_numbers[0] * _numbers[1]) if _get_pixel_size(picture, *_NUMBERS[:2]) else 0


def is_see_through(drawn: int) -> bool:
    """Return whether an object is transparent or blended with the objects below it."""
    return _has_transparency(drawn) != 0


def read_fill(drawn: int) -> Colour | None:
    """Return an object's fill color, or None if the object has no fill or a pattern."""
    if not _get_fill(drawn, *_NUMBERS):
        return None
    red, green, blue, opacity = _numbers[:4]
    return red, green, blue, opacity


def read_render_mode(text: int) -> int:
    """Return a text's render mode as numbered in ISO 32000, or -1 if the object is not a text."""
    return _get_render_mode(text)


def is_optional(drawn: int) -> bool:
    """Return whether an object is in an optional layer's marked content."""
    return any(_read_mark(drawn, at) == _OPTIONAL for at in range(_count_marks(drawn)))


def _read_mark(drawn: int, at: int) -> bytes:
    """Return the beginning of the name of the marked content around an object, in UTF-16."""
    mark = _get_mark(drawn, at)
    if not mark or not _get_mark_name(mark, _NAME, len(_name), _NUMBERS[0]):
        return b""
    return bytes(_name[: _numbers[0]])


@contextmanager
def taken_off(objects: Collection[int]) -> Iterator[None]:
    """Remove objects from their page while the context is active."""
    for one in objects:
        _set_active(one, 0)
    try:
        yield
    finally:
        for one in objects:
            _set_active(one, 1)


def _read_matrix(form: int) -> Matrix:
    if not _get_matrix(form, _FLOATS[0]):
        return SAME_PLACE
    a, b, c, d, e, f = _floats[:]
    return a, b, c, d, e, f


def multiply(inner: Matrix, outer: Matrix) -> Matrix:
    """Return the matrix that applies `inner` and then `outer`."""
    a, b, c, d, e, f = inner
    oa, ob, oc, od, oe, of = outer
    return (
        a * oa + b * oc,
        a * ob + b * od,
        c * oa + d * oc,
        c * ob + d * od,
        e * oa + f * oc + oe,
        e * ob + f * od + of,
    )
