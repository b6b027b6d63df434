"""The notes of a page: the elements that contain them, their labels and their order.

A note is in an element after the link that refers to it. Depending on the page generator, the target of the link is the
list item, the paragraph, or a link inside them.
"""

from webquarry_convert.tree import Node
from webquarry_convert.write import unlinked_notes

_PLACED = frozenset({"li", "p", "div", "dd", "aside"})


class Notes:
    """The notes of one page.

    prefix: the prefix of the notes' labels. definitions: labels of the notes that are not written yet, by the id of
    their element. inline: notes whose text was inside a paragraph, as label and content. defining: number of nested
    notes that are being written.
    """

    __slots__ = (
        "_done",
        "_labels",
        "_loose",
        "_order",
        "_places",
        "_root",
        "defining",
        "definitions",
        "inline",
        "prefix",
    )

    def __init__(self, root: Node, prefix: str = "") -> None:
        self.prefix = prefix
        self.definitions: dict[int, str] = {}
        self.inline: list[tuple[str, list[Node | str]]] = []
        self.defining = 0
        self._done: dict[int, str] = {}  # notes that have been written
        self._root = root
        self._places: dict[str, tuple[Node, int]] | None = None
        self._order: dict[int, int] = {}
        self._labels: dict[str, int] = {}
        self._loose: dict[str, Node] | None = None

    def begin(self, node: Node) -> str:
        """Return the label of the note in an element that is about to be written."""
        label = self._done[id(node)] = self.definitions.pop(id(node))
        return label

    def find_unlinked(self, number: str) -> Node | None:
        """Return the element that contains the note with this number, if no link refers to the note."""
        if self._loose is None:
            self._loose = unlinked_notes.find_definitions(self._root)
        return self._loose.get(number)

    def is_reached(self, holder: Node, reference: Node) -> bool:
        """Return whether a note is already written or follows a reference."""
        return id(holder) in self._done or self._is_before(reference, holder)

    def name(self, holder: Node, shown: str) -> str:
        """Return the label of the note in an element.

        If the note has no label, create one from the symbol shown on the page.
        """
        known = self.definitions.get(id(holder)) or self._done.get(id(holder))
        if known is not None:
            return known
        label = shown if shown.isalnum() and shown.isascii() else str(len(self._labels) + 1)
        while label in self._labels:
            self._labels[label] += 1
            label = f"{label}-{self._labels[label]}"
        self._labels[label] = 1
        self.definitions[id(holder)] = label
        return label

    def find_holder(self, fragment: str, reference: Node) -> Node | None:
        """Return the element that contains a reference's note, if it follows the reference."""
        place = self._find_place(fragment)
        if place is None or place[1] <= self._order.get(id(reference), 0):
            return None
        return place[0]

    def is_earlier(self, fragment: str, reference: Node) -> bool:
        """Return whether a position on the page precedes a reference."""
        place = self._find_place(fragment)
        return place is not None and place[1] < self._order.get(id(reference), 0)

    def _is_before(self, node: Node, other: Node) -> bool:
        if self._places is None:
            self._places = self._read()
        return self._order.get(id(node), 0) < self._order.get(id(other), 0)

    def _find_place(self, fragment: str) -> tuple[Node, int] | None:
        if self._places is None:
            self._places = self._read()
        return self._places.get(fragment)

    def _read(self) -> dict[str, tuple[Node, int]]:
        """Return the element and its position for each anchor name. Also record the positions of all elements."""
        places: dict[str, tuple[Node, int]] = {}
        waiting: list[tuple[Node, Node | None]] = [(self._root, None)]
        order = 0
        while waiting:
            node, holder = waiting.pop()
            if node.is_dropped:
                continue
            order += 1
            self._order[id(node)] = order
            if node.tag in _PLACED:
                holder = node
            if holder is not None and node.attributes:
                for name in _list_names(node):
                    places.setdefault(name, (holder, order))
            waiting += [(child, holder) for child in reversed(node.children) if isinstance(child, Node)]
        return places


def _list_names(node: Node) -> list[str]:
    """Return the names by which links refer to an element."""
    return [name for key in ("id", "name") if (name := node.attributes.get(key))]
