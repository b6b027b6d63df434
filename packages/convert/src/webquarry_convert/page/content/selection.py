"""The blocks of a page with their current decisions, the data that the stages use, and a record of all decisions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.features import COLUMNS
from webquarry_convert.page.head import Places
from webquarry_convert.page.kind import KINDS


class Change(NamedTuple):
    """A decision about one block. stage: the name of the stage that made it. number: the block's number."""

    stage: str
    number: int
    is_kept: bool


class Selection:
    """The blocks of a page while the stages decide which of them are content.

    kept: for each block, whether it is kept so far; change it only with `keep` and `drop`. stage: name of the running
    stage. changes: all decisions so far, in order; a block that was never kept has no changes.

    judged: numbers of the weighed blocks, without those of menus and the like. weighed: the same numbers as a set.
    nearness: each judged
    block's chance of being content, divided by the cut. columns: as in `Features`, with one byte for each judged block.
    kinds: the chance of each of `KINDS`; 255 is certain. titles: the page's titles from its head. url: the page's URL.

    is_thread: whether the page is a forum page or a list of posts. is_product: whether the page's data describes
    exactly one product. Both are set by stages.
    """

    __slots__ = (
        "_kept",
        "blocks",
        "changes",
        "columns",
        "is_product",
        "is_thread",
        "judged",
        "kept",
        "kinds",
        "nearness",
        "places",
        "stage",
        "titles",
        "url",
        "weighed",
    )

    def __init__(
        self,
        blocks: Blocks,
        places: Places,
        url: str | None = None,
        *,
        kinds: bytes,
        judged: Sequence[int],
        nearness: Mapping[int, float],
        columns: Sequence[bytes],
        titles: Sequence[str] = (),
    ) -> None:
        self.blocks = blocks
        self.places = places
        self.url = url
        self.kinds = kinds
        self.judged = judged
        self.weighed = frozenset(judged)
        self.nearness = nearness
        self.columns = columns
        self.titles = titles
        self.is_thread = False
        self.is_product = False
        self.stage = ""
        self.changes: list[Change] = []
        self._kept = [False] * len(blocks.all)
        self.kept: Sequence[bool] = self._kept

    def keep(self, numbers: Iterable[int]) -> None:
        self._decide(numbers, True)

    def drop(self, numbers: Iterable[int]) -> None:
        self._decide(numbers, False)

    def _decide(self, numbers: Iterable[int], is_kept: bool) -> None:
        kept = self._kept
        for number in numbers:
            if kept[number] is not is_kept:
                kept[number] = is_kept
                self.changes.append(Change(self.stage, number, is_kept))

    def get_column(self, name: str) -> bytes:
        """Return the column with this name in `COLUMNS`."""
        return self.columns[COLUMNS.index(name)]

    def get_chance(self, kind: str) -> int:
        """Return the chance that the page is of a kind in `KINDS`; 255 is certain."""
        return self.kinds[KINDS.index(kind)]

    def get_nearness(self, number: int) -> float:
        """Return a block's nearness, or 0 if the block is not judged."""
        return self.nearness.get(number, 0.0)
