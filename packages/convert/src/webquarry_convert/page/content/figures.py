"""Pictures of the content, whose captions are not: they have no words that could be weighed."""

import re
from collections.abc import Sequence

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.tree import Node

MAX_TOKENS = 40
MAX_BLOCKS = 5
"""Bounds of what stands around a picture and belongs to it: its caption, its author, buttons to share it."""
MAX_NODES = 80
"""Elements of what wraps a picture that are looked at."""
MAX_CREDIT = 40
"""Characters of links in the caption of a figure, to its author for example. More lead to another page."""
MIN_SIDE = 100
"""Pixels: smaller ones are signs."""
MAX_NAMES = 100
"""Signs of a class or file name that are read."""
NEAR = 8
"""Blocks up to which a picture before the first kept text belongs to it: between them stand heading, date, author."""
_MEDIA = frozenset({"img", "image", "iframe", "video", "audio"})
_SERVES = re.compile(
    r"""(?:^|[\W_])(?:logo|share|sponsor|advert
    |(?:avatars?|gravatar|authors?|headshots?|profile|icons?|sprites?|badges?|buttons?|social|facebook|twitter|banner|ads?
    |pix|pixel|spacer|blank|enlarge)(?=$|[\W_\d]))|logo(?=$|[\W_\d])|\.svg$""",
    re.IGNORECASE | re.VERBOSE,
)
"""In class or file name of images that serve the page or show who wrote it."""


class Figures:
    """kept: at `n`, how many of the first n blocks are kept."""

    def __init__(self, blocks: Blocks, kept: Sequence[int]) -> None:
        self._blocks = blocks
        self._kept = kept

    def shows(self, place: int, start: int, end: int) -> bool:
        """Whether an element of which no text is kept, but some of its parent, shows a picture of the content.

        start, end: the range of its blocks; one without any stands before the block `start`.
        """
        kept, total = self._kept, self._kept[-1]
        if kept[start] == total:
            return False  # behind the content
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
        """Whether the content begins further behind than its heading, date and author are long."""
        kept = self._kept
        return kept[start] == 0 and kept[min(end + NEAR, len(kept) - 1)] == 0

    def _is_story(self, start: int, end: int, credit: int) -> bool:
        """Whether the texts beside a picture are more than its caption: a story, or links to one."""
        own = self._blocks.all[start:end]
        linked = sum([block.linked for block in own])
        if linked > credit and 2 * linked > sum([block.size for block in own]):
            return True
        return sum([block.tokens for block in own]) > MAX_TOKENS

    def _has_most_content(self, place: int) -> bool:
        """Whether at least half of what is kept stands in an element."""
        kept, blocks = self._kept, self._blocks
        return 2 * (kept[blocks.ends[place]] - kept[blocks.starts[place]]) >= kept[-1]

    def keep(self, place: int) -> None:
        """Drop all in an element but its pictures."""
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
    """Whether an image is neither a sign nor one that serves the page."""
    attributes = image.attributes
    if _is_short(attributes.get("width")) or _is_short(attributes.get("height")):
        return False
    source = attributes.get("src") or ""
    if source.startswith("data:"):
        source = attributes.get("data-src") or ""
    file = source.partition("?")[0].rpartition("/")[2]
    return not any(map(_SERVES.search, ((attributes.get("class") or "")[:MAX_NAMES], file[-MAX_NAMES:])))


def _is_short(side: str | None) -> bool:
    """Whether a stated width or height is that of a sign."""
    side = (side or "").removesuffix("px")
    return side.isascii() and side.isdigit() and len(side) < 6 and int(side) < MIN_SIDE
