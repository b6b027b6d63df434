"""Decodes delimited files, which do not declare an encoding."""

import codecs
import re

from webquarry_convert.text.charset import decode

WINDOW = 64 * 1024
"""Number of bytes that are examined for the pattern of UTF-16."""
_BOMS = (  # longer marks first, because UTF-32 begins like UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_EURO = re.compile(rb"[0-9][ \xa0]?\xa4(?![\x80-\xff])|(?<![\x80-\xff])\xa4[ \xa0]?[0-9]")
_CONTROLS = re.compile(rb"[\x80-\x9f]")
_IN_WORD = re.compile(rb"(?<=[a-z])([\x80-\xff]{1,2})(?![A-Z\x80-\xff])|(?<![A-Za-z\x80-\xff])([\x80-\xff])(?=[a-z])")
_AROUND_WORDS, _BEFORE_WORDS = "‘’“”…–—™›»", "‘’“„‚…–—‹«"
_HIGH = bytes(range(0x80, 0x100))
_OLD_CODECS = ("mac-roman", "cp850")
_LEAST_WORDS = 3
_CLEARLY = 10
"""At most one word in this many may contradict an encoding that was chosen by its letters."""
_ONE_SIDED = 8
"""Minimum ratio between the numbers of NULs in high bytes and in low bytes of UTF-16 text."""


def decode_text(body: bytes) -> str:
    """Decode a file without a declared encoding.

    Tries the byte order mark, UTF-16 (recognized by the positions of NULs), UTF-8, and the likeliest web encoding.
    Never fails: undecodable bytes become U+FFFD. NULs and the byte order mark are removed.
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            return _clean(body[len(mark) :].decode(name, "replace"))
    if (wide := _detect_utf16(body[:WINDOW])) is not None:
        return _clean(body.decode(wide, "replace"))
    try:
        return _clean(body.decode("utf-8"))
    except UnicodeDecodeError:
        if _is_latin_9(body[:WINDOW]):
            return _clean(body.decode("iso8859-15"))
        old = _detect_old_codec(body[:WINDOW])
        return decode(body).text if old is None else _clean(body.decode(old, "replace"))


def _is_latin_9(window: bytes) -> bool:
    """Return whether a text is in ISO-8859-15.

    Such a text has amounts next to the code of the euro sign, which is not a currency sign in other encodings. The text
    has no codes of control characters, because these are letters in Windows encodings.
    """
    return _EURO.search(window) is not None and _CONTROLS.search(window) is None


def _detect_old_codec(window: bytes) -> str | None:
    """Detect the encodings of classic Mac OS and DOS, which office programs still write.

    A text uses one of these encodings if it produces small letters where Windows' encoding produces signs or capital
    letters inside words. Only non-ASCII letters next to ASCII letters count; text in other scripts has few of them.
    """
    found = [(word[1] or word[2], word[1] is not None) for word in _IN_WORD.finditer(window)]
    high = len(window) - len(window.translate(None, _HIGH))
    if len(found) < _LEAST_WORDS or 2 * sum(len(letters) for letters, _ in found) < high:
        return None
    wrong = {codec: sum(_is_misplaced(*one, codec) for one in found) for codec in ("cp1252", *_OLD_CODECS)}
    best = min(_OLD_CODECS, key=lambda codec: wrong[codec])
    return best if wrong[best] * _CLEARLY <= len(found) and wrong["cp1252"] * 2 > len(found) else None


def _is_misplaced(letters: bytes, is_inner: bool, codec: str) -> bool:
    """Return whether a word's bytes decode to signs, or to capital letters after small letters.

    Quotation marks, dashes and similar signs next to a word are allowed only in Windows' encoding.
    """
    text = letters.decode(codec, "replace")
    if codec == "cp1252" and not text.strip(_AROUND_WORDS if is_inner else _BEFORE_WORDS):
        return False
    return not (text.islower() if is_inner else text.isalpha())


def _detect_utf16(window: bytes) -> str | None:
    """Detect UTF-16 without a byte order mark.

    ASCII characters such as delimiters and line breaks produce NULs at only even or only odd positions.
    """
    low, high = window[0::2].count(0), window[1::2].count(0)
    if high > _ONE_SIDED * low:
        return "utf-16-le"
    return "utf-16-be" if low > _ONE_SIDED * high else None


def _clean(text: str) -> str:
    return text.replace("\0", "")
