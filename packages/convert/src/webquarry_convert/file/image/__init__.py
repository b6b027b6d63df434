"""Conversion of images: their text, recognized by OCR."""

from collections.abc import Mapping

from webquarry_convert.file.document import Document, RecognisedPage
from webquarry_convert.file.image.ocr import Picture, Recognition
from webquarry_convert.file.image.ocr.low_confidence import warn_of_doubts
from webquarry_convert.file.image.pictures import Pictures
from webquarry_convert.file.page_names import name_pages
from webquarry_convert.file.page_starts import make_page_starts
from webquarry_convert.file.readings import NONE_READ, Readings


def read(body: bytes, readings: Readings = NONE_READ) -> Document:
    """Return the text of an image: all pages of a TIFF, or the first frame of other formats.

    readings: OCR results by page number, from 1. Pages without a result are left unread.
    """
    count = Pictures(body).count
    recognitions = {page: Recognition(readings[page]) for page in range(1, count + 1) if page in readings}
    recognised = tuple(
        RecognisedPage(page, recognition.confidence, recognition.illegible)
        for page, recognition in recognitions.items()
    )
    unread = tuple(page for page in range(1, count + 1) if page not in readings)
    warnings = warn_of_doubts(recognised)
    if unread:
        warnings += (f"The text on {name_pages(unread)} was not recognized.",)
    markdown, starts = _join_pages(recognitions, count)
    return Document(
        markdown,
        pages=count,
        recognised=recognised,
        unread=unread,
        warnings=warnings,
        page_starts=starts,
    )


def _join_pages(recognitions: Mapping[int, Recognition], count: int) -> tuple[str, tuple[int, ...]]:
    """Return the markdown of all pages, and the offset at which each page begins."""
    texts = {page: text for page, recognition in recognitions.items() if (text := recognition.markdown)}
    places: list[tuple[int, int]] = []
    length = 0
    for page, text in texts.items():
        places.append((page, length))
        length += len(text) + 1
    markdown = "\n".join(texts.values())
    return markdown, make_page_starts(places, count, len(markdown))


def render(body: bytes, page: int) -> Picture:
    """Render a page for OCR. page: page number, from 1. Raises `ConversionFailed` if the pixels cannot be decoded."""
    return Pictures(body).render(page)
