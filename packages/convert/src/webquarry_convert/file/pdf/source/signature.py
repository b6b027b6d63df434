"""Corrects the bytes of PDFs that liteparse would mistake for another file type.

Some programs write a byte order mark, empty lines or printer commands before the header. Other PDF readers search for
the header in the first 1,024 bytes, but liteparse does not. liteparse also guesses the file type from all bytes: it
rejects a file with the key of a drawing program's private data as a drawing.
"""

import re

_HEADER = b"%PDF-"
_REACH = 1_024
"""The maximum number of bytes before the header."""
_DRAWING = re.compile(rb"/AIPrivateData(?=[0-9]*+\s*+(?:[0-9]+\s+[0-9]+\s+R\b|<<|\[|/))")
"""Matches the key with its value. Without a value, the key may be part of a text."""
_HIDDEN = b"/aiPrivateData"
"""A replacement of the same length, so all offsets in the file stay valid.

Only the drawing program reads the original key.
"""


def cut_to_header(body: bytes) -> bytes:
    """Return the file from its header on, or the whole file if the header is not near the beginning."""
    at = body.find(_HEADER, 0, _REACH + len(_HEADER))
    return body[at:] if at > 0 else body


def hide_drawing(body: bytes) -> bytes:
    """Return the file without the keys that identify it as a drawing. The file's length is unchanged."""
    return _DRAWING.sub(_HIDDEN, body) if _DRAWING.search(body) is not None else body
