"""The way of a file through workers: quick ones read it, patient ones what only OCR can read of it."""

from webquarry.convert.file.detect import PICTURES, FileType, detect
from webquarry.convert.file.document import Document
from webquarry.convert.file.readers import CONVERT, converted
from webquarry.errors import ConversionFailed
from webquarry.types import Isolated


async def conversion(isolated: Isolated, body: bytes, name: str) -> tuple[FileType, Document]:
    """Raises `UnsupportedType`, `ConversionFailed` and what `isolated` raises beside them.

    When the pages of a PDF that are pictures cannot be read, its other pages are the answer, if they have a text.
    """
    is_picture = detect(body) in PICTURES
    kind, document = converted(await isolated(CONVERT, body, {"name": name}, patient=is_picture))
    if not document.unread or is_picture:
        return kind, document
    try:
        return converted(await isolated(CONVERT, body, {"name": name, "reads_pictures": True}, patient=True))
    except ConversionFailed:
        if not document.markdown:
            raise
        return kind, document
