"""Removes text that a page's readers cannot see.

Such text is covered by a later drawing, in the color of its background, on a hidden layer, drawn invisible, or too
small to read. `suspects` quickly finds text objects that may be invisible. The page is then drawn twice, with and
without these text objects. A character is unseen if both pictures are the same at its position. This method detects
every kind of invisible text and never removes visible text. Invisible text on a scan repeats what the picture shows,
and is kept.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import sub
from typing import Final, NamedTuple

import pypdfium2  # type: ignore[import-untyped]  # no types

from webquarry_convert.file.page_names import name_pages
from webquarry_convert.file.pdf.source import drawn
from webquarry_convert.file.pdf.source.content import Box, Page, Span
from webquarry_convert.file.pdf.source.glyphs import MOST, turn_box
from webquarry_convert.file.pdf.source.pdfium import Characters, File
from webquarry_convert.file.pdf.source.streams import Stream
from webquarry_convert.file.pdf.source.suspects import Hints, Suspects
from webquarry_convert.hidden import warn_of_hidden

_MOST_DRAWN: Final = 400_000_000.0
_MOST_OF_FILE: Final = 2_000_000_000.0
"""The maximum cost of drawing one page and of drawing all pages of a file, in the unit of `Suspects`.

It amounts to a few seconds.
"""
_MOST_PIXELS: Final = 2_000_000
_LIKE: Final = 8
"""The maximum difference in red, green or blue between two pixels that look the same."""
_INSET: Final = 0.2
"""The fraction of a character's width, at its edges, that adjacent characters may touch."""
_TINY: Final = 1.05
"""The maximum size, in points, of unreadable letters on a page of usual size. It is Word's smallest size, rounded up.
"""
_USUAL: Final = 300.0
"""The minimum length, in points, of the longer side of a page of usual size."""
_SQUARE: Final = 32.0
"""The side, in points, of the squares in which characters are indexed."""
_INVISIBLE: Final = re.compile(rb"[37]\s+Tr\b")
_LAYERS: Final = b"/OCProperties"
_SWITCHED: Final = re.compile(rb"/OFF(?!\s*\[\s*\])|/AllOff|/AnyOff|/Not\b")
"""Matches entries with which a file hides a layer, or content that depends on layers. "/OFF[]" lists no layers."""
_FILL: Final = re.compile(rb"((?:[-.0-9]{1,12}\s{1,3}){1,4})(?:g|rg|k)\b|\bscn?\b")
"""Matches operators that set the letters' color, including their operands if these show whether the color is black."""
_LIGHT: Final = 0.9
"""The fraction of full brightness above which a color may be nearly white."""
_BLACK: Final = ([b"0"], [b"0"] * 3, [*[b"0"] * 3, b"1"])
_COVERING: Final = (b"/Image", b"/Shading")


@dataclass(slots=True)
class UnseenText:
    """A file's unseen text.

    count: number of removed characters. unjudged: the numbers of pages that take too long to draw and keep all their
    text. has_colours: whether letters may have colors other than black. has_white: whether letters may be nearly white.
    room: the remaining cost for drawing. known: hidden characters of the pages searched so far.
    """

    file: File
    has_layers: bool
    has_invisible: bool
    has_pictures: bool
    has_colours: bool
    has_white: bool
    count: int = 0
    unjudged: list[int] = field(default_factory=list)
    room: float = _MOST_OF_FILE
    known: dict[int, frozenset[int]] = field(default_factory=dict)

    def warnings(self) -> list[str]:
        found = warn_of_hidden(self.count, "document")
        if self.unjudged:
            found.append(
                f"Hidden text on {name_pages(sorted(self.unjudged))} can't be detected because of their "
                "complex drawings."
            )
        return found

    def leave_out(self, page: Page) -> None:
        """Remove unseen text from a page's spans, and hide it in the file."""
        if page.number in self.known:  # the page was read without these characters
            return
        look = page.look
        if look.smallest > 2 * _TINY and not (
            look.has_areas
            or look.has_odd_inks
            or self.has_colours
            or self.has_layers
            or self.has_invisible
            or self.has_pictures
        ):
            return
        has_colours = look.has_odd_inks or self.has_colours
        hidden = self.find(page.number, has_colours=has_colours, has_tiny=look.smallest <= 2 * _TINY)
        if hidden:
            _take_off(page, self.file.characters(page.number), hidden)

    def find(self, number: int, *, has_colours: bool = True, has_tiny: bool = True) -> frozenset[int]:
        """Mark a page's invisible characters as hidden, and return their indexes.

        has_colours: whether letters may have the color of the area below them. has_tiny: whether letters may be tiny.
        """
        self.known[number] = hidden = self._find(number, has_colours=has_colours, has_tiny=has_tiny)
        if hidden:
            self.file.hide(number, hidden)
            self.count += len(hidden)
        return hidden

    def _find(self, number: int, *, has_colours: bool, has_tiny: bool) -> frozenset[int]:
        sheet = self.file.get_page(number)
        suspects = self.file.look_at(number, Hints(self.has_layers, self.has_invisible, has_colours))
        is_usual = has_tiny and max(sheet.get_size()) > _USUAL
        if not (suspects.unseen or suspects.doubtful or is_usual):
            return frozenset()
        characters = self.file.characters(number)
        self._check_cost(number, suspects)
        return frozenset(_find_unseen(sheet, characters, suspects, has_tiny=is_usual))

    def _check_cost(self, number: int, suspects: Suspects) -> None:
        """Clear the doubtful text objects of a page that takes too long to draw."""
        if not suspects.doubtful:
            return
        if suspects.has_patterns or suspects.cost > min(_MOST_DRAWN, self.room):
            self.unjudged.append(number)
            suspects.doubtful.clear()
        else:
            self.room -= suspects.cost


