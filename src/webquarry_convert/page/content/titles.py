"""A page without headings of the first rank may say its title in a plain element above its text."""

from collections.abc import Sequence

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.head import is_own

_PLAIN = frozenset({"div", "p"})
"""Elements that say nothing of their text, and which it fills: as the title they are headings."""


def keep_title(blocks: Blocks, is_kept: list[bool], judged: Sequence[int], titles: Sequence[str]) -> None:
    """Keep the title right before the first text that is kept, as a heading.

    judged: numbers of the blocks that are in no menu. titles: of the page, as its head gives them. A text with a link
    is not it: so sites show their name on every page.
    """
    tree, found = blocks.tree, blocks.all
    if True not in is_kept or any(tree[block.place].tag == "h1" for block in found):
        return
    number = is_kept.index(True) - 1
    if number not in judged:
        return
    block = found[number]
    if not block.links and not block.linked and any(is_own(block.text, title) for title in titles):
        is_kept[number] = True
        node = tree[block.place]
        if node.tag in _PLAIN and blocks.ends[block.place] - blocks.starts[block.place] == 1:
            node.tag = "h1"
