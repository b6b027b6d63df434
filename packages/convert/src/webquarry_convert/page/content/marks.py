"""Removes dropped blocks from the tree."""

from collections.abc import Sequence
from itertools import accumulate

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.figures import Figures
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.tree import drop_child


def mark_dropped(selection: Selection) -> None:
    """Mark everything in the tree that is not kept as dropped."""
    Marks(selection.blocks, selection.kept).prune()


class Marks:
    """Prunes elements without kept blocks, and dropped runs of text in other elements.

    Elements without text, such as images and rules, stay if they share a parent with a kept block. Pictures in the
    content (`Figures`) stay even if their captions were dropped.
    """

    def __init__(self, blocks: Blocks, is_kept: Sequence[bool]) -> None:
        self._blocks = blocks
        self._is_kept = is_kept
        self._kept = list(accumulate(is_kept, initial=0))
        self._figures = Figures(blocks, self._kept)

    def prune(self, place: int = 0) -> None:
        """Drop the parts of the element at index `place` that are not kept."""
        start, end = self._blocks.starts[place], self._blocks.ends[place]
        kept = self._kept[end] - self._kept[start]
        if kept == end - start:
            return
        if kept:
            self._prune_children(place)
        elif self._figures.shows(place, start, end):
            self._figures.keep(place)
        else:
            self._blocks.tree[place].is_dropped = True

    def _prune_children(self, place: int) -> None:
        blocks, is_kept = self._blocks, self._is_kept
        node, number, end = blocks.tree[place], blocks.starts[place], blocks.ends[place]
        child_place = place + 1
        for position, child in enumerate(node.children):
            run = blocks.all[number] if number < end else None
            if run is not None and run.place == place and run.first <= position < run.last:
                if not is_kept[number]:
                    drop_child(node, position)
                if position == run.last - 1:
                    number += 1
            elif not isinstance(child, str):
                number = self._prune_child(place, child_place, number)
            if not isinstance(child, str):
                child_place = child.end

    def _prune_child(self, place: int, child_place: int, number: int) -> int:
        """Drop everything that is not kept in a child element outside of blocks.

        Returns the number of the next block. place: the parent's index. number: the number of the first block in or
        after the child.
        """
        blocks, is_kept = self._blocks, self._is_kept
        start, end = blocks.starts[place], blocks.ends[place]
        if blocks.ends[child_place] > blocks.starts[child_place]:
            self.prune(child_place)
            return blocks.ends[child_place]
        if not ((number > start and is_kept[number - 1]) or (number < end and is_kept[number])):
            blocks.tree[child_place].is_dropped = not self._figures.shows(child_place, number, number)
        return number
