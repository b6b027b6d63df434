"""Lines of justified text whose spaces are so wide that each word is a span: joined again.

The spaces of such a line are all alike while its words are not, and nothing stands below the beginnings of its words:

    The river carries the        widths differ, the gaps are the same; so this is one line
    old     forest     and       and so is this, though its gaps are as wide as those between cells
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.source.content import Span

_LEAST = 3
"""Spans of a line."""
_ALIKE = 0.08
"""Sizes of the font by which the gaps of a line differ."""
_WIDEST = 3.0
"""Of a gap, in sizes of the font."""
_NARROWEST = 0.5
_MARK = re.compile(r"[0-9*\u2020\u2021]+")
_LONGEST_MARK = 3
_CLOSING = ".,;:!?)]"
"""No word begins so: what is before it is a raised number."""
_BELOW = 2.5
"""Sizes of the font to the next line, within which cells of a column stand below each other."""
_FLUSH = 0.5
"""Points."""


def join_justified(spans: Sequence[Span]) -> list[Span]:
    """Spans from the left within each line that was joined, the others as they were."""
    levels: dict[int, list[Span]] = {}
    for span in spans:
        levels.setdefault(round(span.y1), []).append(span)
    lines = [sorted(line, key=lambda span: span.x0) for _, line in sorted(levels.items())]
    marks = [span for span in spans if len(span.text) <= _LONGEST_MARK and _MARK.fullmatch(span.text)]
    joined: dict[int, Span] = {}
    dropped: set[int] = set()
    for place, line in enumerate(lines):
        if len(line) < _LEAST or sum(span.text[0].islower() for span in line) < _LEAST - 1:
            continue
        level = [mark.x0 for mark in marks if line[0].y0 < mark.y1 and mark.y0 < line[0].y1]
        for run in _find_runs(line, level):
            if not _stand_below(run, _find_near(lines, place, run)):
                joined[id(run[0])] = _join(run)
                dropped.update(map(id, run[1:]))
    return [joined.get(id(span), span) for span in spans if id(span) not in dropped] if joined else list(spans)


def _find_runs(line: Sequence[Span], marks: Sequence[float]) -> Iterable[list[Span]]:
    """Spans of a line with equal gaps, of words that are not equal. marks: where raised numbers stand among them."""
    run = [line[0]]
    for before, span in pairwise(line):
        can_follow = _can_follow(before, span) and not any(before.x0 < mark < span.x0 for mark in marks)
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
    """Whether most spans go on in small letters, which cells rarely do, and differ in width."""
    if len(run) < _LEAST:
        return False
    widths = [span.x1 - span.x0 for span in run]
    small = sum(span.text[0].islower() for span in run[1:])
    return small * 2 >= len(run) - 1 and max(widths) - min(widths) > run[0].size


def _find_near(lines: Sequence[Sequence[Span]], place: int, run: Sequence[Span]) -> list[Sequence[Span]]:
    """The lines right above and below."""
    reach = _BELOW * run[0].size
    around = (lines[at] for at in range(max(place - 4, 0), min(place + 5, len(lines))) if at != place)
    return [line for line in around if abs(line[0].y1 - run[0].y1) < reach]


def _stand_below(run: Sequence[Span], near: Iterable[Sequence[Span]]) -> bool:
    """Whether half of the spans behind the first begin or end where one in a line above or below does."""
    starts = [span.x0 for line in near for span in line]
    ends = [span.x1 for line in near for span in line]
    inner = run[1:-1]
    level = sum(
        any(abs(span.x0 - x) < _FLUSH for x in starts) or any(abs(span.x1 - x) < _FLUSH for x in ends) for span in inner
    )
    return level * 2 > len(inner)


def _join(run: Sequence[Span]) -> Span:
    joined = run[0].join([word for span in run for word in span.words()])
    joined.text = " ".join([span.text for span in run])
    return joined
