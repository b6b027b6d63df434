"""Restores ligatures, quotes, dashes and letters of TeX's bitmap fonts, whose glyphs have codes but no names.

liteparse mistakes some codes for ligatures of other fonts, so "difference" becomes "difterence" and "flow" becomes
"Thow", and ignores the others. If a file has unnamed fonts with ligatures at the codes of TeX's European encoding (T1,
"Cork"), that encoding is used. PDFium's text contains the codes.
"""

import re
from collections.abc import Mapping, Sequence

from webquarry_convert.file.pdf.source import repair
from webquarry_convert.file.pdf.source.content import Page
from webquarry_convert.file.pdf.source.pdfium import File

_LIGATURE = re.compile("[A-Za-z][\x1b-\x1f][a-z]")
_GUESSES = str.maketrans({"\x1a": "ff", "\x1b": "ft", "\x1c": "fi", "\x1d": "Th", "\x1e": "ffi", "\x1f": "fl"})
"""Ligatures that liteparse assumes."""
_SIGNS = {
    0x0E: "\u2039", 0x0F: "\u203a", 0x10: "\u201c", 0x11: "\u201d", 0x12: "\u201e", 0x13: "\u00ab", 0x14: "\u00bb",
    0x15: "\u2013", 0x16: "\u2014", 0x19: "\u0131",
    0x1B: "ff", 0x1C: "fi", 0x1D: "fl", 0x1E: "ffi", 0x1F: "ffl", 0x7F: "-",
}  # fmt: skip
_LETTERS = dict(
    zip(
        [*range(0x80, 0xBD), 0xD7, 0xDF, 0xF7, 0xFF],
        "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳŒẞœß",
        strict=True,
    )
)
"""Letters by code, for the codes that differ from Latin-1."""
_OF_A_WORD = re.compile("[A-Za-z]")
_BULLET = {0x88: "\u2022"}
"""The bullet of the accompanying font, which is used if the code is a separate word."""
_PARTED = "\ufffe"
"""PDFium's character for a hyphen at the end of a line."""
_BETWEEN = re.compile("[ \t\r\n]+")
_WORD = re.compile(r"\S+")


def read_codes(pages: Sequence[Page], file: File) -> None:
    texts = [
        (page, file.characters(page.number).written) for page in pages if any(not span.font for span in page.spans)
    ]
    if not any(_LIGATURE.search(text) for _, text in texts):
        return
    for page, text in texts:
        words = _find_words(text)
        for span in page.spans:
            if not span.font and not words.keys().isdisjoint(span.text.split()):
                span.replace_words(_WORD, words)


def _find_words(text: str) -> Mapping[str, str]:
    """Return corrected words, by the text that liteparse returns for them."""
    found = {}
    for word in _BETWEEN.split(text.replace(_PARTED, "- ")):
        read = word.translate(_SIGNS)
        read = read.translate(_LETTERS if _OF_A_WORD.search(read) else _BULLET)
        if read != word:
            found[repair.map_characters(word.translate(_GUESSES).translate(repair.AS_GIVEN), "")] = read
    return found
