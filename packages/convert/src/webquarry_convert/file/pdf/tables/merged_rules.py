"""Merges ruling lines: pieces that touch become one line.

Two lines within `NEAR` points are one line. Edges of filled areas count as lines, because some tables color their cells
instead of drawing lines. An edge along a drawn line does not count, because a colored cell may have a margin.
"""

from operator import attrgetter

from webquarry_convert.file.pdf.source.content import Rule

_GET_LEFT, _GET_TOP = attrgetter("x0"), attrgetter("y0")
NEAR = 3.0
"""Maximum distance, in points, between two lines that count as one line."""
_PADDING = 9.0
"""Widest margin of a colored cell, in points."""
_MOST_NEAR = 8
"""Maximum number of adjacent lines that are compared."""


def merge_rules(rules: list[Rule], *, lies: bool) -> list[Rule]:
    """Merge lines that touch at the same position, and sort them by position.

    lies: whether the lines are horizontal.
    """
    rules.sort(key=_GET_TOP if lies else _GET_LEFT)
    merged: list[Rule] = []
    bundle: list[Rule] = []
    for rule in rules:
        if bundle and (rule.y0 - bundle[0].y0 if lies else rule.x0 - bundle[0].x0) > NEAR:
            merged += _join_touching(bundle, lies=lies)
            bundle = []
        bundle.append(rule)
    return merged + _join_touching(bundle, lies=lies)


def drop_padding(standing: list[Rule]) -> list[Rule]:
    """Return vertical lines sorted from the left, without edges that run along a drawn line."""
    kept = []
    for place, rule in enumerate(standing):
        near = standing[max(0, place - _MOST_NEAR) : place + _MOST_NEAR] if rule.is_edge else ()
        if not any(
            abs(other.x0 - rule.x0) <= _PADDING
            and not other.is_edge
            and other.y0 - NEAR < rule.y0
            and rule.y1 < other.y1 + NEAR
            for other in near
        ):
            kept.append(rule)
    return kept


def merge_places(values: list[float], least: float) -> list[float]:
    places: list[float] = []
    for value in sorted(values):
        if not places or value - places[-1] > least:
            places.append(value)
    return places


def _join_touching(bundle: list[Rule], *, lies: bool) -> list[Rule]:
    """Join the lines of a bundle that touch or overlap end to end. All lines of a bundle have the same position.

    Two overlapping edges of filled areas are the sides of one line drawn as a thin area. The result is therefore a
    drawn line rather than an edge.
    """
    if len(bundle) == 1:
        return bundle
    bundle.sort(key=_GET_LEFT if lies else _GET_TOP)
    chain: list[Rule] = []
    for rule in bundle:
        last = chain[-1] if chain else None
        if last is not None and (rule.x0 - last.x1 if lies else rule.y0 - last.y1) <= NEAR:
            is_beside = rule.y0 != last.y0 and rule.x0 < last.x1 if lies else rule.x0 != last.x0 and rule.y0 < last.y1
            last.is_edge = last.is_edge and rule.is_edge and not is_beside
            if lies:
                last.x1 = max(last.x1, rule.x1)
            else:
                last.y1 = max(last.y1, rule.y1)
        else:
            chain.append(Rule(rule.x0, rule.y0, rule.x1, rule.y1, rule.is_edge))
    return chain
