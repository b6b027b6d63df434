"""Letters of formulas, emoji and other characters that liteparse leaves out (`source.supplementary`), put back.

"max(𝑓(𝑛), 2)" comes as "max((), 2)": the place of each letter tells where it belongs. Letters of formulas become the
plain ones that they are variants of, as most fonts of formulas have them.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.source import repair
from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.source.pdfium import Characters, File
from webquarry_convert.file.pdf.words.lines import has_space
from webquarry_convert.file.pdf.words.placing import Letter, count_before, find_word, place_letters

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SUPPLEMENTARY = re.compile("[\U00010000-\U000effff]")
"""Of fonts whose letters liteparse gives."""
_PRIVATE = 0xF0000
_NEAR = 1.0
"""Sizes of the font from a letter to what has its marked content."""


def restore_letters(pages: Iterable[Page], file: File) -> None:
    for page in pages:
        characters = file.characters(page.number)
        if page.spans and characters.is_upright and (letters := _find_letters(characters)):
            put_back(page, letters, characters)


def _find_letters(characters: Characters) -> list[Letter]:
    letters = []
    for pair in _PAIR.finditer(characters.text):
        letter = pair[0].encode("utf-16", "surrogatepass").decode("utf-16")
        if ord(letter) < _PRIVATE:
            box = characters.measure(pair.start())
            letters.append(Letter(pair.start(), repair.map_characters(letter, ""), box))
    return letters


def put_back(page: Page, letters: Sequence[Letter], characters: Characters) -> None:
    """letters: that the spans of the page lack."""
    placed = place_letters(letters, page.spans)
    for span, inside in placed.inside:
        if _SUPPLEMENTARY.search(span.text) is None:
            _insert(span, inside, characters)
    page.spans += [_make_span(letter, before, characters) for letter, before in placed.outside]


def _make_span(letter: Letter, before: Sequence[Span], characters: Characters) -> Span:
    """A span of its own. before: spans at its left, the last ones first."""
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
    """letters: that belong into a span, in the order of the file."""
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
