"""Pages whose text is only in a picture, read by OCR into spans, which are laid out as printed text is."""

from collections.abc import Iterator, Sequence
from statistics import median

from PIL import Image

from webquarry_convert.file.document import RecognisedPage
from webquarry_convert.file.image import ocr
from webquarry_convert.file.image.ocr.illegible import count_illegible
from webquarry_convert.file.image.ocr.lines import Reading
from webquarry_convert.file.pdf.source.content import Page, Rule, Span
from webquarry_convert.file.pdf.source.pdfium import File

_POINTS = 72  # of an inch
_ALIKE = 0.12
"""Share of the usual height by which that of letters of the same size differs: of 20 pixels one or two are chance."""


def recognise(pages: Sequence[Page], file: File) -> list[RecognisedPage]:
    """Lays what was read on the pages, the first ones when there is no time for all; these are given.

    Raises ConversionFailed when nothing is installed that could read.
    """
    recognitions = ocr.read_all(_render_pictures(pages, file), len(pages))
    done = []
    for page, recognition in zip(pages, recognitions, strict=False):
        _place_reading(page, recognition.reading)
        done.append(RecognisedPage(page.number, recognition.confidence, recognition.illegible))
    return done


def _render_pictures(pages: Sequence[Page], file: File) -> Iterator[ocr.Picture]:
    for page in pages:
        picture = file.picture(page.number)
        dpi = max(picture.width, picture.height) * _POINTS / max(page.width, page.height)
        yield ocr.Picture(Image.frombytes("L", (picture.width, picture.height), picture.pixels), dpi)


def _place_reading(page: Page, reading: Reading) -> None:
    """The page is as it was turned for reading; what was on it before lies elsewhere then."""
    scale = _POINTS / reading.dpi
    is_uneven = count_illegible(reading.lines) > 0  # letters written by hand are large by chance and make no headings
    reaches = [line.reach or (line.top, line.bottom) for line in reading.lines]
    heights = [bottom - top for top, bottom in reaches]
    usual = median(heights) if heights else 0.0
    page.width, page.height = reading.width * scale, reading.height * scale
    page.links, page.fields, page.sideways, page.structure = [], [], [], []
    page.rules = list(_place_rules(reading, scale))
    page.spans = [
        Span(
            (line.left * scale, top * scale, line.right * scale, bottom * scale),
            line.text,
            (usual if is_uneven or abs(height - usual) < _ALIKE * usual else height) * scale,
        )
        for line, (top, bottom), height in zip(reading.lines, reaches, heights, strict=True)
    ]


def _place_rules(reading: Reading, scale: float) -> Iterator[Rule]:
    for rule in reading.lying:
        y = (rule.top + rule.bottom) / 2 * scale
        yield Rule(rule.left * scale, y, rule.right * scale, y)
    for rule in reading.standing:
        x = (rule.left + rule.right) / 2 * scale
        yield Rule(x, rule.top * scale, x, rule.bottom * scale)
