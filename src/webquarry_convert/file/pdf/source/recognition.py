"""Pages whose text is only in a picture, read by OCR into spans, which are laid out as printed text is."""

from collections.abc import Iterator, Sequence
from statistics import median

from PIL import Image

from webquarry_convert.file.document import RecognisedPage
from webquarry_convert.file.image import ocr
from webquarry_convert.file.image.ocr.illegible import count_illegible
from webquarry_convert.file.image.ocr.lines import Reading
from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.source.pdfium import File

_POINTS = 72  # of an inch
_SIZE = 0.8  # of the font, for each part of a line's height from the lowest descender to the highest capital


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
    usual = median(line.height for line in reading.lines) if is_uneven else 0.0
    page.width, page.height = reading.width * scale, reading.height * scale
    page.rules, page.links, page.fields, page.sideways, page.structure = [], [], [], [], []
    page.spans = [
        Span(
            (line.left * scale, line.top * scale, line.right * scale, line.bottom * scale),
            line.text,
            (usual or line.height) * scale * _SIZE,
        )
        for line in reading.lines
    ]
