"""Text in vertical lines, as in Japanese and Chinese.

Lines are read from top to bottom, and from the rightmost line to the leftmost.

liteparse reads rows across such lines. The text is therefore read from pdfium's characters, which are in the right
order:

    second line   first line
        の            春         the first line is "春の海", and the line to its left begins after its last character
        ど            の
        か            海
"""

from collections.abc import Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.source.content import Page, Span, detect_style
from webquarry_convert.file.pdf.source.glyphs import Glyph, read_glyphs
from webquarry_convert.file.pdf.source.kept_words import NO_WORDS
from webquarry_convert.file.pdf.source.pdfium import File
from webquarry_convert.file.pdf.words.lines import is_dense

_LEAST = 12
"""Minimum number of characters on a page without horizontal lines."""
_SHORT = 3
"""Maximum length of a run that liteparse reads across vertical lines."""
_MOSTLY = 0.7
"""Minimum share of characters in short runs, and of characters that are below the previous character."""
_BESIDE, _BELOW = 0.35, 1.8
"""Maximum distances, in ems, from a line's middle and from the character above."""
_FULL, _INDENTED = 1.5, 0.6
"""Maximum white space, in ems, at the end of a line whose sentence continues, and minimum indentation of a paragraph.
"""
_NEXT = 2.5
"""Maximum distance, in ems, between the middles of two lines of a paragraph."""
_UNMAPPED, _UNKNOWN = "\0", "\U000f0000"
"""A character that the font does not map, first as pdfium returns it, and then as `unmapped` counts it."""
Line = list[Glyph]


def take_vertical_text(page: Page, file: File) -> None:
    """Move a page's text from `spans` to `vertical` if its lines are vertical, as one span per paragraph."""
    if page.turned or not _may_be_vertical(page.spans):
        return
    dense = [glyph for glyph in read_glyphs(file.characters(page.number)) if _may_be_in_column(glyph.text)]
    below = sum(_is_below(glyph, above) for above, glyph in pairwise(dense))
    if below < _MOSTLY * len(dense):
        return
    page.vertical = [_make_span(lines) for lines in _group_paragraphs(_group_lines(dense))]
    page.spans = [span for span in page.spans if not any(map(is_dense, span.text))]


def _may_be_in_column(sign: str) -> bool:
    return is_dense(sign) or sign == _UNMAPPED


def _may_be_vertical(spans: Sequence[Span]) -> bool:
    """Return whether most characters of scripts that may be vertical are in short runs. This is a quick check."""
    counts = [(len(span.text), sum(map(is_dense, span.text))) for span in spans]
    total = sum(dense for _, dense in counts)
    return total >= _LEAST and sum(dense for length, dense in counts if length <= _SHORT) > _MOSTLY * total


def _is_below(glyph: Glyph, above: Glyph) -> bool:
    return (
        abs((glyph.box.x0 + glyph.box.x1) - (above.box.x0 + above.box.x1)) < 2 * _BESIDE * glyph.size
        and 0 < glyph.box.y0 - above.box.y0 < _BELOW * glyph.size
    )


def _group_lines(glyphs: Sequence[Glyph]) -> list[Line]:
    lines: list[Line] = []
    for glyph in glyphs:
        if lines and _is_below(glyph, lines[-1][-1]):
            lines[-1].append(glyph)
        else:
            lines.append([glyph])
    return lines


def _group_paragraphs(lines: Sequence[Line]) -> list[list[Line]]:
    top = min(line[0].box.y0 for line in lines)
    bottom = max(line[-1].box.y1 for line in lines)
    paragraphs: list[list[Line]] = []
    for line in lines:
        if paragraphs and _continues(line, paragraphs[-1][-1], top, bottom):
            paragraphs[-1].append(line)
        else:
            paragraphs.append([line])
    return paragraphs


def _continues(line: Line, last: Line, top: float, bottom: float) -> bool:
    """Return whether a line continues the sentence of the previous line.

    top, bottom: the top and the bottom of all lines.
    """
    first, size = line[0], line[0].size
    return (
        abs(size - last[0].size) < 0.1 * size
        and last[-1].box.y1 > bottom - _FULL * size
        and first.box.y0 < top + _INDENTED * size
        and 0 < last[0].box.x0 - first.box.x0 < _NEXT * size
    )


def _make_span(lines: Sequence[Line]) -> Span:
    glyphs = [glyph for line in lines for glyph in line]
    first = glyphs[0]
    edges = (
        min([glyph.box.x0 for glyph in glyphs]),
        min([glyph.box.y0 for glyph in glyphs]),
        max([glyph.box.x1 for glyph in glyphs]),
        max([glyph.box.y1 for glyph in glyphs]),
    )
    text = "".join([glyph.text for glyph in glyphs]).replace(_UNMAPPED, _UNKNOWN)
    span = Span(edges, text, first.size, first.font)
    span.is_bold, span.is_italic, span.is_mono = detect_style(first.font, first.weight)
    span.source, span.parts = NO_WORDS, [span]
    return span
