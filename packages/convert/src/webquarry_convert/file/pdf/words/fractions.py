"""Joins fractions that consist of a raised number, a fraction slash and a lowered number.

"2" and a small "1" may be one run "21", and "⁄4 kg of flour" another run. Together they are "2 1⁄4 kg of flour": the
fraction is separated from the number before it.
"""

from bisect import bisect_left
from collections.abc import Sequence

from webquarry_convert.file.pdf.source.content import Span

_SLASH = "\u2044"
_NEAR = 0.4
"""Maximum overlap or gap, in ems, between a slash and the number before it."""
_SMALLER = 0.9
"""Maximum height of a raised number, relative to the number before it."""
_MOST = 200
"""Maximum number of numbers that are examined at the height of a slash."""


def join_fractions(spans: Sequence[Span]) -> list[Span]:
    slashes = [span for span in spans if span.text[0] == _SLASH and len(span.text) > 1]
    if not slashes:
        return list(spans)
    numbers = sorted((span for span in spans if _is_number(span)), key=_find_middle)
    dropped: set[int] = set()
    for slash in slashes:
        start = bisect_left(numbers, slash.y0 - _NEAR * slash.size, key=_find_middle)
        near = (span for span in numbers[start : start + _MOST] if id(span) not in dropped)
        before = next((span for span in near if _is_before(span, slash)), None)
        if before is None:
            continue
        words = before.words()
        above = words[-1]
        is_mixed = above.y1 - above.y0 < _SMALLER * (words[0].y1 - words[0].y0)
        number = "".join([word.text for word in words[:-1]]) + " " if is_mixed else ""
        text = number + (above.text if is_mixed else before.text)
        parts = slash.words()
        if parts[0] is not slash:
            parts[0].text = text + parts[0].text
        slash.text = text + slash.text
        slash.x0 = parts[0].x0 = before.x0
        dropped.add(id(before))
    return [span for span in spans if id(span) not in dropped]


def _is_number(span: Span) -> bool:
    return span.text.replace(" ", "").isdecimal()


def _find_middle(span: Span) -> float:
    return (span.y0 + span.y1) / 2


def _is_before(span: Span, slash: Span) -> bool:
    """Return whether a span is the number before a slash."""
    return (
        abs(slash.x0 - span.x1) < _NEAR * slash.size and slash.y0 - _NEAR * slash.size < _find_middle(span) < slash.y1
    )
