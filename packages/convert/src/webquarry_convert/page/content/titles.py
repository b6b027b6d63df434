"""The page's own title right above its text, in a heading or in a plain element."""

from collections.abc import Sequence

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.head import is_own
from webquarry_convert.page.kind import KINDS

_HEADINGS = frozenset({"h1", "h2", "h3"})
MAX_TITLE = 300
"""Characters of a title that are compared with each heading."""
LIKELY = 128
"""Of 255, from which a page is an article or documentation."""
_TEXTS = (KINDS.index("article"), KINDS.index("documentation"))
_PLAIN = frozenset({"div", "p"})
"""Elements that say nothing of their text, and which it fills: as the title they are headings."""


def keep_title(
    blocks: Blocks, is_kept: list[bool], judged: Sequence[int], titles: Sequence[str], kinds: bytes, *, is_thread: bool
) -> None:
    """Keep the title of a thread; on other pages the title right before the first kept text: the page's h1, or where it
    has none, a text that becomes one.

    judged: numbers of the blocks that are in no menu. titles: of the page, as its head gives them. kinds: how likely
    the page is each of `KINDS`, 255 for certain; the headings of articles and documentation are weighed well enough. A
    text with a link is no title: so sites show their name on every page.
    """
    if True not in is_kept:
        return
    if is_thread:
        _keep_thread_title(blocks, is_kept, judged, titles)
        return
    number = is_kept.index(True) - 1
    if number not in judged:
        return
    tree, found = blocks.tree, blocks.all
    block = found[number]
    node = tree[block.place]
    if node.tag == "h1":
        is_left_out = sum([kinds[kind] for kind in _TEXTS]) >= LIKELY
    else:
        is_left_out = bool(block.links or block.linked) or any(tree[other.place].tag == "h1" for other in found)
    if is_left_out or not any(is_own(block.text, title) for title in titles):
        return
    is_kept[number] = True
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
