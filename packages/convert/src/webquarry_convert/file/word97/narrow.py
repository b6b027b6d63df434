"""8-bit text of Word 97 and later that is not Western.

According to the format, a character has 8 bits only if Windows' Western code page contains it. However, some programs
write 8-bit text in the font's character set, as Word 95 did. Such fonts are also used for Western text, so the letters
decide. In other scripts, non-ASCII letters are adjacent; in Western text, single non-ASCII letters occur among ASCII
letters.
"""

import re
from collections.abc import Collection, Sequence
from typing import Final

from webquarry_convert.file.word97.codepages import MACINTOSH, WESTERN
from webquarry_convert.file.word97.pieces import Piece

SAMPLE: Final = 1_000_000
"""Maximum number of characters that are examined to decide about a whole text."""
_TO_BYTES: Final = {
    ord(letter): byte for byte in range(0x80, 0xA0) if (letter := bytes([byte]).decode("cp1252", "ignore"))
}
_HIGH: Final = re.compile(rb"[\x80-\xff]+")
_SIGNS: Final = b"\x85\x91\x92\x93\x94\x95\x96\x97\xa0\xab\xb7\xbb"
"""Quotation marks, dashes, dots and spaces. They can be adjacent in Western text, too."""
_KANA: Final = re.compile("[\u3001\u3002\u3041-\u30ff]")
_LEAST_KANA: Final = 2
_LEAST_KANA_SHARE: Final = 0.2
_LATIN: Final = frozenset({"cp1250", "cp1254", "cp1257", "cp1258"})
_LEAST_BESIDE: Final = 0.6
"""Minimum share of a text's non-ASCII letters that must be adjacent in another script."""
_LEAST_LETTERS: Final = 4
_OWN_LETTERS: Final = 8
"""Minimum number of non-ASCII letters in a run that is judged on its own letters."""
_LEAST_OTHER: Final = 0.01
"""Minimum share of letters that a Latin code page decodes differently from the Western code page."""
_MOST_UNREADABLE: Final = 0.05


class NarrowText:
    """Detects the code pages of a document's 8-bit runs.

    codecs: the codecs that the fonts declare. language_codec: the codec that the language implies.
    """

    def __init__(
        self, letters: str, pieces: Sequence[Piece], codecs: Collection[str | None], language_codec: str
    ) -> None:
        stated = {codec for codec in codecs if codec is not None} - {WESTERN, MACINTOSH}
        only = next(iter(stated)) if len(stated) == 1 else None
        self._usual = only if language_codec == WESTERN else language_codec
        parts = (letters[one.first : one.first + one.length] for one in pieces if one.width == 1)
        raw = b"" if self._usual is None and not stated else _pack("".join(parts)[:SAMPLE])
        self.is_possible = not raw.isascii()
        """Whether any run may use a code page other than the Western one."""
        self._is_of_other_script = self.is_possible and _is_of_other_script(raw) is True
        self._latin = language_codec if language_codec in _LATIN and _has_letters_of(raw, language_codec) else None

    def decode(self, letters: str, stated: str | None) -> str:
        """Decode a run. letters: the run, decoded with the Western code page. stated: the codec of the run's font."""
        if letters.isascii():
            return letters
        codec = stated or self._usual
        if codec is None:
            return letters
        raw = _pack(letters)
        decoded = raw.decode(codec, "replace")
        if codec in _LATIN:
            is_other = codec == self._latin
        elif (own := _is_of_other_script(raw, _OWN_LETTERS)) is not None:
            is_other = own or _is_japanese(decoded)
        else:
            is_other = self._is_of_other_script or _is_japanese(decoded)
        return decoded if is_other and decoded.count("\ufffd") <= _MOST_UNREADABLE * len(decoded) else letters


def _pack(letters: str) -> bytes:
    """Return the bytes from which the letters were decoded."""
    return letters.translate(_TO_BYTES).encode("latin-1", "replace")


def _is_of_other_script(raw: bytes, least: int = _LEAST_LETTERS) -> bool | None:
    """Return whether most non-ASCII bytes are adjacent, or None if there are fewer than `least`.

    Signs and repeated bytes are ignored.
    """
    alone = beside = 0
    for found in _HIGH.finditer(raw):
        some = found[0]
        if len(some) == 1:
            alone += some not in _SIGNS
        elif some.strip(some[:1]) and some.strip(_SIGNS):
            beside += len(some)
    if alone + beside < least:
        return None
    return beside > _LEAST_BESIDE * (alone + beside)


def _is_japanese(text: str) -> bool:
    """Return whether a text contains kana. The second byte of a kana is often an ASCII byte."""
    kana = len(_KANA.findall(text))
    return kana >= _LEAST_KANA and kana > _LEAST_KANA_SHARE * sum(letter > "\x7f" for letter in text)


def _has_letters_of(raw: bytes, codec: str) -> bool:
    """Return whether a text has letters that a Latin code page decodes differently from the Western code page."""
    high = raw.translate(None, bytes(range(0x80)))
    other = bytes(
        byte
        for byte in range(0x80, 0x100)
        if (letter := bytes([byte]).decode(codec, "ignore")).isalpha()
        and letter != bytes([byte]).decode("cp1252", "ignore")
    )
    count = len(high) - len(high.translate(None, other))
    letters = sum(map(str.isalpha, raw.decode(codec, "replace")))
    return count >= _LEAST_LETTERS and count > _LEAST_OTHER * letters
