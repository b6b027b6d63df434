"""Images: the text in them, read by OCR."""

from webquarry_convert.file.document import Document, Recognised
from webquarry_convert.file.image import ocr
from webquarry_convert.file.image.ocr.doubts import doubts
from webquarry_convert.file.image.pictures import Pictures


def read(body: bytes) -> Document:
    """The pages of a TIFF one below the other; of other formats the first frame.

    Raises ConversionFailed also when nothing is installed that could read.
    """
    pictures = Pictures(body)
    recognitions = ocr.read_all(pictures, pictures.count)
    recognised = tuple(Recognised(page, recognition.confidence) for page, recognition in enumerate(recognitions, 1))
    document = Document(
        "\n".join(recognition.markdown for recognition in recognitions if recognition.markdown),
        pages=pictures.count,
        recognised=recognised,
        warnings=doubts(recognised),
    )
    if len(recognitions) < pictures.count:
        return document.warned(f"Only the first {len(recognitions)} of {pictures.count:,} pages were read.")
    return document
