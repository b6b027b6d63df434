"""All that is known of the blocks of a page, as columns of bytes: what the forest is asked about."""

from webquarry.convert.page.content import around, menus, own
from webquarry.convert.page.content.blocks import Blocks
from webquarry.convert.page.content.names import Names
from webquarry.convert.page.content.scale import root, share
from webquarry.convert.page.content.siblings import Siblings
from webquarry.convert.page.content.sums import Sums
from webquarry.convert.page.content.wording import Wording
from webquarry.convert.page.kind import KINDS

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
    those. sections: for each, the place of the innermost element that holds it with others."""

    __slots__ = ("columns", "judged", "sections")

    def __init__(self, blocks: Blocks, about: tuple[str, str], kinds: bytes, names: Names, wording: Wording) -> None:
        """blocks: at least one. about: title and description of the page as its head gives them. kinds: how likely the
        page is each of `kind.KINDS`, 255 for certain."""
        sums = Sums(blocks)
        siblings = Siblings(blocks.tree)
        self.judged = menus.outside(blocks, sums)
        anchors = own.anchors_of(blocks, about)
        rows, self.sections = own.rows(blocks, self.judged, sums, siblings, anchors, names, wording)
        anchor = next((at for at in reversed(anchors) if at >= 0), None)
        anchor_place = -1 if anchor is None else blocks.all[anchor].place
        row_of = around.Around(blocks, sums, siblings, names, anchor_place).row
        rows_around = [row_of(place) for place in self.sections]
        count = len(rows)
        columns = _transposed(rows) + _transposed(rows_around)
        page = _page(blocks, sums) + kinds
        columns += [bytes((value,)) * count for value in page]
        for name in NEIGHBOURS:
            column = columns[_INNER.index(name)]
            for step in STEPS:
                columns.append(_shifted(column, step))
        self.columns = columns


def _transposed(rows: list[bytes]) -> list[bytes]:
    width = len(rows[0])
    joined = b"".join(rows)
    return [joined[place::width] for place in range(width)]


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
