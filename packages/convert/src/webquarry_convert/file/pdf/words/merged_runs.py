"""Splits text runs that extend across two cells. liteparse joins adjacent text, and columns may be as close as words.

A column begins at a position where at least three of a page's runs begin. A run is split if it crosses this position
and has a word that begins there:

    Date        Text                "Text", "ref. 4237" and "heavy ladder" begin at the same position;
    26.09.2026  Bright meadow       "26.09.2026 Bright meadow" is one run, whose word "Bright" begins there too
                ref. 4237
                heavy ladder

Runs that begin at the same position directly below each other begin cells, even if the gap before them is narrow.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter

from webquarry_convert.file.pdf.source.content import Span

_LEAST = 3
"""Minimum number of runs that begin at one position."""
_STEP = 2
"""Positions are rounded to this fraction of a point."""
_NEAR = 0.6
"""Tolerance, in points, for positions that count as the same."""
_EXACT = 0.4
"""Maximum distance, in points, between a column's position and a word that is inside a run and aligned with the column.
"""
_SPACE = 0.2
"""Minimum width of a space, in ems."""
_STEP_DOWN = 2.0
"""Maximum distance between two rows, in ems."""
_MOST = 40
"""Maximum number of column positions on a page. Tables have fewer columns."""


def divide_runs(spans: Sequence[Span]) -> list[Span]:
    counts = Counter(round(span.x0 * _STEP) for span in spans)
    starts: dict[int, list[float]] = {at: [] for at, count in counts.items() if count >= _LEAST}
    if not 1 < len(starts) <= _MOST:
        return list(spans)
    for span in spans:
        if (at := round(span.x0 * _STEP)) in starts:
            starts[at].append(span.x0)
    edges = sorted(sum(places) / len(places) for places in starts.values())
    found: list[Span] = []
    for span in spans:
        first = bisect_left(edges, span.x0 + span.size)
        places = edges[first : bisect_left(edges, span.x1)]
        found += _divide(span, places) if places and " " in span.text else [span]
    _mark_cells(found, edges)
    return found


def _mark_cells(spans: Sequence[Span], edges: Sequence[float]) -> None:
    """Set `begins_cell` of runs that are aligned with at least `_LEAST` other runs directly above or below."""
    beginning: dict[int, list[Span]] = {}
    for span in spans:
        place = bisect_right(edges, span.x0 - _NEAR)
        if place < len(edges) and edges[place] < span.x0 + _NEAR and not span.is_mono:
            beginning.setdefault(place, []).append(span)
    for column in beginning.values():
        column.sort(key=attrgetter("y0"))
        chain: list[Span] = []
        for span in column:
            if chain and span.y0 - chain[-1].y0 >= _STEP_DOWN * span.size:
                chain = []
            chain.append(span)
            if len(chain) >= _LEAST:
                for each in chain[-_LEAST:]:
                    each.begins_cell = True


def _divide(span: Span, places: Sequence[float]) -> list[Span]:
    words = _list_edges(span)
    cuts = [
        at
        for at, ((_, end), (begin, _)) in enumerate(pairwise(words), 1)
        if begin - end > _SPACE * span.size and _begins_at(places, begin)
    ]
    if not cuts:
        return [span]
    parts = span.words()
    if len(parts) != len(words):  # some words have been joined
        return [span]
    return [span.join(parts[start:end]) for start, end in zip([0, *cuts], [*cuts, len(parts)], strict=True)]


def _list_edges(span: Span) -> list[tuple[float, float]]:
    """Return the left and the right edge of each word."""
    words = span.source.words if span.source is not None else ()
    return [(word.x, word.x + word.width) for word in words] or [(word.x0, word.x1) for word in span.words()]


def _begins_at(places: Sequence[float], at: float) -> bool:
    """Return whether `places` contains a position. places: positions sorted from the left."""
    place = bisect_right(places, at - _EXACT)
    return place < len(places) and places[place] < at + _EXACT
