"""The content of PDF pages: words with positions and fonts, ruling lines, links and form fields.

Coordinates are points from the upper left corner of the page as displayed. liteparse reads the text by joining pdfium's
characters into runs. Its native parser is used directly: the Python wrapper copies every word and every glyph code into
Python objects, which takes as long as the whole layout.
"""

import math
import re
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any

from liteparse._liteparse import LiteParse  # type: ignore[import-not-found]  # no types

from webquarry_convert.file.limits import MAX_PAGES
from webquarry_convert.file.pdf.source import repair, structure
from webquarry_convert.file.pdf.source.kept_words import NO_WORDS, KeptWords
from webquarry_convert.file.pdf.source.structure import Element
from webquarry_convert.hidden.values import NEAR

_LEAN = 0.5
"""The maximum deviation, in points, of a ruling line from horizontal or vertical."""
_BOLD = ("bold", "black", "heavy", "-medi", "demi", "cmbx", "sfbx")
_ITALIC = ("italic", "oblique", "cmti", "sfti", "-ital", "slanted")
"""Parts of the names of italic fonts, including TeX's."""
_MONO = ("mono", "courier", "consol", "typewriter", "cmtt", "sftt", "menlo", "nimbusmon", "inconsolata", "lettergothic")
_PROPORTIONAL = ("monotype",)
_LIGHT = (*_ITALIC, "regular", "-roman", "-book", "-light")
"""Parts of font names that contain "bold" only if the font is bold.

The weight that such fonts state is often the weight of their strokes.
"""
_BOLD_WEIGHT = 600
_HEAVIEST = 1_000
"""The greatest valid weight. Some files state larger, meaningless values."""
_HEIGHT = 0.83
"""The font size, as a fraction of a line's height."""
_SMALLER = 0.85
"""The fraction of the usual font size below which signs are raised."""
_UPRIGHT = 2.0
"""The maximum tilt of upright text, in degrees."""
_SLANTED = 35.0
"""The maximum slant of letters, in degrees."""
_AS_SLANTED = 0.5
"""The maximum difference, in degrees, between angles that count as the same."""
_BELOW = 0.2
"""The fraction of a line's height that is below its baseline. Slanted letters lean to the other side there."""

SHOWN = "freetext"
REMARKS = frozenset({"text", "highlight", "underline", "squiggly", "strikeout", "caret"})
"""Kinds of remarks that a viewer opens. `SHOWN` contains the kinds of annotations with text on the page."""
_OVER = 1.0
"""The maximum distance, in points, by which content may extend beyond the edges of a page."""
_ROUND = 0.2
"""The maximum difference between the height and the width of a disc, as a fraction of its width."""
_LINE = 2.0
"""The maximum width in points of a filled area that counts as a line."""
_FAINT = 64
"""The maximum opacity, from 0 to 255, of letters that may be invisible."""
_MOST_COLOURS = 10_000
"""The maximum number of pairs of a letter color and an area color that are compared."""

BATCH = 16
"""The number of pages that liteparse reads in one call and that pdfium has open at the same time."""
Slants = Callable[[int], Sequence[float]]
"""A function that returns the angles of `File.find_slants` for a page, counted from 1."""


