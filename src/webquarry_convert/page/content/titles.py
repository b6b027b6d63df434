"""A page without headings of the first rank may say its title in a plain element above its text."""

from collections.abc import Sequence

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.head import is_own

_HEADINGS = frozenset({"h1", "h2", "h3"})
MAX_TITLE = 300
"""Characters of a title that are compared with each heading."""
_PLAIN = frozenset({"div", "p"})
"""Elements that say nothing of their text, and which it fills: as the title they are headings."""


def keep_title(
    blocks: Blocks, is_kept: list[bool], judged: Sequence[int], titles: Sequence[str], *, is_thread: bool
) -> None:
    """Keep the title of a thread; on pages without h1, the title right before the first kept text, as a heading.

    judged: numbers of the blocks that are in no menu. titles: of the page, as its head gives them. A text with a
    link is not it: so sites show their name on every page.
    """
    tree, found = blocks.tree, blocks.all
    if True not in is_kept:
        return
    if is_thread:
        _keep_thread_title(blocks, is_kept, judged, titles)
        return
    if any(tree[block.place].tag == "h1" for block in found):
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


def _keep_thread_title(blocks: Blocks, is_kept: list[bool], judged: Sequence[int], titles: Sequence[str]) -> None:
    """Keep the first heading before the kept texts that says the title."""
    tree, first = blocks.tree, is_kept.index(True)
    for number in judged:
        if number >= first:
            return
        block = blocks.all[number]
        above = tree[block.place].up
        tags = {tree[block.place].tag, tree[above].tag if above >= 0 else ""}
        if not tags.isdisjoint(_HEADINGS) and any(is_own(block.text, title[:MAX_TITLE]) for title in titles):
            is_kept[number] = True
            return
