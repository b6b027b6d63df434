"""Separates words that are joined although there is a gap between them: "quarry,and".


PDFium detects no space if a program uses character spacing (`Tc`) instead. The positions of the characters show the
gap.
"""

import re
from collections.abc import Iterable, Iterator

from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.source.pdfium import Characters, File

_JOINED = re.compile(
    r"[,;.!?\u00bc-\u00be](?=[^\W\d_])"
    r"(?:(?<=[^\W\d_][,;])(?=[^A-Z])|(?<=[a-z]{2}[.!?])(?=[A-Z][a-z])|(?<=[\u00bc-\u00be]))"
)
"""Matches the end of a word directly before the start of another word.

The pattern begins with a rare character, because all text is searched.
"""
_SPACE = 0.13
"""Minimum width of a space, in ems."""


def part_joined_words(pages: Iterable[Page], file: File) -> None:
    for page in pages:
        for span in page.spans:
            if _JOINED.search(span.text) is None or span.source is None:
                continue
            words = span.words()
            characters = file.characters(page.number)
            parts = [part for word in words for part in _part(word, characters, span.size)]
            if len(parts) > len(words):
                span.parts, span.text = parts, " ".join([part.text for part in parts])


def _part(word: Span, characters: Characters, size: float) -> Iterator[Span]:
    ends = [found.end() for found in _JOINED.finditer(word.text)]
    at = characters.find(word.text) if ends else None
    left, start = word.x0, 0
    if at is not None:
        for end in ends:
            room, after = characters.measure(at + end - 1).x1, characters.measure(at + end).x0
            if after - room > _SPACE * size:
                yield Span((left, word.y0, room, word.y1), word.text[start:end], word.size, word.font)
                left, start = after, end
    yield Span((left, word.y0, word.x1, word.y1), word.text[start:], word.size, word.font) if start else word
