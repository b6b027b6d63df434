"""Labels with their values, and parts of a heading. Only a style sheet separates them."""

import re
from collections.abc import Container
from typing import TypeGuard

from webquarry_convert.tree import Node
from webquarry_convert.write.gaps import MAX_DEPTH, MAX_LABEL, MIN_LABEL, MIN_PART, PARTS, read_edge, read_kinds

MIN_ROWS = 2
"""Minimum number of similar list items."""
_NUMBER = re.compile(r"\d[\d./-]{3,40}")


def divide_label(children: list[Node | str]) -> list[Node | str]:
    """Return the children of an element with a colon inserted between label and value, or unchanged.

    The first two children must be `span`s without a space between them that read as label and value, followed only by
    empty elements.

        `<span>About</span><span>A gardener`  →  `About: A gardener`
        `<span>EAN code</span><span>4006381333931`  →  `EAN code: 4006381333931`
        `<strong>SKU</strong><div class="value">24-WB98`  →  `**SKU**: 24-WB98`
    """
    if len(children) < 2:
        return children
    last = children[-1]
    if isinstance(last, Node) and last.tag == "div" and last.children:
        return _divide_name(children)
    label, value = _read_only_text(children[0]), _read_first_text(children[1])
    if not _are_label_and_value(label, value) or any(map(_says_something, children[2:])):
        return children
    return [children[0], ": ", *children[1:]]


def _says_something(child: Node | str) -> bool:
    return isinstance(child, str) or bool(child.children)


def _read_first_text(child: Node | str) -> str:
    """Return the text with which a `span` begins, or "" for any other child."""
    if isinstance(child, str) or child.tag != "span" or child.is_dropped or not child.children:
        return ""
    text = child.children[0]
    return text if isinstance(text, str) else ""


def _read_only_text(child: Node | str) -> str:
    """Return a `span`'s text, or "" for a `span` with other content and for any other child."""
    return _read_first_text(child) if isinstance(child, Node) and len(child.children) == 1 else ""


def _are_label_and_value(label: str, value: str) -> bool:
    if not (value and _is_label(label) and label[0].isupper() and (value[0].isupper() or value[0].isdigit())):
        return False
    return " " in value.strip() or _NUMBER.fullmatch(value.rstrip()) is not None


def _divide_name(children: list[Node | str]) -> list[Node | str]:
    """Return the children with a colon inserted between a text and a following block with a value, or unchanged."""
    parts = [child for child in children if not isinstance(child, str) or not child.isspace()]
    if len(parts) != 2:
        return children
    name, value = parts
    if isinstance(name, str) or name.tag not in PARTS or name.is_dropped:
        return children
    said = _read_value(value)
    if said is None or not _is_label(read_edge(name, -1)[0].rstrip()):
        return children
    return [name, ": ", said.lstrip()]


def _read_value(child: Node | str) -> str | None:
    """Return the text of an element whose class marks it as a value, or None if it has other content."""
    if isinstance(child, str) or child.is_dropped or len(child.children) != 1:
        return None
    text = child.children[0]
    return text if isinstance(text, str) and "value" in read_kinds(child.attributes.get("class")) else None


def _is_label(text: str) -> bool:
    return MIN_LABEL <= len(text) <= MAX_LABEL and text[-1].isalnum()


def divide_items(items: list[Node | str]) -> None:
    """Separate the two strings in each item, if all items of the list consist of two adjacent elements without a space.


    The elements are a name and its value, or a link and its count.

        `<li><span>Brand</span><span>Nordwerk`  →  `Brand: Nordwerk`
        `<li><a href="/loom">Looms</a><span>12`  →  `Looms 12`
    """
    rows = [item for item in items if isinstance(item, Node)]
    if len(rows) >= MIN_ROWS and all(map(_is_row, rows)):
        for row in rows:
            first = row.children[0]
            row.children.insert(1, " " if isinstance(first, Node) and first.tag == "a" else ": ")


def _is_row(item: Node) -> bool:
    if len(item.children) != 2:
        return False
    first, second = item.children
    if not (_is_text_element(first, ("span", "a")) and _is_text_element(second, ("span",))):
        return False
    name, value = read_edge(first, -1)[0], read_edge(second, 0)[0]
    return len(name) >= MIN_LABEL and name[0].isalpha() and name[-1].isalnum() and value[:1].isalnum()


def _is_text_element(child: Node | str, tags: Container[str]) -> TypeGuard[Node]:
    return isinstance(child, Node) and child.tag in tags and not child.is_dropped


def divide_heading(children: list[Node | str], depth: int = 0) -> list[Node | str]:
    """Return a heading's children with a space between adjacent `span`s of different classes, at any depth.

    `<span class="name">Table, oak</span><span class="size">235 cm</span>`  →  `Table, oak 235 cm`
    """
    found: list[Node | str] = []
    end = ""  # the text of the preceding `span`
    names: str | None = None
    for child in children:
        if isinstance(child, str):
            end = ""
            found.append(child)
            continue
        if depth < MAX_DEPTH and child.children:
            child.children = divide_heading(child.children, depth + 1)
        before, before_names = end, names
        end, names = _read_span(child), child.attributes.get("class")
        if names and before_names and names != before_names and before[-1:].isalnum() and end[:1].isalnum():
            found.append(" ")
        found.append(child)
    return found


def _read_span(node: Node) -> str:
    """Return a `span`'s text, or "" for other elements, other content and short strings."""
    if node.tag != "span" or node.is_dropped or len(node.children) != 1:
        return ""
    text = node.children[0]
    return text if isinstance(text, str) and len(text.strip()) >= MIN_PART else ""
