"""Texts stored in UTF-16 as a whole, found by a byte order mark or by where their zeros are."""

import codecs
from typing import Final

WINDOW: Final = 16 * 1024
"""Bytes that are looked at."""
_MARKS: Final = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_ONE_SIDED: Final = 16
"""Zeros of UTF-16 are on one side so many times more often than on the other."""
_LEAST_ZEROS: Final = 32
"""At least one byte in so many is a zero."""


def find_utf16(body: bytes) -> str | None:
    """Return `utf-16-le` or `utf-16-be` for a text in UTF-16, None for any other. Look at the beginning only."""
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
    """Return the codec of a text that is stated to be UTF-16; None where not one byte is a zero, as in no such text."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return codec
    head = body[:WINDOW]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if not even and not odd:
        return None
    return "utf-16-be" if even > odd else "utf-16-le"


def decode_utf16(body: bytes, codec: str) -> str:
    """Return the text without its byte order mark; what cannot be decoded becomes U+FFFD."""
    return body.decode(codec, "replace").removeprefix("\ufeff")
