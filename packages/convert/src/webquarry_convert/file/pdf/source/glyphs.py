"""A page's single characters as pdfium draws them, and runs of text built from them.

This module is used for pages that liteparse does not read well. pdfium returns each character's position before the
viewer turns the page:

    /Rotate 90, a character at (x, y) above the lower left corner  →  shown at (y, x) from the upper left corner
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from webquarry_convert.file.document import make_corrupt_error
from webquarry_convert.file.pdf.source import repair
from webquarry_convert.file.pdf.source.content import BATCH, Box, Page, Span, detect_style
from webquarry_convert.file.pdf.source.kept_words import NO_WORDS
from webquarry_convert.file.pdf.source.pdfium import Characters, File

MOST = 100_000
"""The maximum number of characters of a page."""
_HYPHENS = frozenset("\x02\ufffe")
"""Characters that pdfium writes for a hyphen at the end of a line."""
_SPACE, _GUTTER = 0.25, 1.0
"""The minimum gaps between two words and between two runs, in ems."""
_BACK, _OFF = 0.5, 0.4
"""The maximum distances, in ems, by which a run may go back along its line and by which it may leave its line."""
_SAME = 0.1
"""The maximum difference, in points, between font sizes that count as the same."""
_SMALLEST = 1.0


@dataclass(slots=True)
class Glyph:
    """A character on a page.

    box: displayed position, in points from the upper left corner. turn: the displayed clockwise rotation in degrees, a
    multiple of 90. text: one character; a space that pdfium adds at a gap has no width.
    """

    text: str
    box: Box
    turn: int
    size: float
    font: str
    weight: int


@dataclass(frozen=True, slots=True)
class _Type:
    """The properties that all characters of a text object share."""

    turn: int
    size: float
    font: str
    weight: int


def read_pages(file: File, pages: int) -> Iterator[list[Page]]:
    """Yield the pages of a file that liteparse cannot read, in batches, without rules, links and fields.

    pages: the number of pages. Raises `ConversionFailed` if no page has text.
    """
    has_text = False
    for first in range(1, pages + 1, BATCH):
        batch = [
            Page(number, *file.measure_page(number), [], []) for number in range(first, min(first + BATCH, pages + 1))
        ]
        for page in batch:
            rebuild_spans(page, file.characters(page.number))
            has_text = has_text or bool(page.spans)
        yield batch
    if not has_text:
        raise make_corrupt_error("its page tree is damaged")


def read_glyphs(characters: Characters) -> Iterator[Glyph]:
    """Yield up to `MOST` characters of a page in file order."""
    types: dict[int, _Type] = {}
    for at, text in enumerate(islice(characters.text, MOST)):
        number = characters.find_object(at)
        if number not in types:
            size = characters.measure_size(at) or _SMALLEST
            types[number] = _Type(characters.find_turn(at), size, characters.read_font(at), characters.read_weight(at))
        known = types[number]
        yield Glyph(text, characters.measure_shown(at), known.turn, known.size, known.font, known.weight)


def rebuild_spans(page: Page, characters: Characters) -> None:
    """Replace a page's text with pdfium's text. The page is turned so that most of the text is upright."""
    glyphs = list(read_glyphs(characters))
    _turn_page(page, (_find_usual_turn(glyphs) - page.turned) % 360)
    width, height = (page.height, page.width) if page.turned in (90, 270) else (page.width, page.height)
    page.spans, page.sideways = [], []
    for words in _group_runs(glyphs, width, height):
        span = _make_span([_make_word(word, page.turned, width, height) for word in words], words[0][0])
        (page.spans if words[0][0].turn == page.turned else page.sideways).append(span)


def _turn_page(page: Page, turn: int) -> None:
    """Turn everything on a page except its text back by `turn` degrees."""
    if not turn:
        return
    boxes: list[Box] = [*page.rules, *page.discs, *(link.box for link in page.links), *(one.box for one in page.fields)]
    for box in boxes:
        turned = turn_box(box, turn, page.width, page.height)
        box.x0, box.y0, box.x1, box.y1 = turned.x0, turned.y0, turned.x1, turned.y1
    page.turned = (page.turned + turn) % 360
    if turn != 180:
        page.width, page.height = page.height, page.width


def turn_box(box: Box, turn: int, width: float, height: float) -> Box:
    """Return a box's position on a page that is turned back by `turn` degrees.

    width, height: the original page's size.
    """
    if turn == 90:
        return Box(box.y0, width - box.x1, box.y1, width - box.x0)
    if turn == 180:
        return Box(width - box.x1, height - box.y1, width - box.x0, height - box.y0)
    if turn == 270:
        return Box(height - box.y1, box.x0, height - box.y0, box.x1)
    return box


def _find_usual_turn(glyphs: Sequence[Glyph]) -> int:
    counts = dict.fromkeys((0, 90, 180, 270), 0)
    for glyph in glyphs:
        counts[glyph.turn] += not glyph.text.isspace()
    return max(counts, key=lambda turn: counts[turn])


def _group_runs(glyphs: Sequence[Glyph], width: float, height: float) -> Iterator[list[list[Glyph]]]:
    """Yield runs of text as words of characters. Each run has one font and one line, and no wide gaps."""
    words: list[list[Glyph]] = []
    last: Glyph | None = None
    place = Box(0.0, 0.0, 0.0, 0.0)  # box of the last character, in upright text
    begins_word = True
    for glyph in glyphs:
        if glyph.text.isspace() or glyph.text == "\0":
            begins_word = True
            if glyph.text in "\r\n" and words:
                yield words
                words, last = [], None
            continue
        here = turn_box(glyph.box, glyph.turn, width, height)
        gap = here.x0 - place.x1
        if words and (last is None or not _is_same_run(last, glyph, place, here)):
            yield words
            words = []
        if not words or begins_word or gap > _SPACE * glyph.size:
            words.append([])
        words[-1].append(glyph)
        last, place, begins_word = glyph, here, False
    if words:
        yield words


def _is_same_run(last: Glyph, glyph: Glyph, before: Box, here: Box) -> bool:
    """Return whether a character continues a run. before, here: the last character and this one, in upright text."""
    return (
        glyph.turn == last.turn
        and glyph.font == last.font
        and abs(glyph.size - last.size) < _SAME
        and abs((here.y0 + here.y1) - (before.y0 + before.y1)) < 2 * _OFF * glyph.size
        and -_BACK * glyph.size < here.x0 - before.x1 < _GUTTER * glyph.size
    )


def _make_word(glyphs: Sequence[Glyph], turn: int, width: float, height: float) -> Span:
    text = "".join(["-" if glyph.text in _HYPHENS else glyph.text for glyph in glyphs])
    if not (text.isascii() and text.isprintable()):
        text = repair.map_characters(_join_surrogates(text), glyphs[0].font)
    boxes = [turn_box(glyph.box, turn, width, height) for glyph in glyphs]
    edges = (
        min([box.x0 for box in boxes]),
        min([box.y0 for box in boxes]),
        max([box.x1 for box in boxes]),
        max([box.y1 for box in boxes]),
    )
    return Span(edges, text, glyphs[0].size, glyphs[0].font)


def _make_span(words: list[Span], first: Glyph) -> Span:
    edges = (
        min([word.x0 for word in words]),
        min([word.y0 for word in words]),
        max([word.x1 for word in words]),
        max([word.y1 for word in words]),
    )
    span = Span(edges, " ".join([word.text for word in words]), first.size, first.font)
    span.is_bold, span.is_italic, span.is_mono = detect_style(first.font, first.weight)
    span.source, span.parts = NO_WORDS, words
    return span


def _join_surrogates(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
