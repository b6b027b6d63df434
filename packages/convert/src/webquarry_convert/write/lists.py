"""Bulleted lists, numbered lists that start as on the page, and task lists."""

from webquarry_convert.tree import Node
from webquarry_convert.write.flow import write_children
from webquarry_convert.write.footnotes import write_note
from webquarry_convert.write.labels import divide_items, divide_label
from webquarry_convert.write.pieces import BREAK, ITEM, begins_item
from webquarry_convert.write.state import WriterState

_LISTS = frozenset({"ul", "ol", "menu", "dir"})
BULLETS = "-*"
_POINTS = ".)"
_LABELS = frozenset({"p", "label", "span", "div"})
_BLOCK_NAMES = "p div ul ol dl table pre blockquote h1 h2 h3 h4 h5 h6 section article figure details hr"
BLOCKS = frozenset(_BLOCK_NAMES.split())
MAX_NUMBER = 999_999_999


class _Numbering:
    """The markers of one list. number: the next item's number in a numbered list."""

    __slots__ = ("_node", "_step", "is_ordered", "mark", "marks", "number")

    def __init__(self, node: Node) -> None:
        self._node = node
        self.is_ordered = node.tag == "ol"
        self.marks = _POINTS if self.is_ordered else BULLETS
        self.number, self._step = _find_first_number(node) if self.is_ordered else (0, 0)
        self.mark = ""

    def find_beginning(self) -> int | str | None:
        """Return the key by which this list is recognized as the continuation of an earlier list: its first number or
        its class.
        """
        if self.is_ordered:
            return self.number if self.number > 1 else None
        return _find_name_of_single(self._node)

    def may_follow_text(self) -> bool:
        """Return whether the list can directly follow a line of text.

        A numbered list can only do so if it begins with 1.
        """
        return not self.is_ordered or self.number == 1

    def read_value(self, item: Node) -> None:
        """Set the number that an item declares."""
        if self.is_ordered:
            self.number = _parse_number(item.attributes.get("value"), self.number)

    def get_marker(self) -> str:
        return f"{self.number}{self.mark} " if self.is_ordered else f"{self.mark} "

    def advance(self) -> None:
        """Advance to the number of the next item."""
        if self.is_ordered:
            self.number = min(max(self.number + self._step, 0), MAX_NUMBER)


def write(state: WriterState, node: Node) -> None:
    """Write a `ul`, an `ol` or another list."""
    output = state.output
    if state.is_flat or not output.can_open:
        _write_in_line(state, node)
        return
    before = len(output.pieces)
    state.flush()
    # inside an item, the list directly follows the text, which keeps the outer list tight
    follows = output.in_item and len(output.pieces) > before
    numbering = _Numbering(node)
    begins = numbering.find_beginning()
    goes_on = output.goes_on(numbering.marks[0], begins)
    numbering.mark = numbering.marks[0] if goes_on else output.list_mark(numbering.marks)
    if goes_on or (follows and numbering.may_follow_text()):
        output.is_tight = True
    holds_items = _write_items(state, _find_items(node), numbering)
    output.is_tight = False
    if holds_items:
        output.end_list(numbering.mark, numbering.number if numbering.is_ordered else begins)


def _write_in_line(state: WriterState, node: Node) -> None:
    """Write a list that is within a line or nested too deeply."""
    state.flush()
    for child in node.children:
        write_children(state, [child])
        state.flush()


def _find_items(node: Node) -> list[Node | str]:
    """Return a list's children. If a wrapper encloses the items, return the wrapper's children."""
    children = node.children
    if len(children) == 1 and isinstance(only := children[0], Node) and only.tag in BLOCKS - _LISTS:
        children = only.children
    divide_items(children)
    return children


def _write_items(state: WriterState, children: list[Node | str], numbering: _Numbering) -> bool:
    """Write the items of a list. Returns False if all are empty."""
    indent = "  "
    is_first = True
    for child in children:
        if isinstance(child, str) and child.isspace():
            continue
        if isinstance(child, Node) and _is_written_apart(state, child, indent, is_first=is_first):
            continue
        if not is_first:
            state.output.is_tight = True
        marker = _read_marker(child, numbering)
        if write_item(state, _read_content(child), marker):
            is_first = False
            indent = " " * len(marker)
            numbering.advance()
    return not is_first


def _is_written_apart(state: WriterState, child: Node, indent: str, *, is_first: bool) -> bool:
    """Write a child of a list that is not an item. Returns False for an item."""
    if child.is_dropped:
        return True
    if child.tag in _LISTS and not is_first:
        _write_nested(state, child, indent)
        return True
    if child.tag == "li" and id(child) in state.notes.definitions:
        write_note(state, child)
        return True
    return False


def _read_marker(child: Node | str, numbering: _Numbering) -> str:
    if isinstance(child, Node) and child.tag == "li":
        numbering.read_value(child)
    return numbering.get_marker()


def _read_content(child: Node | str) -> list[Node | str]:
    """Return a list item's content. A child other than an `li` is its own content."""
    return divide_label(child.children) if isinstance(child, Node) and child.tag == "li" else [child]


def _find_name_of_single(node: Node) -> str | None:
    """Return the class of a list with a single item. Note-taking programs write a separate list for each item."""
    items = [child for child in node.children if isinstance(child, Node) and not child.is_dropped]
    return (node.attributes.get("class") or None) if len(items) == 1 else None


def write_item(state: WriterState, content: list[Node | str], marker: str) -> bool:
    """Write one item. Returns False if it is empty."""
    box = _find_checkbox(content)
    first = marker if box is None else f"{marker}[{'x' if box else ' '}] "
    before = state.output.open(first, " " * len(marker))
    outer, state.output.in_item = state.output.in_item, True
    write_children(state, content)
    state.flush()
    state.output.in_item = outer
    return state.output.close(before)


def write_stray(state: WriterState, node: Node) -> None:
    """Write an item outside of any list, or within a line."""
    if state.is_flat:
        _write_flat_item(state, node)
        return
    state.flush()
    output = state.output
    if output.is_list_continued("-"):
        output.is_tight = True
        mark = "-"
    else:
        mark = output.list_mark(BULLETS)
    if write_item(state, node.children, f"{mark} "):
        output.end_list(mark)
    output.is_tight = False


def _write_flat_item(state: WriterState, node: Node) -> None:
    """Write an item as a line in a cell, or as words in a heading or a link."""
    state.flush()
    pieces = state.pieces
    if state.gap is BREAK:
        pieces.append(ITEM)
    write_children(state, node.children)
    if begins_item(pieces):
        pieces.pop()  # the item is empty
    state.flush()


def _write_nested(state: WriterState, nested: Node, indent: str) -> None:
    """Write a list whose parent is a list. It becomes part of the preceding item."""
    before = state.output.open(indent, indent)
    outer, state.output.in_item = state.output.in_item, True
    state.output.is_tight = nested.tag != "ol" or _find_first_number(nested)[0] == 1
    write(state, nested)
    state.output.in_item = outer
    state.output.close(before)


def _find_checkbox(content: list[Node | str]) -> bool | None:
    """Return the state of the check box at the start of an item, or None if the item has no check box."""
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
    """Return the first item's number and the step between items."""
    if "reversed" in node.attributes:
        count = sum(
            1 for child in node.children if isinstance(child, Node) and child.tag == "li" and not child.is_dropped
        )
        return _parse_number(node.attributes.get("start"), count), -1
    return _parse_number(node.attributes.get("start"), 1), 1


def _parse_number(text: str | None, otherwise: int) -> int:
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else otherwise
