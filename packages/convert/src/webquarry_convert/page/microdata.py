"""A page's microdata. Items and their properties have the structure of JSON-LD and are processed in the same way."""

from typing import Any

from webquarry_convert.tree import Attributes, Node, Tree, read_texts

MAX_ITEMS = 300
MAX_PROPERTIES = 3000
MAX_VALUE = 2000
"""Number of characters that are read from a value."""
MAX_WITHIN = 60
"""Number of elements inside a value whose text is read."""
_SILENT = frozenset({"script", "style"})
_ADDRESSES = {
    "a": "href",
    "link": "href",
    "area": "href",
    "img": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
}

Item = dict[str, Any]


def read_items(tree: Tree) -> tuple[Item, ...]:
    """Return the items in the markup, outer items first. Nested items are also values in the outer items.

    The value of a repeated property is a list of its values. Takes linear time.
    """
    first = next((place for place, node in enumerate(tree) if "itemscope" in node.attributes), len(tree))
    items: list[Item] = []
    around: list[tuple[int, Item]] = []  # ends of the open items
    properties = 0
    for place in range(first, len(tree)):
        node = tree[place]
        attributes = node.attributes
        if "itemprop" not in attributes and "itemscope" not in attributes:
            continue
        while around and place >= around[-1][0]:
            around.pop()
        inner = _make_item(attributes) if "itemscope" in attributes and len(items) < MAX_ITEMS else None
        if inner is not None:
            items.append(inner)
        names = attributes.get("itemprop")
        if names and around and properties < MAX_PROPERTIES:
            properties += 1
            value = _read_value(tree, place, node) if inner is None else inner
            _add_properties(around[-1][1], names, value)
        if inner is not None:
            around.append((node.end, inner))
    return tuple(items)


def _make_item(attributes: Attributes) -> Item:
    return {"@type": (attributes.get("itemtype") or "").split(" ")[0].rpartition("/")[2]}


def _add_properties(item: Item, names: str, value: Any) -> None:
    """Add a non-empty value under each of a property's names."""
    for name in names[:MAX_VALUE].split() if value else ():
        _add_property(item, name, value)


def _add_property(item: Item, name: str, value: Any) -> None:
    before = item.get(name)
    if before is None:
        item[name] = value
    elif isinstance(before, list):
        before.append(value)
    else:
        item[name] = [before, value]


def _read_value(tree: Tree, place: int, node: Node) -> str:
    attributes = node.attributes
    own = attributes.get("content") or attributes.get("datetime") or attributes.get(_ADDRESSES.get(node.tag, ""))
    if own:
        return " ".join(own[:MAX_VALUE].split())
    if node.end - place > MAX_WITHIN:
        return " ".join("".join([child for child in node.children if isinstance(child, str)])[:MAX_VALUE].split())
    return " ".join("".join(read_texts([node], without=_SILENT))[:MAX_VALUE].split())
