"""The bytes of a PDF, so that nobody takes them for another type.

Programs write a byte order mark, empty lines or commands for a printer before the header, and readers of PDF look for
it in the first 1,024 bytes. liteparse does not, and it guesses the type of all bytes: where they hold the key of a
drawing program's private data, it refuses them as a drawing.
"""

import re

_HEADER = b"%PDF-"
_REACH = 1_024
"""Bytes before the header, at most."""
_DRAWING = re.compile(rb"/AIPrivateData(?=[0-9]*+\s*+(?:[0-9]+\s+[0-9]+\s+R\b|<<|\[|/))")
"""The key with its value; a text may speak of it."""
_HIDDEN = b"/aiPrivateData"
"""As long as what it replaces, so that all places in the file stay as they are; nobody reads this key but the drawing
program."""


def cut_to_header(body: bytes) -> bytes:
    """Return the file from its header on; the file itself where the header is not near the beginning."""
    at = body.find(_HEADER, 0, _REACH + len(_HEADER))
    return body[at:] if at > 0 else body


def hide_drawing(body: bytes) -> bytes:
    """Return the file, of the same length, without the keys by which it is taken for a drawing."""
    return _DRAWING.sub(_HIDDEN, body) if _DRAWING.search(body) is not None else body
