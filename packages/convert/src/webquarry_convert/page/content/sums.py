"""Running sums over a page's blocks."""

from itertools import accumulate

from webquarry_convert.page.content.blocks import Block, Blocks

PROSE = 60
"""Minimum length, in characters, of a text that reads like prose. Less than a third of the text may be linked."""


class Sums:
    """Sums over the first n blocks, at index `n`.

    size, linked: numbers of characters. prose: number of characters in blocks that read like prose.
    """

    __slots__ = ("linked", "prose", "size")

    def __init__(self, blocks: Blocks) -> None:
        found = blocks.all
        self.size = list(accumulate([block.size for block in found], initial=0))
        self.linked = list(accumulate([block.linked for block in found], initial=0))
        self.prose = list(accumulate(map(_count_prose, found), initial=0))


def _count_prose(block: Block) -> int:
    return block.size if block.size >= PROSE and 3 * block.linked < block.size else 0
