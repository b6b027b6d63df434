"""Endnotes in a separate chapter.

Each note is moved to the chapter that refers to it and is written as that chapter's note.
"""

import re
from collections.abc import Callable
from typing import Final

from webquarry_convert.file.epub.package import Package
from webquarry_convert.file.hypertext import HypertextPage
from webquarry_convert.tree import Node, Tree

MAX_ELEMENTS: Final = 200
"""Maximum number of elements in a note. An element with more descendants is not a note."""
_MARK: Final = re.compile(r"[\[(]?(?:[0-9]{1,4}|[A-Za-z]{1,2}|[*†‡§¶]{1,3})[\])]?")
_NOTE_MARKS: Final = frozenset({"noteref", "doc-noteref"})
_PLACED: Final = frozenset({"li", "p", "div", "dd", "dl", "aside"})


class Endnotes:
    """The notes of a book, which can be moved between its chapters.

    open_chapter: returns a chapter that would be read later, or None if the part has been read already or is not a
    chapter.
    """

    def __init__(self, package: Package, open_chapter: Callable[[str], HypertextPage | None]) -> None:
        self._package = package
        self._open_chapter = open_chapter
        self._places: dict[str, tuple[Tree, dict[str, int]]] = {}
        self._moved = 0

    def fetch(self, page: HypertextPage, part: str) -> None:
        """Move the notes that a chapter refers to after the chapter's text. part: name of the chapter's part."""
        tree = page.tree
        body = next((node for node in tree if node.tag == "body"), tree[0])
        names: dict[tuple[str, str], str] = {}
        for node in [*tree]:
            address = node.attributes.get("href") if node.tag == "a" else None
            if not address or "#" not in address or not _is_mark(node, tree):
                continue
            target, fragment = self._package.resolve(part, address), address.partition("#")[2]
            name = names.get((target, fragment))
            if name is None:
                if target == part:
                    continue
                note = self._take(target, fragment)
                if note is None:
                    node.children = ["[", *node.children, "]"]  # otherwise, the number would join the word before it
                    continue
                self._moved += 1
                name = names[target, fragment] = f"endnote-{self._moved}"
                self._turn_back(note, target, part)
                holder = Node("aside", {"id": name}, -1)
                holder.children = [*note[0].children]
                body.children.append(holder)
                tree += note
            node.attributes["href"] = f"#{name}"

    def _take(self, target: str, fragment: str) -> Tree | None:
        """Remove a note from its chapter and return the note's nodes."""
        if target not in self._places:
            page = self._open_chapter(target)
            tree = [] if page is None else page.tree
            self._places[target] = tree, _map_places(tree)
        tree, places = self._places[target]
        at = _find_holder(tree, places.get(fragment, -1))
        if at <= 0:
            return None
        if tree[at].is_dropped or tree[at].end - at > MAX_ELEMENTS:
            return None
        note = tree[at : tree[at].end]
        moved = Node(note[0].tag, {}, -1)
        moved.children, note[0].is_dropped = note[0].children, True
        return [moved, *note[1:]]

    def _turn_back(self, note: Tree, target: str, part: str) -> None:
        """Redirect a note's back links to its reference in the chapter."""
        for node in note:
            address = node.attributes.get("href") or ""
            if "#" in address and self._package.resolve(target, address) == part:
                node.attributes["href"] = f"#{address.partition('#')[2]}"


def _map_places(tree: Tree) -> dict[str, int]:
    """Return the index of the first element for each name that links refer to."""
    names: dict[str, int] = {}
    for at, node in enumerate(tree):
        for name in (node.attributes.get("name"), node.attributes.get("id")):
            if name:
                names.setdefault(name, at)
    return names


def _find_holder(tree: Tree, at: int) -> int:
    """Return the index of the element that contains only a note, or 0 or less if there is none.

    at: index of an element inside the note.
    """
    while at > 0 and tree[at].tag not in _PLACED:
        at = tree[at].up
    while at > 0 and (above := tree[at].up) > 0 and tree[above].tag in _PLACED and _has_only(tree[above], tree[at]):
        at = above
    return at


def _is_mark(node: Node, tree: Tree) -> bool:
    """Return whether a link looks like a note reference: it is a raised number or sign, or is marked as a reference."""
    attributes = node.attributes
    texts: list[str] = []
    is_raised = attributes.get("role") in _NOTE_MARKS or attributes.get("epub:type") in _NOTE_MARKS
    above = node
    for _ in range(2):
        above = tree[above.up]
        is_raised = is_raised or above.tag == "sup"
    waiting: list[Node | str] = [*node.children]
    while waiting and len(texts) < 4:
        current = waiting.pop(0)
        if isinstance(current, str):
            texts.append(current)
        else:
            is_raised = is_raised or current.tag == "sup"
            waiting = [*current.children[:4], *waiting]
    return is_raised and not waiting and _MARK.fullmatch("".join(texts).strip()) is not None


def _has_only(node: Node, child: Node) -> bool:
    return all(one is child or (isinstance(one, str) and not one.strip()) for one in node.children)
