"""Detection of hidden elements that a reader can open, such as tabs, answers, slides and notes.

Also detects fragments that the server sends first and a script then moves into place.
"""

import re
from collections import Counter
from collections.abc import Sequence

from webquarry_convert.tree import Attributes, Node, Tree

MAX_NAME = 300
"""Number of characters that are read from an attribute."""
SET = 3
"""Minimum number of hidden elements with the same tag and class that form a set, such as slides."""
_FOLDS = re.compile(
    r"(?<![a-z])tab(?![a-z])|tabs|tab-?(?:pan|con|body)|accord|collaps|panel|pane(?![a-z])|fold|toggl|faq|answer|expand"
    r"|(?<![a-z])(?:more|full|rest|note)|reveal|unveil|slide|carousel|swiper|gallery|spoiler|foot-?note|drawer|disclos"
    r"|(?:^|[_-])details?(?![a-z])|dropdown|transcript|animat|fade|aos(?![a-z])|wow(?![a-z])|elementor-invisible"
    r"|description|content(?![a-z])"
)
_NAMES = (
    "id", "class", "role", "itemprop", "data-role", "data-testid", "aria-labelledby", "data-aos", "data-animation",
)  # fmt: skip
_ROLES = frozenset({"tabpanel", "region"})
_POINTERS = frozenset((
    "aria-controls", "aria-owns", "aria-describedby", "href", "data-target", "data-bs-target", "data-toggle", "for",
    "data-id", "data-tab", "data-content", "onclick", "rel", "data-rel", "data-href", "popovertarget", "commandfor",
))  # fmt: skip
_WORDS = re.compile(r"[\w-]+")
_CONTROLS = frozenset({"button", "summary"})
_CONTROL_ROLES = frozenset({"button", "tab", "switch"})
_OPENS = frozenset({"aria-expanded", "aria-controls", "onclick"})
FEW = 12
"""Maximum number of elements that are searched for a control."""
_STREAMED = re.compile(r"S:[0-9a-f]+")


class FoldDetector:
    """A detector for the hidden elements of one page. hidden: indexes of the outermost hidden elements."""

    def __init__(self, tree: Tree, hidden: Sequence[int]) -> None:
        self._tree = tree
        self._previous: list[int] | None = None
        self._alike = Counter(_get_kind(tree[place]) for place in hidden)
        self._named = self._find_pointed_at({tree[place].attributes.get("id") or "" for place in hidden} - {""})

    def is_folded(self, place: int) -> bool:
        """Return whether the markup shows that something on the page opens the element."""
        node = self._tree[place]
        attributes = node.attributes
        identity = attributes.get("id")
        return (
            attributes.get("role") in _ROLES
            or (identity is not None and (identity in self._named or _STREAMED.fullmatch(identity) is not None))
            or self._alike[_get_kind(node)] >= SET
            or _has_fold_name(attributes)
            or self._is_after_control(place)
        )

    def _find_pointed_at(self, ids: set[str]) -> set[str]:
        """Return the ids that attributes of other elements refer to."""
        if not ids:
            return set()
        pointers = [
            value[:MAX_NAME]
            for node in self._tree
            if not _POINTERS.isdisjoint(node.attributes)
            for key, value in node.attributes.items()
            if value and key in _POINTERS
        ]
        return ids.intersection(_WORDS.findall(" ".join(pointers)))

    def _is_after_control(self, place: int) -> bool:
        """Return whether a button directly precedes the element, or precedes a parent that the element begins."""
        if self._previous is None:
            self._previous = _find_previous(self._tree)
        for _ in range(2):
            before = self._previous[place]
            if before >= 0:
                return self._has_control(before)
            place = self._tree[place].up
            if place < 0:
                break
        return False

    def _has_control(self, place: int) -> bool:
        """Return whether an element is a control or begins with a control."""
        for node in self._tree[place : min(self._tree[place].end, place + FEW)]:
            attributes = node.attributes
            if node.tag in _CONTROLS or attributes.get("role") in _CONTROL_ROLES or not _OPENS.isdisjoint(attributes):
                return True
        return False


def _find_previous(tree: Tree) -> list[int]:
    """Return the index of each element's previous sibling, or -1 for a first child."""
    previous = [-1] * len(tree)
    for place, node in enumerate(tree):
        last = -1
        at = place + 1
        while at < node.end:
            previous[at] = last
            last, at = at, tree[at].end
    return previous


def _get_kind(node: Node) -> tuple[str, str]:
    """Return the tag and class of an element. Each element without a class is a separate kind."""
    name = node.attributes.get("class")
    return (node.tag, name) if name else ("", str(id(node)))


def _has_fold_name(attributes: Attributes) -> bool:
    return any(_FOLDS.search((attributes.get(key) or "")[:MAX_NAME].lower()) for key in _NAMES)
