"""Adjacent elements with the same names: list items, posts in a thread, or cards in a group."""

import re
from functools import lru_cache

from webquarry_convert.tree import Node, Tree

LEVELS = 3
"""Number of ancestors whose tags and classes identify a series."""
MAX_CLASS = 200
_DIGITS = re.compile(r"\d+")
_PARITY = frozenset({"odd", "even", "first", "last", "alt", "bg", "row"})
SeriesKey = tuple[str, ...]


class Siblings:
    """The number of similar siblings for each element, cached per parent."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._counts: dict[int, dict[tuple[str, str | None], int]] = {}

    def alike(self, place: int) -> int:
        """Count the siblings with the same tag and class. The element itself counts, too."""
        tree = self._tree
        node = tree[place]
        up = node.up
        if up < 0 or (place == up + 1 and node.end == tree[up].end):  # the element is an only child
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
    """Return the first class without its digits, or "" if there is no class."""
    return "" if name.isspace() else _DIGITS.sub("", name.split()[0])


class Series:
    """Positions of blocks within repeated cards, posts or rows. Each ancestor is read only once."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._around: dict[int, SeriesKey] = {}

    def make_key(self, place: int) -> SeriesKey:
        """Return the tags and first classes, without digits, of the element at index `place` and of its ancestors.

        Texts with the same key have the same position.
        """
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
    """Return an element's tag, and its first class without digits if the class is distinctive."""
    name = node.attributes.get("class")
    if name and (first := _find_first_class(name[:MAX_CLASS])) not in _PARITY:
        return node.tag, first
    return (node.tag,)
