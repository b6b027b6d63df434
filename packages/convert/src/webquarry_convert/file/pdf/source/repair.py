"""Corrects words that liteparse reads differently from a person.

The errors are characters of picture fonts that have the codes of letters, TeX's accents before their letters, note
marks that touch the note, and words that are torn on a scaled page.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from webquarry_convert.file.text import symbols

AS_GIVEN = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2018\u2019\u201c\u201d", "-------''\"\"")
"""The characters that liteparse writes for hyphens, dashes, minus signs and quotes."""
ACCENTS = {
    "\u00a8": "\u0308", "\u00af": "\u0304", "\u00b8": "\u0327", "\u02c6": "\u0302", "\u02c7": "\u030c",
    "\u02d8": "\u0306", "\u02d9": "\u0307", "\u02da": "\u030a", "\u02dc": "\u0303", "\u02dd": "\u030b",
}  # fmt: skip
"""Accents as separate characters, and their combining forms."""
_ACCENTED = re.compile(f"([{''.join(ACCENTS)}])([^\\W\\d_])")
_ACUTE = re.compile("\u00b4\u0131")
"""Matches an acute accent before a dotless i. Before other letters it may be an apostrophe."""
_FONTS = {
    "wingdings2": "wingdings 2", "wingdings": "wingdings", "symbol": "symbol", "mtsymbol": "symbol",
    "mt-symbol": "symbol", "euclidsymbol": "symbol", "standardsym": "symbol",
}  # fmt: skip
"""Prefixes of font names, mapped to the names in `symbols`."""
_NUMBERED_AS_LETTERS = ("wingdings", "wingdings 2", "wptypographicsymbols")
_PICTURES = ("wingdings", "webdings", "dingbats", "mtextra", "awesome", "icon")
"""Parts of the names of fonts without text."""
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_JOINED = {"\u019f": "ti", "\u01a9": "tt", "\u014c": "ft"}
"""Ligatures of Calibri. Many files contain letters with the same numbers as their glyphs instead: "soŌware"."""
_WITHIN = re.compile("(?<=[a-z])[\u019f\u01a9\u014c]|[\u019f\u01a9](?=[a-z])")
_VARIANT = re.compile("[\U0001d400-\U0001d7ff]+")
"""Matches letters in formulas that are plain letters in another style."""
_CONTROL = re.compile("[\x00\x01\x03-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
"""Matches control characters, except line breaks and pdfium's mark (2) for a divided word."""
_UNKNOWN = 0xF0000
"""An offset added to the codes of control characters that the file draws.

They represent signs rather than control characters.
"""
_MARKED = re.compile(r"([0-9]{1,3}|[*\u2020\u2021\u00a7\u00b6]{1,3})( ?)(?=[^\W\d_])")
_RAISED = (0.3, 0.71)
"""The range of the font size, as a fraction of the line's height, for lines that begin with raised signs.

Smaller values are errors.
"""
_LONE = re.compile(r" [^\W\d_](?= )")
_MOST_LONE = 1 / 12
"""The maximum fraction of words that are single letters. If there are more, they are parts of torn words."""
_LEAST_GAPS, _SHORTEST = 3, 2.2
"""The minimum number of spaces in a run, and the average number of letters per word below which its words are torn."""
_FARTHEST = 100
"""The maximum number of characters between a word's current and its earlier position."""
_TORN = 0.1
"""The maximum width, in ems, of a gap that is not a space, on a page with torn words."""


def map_characters(text: str, font: str) -> str:
    """Return text with readable characters.

    text: a text with control or non-ASCII characters. Private-use characters without a known meaning are kept. Control
    characters become private-use characters, because the page shows them. Letters in formulas become plain letters.
    """
    if _PRIVATE.search(text):
        name = _normalise_font_name(font)
        text = _PRIVATE.sub(lambda found: _find_meaning(ord(found[0]), name) or found[0], text)
    text = _VARIANT.sub(lambda found: normalize("NFKC", found[0]), text)
    text = _WITHIN.sub(lambda found: _JOINED[found[0]], text)
    text = _CONTROL.sub(lambda found: chr(_UNKNOWN + ord(found[0])), text)
    return _ACUTE.sub("\u00ed", _ACCENTED.sub(_combine_accent, text))


