"""Which texts of a page are kept so far, what the stages know about them, and which stage decided what."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.features import COLUMNS
from webquarry_convert.page.head import Places
from webquarry_convert.page.kind import KINDS


class Change(NamedTuple):
    """A decision about one block. stage: name of the stage that made it; number: of the block."""

    stage: str
    number: int
    is_kept: bool


class Selection:
    """The blocks of a page while the stages decide which of them are content.

    kept: of each block, whether it is kept so far; change it only with `keep` and `drop`. stage: name of the running
    stage. changes: all decisions so far, in their order; a block that no stage has kept has none.

    judged: numbers of the blocks that are weighed; those of menus and the like are not. nearness: of each judged block,
    its chance to be content as a share of the least chance that is kept. columns: as in `Features`, one byte for each
    judged block. kinds: how likely the page is each of `KINDS`, 255 for certain. titles: of the page, as its head gives
    them. url: the page's address.

    is_thread: whether the page is a forum's or a list of posts. is_product: whether the page's data describe one
    product and nothing else. Both are found by stages.
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
        """Keep the blocks with these numbers."""
        self._decide(numbers, True)

    def drop(self, numbers: Iterable[int]) -> None:
        """Drop the blocks with these numbers."""
        self._decide(numbers, False)

    def _decide(self, numbers: Iterable[int], is_kept: bool) -> None:
        kept = self._kept
        for number in numbers:
            if kept[number] is not is_kept:
                kept[number] = is_kept
                self.changes.append(Change(self.stage, number, is_kept))

    def get_column(self, name: str) -> bytes:
        """Return the column of this name in `COLUMNS`."""
        return self.columns[COLUMNS.index(name)]

    def get_chance(self, kind: str) -> int:
        """Return how likely the page is of this kind in `KINDS`; 255 for certain."""
        return self.kinds[KINDS.index(kind)]

    def get_nearness(self, number: int) -> float:
        """Return the nearness of a block; 0 for one that is not judged."""
        return self.nearness.get(number, 0.0)
