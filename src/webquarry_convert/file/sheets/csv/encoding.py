"""The text of a delimited file, whose encoding nothing declares."""

import codecs
import re

from webquarry_convert.text.charset import decode

WINDOW = 64 * 1024
"""Bytes that are looked at for the pattern of UTF-16."""
_BOMS = (  # the longer ones first: UTF-32 begins as UTF-16 does
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_EURO = re.compile(rb"[0-9][ \xa0]?\xa4(?![\x80-\xff])|(?<![\x80-\xff])\xa4[ \xa0]?[0-9]")
_CONTROLS = re.compile(rb"[\x80-\x9f]")
_ONE_SIDED = 8
"""UTF-16 has so many times more NULs on the side of the high bytes than on the other."""


def decode_text(body: bytes) -> str:
    """Order: byte order mark, UTF-16 by where its NULs are, UTF-8, the likeliest of the encodings of the Web.

    Never fails: what cannot be decoded becomes U+FFFD. NULs and the mark itself are removed.
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            return _clean(body[len(mark) :].decode(name, "replace"))
    if (wide := _detect_utf16(body[:WINDOW])) is not None:
        return _clean(body.decode(wide, "replace"))
    try:
        return _clean(body.decode("utf-8"))
    except UnicodeDecodeError:
        return _clean(body.decode("iso8859-15")) if _is_latin_9(body[:WINDOW]) else decode(body).text


def _is_latin_9(window: bytes) -> bool:
    """Amounts in euros, whose sign has the code there that is nobody's currency elsewhere; and no controls, as Windows'
    own encodings have letters in their place."""
    return _EURO.search(window) is not None and _CONTROLS.search(window) is None


def _detect_utf16(window: bytes) -> str | None:
    """UTF-16 without a mark: signs such as delimiters and line breaks put NULs on one side."""
    low, high = window[0::2].count(0), window[1::2].count(0)
    if high > _ONE_SIDED * low:
        return "utf-16-le"
    return "utf-16-be" if low > _ONE_SIDED * high else None


def _clean(text: str) -> str:
    return text.replace("\0", "")
