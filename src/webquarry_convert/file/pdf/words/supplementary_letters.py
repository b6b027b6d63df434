"""Letters of formulas, emoji and other characters that liteparse leaves out (`source.supplementary`), put back.

"max(𝑓(𝑛), 2)" comes as "max((), 2)": the place of each letter tells where it belongs. Letters of formulas become the
plain ones that they are variants of, as most fonts of formulas have them.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from webquarry_convert.file.pdf.source import repair
from webquarry_convert.file.pdf.source.content import Box, Page, Span
from webquarry_convert.file.pdf.source.pdfium import Characters, File
from webquarry_convert.file.pdf.words.lines import has_space

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SUPPLEMENTARY = re.compile("[\U00010000-\U000effff]")
"""Of fonts whose letters liteparse gives."""
_PRIVATE = 0xF0000
_STEP = 10.0
"""Points between two heights at which spans are looked for."""
_LAST = 8
"""Spans that begin before a letter, of which one may hold it."""
_LONGEST = 100
"""Characters of a word."""
_OVER = 0.5
"""Points by which a letter may reach over its word."""
_NEAR = 1.0
"""Sizes of the font from a letter to what has its marked content."""


@dataclass(frozen=True, slots=True)
class _Letter:
    """at: its place among the characters of its page."""

    at: int
    text: str
    box: Box


def restore_letters(pages: Iterable[Page], file: File) -> None:
    for page in pages:
        characters = file.characters(page.number)
        if page.spans and characters.is_upright and (letters := _find_letters(characters)):
            _put_back(page, letters, characters)


def _find_letters(characters: Characters) -> list[_Letter]:
    letters = []
    for pair in _PAIR.finditer(characters.text):
        letter = pair[0].encode("utf-16", "surrogatepass").decode("utf-16")
        if ord(letter) < _PRIVATE:
            box = Box(*characters.measure(pair.start()))
            letters.append(_Letter(pair.start(), repair.map_characters(letter, ""), box))
    return letters


def _put_back(page: Page, letters: Sequence[_Letter], characters: Characters) -> None:
    levels = _sort_spans(page.spans)
    inside: dict[int, list[_Letter]] = {}
    for letter in letters:
        x, y = (letter.box.x0 + letter.box.x1) / 2, (letter.box.y0 + letter.box.y1) / 2
        before = _list_before(levels, x, y)
        holder = next((span for span in before if x < span.x1), None)
        if holder is None or "$" in holder.text:  # liteparse tells no places within a formula
            page.spans.append(_make_span(letter, before, characters))
        elif _SUPPLEMENTARY.search(holder.text) is None:
            inside.setdefault(id(holder), []).append(letter)
    for span in page.spans:
        if id(span) in inside:
            _insert(span, inside[id(span)], characters)


def _sort_spans(spans: Sequence[Span]) -> Mapping[int, list[tuple[float, Span]]]:
    """By height, in `_STEP`, spans from the left with where they begin."""
    levels: dict[int, list[tuple[float, Span]]] = {}
    for span in spans:
        for level in {int(span.y0 // _STEP), int((span.y0 + span.y1) / 2 // _STEP), int(span.y1 // _STEP)}:
            levels.setdefault(level, []).append((span.x0, span))
    for entries in levels.values():
        entries.sort(key=lambda entry: entry[0])
    return levels


def _list_before(levels: Mapping[int, list[tuple[float, Span]]], x: float, y: float) -> list[Span]:
    """Spans at a height that begin before a place, the last ones first."""
    level = levels.get(int(y // _STEP), [])
    end = bisect_left(level, x, key=lambda entry: entry[0])
    return [span for _, span in reversed(level[max(0, end - _LAST) : end]) if span.y0 < y < span.y1]


def _make_span(letter: _Letter, before: Sequence[Span], characters: Characters) -> Span:
    """A span of its own. before: spans at its left, the last ones first."""
    box = letter.box
    span = Span((box.x0, box.y0, box.x1, box.y1), letter.text, characters.measure_size(letter.at))
    if before:
        span.source = before[0].source
        if box.x0 - before[0].x1 < _NEAR * span.size:
            span.mark = before[0].mark
    span.parts = [span]
    return span


def _insert(span: Span, letters: Sequence[_Letter], characters: Characters) -> None:
    """letters: that belong into a span, in the order of the file."""
    words = span.words()
    starts = [word.x0 for word in words]
    parts = list(words)
    for letter in letters:
        middle = (letter.box.x0 + letter.box.x1) / 2
        word = words[max(bisect_left(starts, middle) - 1, 0)]
        if word.x0 < middle < word.x1 and len(word.text) < _LONGEST:
            at = _count_before(letter, word, characters)
            word.text = word.text[:at] + letter.text + word.text[at:]
        else:
            parts.append(Span((letter.box.x0, word.y0, letter.box.x1, word.y1), letter.text, span.size, span.font))
    if parts[0] is span:
        return
    parts.sort(key=lambda part: part.x0)
    gaps = [" " if has_space(before, part) else "" for before, part in pairwise(parts)]
    span.text = "".join([part.text + gap for part, gap in zip(parts, [*gaps, ""], strict=True)])
    span.parts = parts


def _count_before(letter: _Letter, word: Span, characters: Characters) -> int:
    """Characters of a word before a letter, with the letters that were put back before."""
    text = characters.text
    count = 0
    for at in range(letter.at - 1, max(letter.at - _LONGEST, 0) - 1, -1):
        left, _, right, _ = characters.measure(at)
        if text[at].isspace() or not word.x0 - _OVER < (left + right) / 2 < letter.box.x1:
            break
        count += not "\udc00" <= text[at] <= "\udfff"
    return min(count, len(word.text))
