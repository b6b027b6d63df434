"""The structure tree of a tagged page, copied from liteparse: its elements and their marked content.

The numbers of marked content restart on every page, and an element such as a continued table's header may have content
on several pages. On this page, its numbers may refer to other elements' content. If an element has only one number, it
keeps this number, and other elements lose it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

_MOST_ELEMENTS = 100_000
_MOST_TURNS = 5


class Attribute(NamedTuple):
    name: str
    number_value: float | None
    string_value: str | None


class _Kept(NamedTuple):
    alt_text: str | None
    attributes: Sequence[Attribute]


_NOTHING = _Kept(None, ())


class Element:
    """An element of the tree.

    native: liteparse's object. marked_content_ids: the numbers of its content on this page. depth: 0 for roots. end:
    the index after its last descendant.
    """

    __slots__ = ("depth", "element_type", "end", "marked_content_ids", "native")

    def __init__(self, native: Any, depth: int) -> None:
        self.native = native
        self.element_type: str = native.element_type
        self.marked_content_ids: list[int] = native.marked_content_ids
        self.depth = depth
        self.end = 0

    @property
    def alt_text(self) -> str | None:
        text: str | None = self.native.alt_text
        return text

    @property
    def attributes(self) -> Any:
        return self.native.attributes

    def release_source(self) -> None:
        """Copy everything that is needed after the page's repair, and drop the reference to liteparse's tree."""
        native = self.native
        attributes = [Attribute(one.name, one.number_value, one.string_value) for one in native.attributes]
        self.native = _Kept(native.alt_text, attributes) if attributes or native.alt_text else _NOTHING


def read_structure(tree: Any) -> list[Element]:
    """Return the elements of liteparse's tree, each before its descendants.

    The descendants of an element follow it, up to its `end`. A tree without elements is None. About the first
    `_MOST_ELEMENTS` elements of a large tree are read.
    """
    if tree is None:
        return []
    elements: list[Element] = []
    stack = [(root, 0) for root in reversed(tree.roots)]
    count = len(stack)
    while stack:
        native, depth = stack.pop()
        elements.append(Element(native, depth))
        if count < _MOST_ELEMENTS and (children := native.children):
            count += len(children)
            stack += [(child, depth + 1) for child in reversed(children)]
    _find_ends(elements)
    _take_foreign_marks(elements)
    return elements


def find_outermost(elements: list[Element], kinds: frozenset[str], within: range | None = None) -> Iterator[int]:
    """Yield the indexes of elements of these kinds that have no ancestor of these kinds.

    within: the indexes to search.
    """
    past = 0
    for place in range(len(elements)) if within is None else within:
        if place >= past and elements[place].element_type in kinds:
            past = elements[place].end
            yield place


def _find_ends(elements: list[Element]) -> None:
    opened: list[Element] = []
    for place, element in enumerate(elements):
        while opened and opened[-1].depth >= element.depth:
            opened.pop().end = place
        opened.append(element)
    for element in opened:
        element.end = len(elements)


def _take_foreign_marks(elements: list[Element]) -> None:
    """Remove the numbers of content on other pages from the elements."""
    several = [element for element in elements if len(element.marked_content_ids) > 1]
    if not several:
        return
    alone = {element.marked_content_ids[0] for element in elements if len(element.marked_content_ids) == 1}
    single = Counter(element.marked_content_ids[0] for element in elements if len(element.marked_content_ids) == 1)
    for _ in range(_MOST_TURNS):
        claims = single + Counter(mark for element in several for mark in set(element.marked_content_ids))
        doubtful = [
            element
            for element in several
            if len(element.marked_content_ids) > 1 and any(claims[mark] > 1 for mark in element.marked_content_ids)
        ]
        if not doubtful:
            return
        alone |= {element.marked_content_ids[0] for element in several if len(set(element.marked_content_ids)) == 1}
        for element in doubtful:
            kept = [mark for mark in dict.fromkeys(element.marked_content_ids) if mark not in alone]
            element.marked_content_ids = kept or element.marked_content_ids[:1]
