"""Conversion of images: their text, recognized by OCR."""

from webquarry_convert.file.document import Document, RecognisedPage
from webquarry_convert.file.image.ocr import Picture, Recognition
from webquarry_convert.file.image.ocr.low_confidence import warn_of_doubts
from webquarry_convert.file.image.pictures import Pictures
from webquarry_convert.file.page_names import name_pages
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
    return Document(
        "\n".join(recognition.markdown for recognition in recognitions.values() if recognition.markdown),
        pages=count,
        recognised=recognised,
        unread=unread,
        warnings=warnings,
    )


def render(body: bytes, page: int) -> Picture:
    """Render a page for OCR. page: page number, from 1. Raises `ConversionFailed` if the pixels cannot be decoded."""
    return Pictures(body).render(page)
