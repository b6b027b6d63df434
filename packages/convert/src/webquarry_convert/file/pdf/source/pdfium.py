"""A PDF that is opened with pdfium: whether it can be read, its metadata, and its pages as pictures."""

import ctypes
import math
import re
from collections import deque
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, repeat
from typing import Any, Self

import pypdfium2  # type: ignore[import-untyped]  # no types
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]  # as above

from webquarry_convert.file.document import make_corrupt_error, make_encrypted_error, make_limit_error
from webquarry_convert.file.limits import MAX_PAGES, MAX_PIXELS
from webquarry_convert.file.pdf.source import drawn
from webquarry_convert.file.pdf.source.content import BATCH, Box
from webquarry_convert.file.pdf.source.suspects import Hints, Suspects, find_suspects

_POINTS = 72  # dots per inch
_MOST_PICTURES = 500
_MOST_ENTRIES = 5_000
_MOST_COMPARED = 5_000_000
"""The maximum number of page names that are compared. pdfium compares each pair if the names are not in a tree."""
_MOST_DRAWN = 50_000
"""The maximum number of objects on a page whose marks are read."""
_EVERYWHERE = (-1e6, -1e6, 1e6, 1e6)
"""Left, bottom, right and top of an area that contains every page, in points."""
_CODES = 0x110000
"""The number of Unicode code points."""
_UNCLEAR = re.compile("\ufffe")
"""Matches characters for which a page's text contains a different character."""
_NEAR = 3.0
"""The radius, in points, around a position within which a character is found."""
_LEVEL = 0.02
"""The maximum slope of a level baseline."""
_LONGEST_NAME = 100
_MOST_ATTACHED = 20
_UNSEEN = pdfium.FPDF_ANNOT_FLAG_INVISIBLE | pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_DEEPEST = 3
"""The maximum depth of nested forms that are searched for pictures."""

_SPACE = 0x20
_get_code = drawn.bind("FPDFText_GetUnicode", ctypes.c_size_t, ctypes.c_int, result=ctypes.c_uint)
_get_loose_box = drawn.bind("FPDFText_GetLooseCharBox", ctypes.c_size_t, ctypes.c_int, ctypes.c_size_t)
_get_box = drawn.bind("FPDFText_GetCharBox", ctypes.c_size_t, ctypes.c_int, *[ctypes.c_size_t] * 4)
_get_text_object = drawn.bind("FPDFText_GetTextObject", ctypes.c_size_t, ctypes.c_int, result=ctypes.c_size_t)


@dataclass(frozen=True, slots=True)
class Facts:
    """The metadata of a file.

    language: the BCP 47 tag in the file, unchanged. is_dynamic: whether the viewer creates the pages from an XFA form.
    If so, the file contains only a notice.
    """

    pages: int
    title: str | None
    author: str | None
    language: str | None
    is_tagged: bool
    is_form: bool
    is_dynamic: bool


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """An entry of the outline. page: the target page's number, from 1. depth: number of enclosing entries."""

    title: str
    page: int
    depth: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as gray pixels, one byte each, in rows from the top without padding. dpi: the picture's resolution."""

    width: int
    height: int
    pixels: bytes
    dpi: float


