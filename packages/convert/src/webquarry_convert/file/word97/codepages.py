"""Code pages of 8-bit text, determined by the document's language or the font's character set."""

import locale
from collections.abc import Iterable
from typing import Final

from webquarry_convert.file.properties import normalise_language as tagged

WESTERN: Final = "cp1252"
MACINTOSH: Final = "mac_roman"
_BY_LANGUAGE: Final = {
    0x01: "cp1256", 0x02: "cp1251", 0x04: "gbk", 0x05: "cp1250", 0x08: "cp1253", 0x0D: "cp1255", 0x0E: "cp1250",
    0x11: "cp932", 0x12: "cp949", 0x15: "cp1250", 0x18: "cp1250", 0x19: "cp1251", 0x1A: "cp1250", 0x1B: "cp1250",
    0x1C: "cp1250", 0x1E: "cp874", 0x1F: "cp1254", 0x20: "cp1256", 0x22: "cp1251", 0x23: "cp1251", 0x24: "cp1250",
    0x25: "cp1257", 0x26: "cp1257", 0x27: "cp1257", 0x29: "cp1256", 0x2A: "cp1258", 0x2F: "cp1251",
}  # fmt: skip
"""Code pages by the lower ten bits of a Windows language identifier."""
_TRADITIONAL_CHINESE: Final = frozenset({0x0404, 0x0C04, 0x1404})
_BY_CHARACTER_SET: Final = {
    77: MACINTOSH, 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
    255: "cp437",
}  # fmt: skip


def find_language_codec(number: int) -> str:
    if number in _TRADITIONAL_CHINESE:
        return "big5"
    return _BY_LANGUAGE.get(number & 0x3FF, WESTERN)


def choose_language_codec(numbers: Iterable[int]) -> str:
    """Return the first language's code page that is not the Western one."""
    return next((codec for codec in map(find_language_codec, numbers) if codec != WESTERN), WESTERN)


def find_charset_codec(number: int) -> str | None:
    """Return a character set's codec, or None for a set that implies no codec.

    These are the sets for Western letters, for symbols, and for the system default.
    """
    return _BY_CHARACTER_SET.get(number)


def decode_letters(letters: str, codec: str | None) -> str:
    """Decode a text. codec: the text's codec if its positions are bytes, or None if they are UTF-16 code units."""
    if letters.isascii():
        return letters
    if codec is None:
        if any("\ud800" <= letter < "\ue000" for letter in letters):
            return letters.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return letters
    return letters.encode("latin-1", "replace").decode(codec, "replace")


def find_language_tag(number: int) -> str | None:
    """Return the language tag of a Windows language identifier."""
    return tagged(locale.windows_locale.get(number))
