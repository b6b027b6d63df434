"""Restores dashes, which liteparse returns as hyphens.

For example, "classes—classes" becomes "classes-classes". PDFium's text contains the dashes. A word that occurs in
PDFium's text only with dashes is written with dashes. A dash before a number stays a hyphen, like an ordinary minus
sign.
"""

import re
from collections.abc import Iterable, Mapping

from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.source.pdfium import Characters, File
from webquarry_convert.file.pdf.source.repair import AS_GIVEN

_DASHES = frozenset("\u2012\u2013\u2014\u2015")
_WORD = re.compile(r"\S+")
_HYPHENS = (16, 45, 173)
"""Codes of a hyphen in most fonts: its code in TrueType's glyph order, its ASCII code, and the soft hyphen's code."""
_MOST = 500
"""Maximum number of runs on a page that are examined. Each run is searched in all characters of the page."""


def restore_dashes(pages: Iterable[Page], file: File) -> None:
    for page in pages:
        found = [span for span in page.spans if "-" in span.text]
        characters = file.characters(page.number) if any(map(_may_have_dashes, found)) else None
        text = characters.written if characters is not None else ""
        if characters is None or _DASHES.isdisjoint(text):
            continue
        words = _find_words(text)
        for span in found:
            if span.text != "-" and not words.keys().isdisjoint(span.text.split()):
                span.replace_words(_WORD, words)
        if characters.is_upright:
            for span in [span for span in found if span.text == "-"][:_MOST]:
                _restore_alone(span, characters)


def _may_have_dashes(span: Span) -> bool:
    """Return whether a run has more hyphens than hyphen codes.

    In a font with a custom encoding, other runs may have dashes too, but such a page usually also has a run with more
    hyphens.
    """
    if span.source is None:
        return True
    codes: list[int] = span.source.char_codes
    return sum(map(codes.count, _HYPHENS)) < span.text.count("-")


def _find_words(text: str) -> Mapping[str, str]:
    """Return words with dashes, by the text that liteparse returns for them.

    Words that also occur with hyphens are skipped.
    """
    words: dict[str, str] = {}
    hyphened = set()
    for word in text.split():
        given = word.translate(AS_GIVEN)
        if _DASHES.isdisjoint(word) or _begins_number(given):
            hyphened.add(given)
        else:
            words.setdefault(given, word)
    return {given: word for given, word in words.items() if given not in hyphened}


def _begins_number(word: str) -> bool:
    first = next((at for at, sign in enumerate(word) if sign.isalnum()), 0)
    return word[first].isdigit() and "-" in word[:first]


def _restore_alone(span: Span, characters: Characters) -> None:
    """Restore a separate dash, such as one in an empty table cell, by its position."""
    drawn = characters.read_at((span.x0 + span.x1) / 2, (span.y0 + span.y1) / 2)
    if drawn in _DASHES:
        span.text, span.parts = drawn, [span]
