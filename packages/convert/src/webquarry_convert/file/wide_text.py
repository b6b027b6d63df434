"""Detection of UTF-16 text by a byte order mark or by the positions of zero bytes."""

import codecs
from typing import Final

WINDOW: Final = 16 * 1024
"""Number of bytes that are examined."""
_MARKS: Final = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_ONE_SIDED: Final = 16
"""Minimum ratio between the numbers of zero bytes at even and at odd positions in UTF-16 text."""
_LEAST_ZEROS: Final = 32
"""Minimum frequency of zero bytes in UTF-16 text: one in this many bytes."""


def find_utf16(body: bytes) -> str | None:
    """Return `utf-16-le` or `utf-16-be` for text in UTF-16, or None for other text. Only the beginning is examined."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return codec
    head = body[:WINDOW]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > _ONE_SIDED * even and odd * _LEAST_ZEROS > len(head):
        return "utf-16-le"
    if even > _ONE_SIDED * odd and even * _LEAST_ZEROS > len(head):
        return "utf-16-be"
    return None


def find_byte_order(body: bytes) -> str | None:
    """Return the codec of a text that is declared as UTF-16, or None if the text has no zero bytes and is therefore not
    UTF-16.
    """
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return codec
    head = body[:WINDOW]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if not even and not odd:
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def decode_utf16(body: bytes, codec: str) -> str:
    """Decode a text without its byte order mark. Undecodable bytes become U+FFFD."""
    return body.decode(codec, "replace").removeprefix("\ufeff")
