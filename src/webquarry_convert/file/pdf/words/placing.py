"""Where single characters of a page belong among its spans: which span they stand in, and at which place of a word."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webquarry_convert.file.pdf.source.content import Box, Span
from webquarry_convert.file.pdf.source.pdfium import Characters

_STEP = 10.0
"""Points between two heights at which spans are looked for."""
_LAST = 8
"""Spans that begin before a letter, of which one may hold it."""
LONGEST = 100
"""Characters of a word."""
_OVER = 0.5
"""Points by which a letter may reach over its word."""
_LIGATURES = {"\ufb00": 2, "\ufb01": 2, "\ufb02": 2, "\ufb03": 3, "\ufb04": 3}
Levels = Mapping[int, list[tuple[float, Span]]]
"""By height, in `_STEP`: spans from the left with where they begin."""


@dataclass(frozen=True, slots=True)
class Letter:
    """at: its place among the characters of its page. text: that it is read as."""

    at: int
    text: str
    box: Box

    @property
    def middle(self) -> tuple[float, float]:
        return (self.box.x0 + self.box.x1) / 2, (self.box.y0 + self.box.y1) / 2


def sort_spans(spans: Sequence[Span]) -> Levels:
    levels: dict[int, list[tuple[float, Span]]] = {}
    for span in spans:
        for level in {int(span.y0 // _STEP), int((span.y0 + span.y1) / 2 // _STEP), int(span.y1 // _STEP)}:
            levels.setdefault(level, []).append((span.x0, span))
    for entries in levels.values():
        entries.sort(key=lambda entry: entry[0])
    return levels


def list_before(letter: Letter, levels: Levels) -> list[Span]:
    """Spans at its height that begin before the middle of a letter, the last ones first."""
    x, y = letter.middle
    level = levels.get(int(y // _STEP), [])
    end = bisect_left(level, x, key=lambda entry: entry[0])
    return [span for _, span in reversed(level[max(0, end - _LAST) : end]) if span.y0 < y < span.y1]


def find_holder(letter: Letter, before: Sequence[Span]) -> Span | None:
    """The span that a letter stands in. before: those of `list_before`."""
    return next((span for span in before if letter.middle[0] < span.x1), None)


def find_word(letter: Letter, words: Sequence[Span], starts: Sequence[float]) -> Span | None:
    """The word that a letter stands in. starts: where the words begin."""
    x = letter.middle[0]
    word = words[max(bisect_left(starts, x) - 1, 0)]
    return word if word.x0 < x < word.x1 and len(word.text) < LONGEST else None


def count_before(letter: Letter, word: Span, characters: Characters) -> int:
    """Characters of its word before a letter; halves of pairs are one, ligatures as many as they join."""
    text = characters.text
    count = 0
    for at in range(letter.at - 1, max(letter.at - LONGEST, 0) - 1, -1):
        left, _, right, _ = characters.measure(at)
        if text[at].isspace() or not word.x0 - _OVER < (left + right) / 2 < letter.box.x1:
            break
        count += 0 if "\udc00" <= text[at] <= "\udfff" else _LIGATURES.get(text[at], 1)
    return min(count, len(word.text))
