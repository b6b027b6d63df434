"""Dashes, which liteparse gives as hyphens: "classes\u2014classes" comes as "classes-classes".

The text of pdfium has them, so a word that stands there with dashes only is written with them. A dash that begins a
number stays a hyphen, as a minus does that is one already.
"""

import re
from collections.abc import Iterable, Mapping

from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.source.pdfium import Characters, File
from webquarry_convert.file.pdf.source.repair import AS_GIVEN

_DASHES = frozenset("\u2012\u2013\u2014\u2015")
_WORD = re.compile(r"\S+")
_HYPHENS = (16, 45, 173)
"""Its codes in most fonts: in the order of TrueType's signs, in ASCII, and of the one that may be left out."""
_MOST = 500
"""Of a page: each is looked up among all of its characters."""


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
    """Whether a run has more hyphens than codes of them. One that has not may have dashes all the same, in a font with
    codes of its own, but seldom has no other of the page."""
    if span.source is None:
        return True
    codes: list[int] = span.source.char_codes
    return sum(map(codes.count, _HYPHENS)) < span.text.count("-")


def _find_words(text: str) -> Mapping[str, str]:
    """Words with dashes, by what liteparse gives in their place; without those that are written with hyphens too."""
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
    """Of a cell without a value, say: by its place."""
    drawn = characters.read_at((span.x0 + span.x1) / 2, (span.y0 + span.y1) / 2)
    if drawn in _DASHES:
        span.text, span.parts = drawn, [span]
