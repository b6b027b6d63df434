"""Features of the elements that contain a block together with other blocks.

The features are the kinds of enclosing elements (`nav`, `article` …), the weights of their names, and the amount of
text, prose and linked text in them. Example: the innermost element that contains a paragraph together with
others is the `div` of `main > article > div`. `within_article` is then 1 and `within_main` 2, counted in elements
upwards, and `within_nav` is 255 because there is no `nav`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.names import MAX_NAME, TAGS, Names, is_hidden
from webquarry_convert.page.content.scale import root, share, weight
from webquarry_convert.page.content.siblings import Siblings
from webquarry_convert.page.content.sums import Sums
from webquarry_convert.tree import Node

LEVELS = 3
REPEATED = 3
"""Minimum number of adjacent elements with the same tag and class that form a list."""
FARTHEST = 7
"""Maximum number of levels that are searched upwards for a repeated element."""
NONE = 255

WITHIN = (
    "nav", "header", "footer", "aside", "form", "main", "article", "section", "li", "table", "dialog", "noscript",
    "hidden", "comments",
)  # fmt: skip
_WITHIN = {name: place for place, name in enumerate(WITHIN)}
_SAME = {"dl": "li", "ul": "li", "ol": "li", "details": "section", "menu": "nav"}
_TAG_WITHIN = {**_WITHIN, **{tag: _WITHIN[same] for tag, same in _SAME.items()}}
_HIDDEN = _WITHIN["hidden"]
_COMMENTS = _WITHIN["comments"]
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
"""Names of the columns, one byte each.

