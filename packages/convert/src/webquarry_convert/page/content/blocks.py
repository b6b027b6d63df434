"""The blocks of a page: paragraphs, items, headings and cells.

A block is a run of text nodes and inline elements within one block-level element. Blocks are in document order, so each
element of the page contains a range of blocks, and a sum over an element is the difference of two running sums.
"""

import re
from collections.abc import Sequence

from webquarry_convert.page.content.siblings import Series
from webquarry_convert.tree import Node, Tree

_INLINE_NAMES = """
    a abbr acronym b bdi bdo big br cite code data del dfn em font i img input ins kbd label mark math nobr picture q
    ruby rb rp rt s samp small source span strike strong sub sup svg time tt u var wbr
"""
_INLINE = frozenset(_INLINE_NAMES.split())
_UNREAD_NAMES = """
    area audio datalist head iframe img input link map math meta script select source svg textarea track video
"""
_UNREAD = frozenset(_UNREAD_NAMES.split())
_UNPARTED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Matches characters of scripts that do not separate words."""


class Block:
    """A run of consecutive children of one element.

    place: the element's index in the tree. first, last: the run is `children[first:last]`. text: the stripped text.
    size: number of characters. linked: number of characters within links. links: number of links that begin in the run.
    tokens: approximate number of words, or of characters in scripts that do not separate words.
    """

    __slots__ = ("first", "last", "linked", "links", "place", "size", "text", "tokens")

    def __init__(self, place: int, first: int, last: int, text: str, size: int, linked: int, links: int) -> None:
        self.place = place
        self.first = first
        self.last = last
        self.text = text
        self.size = size
        self.linked = linked
        self.links = links
        self.tokens = len(text.split())
        # A character that counts as a word takes at least three bytes. Most blocks have too few non-ASCII characters to
        # contain one.
        if not text.isascii() and (len(text.encode("utf-8", "replace")) - len(text)) // 2 > self.tokens:
            self.tokens = max(self.tokens, len(_UNPARTED.findall(text)))


class Blocks:
    """All blocks of a tree.

    tags: tag of each element. starts, ends: range of blocks in each block-level element, by its index. holders: indexes
    of the elements that contain blocks. series: finds blocks that have the same position in repeated cards, posts or
    rows.
    """

    __slots__ = ("all", "ends", "holders", "series", "starts", "tags", "tree")

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.series = Series(tree)
        self.all: list[Block] = []
        self.tags = [node.tag for node in tree]
        self.starts = [0] * len(tree)
        self.ends = [0] * len(tree)
        _Reader(self).block_level(tree[0], 0, False)
        self.holders = [
            place for place, (start, end) in enumerate(zip(self.starts, self.ends, strict=True)) if start != end
        ]


class _Reader:
    """Collects the current run: the parts of its text, and the same counts as in `Block`."""

    __slots__ = ("blocks", "ends", "holds_blocks", "linked", "links", "parts", "size", "starts")

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks.all
        self.starts = blocks.starts
        self.ends = blocks.ends
        self.holds_blocks = _block_level(blocks.tree, blocks.tags)
        self.parts: list[str] = []
        self.size = self.linked = self.links = 0

    def block_level(self, node: Node, place: int, in_link: bool) -> None:
        blocks, children = self.blocks, node.children
        self.starts[place] = len(blocks)
        if len(children) == 1 and isinstance(only := children[0], str):  # the usual case
            if text := only.strip():
                size = len(text)
                blocks.append(Block(place, 0, 1, text, size, size if in_link else 0, self.links))
                self.links = 0
        elif children:
            self._read(node, place, in_link)
        self.ends[place] = len(blocks)

    def _read(self, node: Node, place: int, in_link: bool) -> None:
        parts, holds_blocks = self.parts, self.holds_blocks
        begun, at, number = -1, place + 1, -1
        for child in node.children:
            number += 1
            if isinstance(child, str):
                size = len(child.strip())
                if size:
                    if begun < 0:
                        begun = number
                    parts.append(child)
                    self.size += size
                    if in_link:
                        self.linked += size
                elif begun >= 0:
                    parts.append(" ")
                continue
            if holds_blocks[at]:
                if begun >= 0:
                    self._end(place, begun, number)
                    begun = -1
                self.block_level(child, at, in_link or child.tag == "a")
            elif child.tag not in _UNREAD:
                self._inline(child, in_link)
                if begun < 0 and self.size:
                    begun = number
            at = child.end
        if begun >= 0:
            self._end(place, begun, number + 1)

    def _inline(self, node: Node, in_link: bool) -> None:
        parts, tag = self.parts, node.tag
        if tag == "a" and not in_link:
            in_link = True
            self.links += 1
        elif tag == "br":
            parts.append("\n")
        for child in node.children:
            if isinstance(child, str):
                parts.append(child)
                size = len(child.strip())
                if size:
                    self.size += size
                    if in_link:
                        self.linked += size
            elif child.tag not in _UNREAD:
                self._inline(child, in_link)

    def _end(self, place: int, first: int, last: int) -> None:
        parts = self.parts
        text = (parts[0] if len(parts) == 1 else "".join(parts)).strip()
        self.blocks.append(Block(place, first, last, text, self.size, self.linked, self.links))
        parts.clear()
        self.size = self.linked = self.links = 0


def _block_level(tree: Tree, tags: Sequence[str]) -> bytearray:
    """Return 1 at the indexes of block-level elements and of elements that contain a block-level element.

    Custom elements such as `<trusted-source>` are inline if their parent contains text.
    """
    found = bytearray(len(tree))
    is_text: dict[int, bool] = {}  # results by the parent's index
    unread_end = 0
    for place, tag in enumerate(tags):
        if place < unread_end:
            continue
        if tag in _UNREAD:
            unread_end = tree[place].end
        elif tag not in _INLINE and not ("-" in tag and _has_text(tree, tree[place].up, is_text)):
            up = place
            while up >= 0 and not found[up]:
                found[up] = 1
                up = tree[up].up
    return found


def _has_text(tree: Tree, place: int, known: dict[int, bool]) -> bool:
    """Return whether the element at index `place` has a text node among its children.

    known: results by index; the function adds to it.
    """
    if place < 0:
        return False
    found = known.get(place)
    if found is None:
        found = False
        for child in tree[place].children:
            if isinstance(child, str) and not child.isspace():
                found = True
                break
        known[place] = found
    return found
