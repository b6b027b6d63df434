"""Headings stand by what they head."""

from webquarry.convert.page.content.blocks import Blocks

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BELOW_THE_TITLE = _HEADINGS - {"h1"}
"""Whether the page's own heading is part of its content is weighed by itself."""


def mend(blocks: Blocks, is_kept: list[bool]) -> None:
    """Keep each heading right before a text that is kept."""
    tree = blocks.tree
    tags = [tree[block.place].tag for block in blocks.all]
    for number in range(len(tags) - 1):
        if tags[number] in _BELOW_THE_TITLE and is_kept[number + 1] and tags[number + 1] not in _HEADINGS:
            is_kept[number] = True
