"""Assigns single characters on a page to spans, and to positions in the spans' words."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webquarry_convert.file.pdf.source.content import Box, Span
from webquarry_convert.file.pdf.source.pdfium import Characters

_STEP = 10.0
"""Height, in points, of the steps by which spans are indexed."""
_LAST = 8
"""Number of spans that begin before a letter and are checked for containing it."""
LONGEST = 100
"""Maximum length of a word, in characters."""
_OVER = 0.5
"""Maximum distance, in points, by which a letter may extend beyond its word."""
_LIGATURES = {"\ufb00": 2, "\ufb01": 2, "\ufb02": 2, "\ufb03": 3, "\ufb04": 3}
_Levels = Mapping[int, list[tuple[float, Span]]]
"""Spans with their starts, by height in units of `_STEP`. At each height, they are sorted from the left."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A character with corrected text. at: its index among the page's characters. text: the corrected text."""

    at: int
    text: str
    box: Box

    @property
    def middle(self) -> tuple[float, float]:
        return (self.box.x0 + self.box.x1) / 2, (self.box.y0 + self.box.y1) / 2


@dataclass(frozen=True, slots=True)
class Placed:
    """Assigned letters.

    inside: spans with the letters inside each span, in order. outside: letters outside of spans, each with the spans at
    the same height that begin before it, nearest first.
    """

    inside: list[tuple[Span, list[Letter]]]
    outside: list[tuple[Letter, list[Span]]]


def place_letters(letters: Sequence[Letter], spans: Sequence[Span]) -> Placed:
    """Assign letters to spans.

    A letter in a formula is outside, because liteparse returns no positions inside formulas.
    """
    levels = _sort_spans(spans) if letters else {}
    inside: dict[int, tuple[Span, list[Letter]]] = {}
    outside: list[tuple[Letter, list[Span]]] = []
    for letter in letters:
        before = _list_before(letter, levels)
        holder = next((span for span in before if letter.middle[0] < span.x1), None)
        if holder is None or "$" in holder.text:
            outside.append((letter, before))
        else:
            inside.setdefault(id(holder), (holder, []))[1].append(letter)
    return Placed([*inside.values()], outside)


def _sort_spans(spans: Sequence[Span]) -> _Levels:
    levels: dict[int, list[tuple[float, Span]]] = {}
    for span in spans:
        for level in {int(span.y0 // _STEP), int((span.y0 + span.y1) / 2 // _STEP), int(span.y1 // _STEP)}:
            levels.setdefault(level, []).append((span.x0, span))
    for entries in levels.values():
        entries.sort(key=lambda entry: entry[0])
    return levels


def _list_before(letter: Letter, levels: _Levels) -> list[Span]:
    """Return the spans at a letter's height that begin before the letter's center, nearest first."""
    x, y = letter.middle
    level = levels.get(int(y // _STEP), [])
    end = bisect_left(level, x, key=lambda entry: entry[0])
    return [span for _, span in reversed(level[max(0, end - _LAST) : end]) if span.y0 < y < span.y1]


def find_word(letter: Letter, words: Sequence[Span], starts: Sequence[float]) -> Span | None:
    """Return the word that contains a letter.

    starts: the left edges of the words.
    """
    x = letter.middle[0]
    word = words[max(bisect_left(starts, x) - 1, 0)]
    return word if word.x0 < x < word.x1 and len(word.text) < LONGEST else None


def count_before(letter: Letter, word: Span, characters: Characters) -> int:
    """Return the number of characters that precede a letter in its word.

    A surrogate pair counts as one character, and a ligature as the number of characters that it joins.
    """
    text = characters.text
    count = 0
    for at in range(letter.at - 1, max(letter.at - LONGEST, 0) - 1, -1):
        box = characters.measure(at)
        if text[at].isspace() or not word.x0 - _OVER < (box.x0 + box.x1) / 2 < letter.box.x1:
            break
        count += 0 if "\udc00" <= text[at] <= "\udfff" else _LIGATURES.get(text[at], 1)
    return min(count, len(word.text))