class Characters:
    """The characters of a page."""

    def __init__(self, page: pypdfium2.PdfPage, hidden: frozenset[int] = frozenset()) -> None:
        """Read a page's characters. hidden: the numbers of the characters to read as spaces."""
        self.hidden = hidden
        self._page = page.get_textpage()
        self._handle = self._page.raw  # cached, because ctypes computes this property on each access
        self._address = drawn.get_address(self._handle)
        self._left, self._bottom, self._right, self._top = page.get_bbox()
        self._rotation = int(page.get_rotation())
        self.is_upright = self._rotation == 0

    @cached_property
    def text(self) -> str:
        """Return the page's characters, with hidden characters as spaces.

        A character's position in this text is its number.
        """
        text = self._read_text()
        if not self.hidden:
            return text
        return "".join([" " if at in self.hidden else character for at, character in enumerate(text)])

    def hide(self, hidden: frozenset[int]) -> None:
        """Read some characters as spaces from now on."""
        self.hidden = hidden
        self.__dict__.pop("text", None)
        self.__dict__.pop("written", None)

    def count(self) -> int:
        return int(self._page.count_chars())

    def is_sign(self, at: int) -> bool:
        """Return whether a character, hidden or visible, is not a space."""
        return not self._read_character(at).isspace()

    def _read_text(self) -> str:
        """Return the page's characters. pdfium returns the whole text quickly, but changes the number of characters: it
        writes "\ufffe" for a hyphen at the end of a line, leaves out characters of unknown meaning, and joins two
        surrogates. If the length is as expected, the positions are correct.
        """
        count, written = self.count(), self._given
        last = pdfium.FPDFText_GetTextIndexFromCharIndex(self._handle, count - 1)
        if len(written) != count or last != count - 1:
            return "".join([self._read_character(at) for at in range(count)])
        return _UNCLEAR.sub(lambda found: self._read_character(found.start()), written)

    @cached_property
    def written(self) -> str:
        """Return the text with pdfium's line breaks and spaces. This is faster than `text`."""
        return self.text if self.hidden else self._given

    @cached_property
    def _given(self) -> str:
        """Return the page's text exactly as pdfium returns it."""
        return str(self._page.get_text_range())

    def read_within(self, left: float, bottom: float, right: float, top: float) -> str:
        """Return the text within edges on the sheet, given in points from the sheet's lower left corner."""
        return str(self._page.get_text_bounded(left, bottom, right, top))

    def find(self, word: str) -> int | None:
        """Return the position of a word without reading the whole page."""
        found = self._page.search(word, match_case=True).get_next()
        return None if found is None else int(found[0])

    def find_at(self, x: float, y: float) -> int | None:
        """Return the number of the character at a position, in points from the upper left corner of an upright page."""
        at = pdfium.FPDFText_GetCharIndexAtPos(self._handle, self._left + x, self._top - y, _NEAR, _NEAR)
        return int(at) if at >= 0 else None

    def read_at(self, x: float, y: float) -> str:
        """Return the character at a position, or "" if there is no character. The position is given as in `find_at`."""
        at = self.find_at(x, y)
        return self._read_character(at) if at is not None else ""

    def is_one_sign(self, at: int) -> bool:
        """Return whether a character and the next one are drawn as one sign."""
        try:
            return bool(self._page.get_charbox(at) == self._page.get_charbox(at + 1))
        except pypdfium2.PdfiumError:  # the character has no position
            return False

    def measure(self, at: int) -> Box:
        """Return a character's box with the space that its font gives it.

        Coordinates are points from the upper left corner of an upright page.
        """
        box = pdfium.FS_RECTF()
        if not pdfium.FPDFText_GetLooseCharBox(self._handle, at, box):  # the character has no position
            return Box(0.0, 0.0, 0.0, 0.0)
        return Box(box.left - self._left, self._top - box.top, box.right - self._left, self._top - box.bottom)

    def measure_shown(self, at: int) -> Box:
        """Return a character's box as in `measure`, on a page that the viewer may have turned.

        Coordinates are points from the displayed upper left corner.
        """
        box = pdfium.FS_RECTF()
        if not pdfium.FPDFText_GetLooseCharBox(self._handle, at, box):  # the character has no position
            return Box(0.0, 0.0, 0.0, 0.0)
        return self._show(box.left, box.bottom, box.right, box.top)

    def measure_inks(self, places: Sequence[int]) -> list[Box]:
        """Return the characters' boxes without the space that their font gives them.

        Coordinates are as in `measure_shown`.
        """
        edges = (ctypes.c_double * (4 * len(places)))()
        first = ctypes.addressof(edges)
        end = first + 32 * len(places)
        outs = [range(first + 8 * edge, end, 32) for edge in range(4)]
        deque(map(_get_box, repeat(self._address), places, *outs), 0)
        each = iter(edges[:])
        return [
            self._show(left, low, right, high) for left, right, low, high in zip(each, each, each, each, strict=True)
        ]

    def _show(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """Return the displayed box of edges on the sheet."""
        left, right = x0 - self._left, x1 - self._left
        low, high = y0 - self._bottom, y1 - self._bottom
        width, height = self._right - self._left, self._top - self._bottom
        if self._rotation == 90:
            return Box(low, left, high, right)
        if self._rotation == 180:
            return Box(width - right, low, width - left, high)
        if self._rotation == 270:
            return Box(height - high, width - right, height - low, width - left)
        return Box(left, height - high, right, height - low)

    def find_turn(self, at: int) -> int:
        """Return the clockwise rotation of a displayed character in degrees, rounded to a quarter turn."""
        drawn = pdfium.FS_MATRIX()
        if not pdfium.FPDFText_GetMatrix(self._handle, at, drawn):
            return 0
        angle = self._rotation - math.degrees(math.atan2(drawn.b, drawn.a))
        return round(angle / 90) * 90 % 360

    def locate_all(self) -> list[tuple[float, float]]:
        """Return the center of each character, in points from the displayed upper left corner."""
        count = self.count()
        edges = (ctypes.c_float * (4 * count))()
        first = ctypes.addressof(edges)
        deque(map(_get_loose_box, repeat(self._address), range(count), range(first, first + 16 * count, 16)), 0)
        each = iter(edges[:])
        middles = [((x0 + x1) / 2, (y0 + y1) / 2) for x0, y0, x1, y1 in zip(each, each, each, each, strict=True)]
        if self.is_upright:
            return [(x - self._left, self._top - y) for x, y in middles]
        return [(box.x0, box.y0) for box in (self._show(x, y, x, y) for x, y in middles)]

    def list_objects(self) -> list[int]:
        """Return the result of `find_object` for all characters."""
        return list(map(_get_text_object, repeat(self._address), range(self.count())))

    def find_object(self, at: int) -> int:
        """Return a number that identifies the text object of a character, or 0 if it has no text object."""
        found = pdfium.FPDFText_GetTextObject(self._handle, at)
        return ctypes.addressof(found.contents) if found else 0

    def read_weight(self, at: int) -> int:
        return int(pdfium.FPDFText_GetFontWeight(self._handle, at))

    def read_font(self, at: int) -> str:
        """Return the name of a character's font. Long names are shortened."""
        name = ctypes.create_string_buffer(_LONGEST_NAME)
        pdfium.FPDFText_GetFontInfo(self._handle, at, name, _LONGEST_NAME, None)
        return name.value.decode("utf-8", "replace")

    def measure_size(self, at: int) -> float:
        """Return the drawn size of a character's font, in points."""
        drawn = pdfium.FS_MATRIX()
        scale = math.hypot(drawn.c, drawn.d) if pdfium.FPDFText_GetMatrix(self._handle, at, drawn) else 1.0
        return float(pdfium.FPDFText_GetFontSize(self._handle, at)) * scale

    def find_origin(self, at: int) -> tuple[float, float]:
        """Return the start of a character on its baseline, in points from the upper left corner of an upright page."""
        x, y = ctypes.c_double(), ctypes.c_double()
        pdfium.FPDFText_GetCharOrigin(self._handle, at, x, y)
        return x.value - self._left, self._top - y.value

    def find_slants(self) -> list[float]:
        """Return the angles, in degrees, of slanted letters on a level baseline.

        pdfium reports them as rotated by this angle. The angles by which other letters on the page are actually rotated
        are excluded.
        """
        drawn = pdfium.FS_MATRIX()
        ways: set[tuple[float, float, float]] = set()
        for at in range(self._page.count_chars()):
            if pdfium.FPDFText_GetMatrix(self._handle, at, drawn) and drawn.c:
                ways.add((drawn.a, drawn.b, drawn.c))
        slanted: set[float] = set()
        turned: set[float] = set()
        for across, rise, lean in ways:
            is_level = across > 0 and abs(rise) < _LEVEL * across
            (slanted if is_level else turned).add(round(math.degrees(math.atan2(lean, across)), 1))
        return sorted(slanted - turned)

    def _read_character(self, at: int) -> str:
        code = pdfium.FPDFText_GetUnicode(self._handle, at)
        return chr(code) if code < _CODES else "\ufffd"


def open_document(body: bytes) -> pypdfium2.PdfDocument:
    """Open a file, including files with an empty password. Raises `make_encrypted_error` and `make_corrupt_error`."""
    try:
        return pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        if error.err_code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
            raise make_encrypted_error() from error
        raise make_corrupt_error("its page tree is missing or damaged") from error


class File:
    """An open PDF, usable as a context manager."""

    def __init__(self, body: bytes) -> None:
        """Open a PDF, including files with an empty password."""
        self._opened: dict[int, pypdfium2.PdfPage] = {}
        self._characters: dict[int, Characters] = {}
        self._hidden: dict[int, frozenset[int]] = {}
        self._largest_pictures: dict[int, float] = {}
        self._file = open_document(body)
        if (pages := len(self._file)) > MAX_PAGES:
            self._file.close()
            raise make_limit_error(f"{pages:,} pages, but at most {MAX_PAGES:,} are supported")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def measure_page(self, page: int) -> tuple[float, float]:
        """Return the displayed width and height of a page, in points. page: page number, from 1."""
        width, height = self._page(page).get_size()
        return float(width), float(height)

    def facts(self) -> Facts:
        form = self._file.get_formtype()
        is_form, is_dynamic = form != pdfium.FORMTYPE_NONE, form == pdfium.FORMTYPE_XFA_FULL
        title, author = self._read_metadata("Title"), self._read_metadata("Author")
        return Facts(len(self._file), title, author, self._read_language(), self._file.is_tagged(), is_form, is_dynamic)

    def measure_size(self, page: int) -> tuple[float, float]:
        """Return the width and height of a page in points without opening the page, or 0 if it is missing.

        page: page number, from 1.
        """
        size = pdfium.FS_SIZEF()
        pdfium.FPDF_GetPageSizeByIndexF(self._file, page - 1, size)
        return size.width, size.height

    def get_page(self, page: int) -> pypdfium2.PdfPage:
        """Return a page. page: the page number, from 1. Raises `ConversionFailed` if the page is missing."""
        return self._page(page)

    def measure_cover(self, page: int) -> float:
        """Return the fraction of a page, from 0 to 1, that its largest picture covers."""
        sheet = self._page(page)
        width, height = sheet.get_size()
        area = width * height
        largest = 0.0
        pictures = sheet.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=_DEEPEST)
        for picture in islice(pictures, _MOST_PICTURES):
            left, bottom, right, top = picture.get_bounds()
            across, down = min(right, width) - max(left, 0), min(top, height) - max(bottom, 0)
            largest = max(largest, max(across, 0) * max(down, 0))
        return min(largest / area, 1.0) if area > 0 else 0.0

    def measure_drawn_picture(self, page: int) -> float:
        """Return the fraction of a page, from 0 to 1, that is covered by the largest picture drawn directly on it.

        The value is known only after `look_at`; until then, it is 0.
        """
        return self._largest_pictures.get(page, 0.0)

    def list_visible(self, page: int, most: int) -> list[bool]:
        """Return whether each text annotation is visible, in file order, for up to `most` annotations.

        page: page number, from 1.
        """
        sheet = self._page(page)
        found: list[bool] = []
        for at in range(pdfium.FPDFPage_GetAnnotCount(sheet)):
            note = pdfium.FPDFPage_GetAnnot(sheet, at)
            if pdfium.FPDFAnnot_GetSubtype(note) == pdfium.FPDF_ANNOT_FREETEXT:
                found.append(not pdfium.FPDFAnnot_GetFlags(note) & _UNSEEN)
            pdfium.FPDFPage_CloseAnnot(note)
            if len(found) == most:
                break
        return found

    def list_attached(self) -> list[str]:
        """Return the names of the first attached files."""
        count = min(pdfium.FPDFDoc_GetAttachmentCount(self._file), _MOST_ATTACHED)
        attached = [pdfium.FPDFDoc_GetAttachment(self._file, at) for at in range(count)]
        return [_read_utf16(partial(_read_attached_name, one)) or "without a name" for one in attached if one]

    def outline(self) -> list[OutlineEntry]:
        """Return the first outline entries that have a target page, in order.

        Fewer entries are read if many page names must be searched.
        """
        entries = []
        names = pdfium.FPDF_CountNamedDests(self._file)
        for mark in islice(self._file.get_toc(), min(_MOST_ENTRIES, _MOST_COMPARED // (names + 1))):
            target = mark.get_dest()
            page = target.get_index() if target is not None else None
            if page is not None:
                entries.append(OutlineEntry(_read_title(mark), page + 1, mark.level))
        return entries

    def characters(self, page: int) -> Characters:
        """Return the characters of a page. page: page number, from 1."""
        sheet = self._page(page)
        if page not in self._characters:
            self._characters[page] = Characters(sheet, self._hidden.get(page, frozenset()))
        return self._characters[page]

    def hide(self, page: int, hidden: frozenset[int]) -> None:
        """Read some of a page's characters as spaces from now on.

        page: the page number, from 1.
        """
        self._hidden[page] = hidden
        self.characters(page).hide(hidden)

    def look_at(self, page: int, hints: Hints) -> Suspects:
        """Find text objects on a page that its readers may be unable to see. page: page number, from 1."""
        sheet = self._page(page)
        suspects = find_suspects(drawn.read_runs(sheet), sheet.get_bbox(), hints)
        self._largest_pictures[page] = min(suspects.largest_picture, 1.0)
        return suspects

    def find_slants(self, page: int) -> list[float]:
        """Return the result of `Characters.find_slants` for a page. page: page number, from 1."""
        return self.characters(page).find_slants()

    def count_outside(self, page: int) -> int:
        """Return the number of characters outside the visible part of a page.

        page: the page number, from 1.
        """
        sheet = self._page(page)
        text = self.characters(page)
        everything, inside = text.read_within(*_EVERYWHERE), text.read_within(*sheet.get_cropbox())
        return max(len("".join(everything.split())) - len("".join(inside.split())), 0)

    def locate_texts(self, page: int, wanted: Container[int]) -> list[tuple[int, Box]]:
        """Return the boxes of a page's text in marked content, each with the content's number.

        The page must be upright.

        page: page number, from 1. wanted: the numbers of the requested marked content.
        """
        return self._locate_marks(page, wanted, [pdfium.FPDF_PAGEOBJ_TEXT])

    def locate_drawings(self, page: int, wanted: Container[int]) -> list[tuple[int, Box]]:
        """Return boxes like `locate_texts`, but for objects other than text."""
        return self._locate_marks(page, wanted, [pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE])

    def _locate_marks(self, page: int, wanted: Container[int], kinds: Sequence[int]) -> list[tuple[int, Box]]:
        sheet = self._page(page)
        if sheet.get_rotation():
            return []
        left, _, _, top = sheet.get_bbox()
        found: list[tuple[int, Box]] = []
        for piece in islice(sheet.get_objects(filter=kinds, max_depth=1), _MOST_DRAWN):
            mark = pdfium.FPDFPageObj_GetMarkedContentID(piece)
            if mark in wanted:
                x0, y0, x1, y1 = piece.get_bounds()
                found.append((mark, Box(x0 - left, top - y1, x1 - left, top - y0)))
        return found

    def picture(self, page: int, dpi: int = 200) -> Picture:
        """Draw a page as readers see it, for OCR.

        page: the page number, from 1. dpi: the resolution, which is reduced if the picture would have more than
        `MAX_PIXELS` pixels.
        """
        sheet = self._page(page)
        width, height = sheet.get_size()
        scale = dpi / _POINTS
        if (area := width * height * scale * scale) > MAX_PIXELS:
            scale *= (MAX_PIXELS / area) ** 0.5 * 0.99  # the sides are rounded up
        bitmap = sheet.render(scale=scale, grayscale=True)
        rows = memoryview(bitmap.buffer).cast("B")
        pixels = b"".join(rows[y * bitmap.stride : y * bitmap.stride + bitmap.width] for y in range(bitmap.height))
        drawn_dpi = max(bitmap.width, bitmap.height) * _POINTS / max(width, height)
        return Picture(bitmap.width, bitmap.height, pixels, drawn_dpi)

    def _page(self, page: int) -> pypdfium2.PdfPage:
        if page not in self._opened:
            if len(self._opened) == BATCH:
                self._opened.clear()
                self._characters.clear()
            try:
                self._opened[page] = self._file[page - 1]
            except pypdfium2.PdfiumError as error:
                raise make_corrupt_error(f"page {page} is missing") from error
        return self._opened[page]

    def _read_metadata(self, key: str) -> str | None:
        text = _read_utf16(lambda buffer, size: pdfium.FPDF_GetMetaText(self._file, key.encode(), buffer, size))
        return " ".join(text.replace("\0", " ").split()) or None

    def _read_language(self) -> str | None:
        return _read_utf16(lambda buffer, size: pdfium.FPDFCatalog_GetLanguage(self._file, buffer, size)) or None


def _read_attached_name(attached: Any, buffer: Any, size: int) -> int:
    return int(pdfium.FPDFAttachment_GetName(attached, buffer, size))


def _read_title(mark: pypdfium2.PdfBookmark) -> str:
    return _read_utf16(lambda buffer, size: pdfium.FPDFBookmark_GetTitle(mark, buffer, size))


def _read_utf16(call: Callable[[Any, int], int]) -> str:
    """Call a pdfium function to get the required buffer size and again to fill the buffer. Return the buffer's text."""
    size = call(None, 0)
    if size <= 2:
        return ""
    buffer = (pdfium.FPDF_WCHAR * ((size + 1) // 2))()
    call(buffer, size)
    return bytes(buffer).decode("utf-16-le", "replace").strip("\0 ")
