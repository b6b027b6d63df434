"""Takes out of a tree what was not chosen."""

from collections.abc import Sequence
from itertools import accumulate

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.figures import Figures


class Marks:
    """Drops elements of which no block is kept, and runs of text within elements of which some are.

    Elements without text (images, rules) stay next to what is kept within the same parent, and pictures of the content
    (`Figures`) stay without their captions.
    """

    def __init__(self, blocks: Blocks, is_kept: Sequence[bool]) -> None:
        self._blocks = blocks
        self._is_kept = is_kept
        self._kept = list(accumulate(is_kept, initial=0))
        self._figures = Figures(blocks, self._kept)

    def prune(self, place: int = 0) -> None:
        tree, starts, ends = self._blocks.tree, self._blocks.starts, self._blocks.ends
        node = tree[place]
        start, end = starts[place], ends[place]
        kept = self._kept[end] - self._kept[start]
        if kept == end - start:
            return
        if not kept:
            if self._figures.shows(place, start, end):
                self._figures.keep(place)
            else:
                node.is_dropped = True
            return
        found, is_kept = self._blocks.all, self._is_kept
        number = start
        child_place = place + 1
        children = node.children
        for position, child in enumerate(children):
            run = found[number] if number < end else None
            if run is not None and run.place == place and run.first <= position < run.last:
                if not is_kept[number]:
                    if isinstance(child, str):
                        children[position] = ""
                    else:
                        child.is_dropped = True
                if position == run.last - 1:
                    number += 1
            elif not isinstance(child, str):
                if ends[child_place] > starts[child_place]:
                    self.prune(child_place)
                    number = ends[child_place]
                elif not ((number > start and is_kept[number - 1]) or (number < end and is_kept[number])):
                    child.is_dropped = not self._figures.shows(child_place, number, number)
            if not isinstance(child, str):
                child_place = child.end
