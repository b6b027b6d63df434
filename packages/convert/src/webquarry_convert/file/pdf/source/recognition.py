"""OCR for pages whose text is only in a picture. The results become spans that are laid out like printed text."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median

from PIL import Image

from webquarry_convert.file.document import RecognisedPage
from webquarry_convert.file.image.ocr import Picture, Recognition
from webquarry_convert.file.image.ocr.illegible import count_illegible
from webquarry_convert.file.image.ocr.lines import Reading
from webquarry_convert.file.pdf.source.content import Page, Rule, Span
from webquarry_convert.file.pdf.source.pdfium import File
from webquarry_convert.file.readings import Readings

_POINTS = 72  # dots per inch
_ASIDE = 1.5
"""The maximum distance, in points, at which the starts of lines in a scan are aligned."""
_GUTTER, _LEAST = 0.7, 3
"""The minimum gap before a word in a column, in ems, and the minimum number of words in a column.

The words of a column start at one position after such gaps.
"""
_ALIKE = 0.12
"""The maximum difference, as a fraction of the usual height, between letters of the same size.

For letters that are 20 pixels high, a difference of one or two pixels means nothing.
"""


def render(body: bytes, number: int) -> Picture:
    """Draw a page for OCR. number: the page number, from 1. Raises `ConversionFailed` if the file cannot be opened."""
    with File(body) as file:
        picture = file.picture(number)
    pixels = Image.frombytes("L", (picture.width, picture.height), picture.pixels)
    return Picture(pixels, picture.dpi)


def place_readings(pages: Iterable[Page], readings: Readings) -> list[RecognisedPage]:
    """Place the OCR results on their pages and return the pages with a result."""
    done = []
    for page in pages:
        if (reading := readings.get(page.number)) is not None:
            _place_reading(page, reading)
            recognition = Recognition(reading)
            done.append(RecognisedPage(page.number, recognition.confidence, recognition.illegible))
    return done


def _place_reading(page: Page, reading: Reading) -> None:
    """Replace a page's content with its OCR result.

    The page is turned as it was for OCR, so the positions of its earlier content would be wrong.
    """
    scale = _POINTS / reading.dpi
    is_uneven = count_illegible(reading.lines) > 0  # handwriting varies in size, so its size does not indicate headings
    reaches = [line.reach or (line.top, line.bottom) for line in reading.lines]
    heights = [bottom - top for top, bottom in reaches]
    usual = median(heights) if heights else 0.0
    page.width, page.height = reading.width * scale, reading.height * scale
    page.links, page.fields, page.sideways, page.structure = [], [], [], []
    page.rules = list(_place_rules(reading, scale))
    page.spans = []
    for line, (top, bottom), height in zip(reading.lines, reaches, heights, strict=True):
        size = (usual if is_uneven or abs(height - usual) < _ALIKE * usual else height) * scale
        edges = [(word.left * scale, word.right * scale, word.text) for word in line.words]
        span = Span((line.left * scale, top * scale, line.right * scale, bottom * scale), line.text, size)
        if len(edges) > 1:
            span.parts = [Span((x0, span.y0, x1, span.y1), text, size) for x0, x1, text in edges]
        page.spans.append(span)
    _align(page.spans)
    page.spans = _divide_at_columns(page.spans)


def _align(spans: Sequence[Span]) -> None:
    """Align spans that begin at nearly the same position, because words of one column differ by a pixel or two."""
    starts: list[float] = []
    for x in sorted([span.x0 for span in spans]):
        if not starts or x - starts[-1] > _ASIDE:
            starts.append(x)
    for span in spans:
        for box in (span, *(span.parts or ())):
            start = bisect_right(starts, box.x0)
            if start and box.x0 - starts[start - 1] <= _ASIDE:
                box.x0 = starts[start - 1]


def _divide_at_columns(spans: Sequence[Span]) -> list[Span]:
    """Split spans at positions where words in several spans begin after wide gaps."""
    wide = [
        [
            at
            for at, (before, word) in enumerate(pairwise(span.parts or ()), 1)
            if word.x0 - before.x1 > _GUTTER * span.size
        ]
        for span in spans
    ]
    places = sorted(span.words()[at].x0 for span, cuts in zip(spans, wide, strict=True) for at in cuts)
    found: list[Span] = []
    for span, cuts in zip(spans, wide, strict=True):
        words = span.words()
        shared = [at for at in cuts if _count_near(places, words[at].x0) >= _LEAST]
        if shared:
            found += [span.join(words[a:b]) for a, b in zip([0, *shared], [*shared, len(words)], strict=True)]
        else:
            found.append(span)
    return found


def _count_near(places: Sequence[float], x: float) -> int:
    return bisect_right(places, x + _ASIDE) - bisect_left(places, x - _ASIDE)


def _place_rules(reading: Reading, scale: float) -> Iterator[Rule]:
    for rule in reading.lying:
        y = (rule.top + rule.bottom) / 2 * scale
        yield Rule(rule.left * scale, y, rule.right * scale, y)
    for rule in reading.standing:
        x = (rule.left + rule.right) / 2 * scale
        yield Rule(x, rule.top * scale, x, rule.bottom * scale)
