"""Edits of a text that also adjust offsets in it.

edits = [Edit(0, 2, "")]
apply_edits("- Oven", edits)    "Oven"
move_places((0, 2, 6), edits)   (0, 0, 4)
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """A replacement of `text[start:end]`. In a list, edits are in text order and do not overlap."""

    start: int
    end: int
    text: str


def find_edits(pattern: re.Pattern[str], replacement: str, text: str) -> list[Edit]:
    """Return the edits that `pattern.sub` makes. replacement: plain text without group references."""
    return [Edit(*found.span(), replacement) for found in pattern.finditer(text)]


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    pieces: list[str] = []
    at = 0
    for edit in edits:
        pieces += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join([*pieces, text[at:]]) if pieces else text


def move_places(places: Sequence[int], edits: Iterable[Edit]) -> tuple[int, ...]:
    """Return the offsets in the edited text. An offset within an edit moves to its end. places: offsets in order."""
    moved: list[int] = []
    shift, at = 0, 0
    for start, end, text in edits:
        while at < len(places) and places[at] <= start:
            moved.append(places[at] + shift)
            at += 1
        shift += len(text) - (end - start)
        while at < len(places) and places[at] < end:
            moved.append(end + shift)
            at += 1
    return (*moved, *(place + shift for place in places[at:]))
