"""The order in which the shapes of a slide are read: by rows and columns as they lie, as their author ordered them
where the places leave it open.

A set of shapes is cut where a gap goes all the way through, across or down, and each part again: at the widest gap
first, and at those nearly as wide, since a heading stands closer to its text than to the next one. Where both ways are
possible, the cut counts whose parts were drawn one after the other; then the wider gap.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

MAX_SHAPES: Final = 1_000
"""Shapes side by side of which the places are looked at; of more, the order in the file counts."""
MAX_CUTS: Final = 12
"""Cuts within each other."""
_WIDE: Final = 0.5
"""Of the widest gap: a narrower one does not part what the widest does."""
_OVERLAP: Final = 0.02
"""Share of the slide by which frames may reach into each other: the frame of a text is larger than the text."""


class Box(NamedTuple):
    """Where a shape lies, in any unit, from the top left."""

    left: float
    top: float
    right: float
    bottom: float


def sort_by_place(boxes: Sequence[Box | None]) -> list[int]:
    """Indexes of the shapes as they are read. boxes: in the order of the file, None where no place is known."""
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
    """Whether shapes are read column by column rather than row by row. column_gap, row_gap: the widest ones."""
    if len(columns) < 2 or len(rows) == 1:
        return len(columns) > 1
    return (_count_changes(columns), -column_gap) < (_count_changes(rows), -row_gap)


def _split(shapes: list[_Placed], axis: int, overlap: float) -> tuple[list[list[_Placed]], float]:
    """The shapes, sorted by where they begin on an axis (0 across, 1 down), parted at the wide gaps; the widest gap."""
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
    """How often, in the order of the file, a shape belongs to another part than the one before."""
    owners = sorted((at, number) for number, part in enumerate(parts) for at, _ in part)
    return sum(before[1] != owner[1] for before, owner in pairwise(owners))
