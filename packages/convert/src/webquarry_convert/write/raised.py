"""Superscripts and subscripts: note marks, powers, indexes or text.

Raised digits are never joined to a preceding number.
"""

import re

from webquarry_convert.text.raised import lower_text, raise_text
from webquarry_convert.tree import Node, walk
from webquarry_convert.write.flow import write_children
from webquarry_convert.write.footnotes import refer_raised
from webquarry_convert.write.gaps import CURRENCIES
from webquarry_convert.write.pieces import BREAK, Piece, Written
from webquarry_convert.write.state import WriterState

MAX_CHARS = 24
"""Maximum length, in characters, of a raised or lowered number or symbol. Longer content is text in a raised style."""
_NUMBER = re.compile(r"[-+\u2212]?\d")
_PLAIN = frozenset({"span", "b", "strong", "i", "em", "small", "big", "font", "u", "var"})
_LOOK_BACK = 6
"""Number of pieces that are searched for the preceding text."""


def write_raised(state: WriterState, node: Node) -> None:
    """Write a `sup`."""
    if refer_raised(state, node):
        return
    text, before = _read_short_text(node), _read_before(state.pieces)
    if not text or not before or before[-1].isspace() or before[-1] in CURRENCIES:
        write_children(state, node.children)
        return
    raised = raise_text(text)
    if raised == text and before[-1].isdigit() and _NUMBER.match(text):
        raised = f"^{text}"
    state.pieces.append(raised)


def write_lowered(state: WriterState, node: Node) -> None:
    """Write a `sub`."""
    text = _read_short_text(node)
    before = _read_before(state.pieces)
    if text and before and not before[-1].isspace():
        state.pieces.append(lower_text(text))
    else:
        write_children(state, node.children)


def _read_short_text(node: Node) -> str:
    """Return an element's content if it is a short text, or "" if there is anything else in it, such as a link."""
    text = ""
    for at, current in enumerate(walk(node.children)):
        if isinstance(current, str):
            text += current
        elif current.tag not in _PLAIN:
            return ""
        if at == MAX_CHARS or len(text) > MAX_CHARS:
            return ""
    return text if "\\" not in text else ""


def _read_before(pieces: list[Piece]) -> str:
    """Return the text directly before the current position, regardless of its markup."""
    found: list[str] = []
    for piece in pieces[: -_LOOK_BACK - 1 : -1]:
        if isinstance(piece, str):
            found.append(piece[-MAX_CHARS:])
        elif piece is BREAK or isinstance(piece, Written):
            break
    return "".join(reversed(found))
