"""Lists in HTML written by Word or Outlook.

Their items are paragraphs with a list level in their style, and a bullet or number for programs without support for
such lists.


    <p style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>1.<span>&nbsp;</span></span>First</p>
"""

import re
from typing import Final, NamedTuple

from webquarry_convert.tree import Node, Tree

MAX_MARK: Final = 12
"""Maximum length of an item's bullet or number, in characters."""
_LEVEL: Final = re.compile(r"mso-list:\s*l\d+ level([1-9])\b")
_IGNORED: Final = "mso-list:ignore"
_NUMBER: Final = re.compile(r"([0-9]{1,4})[.)]")


class _OpenList(NamedTuple):
    level: int
    list: Node


def gather_lists(tree: Tree) -> None:
    """Group adjacent list paragraphs into nested lists."""
    for node in tree:
        if any(isinstance(child, Node) and _read_level(child) for child in node.children):
            node.children = _gather(node.children)


def _gather(children: list[Node | str]) -> list[Node | str]:
    gathered: list[Node | str] = []
    opened: list[_OpenList] = []
    for child in children:
        level = _read_level(child) if isinstance(child, Node) else 0
        if isinstance(child, Node) and child.is_dropped:
            continue
        if isinstance(child, Node) and level:
            _add_item(child, level, opened, gathered)
        elif isinstance(child, Node) or not child.isspace():
            opened.clear()
            gathered.append(child)
    return gathered


def _add_item(paragraph: Node, level: int, opened: list[_OpenList], gathered: list[Node | str]) -> None:
    """Add an item to the last list on its level.

    If there is no such list, add a new list to the last item of the level above.
    """
    item = _make_item(paragraph)
    tag = "ol" if "value" in item.attributes else "ul"
    while opened and (opened[-1].level > level or (opened[-1].level == level and opened[-1].list.tag != tag)):
        opened.pop()
    if not opened or opened[-1].level < level:
        inner = Node(tag, {}, -1)
        around = opened[-1].list.children[-1] if opened else None
        (around.children if isinstance(around, Node) else gathered).append(inner)
        opened.append(_OpenList(level, inner))
    opened[-1].list.children.append(item)


def _make_item(paragraph: Node) -> Node:
    """Return a paragraph as a list item. The item gets a number if its mark is a number."""
    mark = _take_mark(paragraph)
    number = _NUMBER.fullmatch(mark)
    item = Node("li", {} if number is None else {"value": number[1]}, -1)
    item.children = paragraph.children
    if number is None and any(map(str.isalnum, mark[:-1])):  # the text may refer to "a)"; "o" is a bullet
        item.children = [f"{mark} ", *item.children]
    return item


def _read_level(node: Node) -> int:
    """Return the list level of a paragraph, from 1, or 0 if it is not a list item."""
    style = node.attributes.get("style") if node.tag == "p" else None
    found = _LEVEL.search(style) if style else None
    return int(found[1]) if found is not None else 0


def _take_mark(paragraph: Node) -> str:
    """Remove the bullet or number of an item from its text and return it."""
    waiting: list[Node | str] = [*reversed(paragraph.children)]
    while waiting:
        current = waiting.pop()
        if isinstance(current, str):
            if not current.isspace():
                return ""
        elif _IGNORED in (current.attributes.get("style") or "").replace(" ", "").lower():
            current.is_dropped = True
            return "".join(child for child in current.children if isinstance(child, str)).strip()[:MAX_MARK]
        else:
            waiting += reversed(current.children)
    return ""
