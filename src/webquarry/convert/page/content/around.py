"""What surrounds a block: the elements that hold it together with others, and how their texts look as a whole."""

from webquarry.convert.page.content.blocks import Blocks
from webquarry.convert.page.content.names import MAX_NAME, TAGS, Names, is_hidden
from webquarry.convert.page.content.scale import root, share, weight
from webquarry.convert.page.content.siblings import Siblings
from webquarry.convert.page.content.sums import Sums
from webquarry.convert.page.tree import Node, Tree

LEVELS = 3
REPEATED = 3
"""Elements of one tag and class side by side from which they are a list of something."""
NONE = 255

WITHIN = (
    "nav", "header", "footer", "aside", "form", "main", "article", "section", "li", "table", "dialog", "noscript",
    "hidden", "comments",
)  # fmt: skip
_WITHIN = {name: place for place, name in enumerate(WITHIN)}
_SAME = {"dl": "li", "ul": "li", "ol": "li", "details": "section", "menu": "nav"}
_TAG_WITHIN = {**_WITHIN, **{tag: _WITHIN[same] for tag, same in _SAME.items()}}
_HIDDEN = _WITHIN["hidden"]
_ROLES = {
    "navigation": "nav", "banner": "header", "contentinfo": "footer", "complementary": "aside", "main": "main",
    "article": "article", "dialog": "dialog", "alertdialog": "dialog", "search": "form", "menu": "nav",
    "menubar": "nav",
}  # fmt: skip
_SUMMARY = ("share", "blocks", "linked", "mean", "prose", "tag", "name")
COLUMNS = (
    *(f"within_{name}" for name in WITHIN),
    "depth", "path", "path_worst", "path_best",
    *(f"{field}_{level}" for level in range(1, LEVELS + 1) for field in _SUMMARY),
    "trunk_prose", "trunk_height", "off_trunk",
    *(f"branch_{field}" for field in (*_SUMMARY, "path")),
    "anchor_prose", "off_anchor", "above_anchor",
    "alike", "alike_level", "alike_mean", "alike_linked", "alike_share",
)  # fmt: skip
"""`within_…`: elements up to one of that kind, 255 when there is none. `path…`: sum, least and greatest weight of the
names above. `…_1` is the innermost element with several blocks, `…_2` the next that holds more. `trunk…`: of the
innermost element around that is on the way from the root to where the prose of the page parts; `branch…`: of its child
towards the block. `anchor_prose`: of the innermost element that holds both this and the anchor; `off_anchor` and
`above_anchor`: elements from here and from the anchor up to it, 255 without one. `alike…`: of the nearest elements
repeated side by side."""
_COMMENTS = ("comment", "disqus", "reply", "replies", "respon")
_FARTHER = bytes(min(NONE, n + 1) for n in range(256))
_NO_ANCHOR = bytes((0, NONE, NONE))
_NOTHING_ALIKE = bytes((0, NONE, 0, 0, 0))

Path = tuple[bytes, int, int, int, int]