def open_unseen_text(file: File, body: bytes, streams: Iterable[Stream]) -> UnseenText:
    """Create an UnseenText for a file, whose bytes show which hiding methods to look for.

    streams: the file's unpacked streams.
    """
    contents = [body, *(stream.content for stream in streams if stream.content)]
    is_unread = b"/Encrypt" in body or any(stream.content is None for stream in streams)
    return UnseenText(
        file,
        has_layers=_is_any(contents, [_LAYERS])
        and (is_unread or any(_SWITCHED.search(content) for content in contents)),
        has_invisible=is_unread or any(b"Tr" in text and _INVISIBLE.search(text) is not None for text in contents),
        has_pictures=is_unread or _is_any(contents, _COVERING),
        has_colours=is_unread or any(map(_may_colour, contents)),
        has_white=is_unread or any(_is_light(fill) for content in contents for fill in _FILL.finditer(content)),
    )


def _may_colour(content: bytes) -> bool:
    """Return whether a stream may draw letters that are not black.

    liteparse joins letters of several colors into one run, and returns only the first letter's color.
    """
    return any((fill[1] or b"").split() not in _BLACK for fill in _FILL.finditer(content))


def _is_light(fill: re.Match[bytes]) -> bool:
    """Return whether an operator that `_FILL` matches may set a nearly white color."""
    if fill[1] is None:
        return True
    try:
        values = [float(value) for value in fill[1].split()]
    except ValueError:
        return True
    return max(values) < 1 - _LIGHT if fill[0].endswith(b"k") else min(values) > _LIGHT


def _is_any(contents: Sequence[bytes], names: Sequence[bytes]) -> bool:
    """Return whether any content contains any of the names."""
    return any(name in content for content in contents for name in names)


class _Drawings:
    """Two drawings of the same part of a page, with and without some text objects. around: the displayed part."""

    def __init__(self, sheet: pypdfium2.PdfPage, texts: Collection[int], around: Box) -> None:
        width, height = sheet.get_size()
        self._left, self._top = max(math.floor(around.x0), 0), max(math.floor(around.y0), 0)
        right, bottom = min(math.ceil(around.x1), width), min(math.ceil(around.y1), height)
        area = max((right - self._left) * (bottom - self._top), 1.0)
        self._scale = min(1.0, math.sqrt(_MOST_PIXELS / area))
        self._crop = (self._left, height - bottom, width - right, self._top)
        self._with = self._draw(sheet)
        with drawn.taken_off(texts):
            self._without = self._draw(sheet)

    def _draw(self, sheet: pypdfium2.PdfPage) -> bytes:
        bitmap = sheet.render(scale=self._scale, crop=self._crop)
        self._width, self._height = bitmap.width, bitmap.height
        self._stride, self._depth = bitmap.stride, bitmap.n_channels
        return bytes(bitmap.buffer)

    def differ(self, box: Box) -> bool:
        """Return whether the text objects are visible within a box, in points from the displayed upper left corner."""
        inset = _INSET * (box.x1 - box.x0)
        x0 = max(int((box.x0 + inset - self._left) * self._scale), 0)
        x1 = min(max(math.ceil((box.x1 - inset - self._left) * self._scale), x0 + 1), self._width)
        y0 = max(int((box.y0 - self._top) * self._scale) - 1, 0)
        y1 = min(math.ceil((box.y1 - self._top) * self._scale) + 1, self._height)
        middle = (y0 + y1) // 2
        for row in chain(range(middle, y1), range(y0, middle)):
            start = row * self._stride + x0 * self._depth
            end = row * self._stride + x1 * self._depth
            one, other = self._with[start:end], self._without[start:end]
            if one != other and max(map(abs, map(sub, one, other))) > _LIKE:
                return True
        return False


