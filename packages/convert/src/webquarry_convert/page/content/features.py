"""The features of a page's blocks, as columns of bytes for the forest."""

from webquarry_convert.page.content import block_features, context_features, menus
from webquarry_convert.page.content.anchors import find_anchors
from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.names import Names
from webquarry_convert.page.content.scale import root, share
from webquarry_convert.page.content.siblings import Siblings
from webquarry_convert.page.content.sums import Sums
from webquarry_convert.page.content.wording import Wording
from webquarry_convert.page.kind import KINDS

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
PAGE = (
    "page_size", "page_blocks", "page_linked", "page_prose", "page_headings", "page_paragraphs", "page_articles",
    "page_longest", *(f"kind_{kind}" for kind in KINDS),
)  # fmt: skip
NEIGHBOURS = ("length", "linked", "tag", "names", "prose_1", "wording")
STEPS = (1, -1)
_INNER = (*block_features.COLUMNS, *context_features.COLUMNS)
COLUMNS = (*_INNER, *PAGE, *(f"{name}{step:+d}" for name in NEIGHBOURS for step in STEPS))
"""Names of the columns in order. `length-1` is the length of the preceding block."""


class Features:
    """Feature columns of the judged blocks.

    judged: numbers of the blocks that are weighed. columns: one string per name in `COLUMNS`, with one byte per judged
    block.
    """

    __slots__ = ("columns", "judged")

    def __init__(self, blocks: Blocks, about: tuple[str, str], kinds: bytes, names: Names, wording: Wording) -> None:
        """Compute the features.

        blocks: at least one. about: title and description from the head of the page. kinds: the chance of each of
        `kind.KINDS`; 255 is certain.
        """
        sums = Sums(blocks)
        siblings = Siblings(blocks.tree)
        self.judged = judged = menus.select_outside(blocks, sums)
        holders = block_features.find_sole_holders(blocks, judged, names)
        anchors = find_anchors(blocks, about)
        around_them = context_features.ContextFeatures(blocks, sums, siblings, names, anchors.best)
        rows = {place: around_them.row(place) for place in set(holders.sections)}
        columns = block_features.build_columns(blocks, judged, holders, sums, siblings, anchors, wording)
        columns += _turn_into_columns([rows[place] for place in holders.sections])
        columns += [bytes((value,)) * len(judged) for value in _measure_page(blocks, sums) + kinds]
        columns += [_shift_column(columns[_INNER.index(name)], step) for name in NEIGHBOURS for step in STEPS]
        self.columns = columns


def _turn_into_columns(rows: list[bytes]) -> list[bytes]:
    joined = b"".join(rows)
    return [joined[place :: len(rows[0])] for place in range(len(rows[0]))]


def _shift_column(column: bytes, step: int) -> bytes:
    """Return the column shifted by `step` blocks, with 0 beyond the ends."""
    if step > 0:
        return (column[step:] + bytes(step))[: len(column)]
    return (bytes(-step) + column[:step])[: len(column)]


def _measure_page(blocks: Blocks, sums: Sums) -> bytes:
    found = blocks.all
    size = sums.size[-1]
    tags = [blocks.tags[block.place] for block in found]
    return bytes(
        (
            root(size // 16),
            root(len(found)),
            share(sums.linked[-1], size),
            share(sums.prose[-1], size),
            min(255, sum([tag in _HEADINGS for tag in tags])),
            share(sum([block.size for block, tag in zip(found, tags, strict=True) if tag == "p"]), size),
            min(255, blocks.tags.count("article")),
            root(max([block.size for block in found])),
        )
    )
