"""Elements that stand side by side and are named alike: items of lists, posts of a thread, cards of a shelf."""

import re
from functools import lru_cache

from webquarry_convert.tree import Node, Tree

LEVELS = 3
"""Elements up by whose tags and classes a series is known."""
MAX_CLASS = 200
_DIGITS = re.compile(r"\d+")
_PARITY = frozenset({"odd", "even", "first", "last", "alt", "bg", "row"})
SeriesKey = tuple[str, ...]


class Siblings:
    """Counts per parent, each taken once."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._counts: dict[int, dict[tuple[str, str | None], int]] = {}

    def alike(self, place: int) -> int:
        """Elements of this one's tag and class below its parent, itself among them."""
        tree = self._tree
        node = tree[place]
        up = node.up
        if up < 0 or (place == up + 1 and node.end == tree[up].end):  # alone
            return 1
        counts = self._counts.get(up)
        if counts is None:
            counts = self._counts[up] = {}
            for beside in tree[up].children:
                if isinstance(beside, Node):
                    key = (beside.tag, beside.attributes.get("class"))
                    counts[key] = counts.get(key, 0) + 1
        return counts[node.tag, node.attributes.get("class")]


@lru_cache(maxsize=4096)
def _find_first_class(name: str) -> str:
    """Without its digits; "" of white space."""
    return "" if name.isspace() else _DIGITS.sub("", name.split()[0])


class Series:
    """Which texts of a page stand in the same place of cards, posts or rows. Elements around texts are read once."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._around: dict[int, SeriesKey] = {}

    def make_key(self, place: int) -> SeriesKey:
        """Tags and first classes of the element at `place` and of those around it, without numbers: texts with the
        same ones stand in the same place."""
        node = self._tree[place]
        if node.up < 0:
            return read_names(node)
        around = self._around.get(node.up)
        if around is None:
            around = self._around[node.up] = self._read_around(node.up)
        return read_names(node) + around

    def _read_around(self, place: int) -> SeriesKey:
        names: SeriesKey = ()
        for _ in range(LEVELS - 1):
            node = self._tree[place]
            names += read_names(node)
            place = node.up
            if place < 0:
                break
        return names


def read_names(node: Node) -> SeriesKey:
    """An element's tag, and its first class without numbers if it has one that tells it from others."""
    name = node.attributes.get("class")
    if name and (first := _find_first_class(name[:MAX_CLASS])) not in _PARITY:
        return node.tag, first
    return (node.tag,)
