"""Lists: bullets, numbers from where the page starts them, tasks, terms with their definitions."""

from typing import TYPE_CHECKING

from webquarry_convert.tree import Node
from webquarry_convert.write.labels import divide_items, divide_label
from webquarry_convert.write.pieces import BREAK, ITEM, STRONG, begins_item

if TYPE_CHECKING:
    from webquarry_convert.write.flow import Writer

_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_BULLETS = "-*"
_POINTS = ".)"
_LABELS = frozenset({"p", "label", "span", "div"})
_BLOCK_NAMES = "p div ul ol dl table pre blockquote h1 h2 h3 h4 h5 h6 section article figure details hr"
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_WRAPPERS = frozenset({"p", "div", "section", "article"})
MAX_NUMBER = 999_999_999
MAX_WRAPPERS = 12
"""Elements around the label and the value of a row, and texts of a label, that are looked at."""


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
    mark = output.list_mark(_POINTS if is_ordered else _BULLETS)
    if follows and (not is_ordered or number == 1):
        output.is_tight = True
    children = node.children
    if len(children) == 1 and isinstance(children[0], Node) and children[0].tag in _BLOCKS - _LISTS:
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
        output.end_list(mark)


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
        mark = output.list_mark(_BULLETS)
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


def write_definitions(writer: "Writer", node: Node) -> None:
    """A `dl`: one item for each term with short definitions; longer ones follow their term as they are."""
    if writer.is_flat:
        writer.walk(node.children)
        return
    writer.flush()
    groups = _group_terms(node)
    if not groups or any(_has_blocks(part) for _, parts in groups for part in parts):
        writer.walk(node.children)
        writer.flush()
        return
    output = writer.output
    mark = output.list_mark(_BULLETS)
    is_first = True
    for terms, parts in groups:
        content: list[Node | str] = []
        for at, term_node in enumerate(terms):
            strong = Node("strong", {}, -1)
            strong.children = term_node.children
            content += [", ", strong] if at else [strong]
        colon = _find_colon(terms[-1]) if terms else ""
        for at, part in enumerate(parts):
            content += [colon if not at else "; ", *part.children]
        if not is_first:
            output.is_tight = True
        if write_item(writer, content, f"{mark} "):
            is_first = False
    output.is_tight = False
    if not is_first:
        output.end_list(mark)


def write_fact(writer: "Writer", node: Node) -> None:
    """A label and its value, or a figure and what it counts, each in an element of its own: an item of a list."""
    parts = [*map(_unwrap, _find_parts(node))]
    if writer.is_flat or len(parts) < 2 or any(map(_holds_blocks, parts)):
        writer.flush()
        writer.walk(node.children)
        writer.flush()
        return
    label = Node("strong", {}, -1)
    label.children = parts[0].children
    item = Node("li", {}, -1)
    between = _find_colon(label) if _get_text(label).lstrip()[:1].isalpha() else " "
    item.children = [label, between, *(child for part in parts[1:] for child in [*part.children, " "])]
    write_stray(writer, item)


def _find_colon(label: Node) -> str:
    """What stands between a label and its value: many labels end with a colon of their own."""
    return " " if _get_text(label).rstrip().endswith((":", "：")) else ": "


def _find_parts(node: Node) -> list[Node]:
    """The elements with a text in the innermost one that holds several of them."""
    for _ in range(MAX_WRAPPERS):
        parts = [
            child for child in node.children if isinstance(child, Node) and not child.is_dropped and _get_text(child)
        ]
        if len(parts) != 1:
            return parts
        node = parts[0]
    return []


def _unwrap(part: Node) -> Node:
    """The innermost of blocks that hold nothing but each other, without white space at its end."""
    for _ in range(MAX_WRAPPERS):
        inner = [child for child in part.children if _says_or_shows(child)]
        if len(inner) != 1 or isinstance(inner[0], str) or inner[0].tag not in _WRAPPERS:
            break
        part = inner[0]
    if part.children and isinstance(last := part.children[-1], str):
        part.children[-1] = last.rstrip()
    return part


def _says_or_shows(child: Node | str) -> bool:
    return not child.isspace() if isinstance(child, str) else bool(child.children) or child.tag == "img"


def _holds_blocks(node: Node) -> bool:
    return any(isinstance(child, Node) and child.tag in _BLOCKS for child in node.children)


def _get_text(node: Node) -> str:
    """The texts in a small element, "" when there is none."""
    waiting: list[Node | str] = [node]
    texts: list[str] = []
    while waiting and len(texts) < MAX_WRAPPERS:
        current = waiting.pop()
        if isinstance(current, str):
            texts += [current] if not current.isspace() else []
        elif not current.is_dropped and current.tag != "script":
            waiting += reversed(current.children)
    return "".join(texts)


def write_term(writer: "Writer", node: Node) -> None:
    """A term on a line of its own, in bold."""
    writer.flush()
    if writer.is_flat or _holds_blocks(node):
        writer.walk(node.children)
    else:
        before, writer.in_heading = writer.in_heading, True
        writer.mark(STRONG, node.children)
        writer.in_heading = before
    writer.flush()


def _group_terms(node: Node) -> list[tuple[list[Node], list[Node]]]:
    """Terms with their definitions, also when each pair stands in an element of its own."""
    groups: list[tuple[list[Node], list[Node]]] = []
    for child in node.children:
        if not isinstance(child, Node):
            if not child.isspace():
                return []
            continue
        if child.is_dropped:
            continue
        within = [part for part in child.children if isinstance(part, Node)] if child.tag == "div" else [child]
        for part in within:
            if part.is_dropped:
                continue
            if part.tag == "dt":
                if not groups or groups[-1][1]:
                    groups.append(([], []))
                groups[-1][0].append(part)
            elif part.tag == "dd":
                if not groups:
                    groups.append(([], []))
                groups[-1][1].append(part)
            else:
                return []
    return groups


def _has_blocks(node: Node) -> bool:
    waiting = [node]
    while waiting:
        for child in waiting.pop().children:
            if isinstance(child, Node) and not child.is_dropped:
                if child.tag in _BLOCKS:
                    return True
                waiting.append(child)
    return False


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