`within_…`: number of steps up to the nearest element of the kind; 255 if there is none. `path`, `path_worst`,
`path_best`: sum, minimum and maximum of the weights of the enclosing elements' names. `…_1`, `…_2`, `…_3`: the
innermost element with several blocks, and the next outer elements with more blocks. `trunk…`: the innermost element on
the trunk that contains the block. The trunk is the path from the root that always enters the child with the most prose,
and ends where the prose divides. `branch…`: the child of this element towards the block. `anchor_prose`: prose of the
innermost element that contains the block and the anchor. `off_anchor`, `above_anchor`: number of steps to this element
from the block and from the anchor; 255 without an anchor. `alike…`: the nearest group of equal adjacent elements, such
as the items of a list.
"""
_COMMENT_WORDS = ("comment", "disqus", "reply", "replies", "respon")
_FARTHER = bytes(min(NONE, n + 1) for n in range(256))
_NO_ANCHOR = bytes((0, NONE, NONE))
_NOTHING_ALIKE = bytes((0, NONE, 0, 0, 0))


class _Landmark(NamedTuple):
    """An ancestor of an element: its features, with the distance from the element inserted in the middle.

    depth: the ancestor's depth. before, after: the features before and after the distance.
    """

    depth: int
    before: bytes
    after: bytes

    def describe_from(self, depth: int, most: int) -> bytes:
        return self.before + bytes((min(most, depth - self.depth),)) + self.after


class _Context(NamedTuple):
    """An element's values that its descendants inherit.

    named, worst, best: sum, minimum and maximum of the name weights on the path from below the root to the element.
    """

    within: bytes
    depth: int
    named: int
    worst: int
    best: int
    levels: bytes
    trunk: _Landmark
    anchor: _Landmark | None
    alike: _Landmark | None

    def row(self) -> bytes:
        within, depth, named, worst, best, levels, trunk, anchor, alike = self
        if alike is not None and depth - alike.depth > FARTHEST:
            alike = None
        return b"".join(
            (
                within,
                bytes((min(NONE, depth), weight(named // 2), weight(worst), weight(best))),
                levels,
                trunk.describe_from(depth, NONE),
                _NO_ANCHOR if anchor is None else anchor.describe_from(depth, NONE - 1),
                _NOTHING_ALIKE if alike is None else alike.describe_from(depth, FARTHEST),
            )
        )


class ContextFeatures:
    """Feature rows for the elements of a page. Each element is visited once, after its parent."""

    def __init__(self, blocks: Blocks, sums: Sums, siblings: Siblings, names: Names, anchor: int) -> None:
        """Build the features.

        anchor: number of the block with which the content begins, judging by the head, or -1.
        """
        self._tree = blocks.tree
        self._starts = blocks.starts
        self._ends = blocks.ends
        self._sums = sums
        self._siblings = siblings
        self._names = names
        self._trunk = self._find_trunk()
        self._above_anchor = self._find_ancestors(blocks.all[anchor].place if anchor >= 0 else -1)
        self._kinds: dict[tuple[str, str | None], list[int]] = {}  # lists for elements whose only attribute is a class
        self._settings = {0: self._root()}

    def row(self, place: int) -> bytes:
        """Return the row of the element at index `place`, which contains several blocks."""
        return self._get_context(place).row()

    def _get_context(self, place: int) -> _Context:
        setting = self._settings.get(place)
        if setting is None:
            node = self._tree[place]
            setting = self._settings[place] = self._within(self._get_context(node.up), place, node)
        return setting

    def _root(self) -> _Context:
        summary = self._build_summary(0, self._names.weight(self._tree[0]))
        return _Context(
            within=bytes((NONE,)) * len(WITHIN),
            depth=0,
            named=0,
            worst=0,
            best=0,
            levels=summary.ljust(LEVELS * len(_SUMMARY), b"\0"),
            trunk=self._describe_trunk(0, 0, summary, 0),
            anchor=self._describe_anchor(0, 0) if self._above_anchor else None,
            alike=None,
        )

    def _within(self, outer: _Context, place: int, node: Node) -> _Context:
        """Return a child's context. outer: its parent's context."""
        up, depth = node.up, outer.depth + 1
        name = self._names.weight(node)
        named = outer.named + name
        levels, trunk = outer.levels, outer.trunk
        holds_less = self._ends[place] - self._starts[place] < self._ends[up] - self._starts[up]
        is_beside_trunk = up in self._trunk
        if holds_less or is_beside_trunk:
            summary = self._build_summary(place, name)
            if holds_less:
                levels = (summary + levels)[: len(levels)]
            if place in self._trunk:
                trunk = self._describe_trunk(place, depth, summary, named)
            elif is_beside_trunk:
                trunk = self._describe_trunk(up, outer.depth, summary, named)
        alike = self._siblings.alike(place)
        return _Context(
            _update_within(outer.within, self._find_kinds(node)),
            depth,
            named,
            min(outer.worst, name),
            max(outer.best, name),
            levels,
            trunk,
            self._describe_anchor(place, depth) if place in self._above_anchor else outer.anchor,
            self._repeated(alike, up, depth) if alike >= REPEATED else outer.alike,
        )

    def _find_kinds(self, node: Node) -> list[int]:
        attributes = node.attributes
        if len(attributes) != 1 or "class" not in attributes:
            return _find_kinds(node)
        key = (node.tag, attributes["class"])
        kinds = self._kinds.get(key)
        if kinds is None:
            kinds = self._kinds[key] = _find_kinds(node)
        return kinds

    def _build_summary(self, place: int, name: int) -> bytes:
        """Return an element's summary. name: the weight of its own names."""
        start, end = self._starts[place], self._ends[place]
        sums = self._sums
        size = sums.size[end] - sums.size[start]
        return bytes(
            (
                share(size, sums.size[-1]),
                root(end - start),
                share(sums.linked[end] - sums.linked[start], size),
                root(size // (end - start)) if end > start else 0,
                share(sums.prose[end] - sums.prose[start], sums.prose[-1]),
                TAGS.get(self._tree[place].tag, 0),
                weight(name),
            )
        )

    def _find_trunk(self) -> dict[int, int]:
        """Return the trunk as a map from element index to depth.

        The trunk leads from the root into the child with the most prose, until the prose divides.
        """
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

    def _describe_trunk(self, place: int, depth: int, branch: bytes, named: int) -> _Landmark:
        """Return the features of a trunk element.

        branch: summary of the child towards the block, or of the element itself. named: the sum of weights down to the
        element.
        """
        height = min(NONE, len(self._trunk) - self._trunk[place])
        return _Landmark(
            depth, bytes((self._compute_prose_share(place), height)), branch + bytes((weight(named // 2),))
        )

    def _find_ancestors(self, place: int) -> dict[int, int]:
        """Return the element at index `place` and its ancestors, each with the number of steps up; {} for -1."""
        way: dict[int, int] = {}
        while place >= 0:
            way[place] = len(way)
            place = self._tree[place].up
        return way

    def _describe_anchor(self, place: int, depth: int) -> _Landmark:
        above = min(NONE - 1, self._above_anchor[place])
        return _Landmark(depth, bytes((self._compute_prose_share(place),)), bytes((above,)))

    def _compute_prose_share(self, place: int) -> int:
        prose = self._sums.prose
        return share(prose[self._ends[place]] - prose[self._starts[place]], prose[-1])

    def _repeated(self, alike: int, up: int, depth: int) -> _Landmark:
        """Return the features of a repeated element. alike: number of equal adjacent elements at the level `up`."""
        start, end = self._starts[up], self._ends[up]
        sums = self._sums
        size = sums.size[end] - sums.size[start]
        linked = sums.linked[end] - sums.linked[start]
        of_them = bytes((root(size // alike), share(linked, size), share(size, sums.size[-1])))
        return _Landmark(depth, bytes((min(NONE, alike),)), of_them)


def _update_within(outer: bytes, kinds: Sequence[int]) -> bytes:
    """Return the number of steps up to the nearest element of each kind in `WITHIN`.

    outer: steps as seen from the parent. kinds: the element's kinds.
    """
    steps = outer.translate(_FARTHER)
    for kind in kinds:
        steps = steps[:kind] + b"\0" + steps[kind + 1 :]
    return steps


def _find_kinds(node: Node) -> list[int]:
    """Return the kinds of an element, as indexes in `WITHIN`."""
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
            for word in _COMMENT_WORDS:
                if word in names:
                    kinds.append(_COMMENTS)
                    break
    return kinds
