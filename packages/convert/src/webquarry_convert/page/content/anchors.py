"""Blocks whose text is also in the page's head. The content is usually close to them."""

from typing import NamedTuple

from webquarry_convert.page.content.blocks import Blocks

_KEY = 40
"""Number of characters that must match the page's description."""


class Anchors(NamedTuple):
    """The number of the block with the page's own heading, and of the block that the description quotes.

    Each is -1 if missing.
    """

    title: int
    description: int

    @property
    def best(self) -> int:
        """The number of the description's block; if there is none, of the title's block; and otherwise -1."""
        return self.description if self.description >= 0 else self.title


def find_anchors(blocks: Blocks, about: tuple[str, str]) -> Anchors:
    """Find the blocks that match the page's title and description.

    about: the title and description from the page's head.
    """
    return Anchors(_find_title(blocks, about[0]), _find_description(blocks, about[1]))


def _find_title(blocks: Blocks, title: str) -> int:
    """Return the number of the block with the page's own heading, or -1.

    An `h1` that contains the title or is contained in it is preferred to the first `h1`.
    """
    tree = blocks.tree
    title = _normalise_text(title)
    first = -1
    for number, block in enumerate(blocks.all):
        node = tree[block.place]
        if node.tag == "h1" or (node.up >= 0 and tree[node.up].tag == "h1"):
            low = _normalise_text(block.text)
            if title and (low in title or title in low):
                return number
            if first < 0:
                first = number
    return first


def _find_description(blocks: Blocks, description: str) -> int:
    """Return the number of the first block that contains the description's beginning, or -1."""
    key = _normalise_text(description[: 3 * _KEY])[:_KEY]
    if len(key) < _KEY // 2:
        return -1
    word = max(key.split(), key=len)
    for number, block in enumerate(blocks.all):
        if block.size >= len(key):
            beginning = block.text[: 10 * _KEY].lower()
            if word in beginning and key in _normalise_text(beginning):  # searching for a single word first is faster
                return number
    return -1


def _normalise_text(text: str) -> str:
    return " ".join(text.lower().split())
