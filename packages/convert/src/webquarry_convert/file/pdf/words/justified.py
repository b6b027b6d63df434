"""Joins lines of justified text whose spaces are so wide that each word is a separate span.

The spaces of such a line have equal widths but its words do not, and its words are not aligned with anything in
adjacent lines:

    The river carries the        widths differ but gaps are equal, so this is one line
    old     forest     and       and so is this, although its gaps are as wide as those between cells
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.source.content import Span

_LEAST = 3
"""Minimum number of spans in a line."""
_ALIKE = 0.08
"""Maximum difference between the gaps in a line, in ems."""
_WIDEST = 3.0
"""Maximum width of a gap, in ems."""
_NARROWEST = 0.5
_MARK = re.compile(r"[0-9*\u2020\u2021]+")
_LONGEST_MARK = 3
_MOST_MARKS = 200
"""Maximum number of raised numbers that are examined in a line."""
_CLOSING = ".,;:!?)]"
"""Characters that never begin a word. A number before them is raised."""
_BELOW = 2.5
"""Maximum distance, in ems, to the next line in a column of cells."""
_FLUSH = 0.5
"""Tolerance for aligned positions, in points."""


def join_justified(spans: Sequence[Span]) -> list[Span]:
    """Join the spans of justified lines. Other spans are returned unchanged.

    Within each joined line, spans are sorted from the left.
    """
    levels: dict[int, list[Span]] = {}
    for span in spans:
        levels.setdefault(round(span.y1), []).append(span)
    if max(map(len, levels.values()), default=0) < _LEAST:
        return list(spans)
    lines = [sorted(line, key=lambda span: span.x0) for _, line in sorted(levels.items())]
    marks = sorted(
        ((span.y0 + span.y1) / 2, span.x0)
        for span in spans
        if len(span.text) <= _LONGEST_MARK and _MARK.fullmatch(span.text)
    )
    joined: dict[int, Span] = {}
    dropped: set[int] = set()
    for place, line in enumerate(lines):
        if len(line) < _LEAST or sum(span.text[0].islower() for span in line) < _LEAST - 1:
            continue
        for run in _find_runs(line, _find_level(marks, line[0])):
            if not _stand_below(run, _find_near(lines, place, run)):
                joined[id(run[0])] = _join(run)
                dropped.update(map(id, run[1:]))
    return [joined.get(id(span), span) for span in spans if id(span) not in dropped] if joined else list(spans)


def _find_level(marks: Sequence[tuple[float, float]], first: Span) -> list[float]:
    """Return the positions of the raised numbers on a line, sorted from the left.

    marks: each number's middle height and start, sorted from the top. first: the first span of the line.
    """
    start = bisect_left(marks, (first.y0, 0.0))
    return sorted(x for y, x in marks[start : start + _MOST_MARKS] if y < first.y1)


def _find_runs(line: Sequence[Span], marks: Sequence[float]) -> Iterable[list[Span]]:
    """Yield runs of spans with equal gaps and unequal words. marks: positions of raised numbers among the words."""
    run = [line[0]]
    for before, span in pairwise(line):
        can_follow = _can_follow(before, span) and not _holds_any(marks, before.x0, span.x0)
        if can_follow and (len(run) == 1 or abs(span.x0 - before.x1 - run[1].x0 + run[0].x1) < _ALIKE * span.size):
            run.append(span)
            continue
        if _is_text(run):
            yield run
        run = [span]
    if _is_text(run):
        yield run


def _can_follow(before: Span, span: Span) -> bool:
    return (
        _NARROWEST * span.size < span.x0 - before.x1 < _WIDEST * span.size
        and abs(span.size - before.size) < 0.5
        and before.text[0] not in _CLOSING
        and span.text[0] not in _CLOSING
    )


def _is_text(run: Sequence[Span]) -> bool:
    """Return whether the spans differ in width and most of them begin with a small letter, which is rare in cells."""
    if len(run) < _LEAST:
        return False
    widths = [span.x1 - span.x0 for span in run]
    small = sum(span.text[0].islower() for span in run[1:])
    return small * 2 >= len(run) - 1 and max(widths) - min(widths) > run[0].size


def _find_near(lines: Sequence[Sequence[Span]], place: int, run: Sequence[Span]) -> list[Sequence[Span]]:
    """Return the lines directly above and below the line of a run."""
    reach = _BELOW * run[0].size
    around = (lines[at] for at in range(max(place - 4, 0), min(place + 5, len(lines))) if at != place)
    return [line for line in around if abs(line[0].y1 - run[0].y1) < reach]


def _stand_below(run: Sequence[Span], near: Iterable[Sequence[Span]]) -> bool:
    """Return whether half of the spans after the first are aligned with a span in an adjacent line."""
    starts = sorted(span.x0 for line in near for span in line)
    ends = sorted(span.x1 for line in near for span in line)
    inner = run[1:-1]
    level = sum(
        _holds_any(starts, span.x0 - _FLUSH, span.x0 + _FLUSH) or _holds_any(ends, span.x1 - _FLUSH, span.x1 + _FLUSH)
        for span in inner
    )
    return level * 2 > len(inner)


def _holds_any(places: Sequence[float], low: float, high: float) -> bool:
    """Return whether one of `places` is between two positions. places: positions sorted from the left."""
    at = bisect_right(places, low)
    return at < len(places) and places[at] < high


def _join(run: Sequence[Span]) -> Span:
    joined = run[0].join([word for span in run for word in span.words()])
    joined.text = " ".join([span.text for span in run])
    return joined
