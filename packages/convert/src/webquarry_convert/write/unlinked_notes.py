"""Footnotes without links: raised numbers in the text, and a later list or paragraphs with the same numbers."""

import re
from itertools import islice

from webquarry_convert.tree import Node, walk

_LIST = re.compile(r"(?:^|[\s_-])(?:foot|end)-?notes?(?:$|[\s_-])", re.IGNORECASE)
_LIST_TITLES = frozenset({"footnotes", "footnote", "endnotes", "end notes", "notes", "references and notes"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LABELS = frozenset({"sup", "strong", "b"})
_PARAGRAPHS = frozenset({"p", "div", "li", "dd"})
_NUMBER = re.compile(r"\s*\[?([1-9][0-9]{0,2})\]?\.?\s*")
MAX_PARTS = 12
"""Maximum number of strings and elements in a short heading."""
_POWER = re.compile(r"(?<!\w)(?:[A-Za-zΑ-ω]{1,2}|[0-9]++)$")


def read_number(node: Node) -> str | None:
    """Return an element's only content if it is a number, or None for other content."""
    children = node.children
    found = _NUMBER.fullmatch(children[0]) if len(children) == 1 and isinstance(children[0], str) else None
    return found[1] if found is not None else None


def is_power(before: str) -> bool:
    """Return whether a raised number is an exponent of the number, unit or short variable before it.

    A short variable has one or two letters.
    """
    return _POWER.search(before[-20:]) is not None


def find_definitions(root: Node) -> dict[str, Node]:
    """Return the element that contains each note, by the note's number.

    The notes must be numbered from 1 without gaps and must follow their references.
    """
    raised: set[str] = set()
    notes: dict[str, Node] = {}
    title: Node | None = None  # the preceding heading, if it announces the notes
    waiting: list[tuple[Node, bool]] = [(root, False)]
    while waiting:
        node, in_notes = waiting.pop()
        if node.is_dropped:
            continue
        tag = node.tag
        if tag == "sup":
            number = read_number(node)
            if number is not None:
                raised.add(number)
            continue
        if tag in _HEADINGS:
            title = node if _read_heading_text(node) in _LIST_TITLES else None
            continue
        in_notes = in_notes or _is_named(node)
        if tag == "ol" and (in_notes or title is not None):
            items = [child for child in node.children if isinstance(child, Node) and child.tag == "li"]
            for at, item in enumerate(items, 1):
                _add(notes, str(at), item, raised)
            continue
        if tag in _PARAGRAPHS and (number := _read_leading_number(node)) is not None:
            _add(notes, number, node, raised)
            continue
        waiting += [(child, in_notes) for child in reversed(node.children) if isinstance(child, Node)]
    return notes


def _add(notes: dict[str, Node], number: str, node: Node, raised: set[str]) -> None:
    if number in raised and int(number) == len(notes) + 1 and not node.is_dropped:
        notes[number] = node


def _is_named(node: Node) -> bool:
    attributes = node.attributes
    if not attributes:
        return False
    names = attributes.get("class")
    name = attributes.get("id")
    return bool(names and _LIST.search(names)) or bool(name and _LIST.search(name))


def _read_leading_number(node: Node) -> str | None:
    """Return the raised or bold number at the beginning of a paragraph's text."""
    children = node.children
    at = 1 if len(children) > 1 and isinstance(children[0], str) and children[0].isspace() else 0
    if len(children) <= at + 1:
        return None
    number = _read_label(children[at])
    # with several numbers, the paragraph contains several notes
    return None if number is None or any(map(_read_label, children[at + 1 :])) else number


def _read_label(child: Node | str) -> str | None:
    """Return the number in a raised or bold element, if it is the only content."""
    return read_number(child) if isinstance(child, Node) and child.tag in _LABELS else None


def _read_heading_text(node: Node) -> str:
    """Return a short heading's text."""
    parts = [*islice(walk([node]), MAX_PARTS + 1)]
    text = "".join([part for part in parts if isinstance(part, str)])
    return "" if len(parts) > MAX_PARTS else " ".join(text.split()).rstrip(":").lower()