def read_first_picture(text: str, font: str) -> str:
    """Return a text whose first character is replaced with the picture that the file numbers as that letter.

    "▪ Rye" is returned for "§ Rye". The other words may be in different fonts than the first word.
    """
    name = _normalise_font_name(font)
    if name not in _NUMBERED_AS_LETTERS or text[1:2].strip():
        return text
    code = text[:1].encode("cp1252", "ignore")
    sign = symbols.find_sign(code[0], name) if code else ""
    return sign + text[1:] if sign else text


def is_raised(size: float, height: float) -> bool:
    """Return whether a line begins with raised signs. size: the size of its first font. height: the line's height."""
    return _RAISED[0] * height < size < _RAISED[1] * height


def split_mark(text: str, *, is_surely_raised: bool) -> str | None:
    """Return a note with a space after its mark, or None if the text begins without a mark.

    is_surely_raised: whether the mark is certainly raised. If not, a mark with a space after it may be a plain digit in
    a font with tall lines.
    """
    mark = _MARKED.match(text)
    return f"{mark[1]} {text[mark.end() :]}" if mark is not None and (is_surely_raised or not mark[2]) else None


def has_torn_words(texts: Iterable[str]) -> bool:
    """Return whether a page's text has far more single letters than a text in any language."""
    text = f" {' '.join(texts)} "
    return len(_LONE.findall(text)) > _MOST_LONE * text.count(" ")


def is_torn(text: str) -> bool:
    """Return whether the words of a run are hardly longer than one letter, as when liteparse reads large condensed
    type.
    """
    gaps = text.count(" ")
    return gaps >= _LEAST_GAPS and len(text) - gaps < _SHORTEST * (gaps + 1)


def join_torn_words(words: Sequence[Any], size: float) -> list[list[Any]]:
    """Group liteparse's words that have no space between them."""
    wholes: list[list[Any]] = []
    for word in words:
        if wholes and _is_torn(wholes[-1][-1], word, size):
            wholes[-1].append(word)
        else:
            wholes.append([word])
    return wholes


def drop_gaps(text: str, wholes: Sequence[Sequence[Any]]) -> str:
    """Return text without the spaces within its words."""
    parts: list[str] = []
    at = 0
    reach = _FARTHEST
    for whole in wholes:
        for word in whole:
            place = text.find(word.text, at, reach + len(word.text))
            if place < 0:  # another correction has changed the run
                reach += len(word.text) + _FARTHEST
                continue
            parts.append(text[at:place] if word is whole[0] else "")
            parts.append(word.text)
            at = place + len(word.text)
            reach = at + _FARTHEST
    return "".join(parts) + text[at:]


def _find_meaning(code: int, font: str) -> str:
    """Return the meaning of a private-use character. font: the normalized name of the font in which its run begins."""
    known = symbols.find_sign(code, font) if 0xF020 <= code < 0xF100 else ""
    if known or any(name in font for name in _PICTURES):
        return known
    return symbols.find_private_sign(code)


def _is_torn(before: Any, word: Any, size: float) -> bool:
    gap: float = word.x - before.x - before.width
    return -_TORN * size < gap < _TORN * size and str.isalpha(before.text[-1:] + word.text[:1])


def _combine_accent(found: re.Match[str]) -> str:
    letter = "i" if found[2] == "\u0131" else found[2]
    whole = normalize("NFC", letter + ACCENTS[found[1]])
    return whole if len(whole) == 1 else found[0]


@lru_cache(maxsize=1_000)
def _normalise_font_name(font: str) -> str:
    """Return a font's normalized name: "wingdings" for "ABCDEF+Wingdings-Regular"."""
    name = font.rpartition("+")[2].lower().replace(" ", "")
    return next((known for start, known in _FONTS.items() if name.startswith(start)), name)
