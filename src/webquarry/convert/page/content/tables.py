"""Tables of data are kept or left as a whole: one with holes in it says something else than its author wrote."""

from webquarry.convert.page.content.blocks import Blocks

MAX_CELL = 60
"""Tokens of a text from which a table lays out a page: its texts are judged one by one."""


def mend(blocks: Blocks, is_kept: list[bool]) -> None:
    """Keep all blocks of each table of which at least half the tokens are kept.

    Tables that hold others lay out a page, too.
    """
    tree, found = blocks.tree, blocks.all
    following = len(tree)
    for place in range(len(tree) - 1, -1, -1):
        node = tree[place]
        if node.tag != "table":
            continue
        is_innermost, following = following >= node.end, place
        start, end = blocks.starts[place], blocks.ends[place]
        if is_innermost and True in is_kept[start:end]:
            tokens = [block.tokens for block in found[start:end]]
            kept = sum([count for count, keeps in zip(tokens, is_kept[start:end], strict=True) if keeps])
            if max(tokens) <= MAX_CELL and 2 * kept >= sum(tokens):
                is_kept[start:end] = [True] * (end - start)
