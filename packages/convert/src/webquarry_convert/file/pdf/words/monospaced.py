"""Recognizes runs of monospaced text, and corrects their spaces.

A run has the font of its first word, so "install the files" seems to be code if "install" is code. In code, liteparse
inserts spaces next to narrow letters and misses real spaces: "#inc lude", "compi lationto". Letters of a monospaced
font are at equal steps, and no space is narrower than half a step. On pages with such text, the positions of its
letters decide: a letter two steps after the previous one begins a word.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.source.content import Page, Span, has_one_width
from webquarry_convert.file.pdf.source.pdfium import Characters, File
from webquarry_convert.file.pdf.source.repair import AS_GIVEN

_EVEN = 1.1
"""Minimum ratio between the letter widths of two words that shows that they may have different fonts."""
_LONG_WORD = 3
"""Minimum number of letters in a word whose letter width is compared."""
_MOST_CODE = 500
_MOST_MIXED, _MOST_WORDS = 100, 8
"""Maximum number of runs on a page, and of words in each run, that are searched.

Each search covers all characters on the page.
"""
_NARROW = 0.5
"""Maximum width of a gap that is not a space, as a multiple of a letter's width."""
_FAR = 1.5
"""Minimum number of steps between two letters that are separated by a space."""
_OFF = 0.2
"""Tolerance for a letter's position, as a fraction of a step."""
_ROUND = 10
"""Steps are rounded to this fraction of a point."""
_INK = re.compile(r"\S")


def tell_code(pages: Iterable[Page], file: File) -> None:
    """Mark runs as proportional if one of their words has a different font from the first word."""
    for page in pages:
        mixed = [span for span in page.spans if span.is_mono and " " in span.text and _may_be_mixed(span)]
        if mixed and (characters := file.characters(page.number)).is_upright:
            for span in mixed[:_MOST_MIXED]:
                span.is_mono = all(map(has_one_width, _find_fonts(span, characters)))


def _may_be_mixed(span: Span) -> bool:
    if span.source is None:
        return False
    widths = [word.width / len(text) for word in span.source.words if len(text := word.text) >= _LONG_WORD]
    return bool(widths) and max(widths) >= _EVEN * min(widths)


def _find_fonts(span: Span, characters: Characters) -> set[str]:
    """Return the fonts at the centers of a span's words."""
    words = span.source.words[:_MOST_WORDS]
    middles = [characters.find_at(word.x + word.width / 2, word.y + word.height / 2) for word in words]
    return {characters.read_font(at) for at in middles if at is not None}


def restore_spaces(pages: Iterable[Page], file: File) -> None:
    for page in pages:
        code = [span for span in page.spans if span.is_mono and span.source is not None and len(span.text) > 1]
        if not any(" " in span.text and _has_narrow_space(span.words()) for span in code):
            continue
        characters = file.characters(page.number)
        if not characters.is_upright:
            continue
        found = [(span, letters) for span in code[:_MOST_CODE] if len(letters := _find_letters(span, characters)) > 1]
        steps: dict[tuple[str, int], Counter[int]] = {}
        for span, letters in found:
            told = steps.setdefault((span.font, round(span.size * _ROUND)), Counter())
            told.update(round((after - before) * _ROUND) for (_, before), (_, after) in pairwise(letters))
        for span, letters in found:
            step = steps[span.font, round(span.size * _ROUND)].most_common(1)[0][0] / _ROUND
            if _are_in_steps(letters, step) and len({characters.read_font(at) for at, _ in letters}) == 1:
                _part(span, letters, step, characters.text)


def _has_narrow_space(words: Sequence[Span]) -> bool:
    width = sum(word.x1 - word.x0 for word in words) / sum(len(word.text) for word in words)
    return any(after.x0 - before.x1 < _NARROW * width for before, after in pairwise(words))


def _find_letters(span: Span, characters: Characters) -> list[tuple[int, float]]:
    """Return a span's letters with their index and position on the page, or [] if PDFium has different letters."""
    first = span.words()[0]
    at = characters.find_at(first.x0 + (first.x1 - first.x0) / len(first.text) / 2, (first.y0 + first.y1) / 2)
    text = characters.text
    letters: list[tuple[int, float]] = []
    for letter in span.text.replace(" ", ""):
        drawn = _INK.search(text, at) if at is not None else None
        if drawn is None or drawn[0].translate(AS_GIVEN) != letter:
            return []
        letters.append((drawn.start(), characters.find_origin(drawn.start())[0]))
        at = drawn.end()
    return letters


def _are_in_steps(letters: Sequence[tuple[int, float]], step: float) -> bool:
    """Return whether all letters of a span, including those after its first word, are at equal steps."""
    if step <= 0:
        return False
    counts = [(after - before) / step for (_, before), (_, after) in pairwise(letters)]
    return all(count > 1 - _OFF and abs(count - round(count)) < _OFF for count in counts)


def _part(span: Span, letters: Sequence[tuple[int, float]], step: float, text: str) -> None:
    """Split a span into words in which letters are one step apart."""
    words = [[letters[0]]]
    for before, after in pairwise(letters):
        if after[1] - before[1] > _FAR * step:
            words.append([])
        words[-1].append(after)
    span.x0, span.x1 = letters[0][1], letters[-1][1] + step
    span.parts = [
        Span(
            (word[0][1], span.y0, word[-1][1] + step, span.y1),
            "".join([text[at] for at, _ in word]).translate(AS_GIVEN),
            span.size,
            span.font,
        )
        for word in words
    ]
    span.text = " ".join([part.text for part in span.parts])
