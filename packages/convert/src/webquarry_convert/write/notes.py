"""Footnotes: `[^1]` where the page refers to one, `[^1]: …` where it stands.

A reference is a short link to a place further on in what is written, raised or named as a note by its attributes. The
engines differ in where they put the address of that place: at the list item, the paragraph, or a link within.
"""

import re
from typing import TYPE_CHECKING

from webquarry_convert.tree import Node, walk
from webquarry_convert.write import unlinked_notes
from webquarry_convert.write.pieces import Written

if TYPE_CHECKING:
    from webquarry_convert.write.flow import Writer

MAX_SIGNS = 12
"""Characters of the mark of a note, and texts and elements that it is made of."""
_NAMED = re.compile(
    r"(?:^|[\s_-])(?:foot-?note|fn|note|noteref|citation|cite|sidenote)s?-?(?:ref\w*|link|anchor|marker|call)?(?:$|[\s_-])",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(
    r"_?(?:ftn|fn|footnote|note|endnote|edn|cite_note|easy-footnote-bottom|sdfootnote)[-:_.]?\S*\d\S*$|user-content-fn-\S+$",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"(?:^|[\s_-])(?:back-?ref|back-?link|reversefootnote|footnote-?back\w*|mw-cite-backlink|footnote-return|return)",
    re.IGNORECASE,
)
_BACK_SIGNS = frozenset(["↩", "↩︎", "↵", "⏎", "^", "↑", "⤴", "⬏", "⬆", "⇧", "↖"])
_LABEL = re.compile(
    r"[\[(]?\s*←?([0-9]{1,4}|[A-Za-z]{1,2}|[*†‡§¶]{1,3}|note\s[0-9]{1,3}|fn\s?[0-9]{1,3})\s*[\])]?\.?", re.IGNORECASE
)
_OWN_LABEL = re.compile(r"\s*[\[(]?(\w{1,6})(?:[\]).:]+\s*|\s+(?=[^\W\d]))")
_PLACED = frozenset({"li", "p", "div", "dd", "aside"})


class Notes:
    """The notes of one page. prefix: what their labels begin with. definitions: id of the element that holds a note →
    its label."""

    def __init__(self, root: Node, prefix: str = "") -> None:
        self._prefix = prefix
        self.definitions: dict[int, str] = {}
        self._done: dict[int, str] = {}  # those that are written
        self._root = root
        self._places: dict[str, tuple[Node, int]] | None = None
        self._order: dict[int, int] = {}
        self._labels: dict[str, int] = {}
        self._loose: dict[str, Node] | None = None
        self._inline: list[tuple[str, list[Node | str]]] = []
        self._defining = 0

    def refer(self, writer: "Writer", node: Node, fragment: str, *, is_raised: bool = False) -> bool:
        """Write a link as the mark of a note; False when it is none."""
        text = _read_short_text(node)
        if text is None:
            return False
        if self._defining and (text in _BACK_SIGNS or self._is_back(node)):
            return True
        found = _LABEL.fullmatch(text)
        if found is None:
            return False
        if self._defining and self._is_earlier(fragment, node):
            return True
        if not (is_raised or text[0] == "[" or self._is_named(node, fragment)):
            return False
        holder = self._find_holder(fragment, node)
        if holder is None or (text[0] == "[" and holder.tag != "li" and not self._is_named(node, fragment)):
            return False
        label = self._label(holder, found[1])
        writer.pieces.append(Written(f"[^{self._prefix}{label}]"))
        return True

    def refer_raised(self, writer: "Writer", node: Node) -> bool:
        """Write a `sup` that is nothing but marks of notes; False when it is something else."""
        links: list[Node] = []
        waiting: list[Node | str] = [*reversed(node.children)]
        for _ in range(24):
            if not waiting:
                break
            current = waiting.pop()
            if isinstance(current, str):
                if current.strip(" \n\t[](),;\u00a0"):
                    return self._refer_unlinked(writer, node)
            elif current.tag == "a":
                links.append(current)
            else:
                waiting += reversed(current.children)
        if waiting or writer.in_link:
            return False
        if not links:
            return self._refer_unlinked(writer, node)
        count = len(writer.pieces)
        for link in links:
            fragment = writer.targets.find_fragment(link.attributes.get("href"))
            if fragment is None or not self.refer(writer, link, fragment, is_raised=True):
                del writer.pieces[count:]
                return False
        return True

    def _refer_unlinked(self, writer: "Writer", node: Node) -> bool:
        """Write a raised number as the mark of the note with this number, if there is one."""
        number = unlinked_notes.read_number(node)
        if number is None or self._defining or writer.in_link:
            return False
        if self._loose is None:
            self._loose = unlinked_notes.find_definitions(self._root)
        holder = self._loose.get(number)
        before = writer.pieces[-1] if writer.pieces else ""
        if holder is None or (isinstance(before, str) and unlinked_notes.is_power(before)):
            return False
        if id(holder) not in self._done and not self._is_before(node, holder):
            return False
        writer.pieces.append(Written(f"[^{self._label(holder, number)}]"))
        return True

    def refer_inline(self, writer: "Writer", node: Node) -> bool:
        """Write an element that holds the number of a note and the note itself; False when it is something else."""
        parts = [child for child in node.children if isinstance(child, Node) or not child.isspace()]
        if parts and "footnotemark" in (node.attributes.get("class") or ""):
            writer.walk(parts[:1])  # the number alone, for a note that stands elsewhere
            return True
        if len(parts) != 2 or not isinstance(parts[1], Node) or writer.in_link or self._defining:
            return False
        text = parts[0] if isinstance(parts[0], str) else _read_short_text(parts[0])
        found = _LABEL.fullmatch(text.strip()) if text else None
        if found is None:
            return False
        label = self._label(parts[1], found[1])
        del self.definitions[id(parts[1])]
        self._inline.append((label, parts[1].children))
        writer.pieces.append(Written(f"[^{self._prefix}{label}]"))
        return True

    def write_inline_notes(self, writer: "Writer") -> None:
        """Write the notes that stood within the text."""
        for label, children in self._inline:
            self._write(writer, label, children)

    def write_note(self, writer: "Writer", node: Node) -> None:
        """Write the element that holds a note."""
        label = self._done[id(node)] = self.definitions.pop(id(node))
        if writer.is_flat:
            writer.walk(node.children)
            return
        self._write(writer, label, node.children)

    def _write(self, writer: "Writer", label: str, children: list[Node | str]) -> None:
        writer.flush()
        before = writer.output.open(f"[^{self._prefix}{label}]: ", "    ")
        self._defining += 1
        writer.walk(_strip_label(children, label))
        writer.flush()
        self._defining -= 1
        writer.output.close(before)

    def _label(self, holder: Node, shown: str) -> str:
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

    def _is_named(self, node: Node, fragment: str) -> bool:
        attributes = node.attributes
        return (
            attributes.get("role") == "doc-noteref"
            or attributes.get("epub:type") == "noteref"
            or attributes.get("data-type") == "noteref"
            or "data-footnote-ref" in attributes
            or attributes.get("rel") == "footnote"
            or bool(_NAMED.search(attributes.get("class") or ""))
            or bool(_FRAGMENT.fullmatch(fragment))
        )

    def _is_back(self, node: Node) -> bool:
        attributes = node.attributes
        return (
            attributes.get("role") == "doc-backlink"
            or "data-footnote-backref" in attributes
            or bool(_BACK.search(attributes.get("class") or ""))
            or attributes.get("rev") == "footnote"
        )

    def _find_holder(self, fragment: str, reference: Node) -> Node | None:
        """The element further on that holds the note a reference leads to."""
        place = self._found(fragment)
        if place is None or place[1] <= self._order.get(id(reference), 0):
            return None
        return place[0]

    def _is_earlier(self, fragment: str, reference: Node) -> bool:
        place = self._found(fragment)
        return place is not None and place[1] < self._order.get(id(reference), 0)

    def _is_before(self, node: Node, other: Node) -> bool:
        if self._places is None:
            self._places = self._read()
        return self._order.get(id(node), 0) < self._order.get(id(other), 0)

    def _found(self, fragment: str) -> tuple[Node, int] | None:
        if self._places is None:
            self._places = self._read()
        return self._places.get(fragment)

    def _read(self) -> dict[str, tuple[Node, int]]:
        """Each named place with the element that holds it and its order in the page."""
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
            attributes = node.attributes
            if attributes:
                for name in (attributes.get("id"), attributes.get("name")):
                    if name and name not in places and holder is not None:
                        places[name] = (holder, order)
            waiting += [(child, holder) for child in reversed(node.children) if isinstance(child, Node)]
        return places


def _read_short_text(node: Node) -> str | None:
    """The text of a link when it is short enough for the mark of a note."""
    pieces: list[str] = []
    for at, current in enumerate(walk([node])):
        if at == MAX_SIGNS:
            return None
        if isinstance(current, str):
            pieces.append(current)
        elif current.tag in ("img", "svg"):
            return None
    text = " ".join("".join(pieces).split())
    return text if text and len(text) <= MAX_SIGNS else None


def _strip_label(children: list[Node | str], label: str) -> list[Node | str]:
    """The note without its own number in front."""
    while len(children) == 1 and isinstance(children[0], Node) and children[0].tag == "span":
        children = children[0].children
    for at, child in enumerate(children[:4]):
        if isinstance(child, str):
            if child.strip():
                own = _OWN_LABEL.match(child)
                if own is None or own[1] != label:
                    return children
                return [*children[:at], child[own.end() :], *children[at + 1 :]]
        elif child.tag in ("sup", "b", "strong", "span", "dt") and (text := _read_short_text(child)):
            found = _LABEL.fullmatch(text)
            if found is not None and found[1] == label:
                return [*children[:at], *children[at + 1 :]]
            return children
        elif child.tag == "a":
            return children
    return children
