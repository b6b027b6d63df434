"""All that is known of the blocks of a page, as columns of bytes: what the forest is asked about."""

from webquarry_convert.page.content import around, menus, own
from webquarry_convert.page.content.anchors import anchors_of
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
_INNER = (*own.COLUMNS, *around.COLUMNS)
COLUMNS = (*_INNER, *PAGE, *(f"{name}{step:+d}" for name in NEIGHBOURS for step in STEPS))
"""Names of the columns in order. `length-1` is the length of the block before."""


class Features:
    """judged: numbers of the blocks that are weighed. columns: one string per name in `COLUMNS`, one byte for each of
    those."""

    __slots__ = ("columns", "judged")

    def __init__(self, blocks: Blocks, about: tuple[str, str], kinds: bytes, names: Names, wording: Wording) -> None:
        """blocks: at least one. about: title and description of the page as its head gives them. kinds: how likely the
        page is each of `kind.KINDS`, 255 for certain."""
        sums = Sums(blocks)
        siblings = Siblings(blocks.tree)
        self.judged = judged = menus.outside(blocks, sums)
        holders = own.alone(blocks, judged, names)
        anchors = anchors_of(blocks, about)
        around_them = around.Around(blocks, sums, siblings, names, anchors.best)
        rows = {place: around_them.row(place) for place in set(holders.sections)}
        columns = own.columns(blocks, judged, holders, sums, siblings, anchors, wording)
        columns += _transposed([rows[place] for place in holders.sections])
        columns += [bytes((value,)) * len(judged) for value in _page(blocks, sums) + kinds]
        columns += [_shifted(columns[_INNER.index(name)], step) for name in NEIGHBOURS for step in STEPS]
        self.columns = columns


def _transposed(rows: list[bytes]) -> list[bytes]:
    joined = b"".join(rows)
    return [joined[place :: len(rows[0])] for place in range(len(rows[0]))]


def _shifted(column: bytes, step: int) -> bytes:
    """Of each block, what the one `step` places on has: 0 beyond the ends."""
    if step > 0:
        return (column[step:] + bytes(step))[: len(column)]
    return (bytes(-step) + column[:step])[: len(column)]


def _page(blocks: Blocks, sums: Sums) -> bytes:
    found, tree = blocks.all, blocks.tree
    size = sums.size[-1]
    tags = [tree[block.place].tag for block in found]
    return bytes(
        (
            root(size // 16),
            root(len(found)),
            share(sums.linked[-1], size),
            share(sums.prose[-1], size),
            min(255, sum([tag in _HEADINGS for tag in tags])),
            share(sum([block.size for block, tag in zip(found, tags, strict=True) if tag == "p"]), size),
            min(255, [node.tag for node in tree].count("article")),
            root(max([block.size for block in found])),
        )
    )
