"""Words as a reader sees them, where the runs of liteparse say otherwise.

Signs of fonts that number their pictures as letters, accents that TeX draws before their letter, marks of notes that
touch the note, and words that a scaled page tears apart.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from webquarry_convert.file.text import symbols

AS_GIVEN = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2018\u2019\u201c\u201d", "-------''\"\"")
"""What liteparse writes for hyphens, dashes, minus signs and quotes."""
ACCENTS = {
    "\u00a8": "\u0308", "\u00af": "\u0304", "\u00b8": "\u0327", "\u02c6": "\u0302", "\u02c7": "\u030c",
    "\u02d8": "\u0306", "\u02d9": "\u0307", "\u02da": "\u030a", "\u02dc": "\u0303", "\u02dd": "\u030b",
}  # fmt: skip
"""That stand for themselves, and those that join their letter."""
_ACCENTED = re.compile(f"([{''.join(ACCENTS)}])([^\\W\\d_])")
_ACUTE = re.compile("\u00b4\u0131")
"""Before other letters it may be an apostrophe."""
_FONTS = {
    "wingdings2": "wingdings 2", "wingdings": "wingdings", "symbol": "symbol", "mtsymbol": "symbol",
    "mt-symbol": "symbol", "euclidsymbol": "symbol", "standardsym": "symbol",
}  # fmt: skip
"""How their names begin, and as `symbols` knows them."""
_NUMBERED_AS_LETTERS = ("wingdings", "wingdings 2", "wptypographicsymbols")
_PICTURES = ("wingdings", "webdings", "dingbats", "mtextra", "awesome", "icon")
"""In names of fonts that have no text."""
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_JOINED = {"\u019f": "ti", "\u01a9": "tt", "\u014c": "ft"}
"""Ligatures of Calibri, which many files give as the letters with the numbers of its signs: "so\u014cware"."""
_WITHIN = re.compile("(?<=[a-z])[\u019f\u01a9\u014c]|[\u019f\u01a9](?=[a-z])")
_VARIANT = re.compile("[\U0001d400-\U0001d7ff]+")
"""Letters of formulas that are plain ones in another type."""
_CONTROL = re.compile("[\x00\x01\x03-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
"""But for line breaks, and for the mark (2) of pdfium where a word is divided."""
_UNKNOWN = 0xF0000
"""What is added to the numbers of control characters, which are drawn and thus are none."""
_MARKED = re.compile(r"([0-9]{1,3}|[*\u2020\u2021\u00a7\u00b6]{1,3})( ?)(?=[^\W\d_])")
_RAISED = (0.3, 0.71)
"""Size of the font for each part of a line's height, where a line begins with raised signs. Less means nothing."""
_LONE = re.compile(r" [^\W\d_](?= )")
_MOST_LONE = 1 / 12
"""Share of words that are single letters; more are torn off other words."""
_LEAST_GAPS, _SHORTEST = 3, 2.2
"""Spaces of a run, and letters of its words on average, below which they are torn."""
_FARTHEST = 100
"""Characters between two words of a text as it is and as it was."""
_TORN = 0.1
"""Width of a gap, in sizes of the font, below which it is no space on a page with torn words."""


def map_characters(text: str, font: str) -> str:
    """text: not all ASCII, or with control characters. Private characters stay where they mean nothing known; control
    characters become such, as they are drawn; letters of formulas become plain.
    """
    if _PRIVATE.search(text):
        name = _normalise_font_name(font)
        text = _PRIVATE.sub(lambda found: _find_meaning(ord(found[0]), name) or found[0], text)
    text = _VARIANT.sub(lambda found: normalize("NFKC", found[0]), text)
    text = _WITHIN.sub(lambda found: _JOINED[found[0]], text)
    text = _CONTROL.sub(lambda found: chr(_UNKNOWN + ord(found[0])), text)
    return _ACUTE.sub("\u00ed", _ACCENTED.sub(_combine_accent, text))


def read_first_picture(text: str, font: str) -> str:
    """A text that begins with a picture which the file numbers as a letter, with that picture: "▪ Rye" for "§ Rye". The
    rest may be in other fonts than the first word.
    """
    name = _normalise_font_name(font)
    if name not in _NUMBERED_AS_LETTERS or text[1:2].strip():
        return text
    code = text[:1].encode("cp1252", "ignore")
    sign = symbols.find_sign(code[0], name) if code else ""
    return sign + text[1:] if sign else text


def is_raised(size: float, height: float) -> bool:
    """Whether a line begins with raised signs. size: of the font it begins with; height: of the line."""
    return _RAISED[0] * height < size < _RAISED[1] * height


def split_mark(text: str, *, is_surely_raised: bool) -> str | None:
    """A note with its mark apart; None when it begins with none. text: that begins with raised signs, as far as the
    size of its font tells: a mark that stands apart already may be a figure of a font with high lines.
    """
    mark = _MARKED.match(text)
    return f"{mark[1]} {text[mark.end() :]}" if mark is not None and (is_surely_raised or not mark[2]) else None


def has_torn_words(texts: Iterable[str]) -> bool:
    """Whether the texts of a page have far more single letters than any language."""
    text = f" {' '.join(texts)} "
    return len(_LONE.findall(text)) > _MOST_LONE * text.count(" ")


def is_torn(text: str) -> bool:
    """Whether a run has words of hardly more than a letter, as liteparse reads large condensed type."""
    gaps = text.count(" ")
    return gaps >= _LEAST_GAPS and len(text) - gaps < _SHORTEST * (gaps + 1)


def join_torn_words(words: Sequence[Any], size: float) -> list[list[Any]]:
    """Words as liteparse gives them, those together that have no space between them."""
    wholes: list[list[Any]] = []
    for word in words:
        if wholes and _is_torn(wholes[-1][-1], word, size):
            wholes[-1].append(word)
        else:
            wholes.append([word])
    return wholes


def drop_gaps(text: str, wholes: Sequence[Sequence[Any]]) -> str:
    """A text without the spaces within its words."""
    parts: list[str] = []
    at = 0
    reach = _FARTHEST
    for whole in wholes:
        for word in whole:
            place = text.find(word.text, at, reach + len(word.text))
            if place < 0:  # it was mended otherwise
                reach += len(word.text) + _FARTHEST
                continue
            parts.append(text[at:place] if word is whole[0] else "")
            parts.append(word.text)
            at = place + len(word.text)
            reach = at + _FARTHEST
    return "".join(parts) + text[at:]


def _find_meaning(code: int, font: str) -> str:
    """What a private character shows. font: its plain name, of the first letter of its run."""
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
    """ "wingdings" of "ABCDEF+Wingdings-Regular"."""
    name = font.rpartition("+")[2].lower().replace(" ", "")
    return next((known for start, known in _FONTS.items() if name.startswith(start)), name)
