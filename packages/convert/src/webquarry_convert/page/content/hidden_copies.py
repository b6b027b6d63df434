"""Hidden copies of visible text, such as the quote that forum software prepares for each post."""

from collections.abc import Sequence

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.names import is_hidden

MIN_TOKENS = 8
"""Minimum number of tokens that a hidden element must repeat."""
MAX_OWN = 12
"""Maximum number of a hidden element's tokens that are not also visible, such as `Quote from Ann, 3 May`."""
_HIDING = frozenset({"hidden", "aria-hidden", "style"})

Span = tuple[int, int]


def find_hidden_copies(blocks: Blocks) -> list[Span]:
    """Return the block ranges of the outermost hidden elements that mainly repeat visible texts."""
    hidden = _find_hidden(blocks)
    if not hidden:
        return []
    visible: set[str] = set()
    at = 0
    for start, end in [*hidden, (len(blocks.all), 0)]:
        visible.update(_squeeze(block) for block in blocks.all[at:start])
        at = end
    return [span for span in hidden if _is_copy(blocks.all[slice(*span)], visible)]


def _find_hidden(blocks: Blocks) -> list[Span]:
    """Return the block ranges of the outermost elements that the markup hides."""
    tree, found, after = blocks.tree, [], 0
    for place in blocks.holders:
        attributes = tree[place].attributes
        if place >= after and not _HIDING.isdisjoint(attributes) and is_hidden(attributes):
            found.append((blocks.starts[place], blocks.ends[place]))
            after = tree[place].end
    return found


def _is_copy(hidden: Sequence[Block], visible: set[str]) -> bool:
    """Return whether half of a hidden text is also visible, and the rest is short."""
    copied = 0
    for block in hidden:
        if _squeeze(block) in visible:
            copied += block.tokens
        elif block.tokens > MAX_OWN:
            return False
    return copied >= MIN_TOKENS and 2 * copied >= sum([block.tokens for block in hidden])


def _squeeze(block: Block) -> str:
    return " ".join(block.text.split())
