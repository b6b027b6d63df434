"""Drop caps, which are a text's first letter and as tall as several of the lines next to it.

T  he river carries the      the letter belongs to "he", the word to the right of it on the first of these lines
|  old forest and the
meadow to the bridge
"""

from collections.abc import Sequence
from heapq import nlargest

from webquarry_convert.file.pdf.source.content import Span
from webquarry_convert.file.pdf.words.lines import has_space

_LARGER = 1.8
"""Minimum size of an initial, relative to its text."""
_BESIDE = 1.0
"""Maximum distance between an initial and the lines next to it, in ems of the text."""
_HEIGHT = 0.83
"""Font size, relative to the height of a line."""
_LINES = 2
"""Minimum number of lines next to an initial."""
_MOST = 50
"""Maximum number of initials on a page. Only this many of the largest letters are examined."""


def join_initials(spans: Sequence[Span]) -> list[Span]:
    spans = [_shrink(span) for span in spans]
    dropped: set[int] = set()
    letters = [span for span in spans if len(span.text) == 1 and span.text.isupper()]
    for initial in nlargest(_MOST, letters, key=lambda span: span.size):
        if beside := _find_beside(initial, spans):
            dropped.add(id(initial))
            first = min(beside, key=lambda span: (round(span.y1), span.x0))
            words = first.words()
            text = f"{initial.text}{' ' if has_space(initial, first) else ''}"
            if words[0] is not first:
                words[0].text = text + words[0].text
            first.text = text + first.text
            first.x0 = words[0].x0 = initial.x0
    return [span for span in spans if id(span) not in dropped]


def _shrink(span: Span) -> Span:
    """Return a run that begins with an initial, reduced to the height of its other words.

    Other runs are returned unchanged.
    """
    if span.text[1:2] != " " or not span.text[0].isupper() or len(words := span.words()) < 2:
        return span
    height = max(word.y1 - word.y0 for word in words[1:])
    if words[0].y1 - words[0].y0 < _LARGER * height:
        return span
    rest = span.join(words[1:])
    rest.size = min(span.size, height * _HEIGHT)
    rest.text = words[0].text + (" " if has_space(words[0], words[1]) else "") + rest.text
    rest.x0 = words[0].x0
    return rest


def _find_beside(initial: Span, spans: Sequence[Span]) -> list[Span]:
    """Return the first spans of the lines to the right, or [] if the letter is not an initial."""
    found = [
        span
        for span in spans
        if span.size * _LARGER < initial.size
        and -0.5 * span.size < span.x0 - initial.x1 < _BESIDE * span.size
        and initial.y0 < (span.y0 + span.y1) / 2 < initial.y1
    ]
    return found if len(found) >= _LINES else []
