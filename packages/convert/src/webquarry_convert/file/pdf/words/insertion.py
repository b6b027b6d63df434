"""Inserts characters that a page's spans lack, either into a span or as separate spans."""

from collections.abc import Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.source.pdfium import Characters
from webquarry_convert.file.pdf.words.lines import has_space
from webquarry_convert.file.pdf.words.placing import Letter, Placed, count_before, find_word

_NEAR = 1.0
"""Maximum distance, in ems, between a letter and the span from which it takes its marked content and style."""


def insert_letters(page: Page, placed: Placed, characters: Characters) -> None:
    """Insert letters that the page's spans lack.

    placed: the letters with their positions.
    """
    for span, inside in placed.inside:
        _insert(span, inside, characters)
    page.spans += [_make_span(letter, before, characters) for letter, before in placed.outside]


def _make_span(letter: Letter, before: Sequence[Span], characters: Characters) -> Span:
    """Create a separate span for a letter. before: the spans to its left, nearest first."""
    box = letter.box
    span = Span((box.x0, box.y0, box.x1, box.y1), letter.text, characters.measure_size(letter.at))
    if before:
        span.source = before[0].source
        if box.x0 - before[0].x1 < _NEAR * span.size:
            span.mark = before[0].mark
            span.is_bold, span.is_italic = before[0].is_bold, before[0].is_italic
    span.parts = [span]
    return span


def _insert(span: Span, letters: Sequence[Letter], characters: Characters) -> None:
    """Insert letters into a span.

    letters: the letters in file order.
    """
    words = span.words()
    if words[0] is span:
        return
    starts = [word.x0 for word in words]
    parts = list(words)
    for letter in letters:
        word = find_word(letter, words, starts)
        if word is not None:
            at = count_before(letter, word, characters)
            word.text = word.text[:at] + letter.text + word.text[at:]
        else:
            box = (letter.box.x0, span.y0, letter.box.x1, span.y1)
            parts.append(Span(box, letter.text, span.size, span.font))
    parts.sort(key=lambda part: part.x0)
    gaps = [" " if has_space(before, part) else "" for before, part in pairwise(parts)]
    span.text = "".join([part.text + gap for part, gap in zip(parts, [*gaps, ""], strict=True)])
    span.parts = parts
