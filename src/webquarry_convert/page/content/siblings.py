"""Elements that stand side by side and are named alike: items of lists, posts of a thread, cards of a shelf."""

from webquarry_convert.tree import Tree


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
            at, end = up + 1, tree[up].end
            while at < end:
                beside = tree[at]
                key = (beside.tag, beside.attributes.get("class"))
                counts[key] = counts.get(key, 0) + 1
                at = beside.end
        return counts[node.tag, node.attributes.get("class")]