class Around:
    """Rows of the elements of a page. All are kept, so each element is looked at once."""

    def __init__(self, blocks: Blocks, sums: Sums, siblings: Siblings, names: Names, anchor: int) -> None:
        """anchor: place of an element in which the content begins, as far as the head tells; or -1."""
        self._tree = blocks.tree
        self._starts = blocks.starts
        self._ends = blocks.ends
        self._sums = sums
        self._siblings = siblings
        self._names = names
        self._rows: dict[int, bytes] = {}
        self._paths: dict[int, Path] = {}
        self._chains: dict[int, bytes] = {}
        self._alike: dict[int, bytes] = {}
        self._summaries: dict[int, bytes] = {}
        self._off_trunk: dict[int, tuple[int, int, int]] = {}
        self._anchor = _Anchor(self._tree, anchor)
        self._trunk = self._find_trunk()

    def row(self, place: int) -> bytes:
        """Of the element at `place`, which holds several blocks."""
        row = self._rows.get(place)
        if row is None:
            steps, depth, total, worst, best = self._path(place)
            row = self._rows[place] = b"".join(
                (
                    steps,
                    bytes((min(255, depth), weight(total // 2), weight(worst), weight(best))),
                    self._chain(place)[: LEVELS * len(_SUMMARY)],
                    self._on_trunk(place),
                    self._to_anchor(place),
                    self._repeated(place),
                )
            )
        return row

    def _path(self, place: int) -> Path:
        found = self._paths.get(place)
        if found is None:
            node = self._tree[place]
            if node.up < 0:
                found = (bytes([NONE]) * len(WITHIN), 0, 0, 0, 0)
            else:
                steps, depth, total, worst, best = self._path(node.up)
                steps = steps.translate(_FARTHER)
                for at in _kinds(node):
                    steps = steps[:at] + b"\0" + steps[at + 1 :]
                named = self._names.weight(node)
                found = (steps, depth + 1, total + named, min(worst, named), max(best, named))
            self._paths[place] = found
        return found

    def _chain(self, place: int) -> bytes:
        """Summaries of this element and those around that hold more, inner first."""
        found = self._chains.get(place)
        if found is None:
            tree, starts, ends = self._tree, self._starts, self._ends
            start, end = starts[place], ends[place]
            at, up = place, tree[place].up
            while up >= 0 and starts[up] == start and ends[up] == end:
                at, up = up, tree[up].up
            outer = self._chain(up) if up >= 0 else bytes(LEVELS * len(_SUMMARY))
            found = self._chains[place] = (self._summary(at) + outer)[: LEVELS * len(_SUMMARY)]
        return found

    def _summary(self, at: int) -> bytes:
        found = self._summaries.get(at)
        if found is not None:
            return found
        start, end = self._starts[at], self._ends[at]
        sums = self._sums
        size = sums.size[end] - sums.size[start]
        node = self._tree[at]
        found = self._summaries[at] = bytes(
            (
                share(size, sums.size[-1]),
                root(end - start),
                share(sums.linked[end] - sums.linked[start], size),
                root(size // (end - start)) if end > start else 0,
                share(sums.prose[end] - sums.prose[start], sums.prose[-1]),
                TAGS.get(node.tag, 0),
                weight(self._names.weight(node)),
            )
        )
        return found

    def _find_trunk(self) -> dict[int, int]:
        """Places from the root to where the prose parts, each the child that holds the most of it, with their depth."""
        tree, starts, ends, prose = self._tree, self._starts, self._ends, self._sums.prose
        trunk = {0: 0}
        at = 0
        while True:
            best, most = -1, 0
            child = at + 1
            while child < tree[at].end:
                held = prose[ends[child]] - prose[starts[child]]
                if held > most:
                    best, most = child, held
                child = tree[child].end
            if best < 0 or 3 * most < prose[ends[at]] - prose[starts[at]]:
                return trunk
            trunk[best] = len(trunk)
            at = best

    def _on_trunk(self, place: int) -> bytes:
        prose = self._sums.prose
        at, branch, off = self._way_to_trunk(place)
        held = prose[self._ends[at]] - prose[self._starts[at]]
        return b"".join(
            (
                bytes((share(held, prose[-1]), min(255, len(self._trunk) - self._trunk[at]), min(255, off))),
                self._summary(branch),
                bytes((weight(self._path(branch)[2] // 2),)),
            )
        )

    def _way_to_trunk(self, place: int) -> tuple[int, int, int]:
        """The trunk's element around, its child towards this place, and how many elements are between."""
        if place in self._trunk:
            return place, place, 0
        found = self._off_trunk.get(place)
        if found is None:
            at, branch, off = self._way_to_trunk(self._tree[place].up)
            found = self._off_trunk[place] = (at, branch if off else place, off + 1)
        return found

    def _to_anchor(self, place: int) -> bytes:
        anchor = self._anchor
        if not anchor.above:
            return _NO_ANCHOR
        prose = self._sums.prose
        at, off = anchor.way_from(place)
        held = prose[self._ends[at]] - prose[self._starts[at]]
        return bytes((share(held, prose[-1]), min(NONE - 1, off), min(NONE - 1, anchor.above[at])))

    def _repeated(self, place: int, level: int = 0) -> bytes:
        tree = self._tree
        up = tree[place].up
        if up < 0 or level == 8:
            return _NOTHING_ALIKE
        found = self._alike.get(place)
        if found is None:
            alike = self._siblings.alike(place)
            if alike >= REPEATED:
                start, end = self._starts[up], self._ends[up]
                size = self._sums.size[end] - self._sums.size[start]
                linked = self._sums.linked[end] - self._sums.linked[start]
                found = bytes(
                    (
                        min(255, alike),
                        0,
                        root(size // alike),
                        share(linked, size),
                        share(size, self._sums.size[-1]),
                    )
                )
            else:
                outer = self._repeated(up, level + 1)
                found = bytes((outer[0], min(NONE, outer[1] + 1))) + outer[2:]
            self._alike[place] = found
        return found


class _Anchor:
    """A text that tells where the content is. above: the elements that hold it, with how far they are from it."""

    def __init__(self, tree: Tree, place: int) -> None:
        self._tree = tree
        self._ways: dict[int, tuple[int, int]] = {}
        self.above: dict[int, int] = {}
        while place >= 0:
            self.above[place] = len(self.above)
            place = tree[place].up

    def way_from(self, place: int) -> tuple[int, int]:
        """The innermost element around `place` that holds the anchor too, and how many elements it is above."""
        if place in self.above:
            return place, 0
        found = self._ways.get(place)
        if found is None:
            at, off = self.way_from(self._tree[place].up)
            found = self._ways[place] = (at, off + 1)
        return found


def _kinds(node: Node) -> list[int]:
    """Which of `WITHIN` the element is, by their places there."""
    kind = _TAG_WITHIN.get(node.tag)
    kinds = [] if kind is None else [kind]
    attributes = node.attributes
    if attributes:
        role = attributes.get("role")
        if role and role in _ROLES:
            kinds.append(_WITHIN[_ROLES[role]])
        if is_hidden(attributes):
            kinds.append(_HIDDEN)
        class_, id_ = attributes.get("class"), attributes.get("id")
        if class_ or id_:
            names = f"{class_} {id_}"[:MAX_NAME].lower()
            if any([word in names for word in _COMMENTS]):  # noqa: C419  # a list is twice as fast for five
                kinds.append(_WITHIN["comments"])
    return kinds
