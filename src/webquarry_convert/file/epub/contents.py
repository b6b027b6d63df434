"""How the table of contents of a book calls its chapters: EPUB 3 has a page for it, EPUB 2 a file in XML."""

from typing import Final

from webquarry_convert.file.epub.package import NAVIGATION, Package
from webquarry_convert.text.charset import decode
from webquarry_convert.tree import Node, build_tree

_NCX: Final = "{http://www.daisy.org/z3986/2005/ncx/}"
MAX_LABEL: Final = 300
MAX_PAGE: Final = 2_000_000
"""Bytes of such a page."""


def read_labels(package: Package) -> dict[str, str]:
    """By part, its name in the table of contents: that of its beginning."""
    labels: dict[str, str] = {}
    for item in package.items.values():
        if "nav" in item.properties:
            for address, label in _read_page(package, item.name):
                _add(labels, package.resolve(item.name, address), label)
        elif item.media_type == NAVIGATION and not labels:
            for address, label in _read_ncx(package, item.name):
                _add(labels, package.resolve(item.name, address), label)
    return labels


def _add(labels: dict[str, str], part: str, label: str) -> None:
    label = " ".join(label.split())[:MAX_LABEL]
    if label:
        labels.setdefault(part, label)


def _read_page(package: Package, name: str) -> list[tuple[str, str]]:
    if (package.archive.size(name) or 0) > MAX_PAGE:
        return []
    tree = build_tree(decode(package.archive.read(name) or b"", "application/xhtml+xml").text)
    return [(node.attributes.get("href") or "", _read_text(node)) for node in tree if node.tag == "a"]


def _read_ncx(package: Package, name: str) -> list[tuple[str, str]]:
    root = package.parse_optional(name, "table of contents")
    found: list[tuple[str, str]] = []
    for point in root.iter(f"{_NCX}navPoint") if root is not None else ():
        content = point.find(f"{_NCX}content")
        label = point.findtext(f"{_NCX}navLabel/{_NCX}text") or ""
        if content is not None:
            found.append((content.get("src", ""), label))
    return found


def _read_text(node: Node) -> str:
    waiting: list[Node | str] = [node]
    texts: list[str] = []
    while waiting and len(texts) < MAX_LABEL:
        current = waiting.pop()
        if isinstance(current, str):
            texts.append(current)
        else:
            waiting += reversed(current.children)
    return "".join(texts)
