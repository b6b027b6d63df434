"""Images: the text in them, read by OCR."""

from webquarry_convert.file.document import Document, RecognisedPage
from webquarry_convert.file.image import ocr
from webquarry_convert.file.image.ocr.low_confidence import warn_of_doubts
from webquarry_convert.file.image.pictures import Pictures


def read(body: bytes) -> Document:
    """The pages of a TIFF one below the other; of other formats the first frame.

    Raises ConversionFailed also when nothing is installed that could read.
    """
    pictures = Pictures(body)
    recognitions = ocr.read_all(pictures, pictures.count)
    recognised = tuple(
        RecognisedPage(page, recognition.confidence, recognition.illegible)
        for page, recognition in enumerate(recognitions, 1)
    )
    document = Document(
        "\n".join(recognition.markdown for recognition in recognitions if recognition.markdown),
        pages=pictures.count,
        recognised=recognised,
        warnings=warn_of_doubts(recognised),
    )
    if len(recognitions) < pictures.count:
        return document.add_warnings(f"Only the first {len(recognitions)} of {pictures.count:,} pages were read.")
    return document