def _find_unseen(
    sheet: pypdfium2.PdfPage, characters: Characters, suspects: Suspects, *, has_tiny: bool
) -> Iterator[int]:
    """Yield the numbers of invisible characters."""
    width, height = sheet.get_size()
    tiny: dict[int, bool] = {0: False}
    doubtful: list[int] = []
    drawings = characters.list_objects()[:MOST]
    if suspects.twins:  # pdfium reads only one of two copies of a text, and the other one may be visible
        read = set(drawings)
        suspects.exempt(text for text, twins in suspects.twins.items() if not twins <= read)
    for at, drawing in enumerate(drawings):
        if has_tiny and drawing not in tiny:
            tiny[drawing] = 0 < characters.measure_size(at) <= _TINY
        if drawing in suspects.unseen or (has_tiny and tiny[drawing]):
            if characters.is_sign(at):
                yield at
        elif drawing in suspects.doubtful:
            doubtful.append(at)
    boxes = {
        at: box
        for at, box in zip(doubtful, characters.measure_inks(doubtful), strict=True)
        if box.x0 < width
        and box.x1 > 0
        and box.y0 < height
        and box.y1 > 0
        and (box.y0 < box.y1 or characters.is_sign(at))
    }
    if boxes:
        seen = _Drawings(sheet, suspects.doubtful, _surround(boxes.values()))
        yield from (at for at, box in boxes.items() if not seen.differ(box) and characters.is_sign(at))


def _surround(boxes: Collection[Box]) -> Box:
    """Return a box around the other boxes, with a margin."""
    return Box(
        min(box.x0 for box in boxes) - 1,
        min(box.y0 for box in boxes) - 1,
        max(box.x1 for box in boxes) + 1,
        max(box.y1 for box in boxes) + 1,
    )


class _Letter(NamedTuple):
    """A character on a page. x, y: the character's center on the upright page."""

    x: float
    y: float
    is_hidden: bool
    number: int


class _Letters:
    """The characters of a page near hidden characters, indexed by position."""

    def __init__(self, page: Page, characters: Characters, hidden: frozenset[int]) -> None:
        self._squares: dict[tuple[int, int], list[_Letter]] = {}
        self._taken: set[int] = set()
        places = characters.locate_all()[:MOST]
        if page.turned:
            width, height = (page.height, page.width) if page.turned in (90, 270) else (page.width, page.height)
            boxes = [turn_box(Box(x, y, x, y), page.turned, width, height) for x, y in places]
            places = [(box.x0, box.y0) for box in boxes]
        columns = {int(places[at][0] // _SQUARE) for at in hidden}
        rows = {int(places[at][1] // _SQUARE) for at in hidden}
        for at, ((x, y), sign) in enumerate(zip(places, characters.text, strict=False)):
            square = int(y // _SQUARE), int(x // _SQUARE)
            if (square[0] in rows or square[1] in columns) and (at in hidden or not sign.isspace()):
                self._squares.setdefault(square, []).append(_Letter(x, y, at in hidden, at))

    def find(self, box: Box) -> list[_Letter]:
        """Return the characters in a box, from left to right, except those that `take` assigned to a word."""
        found = []
        for row in range(int(box.y0 // _SQUARE), int(box.y1 // _SQUARE) + 1):
            for column in range(int(box.x0 // _SQUARE), int(box.x1 // _SQUARE) + 1):
                found += [
                    one
                    for one in self._squares.get((row, column), ())
                    if box.x0 <= one.x <= box.x1 and box.y0 <= one.y <= box.y1 and one.number not in self._taken
                ]
        return sorted(found)

    def take(self, letters: Iterable[_Letter]) -> None:
        """Assign visible letters to a word, which prevents a hidden copy of the word from using them."""
        self._taken.update(one.number for one in letters if not one.is_hidden)


def _take_off(page: Page, characters: Characters, hidden: frozenset[int]) -> None:
    """Remove hidden characters from a page's spans."""
    letters = _Letters(page, characters, hidden)
    page.spans = [kept for span in page.spans for kept in _keep_seen(span, letters)]
    page.sideways = [kept for span in page.sideways for kept in _keep_seen(span, letters)]


def _keep_seen(span: Span, letters: _Letters) -> Iterator[Span]:
    """Yield the parts of a span that remain, which are groups of consecutive words."""
    if not any(letter.is_hidden for letter in letters.find(span)):
        yield span
        return
    words = span.words()
    kept: list[Span] = []
    for word in words:
        found = letters.find(word)
        text = _strike_out(word.text, found)
        if text:
            letters.take(found)
            if text != word.text:
                word.text = text
            kept.append(word)
        elif kept:
            yield span.join(kept)
            kept = []
    if kept and kept[0] is span:
        yield span
    elif kept:
        yield span.join(kept)


def _strike_out(text: str, letters: Sequence[_Letter]) -> str:
    """Return a word without its hidden letters. A gap remains where they were between visible letters.

    letters: the letters at the word's position, from left to right. If these letters differ from the word's, the whole
    word is kept or removed.
    """
    hidden = [letter.is_hidden for letter in letters]
    signs = len("".join(text.split()))
    if not any(hidden) or hidden.count(False) >= signs:
        return text
    if all(hidden):
        return ""
    if len(hidden) != signs:
        return text if 2 * sum(hidden) < len(hidden) else ""
    left = iter(hidden)
    return " ".join("".join([" " if sign.isspace() or next(left) else sign for sign in text]).split())
