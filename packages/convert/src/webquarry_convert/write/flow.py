"""Walks the tree and writes each element as a block, as a mark around text, or not at all.

The handlers are looked up in the state's `dispatch`, so this module does not depend on them.
"""

from typing import TypeGuard

from webquarry_convert.hidden import is_read_aloud
from webquarry_convert.tree import Node
from webquarry_convert.write import code
from webquarry_convert.write.formulas import write_formulas_in_text
from webquarry_convert.write.gaps import CURRENCIES, PARTS, begins_other_price, find_gap
from webquarry_convert.write.inline import write_line
from webquarry_convert.write.labels import divide_label
from webquarry_convert.write.listings import write_preformatted
from webquarry_convert.write.pieces import CLOSE, Mark, Piece
from webquarry_convert.write.roles import find_role
from webquarry_convert.write.state import WriterState

MAX_DEPTH = 160
"""Maximum nesting depth of elements; deeper elements are written as plain text.

Real pages have fewer than 100 levels, and each level takes up to four frames of Python's stack.
"""
MAX_SIGN = 4
"""Maximum number of punctuation characters that are written without emphasis, and of elements around them."""
_EMPHASIS = frozenset({"b", "strong", "i", "em", "span", "font", "u"})
BLOCKS = [
    "address",
    "article",
    "aside",
    "body",
    "center",
    "details",
    "dialog",
    "div",
    "dd",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hgroup",
    "html",
    "legend",
    "main",
    "nav",
    "p",
    "search",
    "section",
    "caption",
    "tbody",
    "thead",
    "tfoot",
    "tr",
    "td",
    "th",
    "menuitem",
    "optgroup",
]
"""Block elements without special handling."""
_PARAGRAPHS = frozenset(BLOCKS) | {"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "table", "pre"}


def write_children(state: WriterState, children: list[Node | str]) -> None:
    """Write nodes in order."""
    if state.depth >= MAX_DEPTH:
        _write_plainly(state, children)
        return
    state.depth += 1
    dispatch = state.dispatch
    find_handler = dispatch.elements.get
    definitions = state.notes.definitions
    before: Node | None = None  # the preceding node, if no white space follows it
    for child in children:
        if isinstance(child, str):
            _write_text(state, child, before)
            before = None
            continue
        handler = find_handler(child.tag, write_inner)
        if child.is_dropped or handler is skip:
            continue
        before = _set_apart(state, before, child) if child.tag in PARTS else None
        if definitions and id(child) in definitions:
            dispatch.note(state, child)
        elif not (child.attributes and _write_in_role(state, child)):
            handler(state, child)
    state.depth -= 1


def _write_text(state: WriterState, text: str, before: Node | None) -> None:
    """Write a text. before: the node that directly precedes it."""
    pieces = state.pieces
    if before is not None and pieces and text[:1].isalnum() and is_read_aloud(before.attributes):
        pieces.append(" ")
    if _may_hold_formulas(text):
        write_formulas_in_text(state, text)
    elif pieces or not text.isspace():
        if text[:1] in CURRENCIES and pieces and begins_other_price(text, pieces[-1]):
            pieces.append(" ")
        pieces.append(text)


def _set_apart(state: WriterState, before: Node | None, part: Node) -> Node | None:
    """Write the separator between adjacent nodes, if any, and return the node that then directly precedes the next one.

    An element whose content comes only from a style sheet does not separate its neighbors.
    """
    if before is not None and state.pieces and (gap := find_gap(before, part)):
        state.pieces.append(gap)
    return part if part.children else before


def _write_in_role(state: WriterState, node: Node) -> bool:
    """Write an element according to its class names. Returns False if they do not affect it."""
    names = node.attributes.get("class")
    if names is None:
        return False
    role = find_role(names)
    return role is not None and state.dispatch.roles[role](state, node, names)


def skip(state: WriterState, node: Node) -> None:
    """Skip an element."""


def write_inner(state: WriterState, node: Node) -> None:
    """Write the content of an element without a handler."""
    if node.children:
        if "-" in node.tag and code.is_code_element(node):
            write_preformatted(state, node)
        else:
            write_children(state, node.children)


def write_block(state: WriterState, node: Node) -> None:
    """Write an element of `BLOCKS`, separated from the content before and after it."""
    state.flush()
    inner = node.children
    if state.is_flat:
        write_children(state, inner)
        state.flush()
        return
    if not inner:
        return
    if node.tag == "div":
        inner = divide_label(inner)
    if len(inner) == 1 and not state.pieces and state.card is None and _is_plain_text(inner[0]):
        state.write_paragraph(inner[0])
        return
    write_children(state, inner)
    state.flush()


def _is_plain_text(child: Node | str) -> TypeGuard[str]:
    """Return whether a child is text without formulas."""
    return isinstance(child, str) and not _may_hold_formulas(child)


def _may_hold_formulas(text: str) -> bool:
    return "\\" in text or "$$" in text


def write_apart(state: WriterState, node: Node) -> None:
    """Write the content of an element, separated from the content before and after it."""
    state.flush()
    write_children(state, node.children)
    state.flush()


def write_marked(state: WriterState, mark: Mark, children: list[Node | str]) -> None:
    """Write children between an opening and a closing mark.

    The marks are omitted inside the same kind of mark, and around text that is only punctuation.
    """
    if mark in state.open_marks or (len(children) == 1 and _is_sign(children[0])):
        write_children(state, children)
        return
    pieces = state.pieces
    pieces.append(mark)
    state.open_marks.append(mark)
    write_children(state, children)
    state.open_marks.pop()
    pieces.append(CLOSE)


def build_line(state: WriterState, children: list[Node | str]) -> str:
    """Return children as one line of inline markdown, independent of the surrounding content."""
    return write_line(collect_pieces(state, children))


def collect_pieces(state: WriterState, children: list[Node | str], gap: Piece = " ") -> list[Piece]:
    """Return the inline pieces of children, independent of the surrounding content. gap: separator between blocks."""
    before = state.pieces, state.open_marks, state.is_flat, state.gap
    pieces: list[Piece] = []
    state.pieces, state.open_marks, state.is_flat, state.gap = pieces, [], True, gap
    write_children(state, children)
    state.pieces, state.open_marks, state.is_flat, state.gap = before
    return pieces


def _write_plainly(state: WriterState, children: list[Node | str]) -> None:
    """Write only the text of elements that are nested too deeply."""
    elements = state.dispatch.elements
    waiting: list[Node | str] = [*reversed(children)]
    while waiting:
        current = waiting.pop()
        if isinstance(current, str):
            state.pieces.append(current)
        elif not current.is_dropped and (handler := elements.get(current.tag)) is not skip:
            if handler is not None:
                waiting.append(" ")
                state.flush() if current.tag in _PARAGRAPHS else state.pieces.append(" ")
            waiting += reversed(current.children)


def _is_sign(child: Node | str) -> bool:
    """Return whether a node is a short run without letters or digits, such as a full stop after a link."""
    for _ in range(MAX_SIGN):
        if isinstance(child, str):
            text = child.strip()
            return 0 < len(text) <= MAX_SIGN and not any(map(str.isalnum, text))
        if len(child.children) != 1 or child.tag not in _EMPHASIS:
            break
        child = child.children[0]
    return False
