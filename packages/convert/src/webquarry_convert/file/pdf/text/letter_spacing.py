"""Letter-spaced words, as in titles: "R E P O R T O F Y O R K" is "REPORT OF YORK".

In a line of single letters, the gaps within words are equal, and the gaps between words are wider. If letters are
spaced only slightly, some gaps look like narrow spaces ("Cour t of Appeal"), next to far wider spaces.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.text.paragraphs import find_body_size

_LONE = re.compile(r"[^\W\d_](?!\S)(?<!\S.)")
_LARGER = 1.08
"""Minimum size of letter-spaced text that is not bold, relative to the running text."""
_LEAST = 4
"""Minimum number of words in a line."""
_SINGLE = 0.6
"""Minimum share of single letters among the words of a line."""
_WIDER = 1.45
"""Minimum ratio between the gaps between words and the gaps between letters."""
_NARROW, _CLEARLY = 0.2, 2.5
"""Maximum width of a narrow gap, in ems, and minimum ratio between wide and narrow gaps on the same line."""
_FARTHEST = 2.0
"""Maximum distance, in ems, between two adjacent words of a line."""


def join_spaced_letters(pages: Sequence[Page]) -> None:
    body = find_body_size(pages)
    for page in pages:
        if not any((span.is_bold or span.size > _LARGER * body) and _LONE.search(span.text) for span in page.spans):
            continue
        joined: list[Span] = []
        for line in _find_lines(page.spans):
            can_be = (line[0].is_bold or line[0].size > _LARGER * body) and any(
                _LONE.search(span.text) for span in line
            )
            joined += _join(line) if can_be else line
        page.spans = joined


def _find_lines(spans: Sequence[Span]) -> Iterator[list[Span]]:
    """Yield groups of consecutive spans on one line."""
    line: list[Span] = []
    for span in spans:
        if line and not (
            abs(span.y1 - line[-1].y1) < 1
            and abs(span.size - line[-1].size) < 0.5
            and 0 <= span.x0 - line[-1].x1 < _FARTHEST * span.size
        ):
            yield line
            line = []
        line.append(span)
    if line:
        yield line


def _join(line: list[Span]) -> list[Span]:
    words = [word for span in line for word in span.words()]
    gaps = [(after.x0 - before.x1) / line[0].size for before, after in pairwise(words)]
    if len(words) < _LEAST:
        return line
    widest = _find_widest(words, gaps)
    if not widest:
        return line
    wholes = [[words[0]]]
    for gap, before, word in zip(gaps, words, words[1:], strict=False):
        if gap <= widest and str.isalpha(before.text[-1:] + word.text[:1]):
            wholes[-1].append(word)
        else:
            wholes.append([word])
    parts = [_merge(line[0], whole) for whole in wholes]
    return [line[0].join(parts)] if len(parts) < len(words) else line


def _find_widest(words: Sequence[Span], gaps: Sequence[float]) -> float:
    """Return the width of the widest gap within a word, or 0 if no gap is within a word."""
    letters = [word.text for word in words if len(word.text) == 1 and word.text.isalpha()]
    if len(letters) >= _SINGLE * len(words):
        is_alphabet = all(before < after for before, after in pairwise(letters))
        return 0.0 if is_alphabet else _WIDER * median(gaps)
    narrow = [gap for gap in gaps if gap < _NARROW]
    wide = [gap for gap in gaps if gap >= _NARROW]
    is_torn = narrow and 2 * len(narrow) <= len(wide) and min(wide) > _CLEARLY * max(narrow)
    return _NARROW if is_torn else 0.0


def _merge(first: Span, letters: list[Span]) -> Span:
    whole = first.join(letters)
    whole.text = "".join([letter.text for letter in letters])
    return whole
