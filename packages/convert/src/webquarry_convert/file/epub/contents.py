"""Titles of chapters and sections in a book's table of contents: a page in EPUB 3, and an XML file in EPUB 2."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from webquarry_convert.file.epub.package import NAVIGATION, Package
from webquarry_convert.file.hypertext import HEADINGS
from webquarry_convert.file.xml import Element
from webquarry_convert.text.charset import decode
from webquarry_convert.tree import Node, Tree, build_tree, read_texts

_NCX: Final = "{http://www.daisy.org/z3986/2005/ncx/}"
_LISTS: Final = frozenset({"ol", "ul"})
_LINES: Final = frozenset({"p", "div", "blockquote", "td", "center"})
_INLINE: Final = frozenset({"a", "span", "b", "strong", "i", "em", "sup", "small", "big", "font"})
MAX_LABEL: Final = 300
MAX_PAGE: Final = 2_000_000
"""Maximum size of a table of contents, in bytes."""
MAX_POINTS: Final = 100
"""Maximum number of entries per chapter."""
_NEAR: Final = 20
"""Number of elements after a target that are searched for the line with the entry's title."""


@dataclass(frozen=True, slots=True)
class Point:
    """An entry in the table of contents.

    fragment: the id of an element in a chapter, or "" for the chapter's beginning. depth: number of enclosing entries.
    """

    fragment: str
    label: str
    depth: int


def read_points(package: Package) -> dict[str, list[Point]]:
    """Return the entries of the table of contents, grouped by part."""
    points: dict[str, list[Point]] = {}
    for item in package.items.values():
        if "nav" in item.properties:
            found = _read_page(package, item.name)
        elif item.media_type == NAVIGATION and not points:
            found = _read_ncx(package, item.name)
        else:
            continue
        for address, label, depth in found:
            label = " ".join(label.split())[:MAX_LABEL]
            of_part = points.setdefault(package.resolve(item.name, address), [])
            if label and len(of_part) < MAX_POINTS:
                of_part.append(Point(address.partition("#")[2], label, depth))
    return points


def name_parts(tree: Tree, points: Iterable[Point]) -> None:
    """Add the titles from the table of contents to a chapter without headings.

    A line with the same text as the title becomes a heading. If there is no such line, a heading is inserted.
    """
    if any(node.tag in HEADINGS and not node.is_dropped for node in tree):
        return
    body = next((at for at, node in enumerate(tree) if node.tag == "body"), 0)
    places = {name: at for at in range(len(tree) - 1, -1, -1) if (name := tree[at].attributes.get("id"))}
    known: set[int] = set()
    for point in points:
        at = places.get(point.fragment, body)
        if at not in known:
            known.add(at)
            _name_place(tree, at, body, point)


def _name_place(tree: Tree, at: int, body: int, point: Point) -> None:
    heading = f"h{min(point.depth + 2, 6)}"
    first = at
    while first > body and tree[first].tag in _INLINE:
        first = tree[first].up
    if (line := _find_line(tree, first, point.label)) is not None:
        line.tag = heading
        return
    made = Node(heading, {}, -1)
    made.children = [point.label]
    if first <= body:
        tree[body].children.insert(0, made)
    else:
        above = tree[tree[first].up].children
        above.insert(next(place for place, child in enumerate(above) if child is tree[first]), made)


def _find_line(tree: Tree, first: int, label: str) -> Node | None:
    """Return the line whose text is the label, if no other text precedes it."""
    for node in tree[first : first + _NEAR]:
        if node.tag in _LINES and not node.is_dropped:
            text = " ".join(_read_text(node).split())
            if text == label:
                return node
            if text and not text.startswith(label):
                return None
    return None


def _read_page(package: Package, name: str) -> Iterator[tuple[str, str, int]]:
    if (package.archive.size(name) or 0) > MAX_PAGE:
        return
    tree = build_tree(decode(package.archive.read(name) or b"", "application/xhtml+xml").text)
    depths = [0] * len(tree)
    for at, node in enumerate(tree):
        depths[at] = (depths[node.up] if node.up >= 0 else 0) + (node.tag in _LISTS)
        if node.tag == "a":
            yield node.attributes.get("href") or "", _read_text(node), max(0, depths[at] - 1)


def _read_ncx(package: Package, name: str) -> Iterator[tuple[str, str, int]]:
    root = package.parse_optional(name, "table of contents")
    waiting: list[tuple[Element, int]] = [] if root is None else [(one, 0) for one in root.iter(f"{_NCX}navMap")]
    while waiting:
        above, depth = waiting.pop()
        if above.tag == f"{_NCX}navPoint":
            content = above.find(f"{_NCX}content")
            label = above.findtext(f"{_NCX}navLabel/{_NCX}text") or ""
            if content is not None:
                yield content.get("src", ""), label, depth
            depth += 1
        waiting += [(point, depth) for point in reversed(above.findall(f"{_NCX}navPoint"))]


def _read_text(node: Node) -> str:
    return "".join(islice(read_texts([node]), MAX_LABEL))
