"""Texts that the head of a page tells of: where they stand, the content is not far."""

from typing import NamedTuple

from webquarry_convert.page.content.blocks import Blocks

_KEY = 40
"""Characters by which a text is known to begin with the page's description."""


class Anchors(NamedTuple):
    """Numbers of the blocks of the page's own heading and of the text that its description begins; -1 for none."""

    title: int
    description: int

    @property
    def best(self) -> int:
        """The description's, else the title's; or -1."""
        return self.description if self.description >= 0 else self.title


def find_anchors(blocks: Blocks, about: tuple[str, str]) -> Anchors:
    """about: title and description of the page as its head gives them."""
    return Anchors(_find_title(blocks, about[0]), _find_description(blocks, about[1]))


def _find_title(blocks: Blocks, title: str) -> int:
    """The block of the page's own heading: an h1 that the title holds or is held by, else the first h1; or -1."""
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
    """The first block that holds the beginning of the description; or -1."""
    key = _normalise_text(description[: 3 * _KEY])[:_KEY]
    if len(key) < _KEY // 2:
        return -1
    word = max(key.split(), key=len)
    for number, block in enumerate(blocks.all):
        if block.size >= len(key):
            beginning = block.text[: 10 * _KEY].lower()
            if word in beginning and key in _normalise_text(beginning):  # the word is looked for faster
                return number
    return -1


def _normalise_text(text: str) -> str:
    return " ".join(text.lower().split())
