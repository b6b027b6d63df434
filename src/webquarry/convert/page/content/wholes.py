"""Tables, lists and code are kept or left as a whole: with holes they say something else than their author wrote."""

from webquarry.convert.page.content.blocks import Blocks

MAX_TOKENS = 60
"""Of a text from which on a table or a list lays out a page: its texts are judged one by one."""
TABLE_SHARE = 0.5
LIST_SHARE = 0.3
"""Share of the tokens that must be kept for all to be."""
MAX_TEXTS = 2
"""Texts for each item of a list: items of more are cards and comments, with names, dates and buttons in them."""
_LISTS = frozenset({"ul", "ol"})
_WHOLE = _LISTS | {"table", "pre"}


def mend(blocks: Blocks, is_kept: list[bool]) -> None:
    """Keep all of each table, list and piece of code of which enough is kept.

    Those that hold others of their kind lay out a page, and lists of cards or comments have texts in each item that are
    no content: both are left as chosen. Of a list of which less is kept, what stands between two kept texts is. Code is
    also kept when the texts before and behind it are.
    """
    tree = blocks.tree
    table = lists = len(tree)  # places of the next ones
    for place in reversed([place for place, node in enumerate(tree) if node.tag in _WHOLE]):
        node = tree[place]
        tag = node.tag
        if tag == "table":
            is_innermost, table = table >= node.end, place
            if is_innermost:
                _complete(blocks, is_kept, place, TABLE_SHARE)
        elif tag in _LISTS:
            is_innermost, lists = lists >= node.end, place
            if is_innermost and _is_plain(blocks, place) and not _complete(blocks, is_kept, place, LIST_SHARE):
                _fill(is_kept, blocks.starts[place], blocks.ends[place])
        else:
            _join(is_kept, blocks.starts[place], blocks.ends[place])


def _complete(blocks: Blocks, is_kept: list[bool], place: int, share: float) -> bool:
    """Keep all blocks of an element when this share of their tokens is kept, and none is long."""
    start, end = blocks.starts[place], blocks.ends[place]
    if True not in is_kept[start:end]:
        return False
    tokens = [block.tokens for block in blocks.all[start:end]]
    kept = sum([count for count, keeps in zip(tokens, is_kept[start:end], strict=True) if keeps])
    if max(tokens) > MAX_TOKENS or kept < share * sum(tokens):
        return False
    is_kept[start:end] = [True] * (end - start)
    return True


def _is_plain(blocks: Blocks, place: int) -> bool:
    """Whether the items of a list are texts."""
    items = sum(child.__class__ is not str for child in blocks.tree[place].children)
    return blocks.ends[place] - blocks.starts[place] <= MAX_TEXTS * items


def _fill(is_kept: list[bool], start: int, end: int) -> None:
    """Keep the blocks between the first and the last kept one."""
    own = is_kept[start:end]
    if True in own:
        first, last = start + own.index(True), end - own[::-1].index(True)
        is_kept[first:last] = [True] * (last - first)


def _join(is_kept: list[bool], start: int, end: int) -> None:
    """Keep the blocks of code when one of them is kept, or those before and behind."""
    is_within = 0 < start < end < len(is_kept) and is_kept[start - 1] and is_kept[end]
    if is_within or True in is_kept[start:end]:
        is_kept[start:end] = [True] * (end - start)
