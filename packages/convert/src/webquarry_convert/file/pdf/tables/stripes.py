"""Striped tables, in which every other row is colored. The areas of these rows are joined into one grid.

▓ Station  ▓ Mon  ▓    areas with equal edges, one below the other, with at most a row of text between them;
  Mill Lane  7:10      the rows between them, and the one below the last, get the same edges
▓ Quay     ▓ 7:22  ▓
  Market     7:31
"""

import itertools
from collections.abc import Sequence

from webquarry_convert.file.pdf.source.content import Rule, Span
from webquarry_convert.file.pdf.words.lines import group_strips

_NEAR = 3.0
_FARTHEST = 3.0
"""Maximum distance between two colored areas, relative to the height of the taller area."""
_LEAST = 2
"""Minimum number of colored areas."""
_APART = 0.7
"""Maximum white space, in line heights, below the last area and between the lines of the last row."""
Group = tuple[list[Rule], list[Rule]]
"""The horizontal and vertical lines of a group of touching lines."""


def join_stripes(groups: Sequence[Group], spans: Sequence[Span]) -> list[Group]:
    """Join the groups of each striped table. Other groups are returned unchanged."""
    areas = [group for group in groups if _is_area(group)]
    others = [group for group in groups if not _is_area(group)]
    areas.sort(key=lambda group: (round(group[1][0].x0 / _NEAR), _get_top(group)))
    joined: list[list[Group]] = []
    for group in areas:
        if joined and _is_next(joined[-1][-1], group):
            joined[-1].append(group)
        else:
            joined.append([group])
    return others + [chain[0] if len(chain) < _LEAST else _fill(chain, spans) for chain in joined]


def _is_area(group: Group) -> bool:
    lying, standing = group
    return len(standing) > 2 and all(rule.is_edge for rule in (*lying, *standing))


def _is_next(above: Group, below: Group) -> bool:
    gap = _get_top(below) - _get_bottom(above)
    highest = max(_get_bottom(group) - _get_top(group) for group in (above, below))
    return _NEAR < gap < _FARTHEST * highest and _have_same_edges(above, below)


def _have_same_edges(some: Group, others: Group) -> bool:
    ours, theirs = _find_edges(some), _find_edges(others)
    return len(ours) == len(theirs) and all(abs(one - other) < _NEAR for one, other in zip(ours, theirs, strict=True))


def _fill(chain: Sequence[Group], spans: Sequence[Span]) -> Group:
    """Return the areas as one group, with vertical lines in the rows between the areas and in the row below them."""
    lying = [rule for group in chain for rule in group[0]]
    standing = [rule for group in chain for rule in group[1]]
    edges = _find_edges(chain[0])
    for above, below in itertools.pairwise(chain):
        standing += [Rule(x, _get_bottom(above), x, _get_top(below), is_edge=True) for x in edges]
    end = _get_bottom(chain[-1])
    if (further := _find_last_row(end, edges, spans)) > end:
        standing += [Rule(x, end, x, further, is_edge=True) for x in edges]
        lying.append(Rule(edges[0], further, edges[-1], further, is_edge=True))
    return lying, standing


def _find_last_row(end: float, edges: Sequence[float], spans: Sequence[Span]) -> float:
    """Return the bottom of the row of text below the last area, or `end` if there is no such row."""
    below = [
        span for span in spans if edges[0] - _NEAR < span.x0 and span.x1 < edges[-1] + _NEAR and span.y0 > end - _NEAR
    ]
    bottom = end
    for row in group_strips(below):
        height = row.y1 - row.y0
        crosses = any(span.x0 < edge < span.x1 for span in row.spans() for edge in edges[1:-1])
        if row.y0 - bottom > _APART * height or crosses:
            break
        bottom = row.y1
    return bottom


def _find_edges(group: Group) -> list[float]:
    edges: list[float] = []
    for rule in sorted(group[1], key=lambda rule: rule.x0):
        if not edges or rule.x0 - edges[-1] > _NEAR:
            edges.append(rule.x0)
    return edges


def _get_top(group: Group) -> float:
    return min(rule.y0 for rule in group[1])


def _get_bottom(group: Group) -> float:
    return max(rule.y1 for rule in group[1])
