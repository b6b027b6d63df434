"""The page's own title directly above its text, either in a heading or in a plain element."""

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.selection import Selection
from webquarry_convert.page.head import is_own

_HEADINGS = frozenset({"h1", "h2", "h3"})
MAX_TITLE = 300
"""Number of a title's characters that are compared with each heading."""
LIKELY = 128
"""Minimum chance, of 255, that the page is an article or documentation."""
_TEXTS = ("article", "documentation")
_PLAIN = frozenset({"div", "p"})
"""Elements without a meaning. They become headings if they contain nothing but the title."""


def keep_title(selection: Selection) -> None:
    """Keep the title of a thread, or the title directly before the first kept text.

    Outside threads, the title is the page's `h1` or, if there is none, a text that becomes a heading. Articles and
    documentation need no special treatment, because their headings are weighed well enough. A text with a link does not
    count, because every page of a site may show the site's name in this way.
    """
    kept = selection.kept
    if True not in kept:
        return
    if selection.is_thread:
        _keep_thread_title(selection)
        return
    blocks, number = selection.blocks, kept.index(True) - 1
    if number not in selection.judged or not _may_be_title(selection, number):
        return
    block = blocks.all[number]
    if any(is_own(block.text, title) for title in selection.titles):
        selection.keep((number,))
        node = blocks.tree[block.place]
        if node.tag in _PLAIN and blocks.ends[block.place] - blocks.starts[block.place] == 1:
            node.tag = "h1"


def _may_be_title(selection: Selection, number: int) -> bool:
    """Return whether the element of a block may contain the title, given the kind of page."""
    tree, block = selection.blocks.tree, selection.blocks.all[number]
    if tree[block.place].tag == "h1":
        return sum([selection.get_chance(kind) for kind in _TEXTS]) < LIKELY
    return not (block.links or block.linked or any(tree[other.place].tag == "h1" for other in selection.blocks.all))


def _keep_thread_title(selection: Selection) -> None:
    """Keep the first heading before the kept blocks whose text is the title."""
    blocks, first = selection.blocks, selection.kept.index(True)
    for number in selection.judged:
        if number >= first:
            return
        block = blocks.all[number]
        if _is_heading(blocks, block) and any(is_own(block.text, title[:MAX_TITLE]) for title in selection.titles):
            selection.keep((number,))
            return


def _is_heading(blocks: Blocks, block: Block) -> bool:
    """Return whether a block is in a heading."""
    own = blocks.tree[block.place]
    return own.tag in _HEADINGS or (own.up >= 0 and blocks.tree[own.up].tag in _HEADINGS)
