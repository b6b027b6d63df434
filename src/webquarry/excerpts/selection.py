"""Selections: the blocks of a document that fit into a number of tokens, in reading order under their headings."""

from collections import defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from webquarry.excerpts.blocks import Block, Outline, Span
from webquarry.excerpts.pages import MARKER_MILLI, find_inner_starts
from webquarry.excerpts.ranking import Ranking
from webquarry.excerpts.tokens import estimate_milli

GAP: Final = "…"
LEAST_SHARE: Final = 0.15
"""Minimum score of a block, as a share of the best score. Blocks below it are left out even if there is room."""
_JOINT_MILLI: Final = estimate_milli("\n\n")
_GAP_MILLI: Final = estimate_milli(f"\n\n| {GAP} |\n\n")
_HEADINGS_SHARE: Final = 0.5
"""Maximum share of the tokens that headings may use in an outline."""


class _Added(NamedTuple):
    """The result of adding blocks with their headings: the cost, and the blocks that were not yet in the basket."""

    cost: int
    numbers: Set[int]
    heads: Set[Span]
    pages: Set[int]


@dataclass(slots=True)
class Basket:
    """The blocks chosen so far, and an upper bound on their cost, which includes text, headings, frames and the gaps
    between blocks.

    With `marks_pages`, the cost includes the marker of each page that has a block in the basket.
    """

    outline: Outline
    left_milli: int
    marks_pages: bool = False
    chosen: set[int] = field(default_factory=set)
    _framed: set[Span] = field(default_factory=set)
    _pages: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.left_milli -= _GAP_MILLI  # reserved for the gap at the end

    def measure(self, blocks: Iterable[Block]) -> int:
        """Return the cost of blocks and the headings above them, in thousandths of a token."""
        return self._weigh(blocks).cost

    def add(self, blocks: Iterable[Block]) -> bool:
        """Add blocks with the headings above them if all fit. Return whether they fit."""
        added = self._weigh(blocks)
        if added.cost > self.left_milli:
            return False
        self.left_milli -= added.cost
        self.chosen |= added.numbers
        self._framed |= added.heads
        self._pages |= added.pages
        return True

    def _weigh(self, blocks: Iterable[Block]) -> "_Added":
        new = {
            number: self.outline.blocks[number]
            for block in blocks
            for number in (*self.outline.above(block), block.number)
            if number not in self.chosen
        }
        heads = {block.head: block for block in new.values() if block.head and block.head not in self._framed}
        pages = self._list_pages(new.values()) if self.marks_pages else set()
        cost = sum(self._cost(block) for block in new.values()) + sum(map(self._cost_of_frame, heads.values()))
        return _Added(cost + MARKER_MILLI * len(pages), new.keys(), set(heads), pages)

    def _list_pages(self, blocks: Iterable[Block]) -> set[int]:
        """Return the pages of these blocks that do not yet have a block in the basket."""
        starts = self.outline.page_starts
        return {
            page
            for block in blocks
            for page in (
                self.outline.page(block),
                *(page for page, _ in find_inner_starts(starts, block.start, block.end)),
            )
            if page is not None and page not in self._pages
        }

    def _cost(self, block: Block) -> int:
        text = self.outline.text(block)
        closing = estimate_milli(f"\n{block.foot}") if block.foot and block.head is None else 0
        return estimate_milli(text) + closing + _JOINT_MILLI + _GAP_MILLI

    def _cost_of_frame(self, block: Block) -> int:
        return estimate_milli(f"{self.outline.head(block)}\n\n{block.foot}") + _GAP_MILLI


def select(outline: Outline, ranking: Ranking, max_tokens: int, *, marks_pages: bool = False) -> tuple[int, ...]:
    """Return the numbers of the best blocks that fit, with the headings above them, in reading order.

    If no block contains a word of the query, the document's first blocks are returned. `marks_pages` reserves room for
    page markers.
    """
    basket = Basket(outline, 1000 * max_tokens, marks_pages)
    order = ranking.best_first()
    least = LEAST_SHARE * ranking.scores[order[0]] if order else 0.0
    for number in order:
        if ranking.scores[number] < least:
            break
        if basket.add([outline.blocks[number]]):
            _add_introduction(basket, number)
    if not order:
        for block in outline.blocks:
            if not basket.add([block]):
                break
    return tuple(sorted(basket.chosen))


def _add_introduction(basket: Basket, number: int) -> None:
    """Add the sentence that introduces a chosen list, table or fence, or the block that a sentence introduces."""
    blocks = basket.outline.blocks
    block = blocks[number]
    if number and block.kind in ("list", "table", "code") and _introduces(basket.outline, blocks[number - 1]):
        basket.add([blocks[number - 1]])
    if number + 1 < len(blocks) and blocks[number + 1].kind != "heading" and _introduces(basket.outline, block):
        basket.add([blocks[number + 1]])


def _introduces(outline: Outline, block: Block) -> bool:
    return block.kind == "text" and outline.markdown.endswith((":", "：", ":**", "**:"), block.start, block.end)


def outline_within(outline: Outline, max_tokens: int, *, marks_pages: bool = False) -> tuple[int, ...]:
    """Return the numbers of the headings, and of the first blocks below each of them, that fit.

    Rows, items and fences are included whole or not at all. The sections take turns to add a block, each until its next
    block does not fit. `marks_pages` reserves room for page markers.
    """
    basket = Basket(outline, 1000 * max_tokens, marks_pages)
    least_left = int(basket.left_milli * (1 - _HEADINGS_SHARE))
    for number in sorted(outline.headings, key=lambda number: (outline.headings[number].level, number)):
        if basket.left_milli < least_left or not basket.add([outline.blocks[number]]):
            break
    sections: dict[int | None, list[list[Block]]] = defaultdict(list)
    for block in outline.blocks:
        if block.kind == "heading":
            continue
        units = sections[block.section]
        if units and units[-1][0].unit == block.unit:
            units[-1].append(block)
        else:
            units.append([block])
    waiting = list(sections.values())
    turn = 0
    while waiting:
        waiting = [units for units in waiting if basket.add(units[turn]) and turn + 1 < len(units)]
        turn += 1
    return tuple(sorted(basket.chosen))
