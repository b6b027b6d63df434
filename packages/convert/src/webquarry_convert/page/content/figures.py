"""Pictures in the content. They are judged by their surroundings, because they have no words to weigh."""

import re
from collections.abc import Sequence

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.tree import Node

MAX_TOKENS = 40
MAX_BLOCKS = 5
"""Maximum number of blocks, and of tokens, that belong to a picture: its caption, its author, share buttons."""
MAX_NODES = 80
"""Maximum number of elements in a picture's wrapper that are checked."""
MAX_CREDIT = 40
"""Maximum number of linked characters in a caption, such as those of the author's name.

A longer link leads to another page.
"""
MIN_SIDE = 100
"""Minimum width and height of a picture, in pixels. Smaller images are icons."""
MAX_NAMES = 100
"""Number of characters that are read from a class or a file name."""
NEAR = 8
"""Maximum number of blocks between a picture and the first kept text, such as the heading, the date and the author."""
_MEDIA = frozenset({"img", "image", "iframe", "video", "audio"})
_SERVES = re.compile(
    r"""(?:^|[\W_])(?:logo|share|sponsor|advert
    |(?:avatars?|gravatar|authors?|headshots?|profile|icons?|sprites?|badges?|buttons?|social|facebook|twitter|banner|ads?
    |pix|pixel|spacer|blank|enlarge)(?=$|[\W_\d]))|logo(?=$|[\W_\d])|\.svg$""",
    re.IGNORECASE | re.VERBOSE,
)
"""Matches words in the class or file name of logos, adverts and portraits of authors."""


class Figures:
    """The pictures to keep. kept: number of kept blocks among the first n blocks, at index `n`."""

    def __init__(self, blocks: Blocks, kept: Sequence[int]) -> None:
        self._blocks = blocks
        self._kept = kept

    def shows(self, place: int, start: int, end: int) -> bool:
        """Return whether an element without kept text shows a picture that belongs to the content. The element's parent
        must have kept text. start, end: the range of the element's blocks. An element without blocks precedes the block
        `start`.
        """
        kept, total = self._kept, self._kept[-1]
        if kept[start] == total:
            return False  # the element follows the content
        is_between = kept[start] > kept[max(start - 1, 0)] and kept[end + 1] > kept[end]
        tree = self._blocks.tree
        node = tree[place]
        if not is_between and (end - start > MAX_BLOCKS or node.end - place > MAX_NODES):
            return False
        nodes = tree[place : min(node.end, place + MAX_NODES)]
        is_figure = _is_figure(tree[node.up], nodes)
        if is_between and is_figure:
            return True
        if not any(each.tag == "img" and _is_worth_a_look(each) for each in nodes):
            return False
        if self._is_story(start, end, MAX_CREDIT if is_figure else 0) or self._is_far_before(start, end):
            return False
        return is_figure or self._has_most_content(node.up)

    def _is_far_before(self, start: int, end: int) -> bool:
        """Return whether the picture and the content are separated by more blocks than a heading, a date and an author
        need.
        """
        kept = self._kept
        return kept[start] == 0 and kept[min(end + NEAR, len(kept) - 1)] == 0

    def _is_story(self, start: int, end: int, credit: int) -> bool:
        """Return whether the blocks next to a picture are more than a caption, such as a story or links to one."""
        own = self._blocks.all[start:end]
        linked = sum([block.linked for block in own])
        if linked > credit and 2 * linked > sum([block.size for block in own]):
            return True
        return sum([block.tokens for block in own]) > MAX_TOKENS

    def _has_most_content(self, place: int) -> bool:
        """Return whether the element contains at least half of the kept blocks."""
        kept, blocks = self._kept, self._blocks
        return 2 * (kept[blocks.ends[place]] - kept[blocks.starts[place]]) >= kept[-1]

    def keep(self, place: int) -> None:
        """Drop everything in an element except its pictures."""
        tree = self._blocks.tree
        end = tree[place].end
        shown = {place}
        for at in range(place + 1, end):
            if tree[at].tag in _MEDIA:
                while at not in shown:
                    shown.add(at)
                    at = tree[at].up
        for at in range(place, end):
            node = tree[at]
            if at in shown:
                node.children = [child for child in node.children if isinstance(child, Node)]
            elif node.tag != "source":
                node.is_dropped = True


def _is_figure(parent: Node, nodes: Sequence[Node]) -> bool:
    return parent.tag == "figure" or any(node.tag == "figure" for node in nodes)


def _is_worth_a_look(image: Node) -> bool:
    """Return whether an image is not an icon, a logo, an advert or a portrait."""
    attributes = image.attributes
    if _is_short(attributes.get("width")) or _is_short(attributes.get("height")):
        return False
    source = attributes.get("src") or ""
    if source.startswith("data:"):
        source = attributes.get("data-src") or ""
    file = source.partition("?")[0].rpartition("/")[2]
    return not any(map(_SERVES.search, ((attributes.get("class") or "")[:MAX_NAMES], file[-MAX_NAMES:])))


def _is_short(side: str | None) -> bool:
    """Return whether a declared width or height is too small for a picture."""
    side = (side or "").removesuffix("px")
    return side.isascii() and side.isdigit() and len(side) < 6 and int(side) < MIN_SIDE
