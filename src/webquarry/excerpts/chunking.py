"""Chunks: a whole document in parts of a few hundred tokens, for search indexes.

Rows, items and fences are not divided.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from webquarry.excerpts.blocks import Outline
from webquarry.excerpts.tokens import estimate_milli
from webquarry.excerpts.writing import write_part

_OVERLAP_SHARE: Final = 0.15
"""Maximum share of a chunk that repeats the end of the previous chunk."""
_FULL_SHARE: Final = 0.5
"""Share of the size from which a chunk ends before a heading."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive blocks: numbers `first` to `last`.

    The first `repeated` blocks are also the last blocks of the previous chunk.
    """

    first: int
    last: int
    repeated: int = 0

    def write(self, outline: Outline) -> str:
        return write_part(outline, range(self.first, self.last + 1))


def chunk(outline: Outline, size: int) -> Iterator[Chunk]:
    """Yield chunks of about `size` tokens in order.

    Together they contain every block. A chunk exceeds the size only if it consists of a longer block.
    """
    costs = [estimate_milli(outline.text(block)) for block in outline.blocks]
    limit, first, repeated, taken = 1000 * size, 0, 0, 0
    for number, cost in enumerate(costs):
        begins_section = outline.blocks[number].kind == "heading" and taken > _FULL_SHARE * limit
        if number > first + repeated and (taken + cost > limit or begins_section):
            last = _leave_headings(outline, first + repeated, number - 1)
            yield Chunk(first, last, repeated)
            is_whole = last == number - 1 and not begins_section
            repeated = 1 if is_whole and costs[last] <= _OVERLAP_SHARE * limit and last > first else 0
            first = last + 1 - repeated
            taken = sum(costs[first:number])
        taken += cost
    if costs:
        yield Chunk(first, len(costs) - 1, repeated)


def _leave_headings(outline: Outline, first: int, last: int) -> int:
    """Return the number of a chunk's last block.

    Headings at the chunk's end are excluded, because they belong to the next chunk.
    """
    at = last
    while at > first and outline.blocks[at].kind == "heading":
        at -= 1
    return at if outline.blocks[at].kind != "heading" else last