class Box:
    """A rectangle with x0 <= x1 and y0 <= y1. y points down."""

    __slots__ = ("x0", "x1", "y0", "y1")

    def __init__(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.x0, self.y0, self.x1, self.y1 = x0, y0, x1, y1


class Rule(Box):
    """A thin line, which is horizontal (y0 == y1) or vertical (x0 == x1).

    is_edge: whether the line is the edge of a filled area.
    """

    __slots__ = ("is_edge",)

    def __init__(self, x0: float, y0: float, x1: float, y1: float, is_edge: bool = False) -> None:
        self.x0, self.y0, self.x1, self.y1 = x0, y0, x1, y1
        self.is_edge = is_edge


class Span(Box):
    """Text in one font without wide gaps.

    size: the font size, in points. font: the font's name. mark: the number of its marked content. level: the level of
    the heading tag around it, or 0. is_new: whether it begins a line intentionally. begins_cell: whether it begins a
    cell, aligned with cells above or below. lean: number of points by which slanted letters extend beyond the left and
    the right end. source: liteparse's object. parts: its words, if they differ from the source's words.
    """

    __slots__ = (
        "begins_cell",
        "font",
        "is_bold",
        "is_italic",
        "is_mono",
        "is_new",
        "lean",
        "level",
        "link",
        "mark",
        "parts",
        "size",
        "source",
        "text",
    )

    def __init__(self, box: tuple[float, float, float, float], text: str, size: float, font: str = "") -> None:
        self.x0, self.y0, self.x1, self.y1 = box
        self.text = text
        self.size = size
        self.font = font
        self.is_bold = False
        self.is_italic = False
        self.is_mono = False
        self.is_new = False
        self.begins_cell = False
        self.level = 0
        self.mark: int | None = None
        self.link: str | None = None
        self.lean = (0.0, 0.0)
        self.source: Any = None
        self.parts: list[Span] | None = None

    def words(self) -> "list[Span]":
        """Return the span divided into words."""
        if self.parts is None:
            self.parts = [self._make_part([word]) for word in self.source.words] if self.source is not None else []
            if self.parts:
                self.parts[0].text = repair.read_first_picture(self.parts[0].text, self.font)
        for part in self.parts:
            part.is_bold, part.is_italic, part.link = self.is_bold, self.is_italic, self.link
            part.is_mono = self.is_mono
            part.mark, part.level = self.mark, self.level
        return self.parts or [self]

    def join(self, words: "list[Span]") -> "Span":
        """Return the part of the span that consists of these words.

        words: consecutive words of the span.
        """
        box = (words[0].x0, min(word.y0 for word in words), words[-1].x1, max(word.y1 for word in words))
        part = Span(box, " ".join([word.text for word in words]), self.size, self.font)
        part.is_bold, part.is_italic, part.is_mono = self.is_bold, self.is_italic, self.is_mono
        part.mark, part.level, part.link = self.mark, self.level, self.link
        part.source, part.parts = self.source, words
        return part

    def copy(self) -> "Span":
        """Return a copy of the span that can be changed independently."""
        other = copy(self)
        other.parts = None if self.parts is None else [part if part is self else copy(part) for part in self.parts]
        return other

    def release_source(self) -> None:
        """Copy everything that is needed after the page's repair, and drop the reference to liteparse's object."""
        if self.source is not None and not isinstance(self.source, KeptWords):
            words = self.source.words if " " in self.text else ()
            self.source = KeptWords(words) if words else NO_WORDS

    def replace_words(self, pattern: re.Pattern[str], others: Mapping[str, str]) -> None:
        """Replace words. pattern: matches the words to replace. others: the replacements by word."""

        def change(text: str) -> str:
            return pattern.sub(lambda word: others.get(word[0], word[0]), text)

        words = self.words()
        for word in words:
            word.text = change(word.text)
        if words[0] is not self:
            self.text, self.parts = change(self.text), words

    def join_words(self) -> None:
        """Join words that liteparse split by mistake."""
        wholes = repair.join_torn_words(self.source.words, self.size)
        if len(wholes) < len(self.source.words):
            self.parts = [self._make_part(whole) for whole in wholes]
            self.text = repair.drop_gaps(self.text, wholes)

    def _make_part(self, native: list[Any]) -> "Span":
        """Return a part of the span.

        native: liteparse's words.
        """
        left, right = self.lean
        box = (
            native[0].x + left,
            min(word.y for word in native),
            native[-1].x + native[-1].width - right,
            max(word.y + word.height for word in native),
        )
        text = "".join([word.text for word in native])
        is_plain = text.isascii() and text.isprintable()
        return Span(box, text if is_plain else repair.map_characters(text, self.font), self.size, self.font)


@dataclass(frozen=True, slots=True)
class Link:
    box: Box
    target: str


@dataclass(frozen=True, slots=True)
class Field:
    """A form field. value: the displayed value, or "x" or "" for a checkbox. mark: the number of its marked content."""

    box: Box
    name: str
    value: str
    is_tick: bool
    mark: int | None = None


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation on a page. kind: liteparse's name for its type."""

    kind: str
    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class Look:
    """The features of a page that indicate whether text may be invisible.

    has_areas: whether filled areas could cover text. has_odd_inks: whether letters are nearly white, or have the color
    of an area. smallest: the smallest text's height, in points.
    """

    has_areas: bool
    has_odd_inks: bool
    smallest: float


UNKNOWN_LOOK = Look(has_areas=True, has_odd_inks=True, smallest=0.0)


@dataclass(slots=True)
class Page:
    """A page's text, lines, areas and pictures.

    sideways: text that is not upright, in file order. vertical: paragraphs of upright characters that run from top to
    bottom. discs: round and square areas. structure: the elements of the page's tagged content. overflows: whether
    something is drawn beyond the page's edges. turned: the text's clockwise rotation in degrees, before the page was
    turned for reading.
    """

    number: int
    width: float
    height: float
    spans: list[Span]
    rules: list[Rule]
    links: list[Link] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    sideways: list[Span] = field(default_factory=list)
    vertical: list[Span] = field(default_factory=list)
    discs: list[Box] = field(default_factory=list)
    structure: list[Element] = field(default_factory=list)
    overflows: bool = False
    turned: int = 0
    annotations: list[Annotation] = field(default_factory=list)
    look: Look = UNKNOWN_LOOK

    def release_source(self) -> None:
        """Drop the references to liteparse's objects after the page's repair."""
        for span in chain(self.spans, self.sideways):
            span.release_source()
        for element in self.structure:
            element.release_source()


class UnreadableError(Exception):
    """Raised if liteparse cannot read a file. The message rarely states the reason."""


def read_batches(
    body: bytes,
    slants: Slants,
    pages: int,
    *,
    is_tagged: bool,
    is_form: bool,
    numbers: Sequence[int] | None = None,
) -> Iterator[list[Page]]:
    """Yield the pages of a file in batches of `BATCH`. liteparse has only one batch in memory.

    pages: the number of pages in the file. numbers: the numbers of the pages to read, from 1, or None for all pages.
    Raises UnreadableError if liteparse cannot read the file.
    """
    if numbers is not None and not numbers:
        return
    parser = _make_parser(is_tagged, is_form, None if numbers is None else ",".join(map(str, numbers)))
    try:
        if pages <= BATCH:
            yield [_build_page(native, slants) for native in parser.parse_bytes(body).pages]
            return
        session = parser.open_batch_session_bytes(body, BATCH)
        while (batch := session.next_batch()) is not None:
            yield [_build_page(native, slants) for native in batch.result.pages]
    except RuntimeError as error:
        raise UnreadableError from error


@lru_cache(maxsize=8)
def _make_parser(is_tagged: bool, is_form: bool, numbers: str | None) -> LiteParse:
    """Create a parser, which contains only options.

    Creating it takes as long as reading a small page. numbers: page numbers such as "1,3", or None for all pages.
    """
    return LiteParse(
        ocr_enabled=False,
        quiet=True,
        output_format="json",
        max_pages=MAX_PAGES,
        target_pages=numbers,
        continue_on_page_error=True,
        emit_word_boxes=True,
        extract_text_metadata=True,
        extract_vector_graphics=True,
        extract_annotations=True,
        extract_content_bounds=True,
        extract_form_fields=is_form,
        extract_structure_tree=is_tagged,
    )


def _build_page(native: Any, slants: Slants) -> Page:
    drawn = native.vector_graphics  # each access copies the list, as for all lists of liteparse
    page = Page(native.page_num, native.width, native.height, [], _collect_rules(drawn.lines))
    upright = turned = 0
    usual = 0.0
    slanted: Sequence[float] | None = None
    items = native.text_items
    for item in items:
        text = item.text
        if not text or text.isspace():
            continue
        x, y, height, font = item.x, item.y, item.height, item.font_name or ""
        stated: float = item.font_height or item.font_size or height
        angle: float = item.rotation
        lean = 0.0
        if angle:
            angle = _normalise_angle(angle)
            if _UPRIGHT <= abs(angle) < _SLANTED:
                if slanted is None:
                    slanted = slants(page.number)
                if any(abs(_normalise_angle(angle - slant)) < _AS_SLANTED for slant in slanted):
                    lean, angle = math.tan(math.radians(angle)), 0.0
                    stated /= _compute_narrowing(lean)
        size = stated if 0.5 * height < stated < 2 * height else height
        if not (text.isascii() and text.isprintable()):
            text = repair.map_characters(text, font)
        text = repair.read_first_picture(text, font)
        if repair.is_raised(stated, height):
            usual = usual or _find_usual_share(native)
            note = repair.split_mark(text, is_surely_raised=stated < _SMALLER * usual * height)
            text, size = (text, size) if note is None else (note, height * _HEIGHT)
        span = Span((x, y, x + item.width, y + height), text, size, font)
        span.is_bold, span.is_italic, span.is_mono = detect_style(font, item.font_weight)
        span.mark = item.mcid
        span.source = item
        if lean:
            _take_off_lean(span, lean)
        if -_UPRIGHT < angle < _UPRIGHT:
            page.spans.append(span)
            upright += len(text)
        else:
            page.sideways.append(span)
            turned += len(text)
    shapes = drawn.shapes
    page.discs = _collect_discs(shapes)
    page.look = _read_look(items, shapes, drawn.lines)
    is_torn = repair.has_torn_words(span.text for span in page.spans)
    for span in page.spans:
        if " " in span.text and (is_torn or repair.is_torn(span.text)):
            span.join_words()
    page.links = [
        Link(_make_box(rectangle), note.uri)
        for note in native.annotations or ()
        if note.uri
        for rectangle in (note.quadpoint_rects or [note.rect])
        if rectangle is not None
    ]
    page.annotations = list(_collect_annotations(native.annotations or ()))
    page.fields = [_make_field(form) for form in native.form_fields or () if form.rect is not None]
    page.structure = structure.read_structure(native.structure_tree)
    page.overflows = _reaches_over(native.content_bounds, page.width, page.height)
    if turned > upright:
        _turn_page(page)
    return page


def _find_usual_share(native: Any) -> float:
    """Return a page's usual font size, as a fraction of the height of the page's runs."""
    shares = [
        (item.font_height or item.font_size or height) / height for item in native.text_items if (height := item.height)
    ]
    return float(statistics.median(shares))


def _reaches_over(drawn: Any, width: float, height: float) -> bool:
    """Return whether a drawing extends beyond a page's edges.

    drawn: the edges of the drawing, or None if there is no drawing.
    """
    if drawn is None:
        return False
    box = _make_box(drawn)
    return min(box.x0, box.y0) < -_OVER or box.x1 > width + _OVER or box.y1 > height + _OVER


def _collect_discs(shapes: Any) -> list[Box]:
    """Return the round and square areas."""
    boxes = [shape.bbox for shape in shapes if shape.fill or shape.has_curve]
    return [_make_box(box) for box in boxes if abs((width := box.width) - box.height) <= _ROUND * width and width]


def _read_look(items: Any, shapes: Any, lines: Any) -> Look:
    inks = {item.fill_color for item in items}
    grounds = {
        shape.fill_color for shape in shapes if shape.fill and (box := shape.bbox).width > _LINE and box.height > _LINE
    }
    smallest = min([item.height for item in items], default=math.inf)
    has_odd_inks = len(inks) * (len(grounds) + 1) > _MOST_COLOURS or any(_is_odd_ink(ink, grounds) for ink in inks)
    has_areas = bool(grounds) or any((line.stroke_width or 0) > _LINE for line in lines)
    return Look(has_areas, has_odd_inks, smallest)


def _is_odd_ink(ink: str | None, grounds: Iterable[str | None]) -> bool:
    if ink is None or ink in grounds:
        return True
    opacity, *colour = bytes.fromhex(ink)
    if opacity <= _FAINT or min(colour) >= 255 - NEAR:
        return True
    return any(
        ground is None
        or all(abs(one - other) <= NEAR for one, other in zip(colour, bytes.fromhex(ground)[1:], strict=True))
        for ground in grounds
    )


def _normalise_angle(angle: float) -> float:
    """Return an equivalent angle between -180 and 180 degrees."""
    return (angle + 180.0) % 360.0 - 180.0


def _compute_narrowing(lean: float) -> float:
    """Return the font size that liteparse reports for slanted letters, as a fraction of the real size.

    The result is the matrix's smaller singular value.
    """
    trace = 2 + lean * lean
    return math.sqrt((trace - math.sqrt(trace * trace - 4)) / 2)


def _take_off_lean(span: Span, lean: float) -> None:
    """Remove the parts of slanted letters' box that are beyond the ends of their baseline.

    lean: the slant to the right, as a fraction of the letters' height.
    """
    over = min((span.y1 - span.y0) * abs(lean), 0.5 * (span.x1 - span.x0))
    left, right = over * _BELOW, over * (1 - _BELOW)
    span.lean = (left, right) if lean > 0 else (right, left)
    span.x0 += span.lean[0]
    span.x1 -= span.lean[1]
    span.is_italic = True


def _turn_page(page: Page) -> None:
    """Turn a page whose text runs downwards or upwards, such as a wide table printed on a portrait page."""
    down = sum(len(span.text) for span in page.sideways if abs(span.source.rotation - 90) < _UPRIGHT)
    up = sum(len(span.text) for span in page.sideways if abs(span.source.rotation - 270) < _UPRIGHT)
    if max(down, up) <= sum(len(span.text) for span in page.spans):
        return
    angle = 90 if down >= up else 270
    width, page_height = page.width, page.height
    boxes: list[Box] = [*page.spans, *page.sideways, *page.rules, *page.discs]
    for box in [*boxes, *(link.box for link in page.links), *(form.box for form in page.fields)]:
        if angle == 90:
            box.x0, box.y0, box.x1, box.y1 = box.y0, width - box.x1, box.y1, width - box.x0
        else:
            box.x0, box.y0, box.x1, box.y1 = page_height - box.y1, box.x0, page_height - box.y0, box.x1
    page.width, page.height, page.turned = page_height, width, angle
    spans, page.spans, page.sideways = [*page.spans, *page.sideways], [], []
    for span in spans:
        # A single character does not show whether it is rotated.
        if abs(span.source.rotation - angle) < _UPRIGHT or len(span.text) == 1:
            height = span.y1 - span.y0
            span.size = _choose_size(span.source.font_height or span.source.font_size or height, height)
            page.spans.append(span)
        else:
            page.sideways.append(span)
        span.source = span.parts = None  # the words would have the positions before the turn


def _choose_size(stated: float, height: float) -> float:
    """Return the font size in the file if it fits the text's height, or otherwise a size derived from the height."""
    return stated if 0.5 * height < stated < 2 * height else height


@lru_cache(maxsize=1_000)
def detect_style(font: str, weight: int | None) -> tuple[bool, bool, bool]:
    """Return three flags: bold, italic and monospaced. font: the font's name."""
    name = font.lower()
    is_heavy = weight is not None and _BOLD_WEIGHT <= weight <= _HEAVIEST
    is_bold = any(word in name for word in _BOLD) or (is_heavy and not any(word in name for word in _LIGHT))
    return is_bold, any(word in name for word in _ITALIC), has_one_width(name)


def has_one_width(font: str) -> bool:
    """Return whether a font's name shows that the font is monospaced."""
    name = font.lower()
    return any(word in name for word in _MONO) and not any(word in name for word in _PROPORTIONAL)


def _make_box(rectangle: Any) -> Box:
    return Box(rectangle.x, rectangle.y, rectangle.x + rectangle.width, rectangle.y + rectangle.height)


def _collect_annotations(notes: Iterable[Any]) -> Iterator[Annotation]:
    """Yield the annotations that may be visible text, and those that have a remark."""
    for note in notes:
        if note.rect is not None and (note.subtype == SHOWN or (note.contents and note.subtype in REMARKS)):
            yield Annotation(note.subtype, note.contents or "", _make_box(note.rect))


def _make_field(form: Any) -> Field:
    is_tick = form.field_type in ("checkbox", "radio")
    value = ("x" if form.checked else "") if is_tick else (form.value or "")
    return Field(_make_box(form.rect), form.alternate_name or form.name or "", value, is_tick)


def _collect_rules(lines: Any) -> list[Rule]:
    rules = []
    for line in lines:
        x0, y0, x1, y1 = line.x1, line.y1, line.x2, line.y2
        if x0 > x1:
            x0, x1 = x1, x0
        if y0 > y1:
            y0, y1 = y1, y0
        if y1 - y0 <= _LEAN:
            rules.append(Rule(x0, y0, x1, y0, not line.stroke))
        elif x1 - x0 <= _LEAN:
            rules.append(Rule(x0, y0, x0, y1, not line.stroke))
    return rules
