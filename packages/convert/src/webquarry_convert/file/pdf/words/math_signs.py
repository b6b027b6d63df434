"""Restores symbols of TeX's math fonts, which PDFium returns as the letters with the same codes: "⟨name⟩" as
"hnamei".

Only the font of each character distinguishes symbols from letters, and a run has a single font for all its characters.
If a file has TeX fonts, pages with an "h" and an "i" around a text are searched for the fonts of these characters.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import islice

from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.source.pdfium import Characters, File
from webquarry_convert.file.pdf.words.placing import Letter, count_before, find_word, place_letters

_TEX = ("CM", "MSAM", "LM", "SFRM", "tx", "px", "Pxsy")
"""Prefixes of the names of TeX's text and math fonts."""
_FONTS = ("CMSY", "LMMathSymbols", "txsy", "pxsy", "Pxsy")
"""Prefixes of the names of fonts with these symbols."""
_SIGNS: Mapping[str, str] = {
    "h": "\u27e8", "i": "\u27e9", "b": "\u230a", "c": "\u230b", "d": "\u2308", "e": "\u2309", "0": "\u2032",
}  # fmt: skip
"""Symbols, by the text that PDFium returns for them."""
_ARROWS: Mapping[str, str] = {"I": "\u25b6", "J": "\u25c0", "B": "\u25b7", "C": "\u25c1", "F": "\u2605", "X": "\u2713"}
"""Symbols of `_MORE` fonts that slides use as list bullets, by the text that PDFium returns for them."""
_MORE = "MSAM"
_ANGLES = "hi"
_BRACKETED = re.compile(r"\bh.{1,40}?i\b")
_MOST = 5_000
"""Maximum number of symbols on a page."""


def read_signs(pages: Sequence[Page], file: File) -> None:
    if not any(_begins(font, _TEX) for font in {span.font for page in pages for span in page.spans}):
        return
    for page in pages:
        for span in page.spans:
            if span.text[0] in _ARROWS and _begins(span.font, (_MORE,)):
                _replace_first(span, _ARROWS[span.text[0]])
        has_signs = any(_begins_with_sign(span) for span in page.spans)
        if has_signs or any(_BRACKETED.search(span.text) is not None for span in page.spans):
            characters = file.characters(page.number)
            if characters.is_upright and (has_signs or _has_angles(characters)):
                for span, signs in place_letters(_find_signs(characters), page.spans).inside:
                    _replace_within(span, signs, characters)


def _begins(font: str, names: tuple[str, ...]) -> bool:
    return font.rpartition("+")[2].startswith(names)


def _begins_with_sign(span: Span) -> bool:
    """Return whether a span begins with a symbol. Runs have the font of their first letter."""
    return span.text[0] in _SIGNS and _begins(span.font, _FONTS)


def _replace_first(span: Span, sign: str) -> None:
    words = span.words()
    words[0].text = sign + words[0].text[1:]
    if words[0] is not span:
        span.text, span.parts = sign + span.text[1:], words


def _has_angles(characters: Characters) -> bool:
    return any(sign in _ANGLES and _is_sign(characters, at) for at, sign in enumerate(characters.text))


def _find_signs(characters: Characters) -> list[Letter]:
    text = characters.text
    found = (at for at, sign in enumerate(text) if sign in _SIGNS and _is_sign(characters, at))
    return [Letter(at, _SIGNS[text[at]], characters.measure(at)) for at in islice(found, _MOST)]


def _is_sign(characters: Characters, at: int) -> bool:
    return _begins(characters.read_font(at), _FONTS)


def _replace_within(span: Span, signs: Sequence[Letter], characters: Characters) -> None:
    words = span.words()
    starts = [word.x0 for word in words]
    for sign in signs:
        word = find_word(sign, words, starts)
        if word is None:
            continue
        at, drawn = count_before(sign, word, characters), characters.text[sign.at]
        if word.text[at : at + 1] == drawn:
            word.text = word.text[:at] + sign.text + word.text[at + 1 :]
    if words[0] is not span:
        span.text, span.parts = _write_words(span.text, words), words


def _write_words(text: str, words: Sequence[Span]) -> str:
    """Return a span's text with its words replaced by corrected words of the same length."""
    parts: list[str] = []
    at = 0
    for word in words:
        while text[at : at + 1] == " ":
            parts.append(" ")
            at += 1
        parts.append(word.text)
        at += len(word.text)
    return "".join(parts)
