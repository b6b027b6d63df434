"""Lists: bullets, numbers from where the page starts them, tasks."""

from typing import TYPE_CHECKING

from webquarry_convert.tree import Node
from webquarry_convert.write.labels import divide_items, divide_label
from webquarry_convert.write.pieces import BREAK, ITEM, begins_item

if TYPE_CHECKING:
    from webquarry_convert.write.flow import Writer

_LISTS = frozenset({"ul", "ol", "menu", "dir"})
BULLETS = "-*"
_POINTS = ".)"
_LABELS = frozenset({"p", "label", "span", "div"})
_BLOCK_NAMES = "p div ul ol dl table pre blockquote h1 h2 h3 h4 h5 h6 section article figure details hr"
BLOCKS = frozenset(_BLOCK_NAMES.split())
MAX_NUMBER = 999_999_999


def write(writer: "Writer", node: Node) -> None:
    if writer.is_flat or not writer.output.can_open:
        writer.flush()
        for child in node.children:
            writer.walk([child])
            writer.flush()
        return
    before = len(writer.output.pieces)
    writer.flush()
    output = writer.output
    # in an item, its list follows the text directly: the list around stays a tight one
    follows = output.in_item and len(output.pieces) > before
    is_ordered = node.tag == "ol"
    number, step = _find_first_number(node) if is_ordered else (0, 0)
    marks = _POINTS if is_ordered else BULLETS
    begins = (number if number > 1 else None) if is_ordered else _find_name_of_single(node)
    goes_on = output.goes_on(marks[0], begins)
    mark = marks[0] if goes_on else output.list_mark(marks)
    if goes_on or (follows and (not is_ordered or number == 1)):
        output.is_tight = True
    children = node.children
    if len(children) == 1 and isinstance(children[0], Node) and children[0].tag in BLOCKS - _LISTS:
        children = children[0].children  # a wrapper around the items
    divide_items(children)
    indent = "  "
    is_first = True
    for child in children:
        if isinstance(child, str):
            if child.isspace():
                continue
            content: list[Node | str] = [child]
        elif child.is_dropped:
            continue
        elif child.tag in _LISTS and not is_first:
            _write_nested(writer, child, indent)
            continue
        elif child.tag == "li":
            content = divide_label(child.children)
            if writer.notes.definitions and id(child) in writer.notes.definitions:
                writer.notes.write_note(writer, child)
                continue
            if is_ordered:
                number = _parse_number(child.attributes.get("value"), number)
        else:
            content = [child]
        marker = f"{number}{mark} " if is_ordered else f"{mark} "
        if not is_first:
            output.is_tight = True
        if write_item(writer, content, marker):
            is_first = False
            indent = " " * len(marker)
            if is_ordered:
                number = min(max(number + step, 0), MAX_NUMBER)
    output.is_tight = False
    if not is_first:
        output.end_list(mark, number if is_ordered else begins)


def _find_name_of_single(node: Node) -> str | None:
    """The class of a list with one item: programs for notes write a list for each item."""
    items = [child for child in node.children if isinstance(child, Node) and not child.is_dropped]
    return (node.attributes.get("class") or None) if len(items) == 1 else None


def write_item(writer: "Writer", content: list[Node | str], marker: str) -> bool:
    """One item; False when it holds nothing."""
    box = _find_checkbox(content)
    first = marker if box is None else f"{marker}[{'x' if box else ' '}] "
    before = writer.output.open(first, " " * len(marker))
    outer, writer.output.in_item = writer.output.in_item, True
    writer.walk(content)
    writer.flush()
    writer.output.in_item = outer
    return writer.output.close(before)


def write_stray(writer: "Writer", node: Node) -> None:
    """An item outside of any list, or within a line."""
    if writer.is_flat:
        _write_flat_item(writer, node)
        return
    writer.flush()
    output = writer.output
    if output.is_list_continued("-"):
        output.is_tight = True
        mark = "-"
    else:
        mark = output.list_mark(BULLETS)
    if write_item(writer, node.children, f"{mark} "):
        output.end_list(mark)
    output.is_tight = False


def _write_flat_item(writer: "Writer", node: Node) -> None:
    """An item as a line of a cell, or as words of a heading or a link."""
    writer.flush()
    pieces = writer.pieces
    if writer.gap is BREAK:
        pieces.append(ITEM)
    writer.walk(node.children)
    if begins_item(pieces):
        pieces.pop()  # it holds nothing
    writer.flush()


def _write_nested(writer: "Writer", nested: Node, indent: str) -> None:
    """A list directly in a list: it belongs to the item before."""
    before = writer.output.open(indent, indent)
    outer, writer.output.in_item = writer.output.in_item, True
    writer.output.is_tight = nested.tag != "ol" or _find_first_number(nested)[0] == 1
    write(writer, nested)
    writer.output.in_item = outer
    writer.output.close(before)


def _find_checkbox(content: list[Node | str]) -> bool | None:
    """Whether the box that begins an item is checked; None when there is none."""
    for _ in range(4):
        first = next((child for child in content if not isinstance(child, str) or not child.isspace()), None)
        if not isinstance(first, Node):
            return None
        if first.tag == "input":
            return "checked" in first.attributes if first.attributes.get("type") == "checkbox" else None
        if first.tag not in _LABELS:
            return None
        content = first.children
    return None


def _find_first_number(node: Node) -> tuple[int, int]:
    """The number of the first item, and how it changes from item to item."""
    if "reversed" in node.attributes:
        count = sum(
            1 for child in node.children if isinstance(child, Node) and child.tag == "li" and not child.is_dropped
        )
        return _parse_number(node.attributes.get("start"), count), -1
    return _parse_number(node.attributes.get("start"), 1), 1


def _parse_number(text: str | None, otherwise: int) -> int:
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else otherwise
