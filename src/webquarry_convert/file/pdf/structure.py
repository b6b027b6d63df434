"""The structure tree of a tagged page, copied out of liteparse: what each element is, and its marked content.

Numbers of marked content begin anew on every page, and an element may have content on several pages (the head of a
table that goes on): its numbers then name content of other elements of this page. A number that an element has alone is
its own, so others do not have it.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

_MOST_ELEMENTS = 100_000
_MOST_TURNS = 5


class Element:
    """native: as liteparse gives it; marked_content_ids: those of this page."""

    __slots__ = ("children", "element_type", "marked_content_ids", "native")

    def __init__(self, native: Any) -> None:
        self.native = native
        self.element_type: str = native.element_type
        self.marked_content_ids: list[int] = native.marked_content_ids
        self.children: list[Element] = []

    @property
    def alt_text(self) -> str | None:
        text: str | None = self.native.alt_text
        return text

    @property
    def attributes(self) -> Any:
        return self.native.attributes


def read_structure(tree: Any) -> list[Element]:
    """The roots of a tree of liteparse, None when there is none; the first `_MOST_ELEMENTS` elements of it."""
    if tree is None:
        return []
    roots = [Element(root) for root in tree.roots]
    stack = list(reversed(roots))
    count = len(stack)
    while stack and count < _MOST_ELEMENTS:
        element = stack.pop()
        element.children = [Element(child) for child in element.native.children]
        count += len(element.children)
        stack.extend(reversed(element.children))
    _take_foreign_marks(list(walk_elements(roots)))
    return roots


def walk_elements(roots: list[Element], within: frozenset[str] = frozenset()) -> Iterator[Element]:
    """Elements below and with the roots, in their order. within: those inside such elements are left out."""
    stack = list(reversed(roots))
    while stack:
        element = stack.pop()
        yield element
        if element.element_type not in within:
            stack.extend(reversed(element.children))


def _take_foreign_marks(elements: list[Element]) -> None:
    """Takes numbers from elements that belong to content of other pages."""
    for _ in range(_MOST_TURNS):
        claims = Counter(mark for element in elements for mark in set(element.marked_content_ids))
        doubtful = [
            element
            for element in elements
            if len(element.marked_content_ids) > 1 and any(claims[mark] > 1 for mark in element.marked_content_ids)
        ]
        if not doubtful:
            return
        alone = {element.marked_content_ids[0] for element in elements if len(set(element.marked_content_ids)) == 1}
        for element in doubtful:
            kept = [mark for mark in dict.fromkeys(element.marked_content_ids) if mark not in alone]
            element.marked_content_ids = kept or element.marked_content_ids[:1]
