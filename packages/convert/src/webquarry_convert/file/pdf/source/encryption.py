"""Decrypts files that open without a password, so that checks of the raw bytes see the same content as pdfium.

The checks for inflating streams, font ranges and nested marks read the raw streams. In an encrypted file, they would
find nothing, and a few bytes could keep pdfium busy for hours.
"""

import io
import re
from typing import Any, Final

import pypdfium2  # type: ignore[import-untyped]  # no types
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]  # as above

from webquarry_convert.file.document import make_corrupt_error, make_limit_error
from webquarry_convert.file.limits import MAX_PART
from webquarry_convert.file.pdf.source.pdfium import open_document

_ENCRYPT: Final = re.compile(
    b"/" + b"".join(b"(?:%c|#%02x)" % (letter, letter) for letter in b"Encrypt"), re.IGNORECASE
)
"""Matches the encryption entry in the trailer. The letters of a name may be written as numbers."""
_NOT_ENCRYPTED: Final = -1


class _Limited(io.BytesIO):
    """A buffer for pdfium's output.

    Bytes beyond `MAX_PART` are counted and discarded, because pdfium cannot be stopped while it writes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.written = 0

    def write(self, data: Any, /) -> int:
        self.written += memoryview(data).nbytes
        return super().write(data) if self.written <= MAX_PART else 0


def decrypt(body: bytes) -> bytes:
    """Return the decrypted file, or the same bytes if the file is not encrypted.

    Raises the errors of `open_document` for a file with a password, and `make_limit_error` for a result of more than
    `MAX_PART`.
    """
    if not _ENCRYPT.search(body):
        return body
    file = open_document(body)
    try:
        if pdfium.FPDF_GetSecurityHandlerRevision(file) == _NOT_ENCRYPTED:
            return body
        plain = _Limited()
        file.save(plain, flags=pdfium.FPDF_REMOVE_SECURITY)
    except pypdfium2.PdfiumError as error:
        raise make_corrupt_error("it could not be decrypted") from error
    finally:
        file.close()
    if plain.written > MAX_PART:
        raise make_limit_error("its decrypted content")
    return plain.getvalue()
