"""The reading order of a slide's shapes.

Shapes are read by rows and columns, or in their order in the file if the positions are ambiguous. A set of shapes is
cut at continuous horizontal or vertical gaps, and each part is cut again. Cuts are at the widest gap and at gaps that
are nearly as wide, because a heading is closer to its text than to the next heading. If both directions are possible,
the cut that separates shapes that follow each other in the file is preferred, and otherwise the cut with the wider gap.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

MAX_SHAPES: Final = 1_000
"""Maximum number of adjacent shapes whose positions are examined. If there are more, the order in the file is used."""
MAX_CUTS: Final = 12
"""Maximum number of nested cuts."""
_WIDE: Final = 0.5
"""Minimum width of a separating gap, relative to the widest gap."""
_OVERLAP: Final = 0.02
"""Tolerated overlap between frames, as a share of the slide.

Frames may overlap because they are larger than their text.
"""


class Box(NamedTuple):
    """A shape's position relative to the top left, in any unit."""

    left: float
    top: float
    right: float
    bottom: float


def sort_by_place(boxes: Sequence[Box | None]) -> list[int]:
    """Return the indexes of shapes in reading order.

    boxes: the positions in file order, with None for an unknown position.
    """
    every = list(range(len(boxes)))
    placed = [box for box in boxes if box is not None]
    if len(placed) < len(boxes) or not 2 <= len(placed) <= MAX_SHAPES:
        return every
    wide = max(box.right for box in placed) - min(box.left for box in placed)
    high = max(box.bottom for box in placed) - min(box.top for box in placed)
    return _cut([(at, box) for at, box in enumerate(placed)], (wide * _OVERLAP, high * _OVERLAP), MAX_CUTS)


_Placed = tuple[int, Box]


def _cut(shapes: list[_Placed], overlaps: tuple[float, float], cuts: int) -> list[int]:
    if len(shapes) > 1 and cuts:
        rows, row_gap = _split(sorted(shapes, key=lambda shape: shape[1].top), 1, overlaps[1])
        columns, column_gap = _split(sorted(shapes, key=lambda shape: shape[1].left), 0, overlaps[0])
        parts = columns if _are_better(columns, column_gap, rows, row_gap) else rows
        if len(parts) > 1:
            return [at for part in parts for at in _cut(part, overlaps, cuts - 1)]
    return sorted(at for at, _ in shapes)


def _are_better(columns: list[list[_Placed]], column_gap: float, rows: list[list[_Placed]], row_gap: float) -> bool:
    """Return whether shapes are read column by column rather than row by row.

    column_gap, row_gap: the widest gaps between them.
    """
    if len(columns) < 2 or len(rows) == 1:
        return len(columns) > 1
    return (_count_changes(columns), -column_gap) < (_count_changes(rows), -row_gap)


def _split(shapes: list[_Placed], axis: int, overlap: float) -> tuple[list[list[_Placed]], float]:
    """Split the shapes at the wide gaps, and return the parts and the widest gap.

    axis: 0 for horizontal and 1 for vertical positions. The shapes must be sorted by their start on this axis.
    """
    gaps = [float("-inf")]
    end = shapes[0][1][axis + 2]
    for _, box in shapes[1:]:
        gaps.append(box[axis] - end)
        end = max(end, box[axis + 2])
    widest = max(gaps)
    least = _WIDE * widest if widest > 0 else -overlap
    parts: list[list[_Placed]] = []
    for shape, gap in zip(shapes, gaps, strict=True):
        if not parts or gap >= least:
            parts.append([])
        parts[-1].append(shape)
    return parts, widest


def _count_changes(parts: list[list[_Placed]]) -> int:
    """Return how often a shape and the previous shape in the file are in different parts."""
    owners = sorted((at, number) for number, part in enumerate(parts) for at, _ in part)
    return sum(before[1] != owner[1] for before, owner in pairwise(owners))
