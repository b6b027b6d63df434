"""Superscripts and subscripts: marks of notes, powers and indices, or text. Raised digits never become digits of the
number before them."""

import re
from typing import TYPE_CHECKING

from webquarry_convert.text.raised import lower_text, raise_text
from webquarry_convert.tree import Node, walk
from webquarry_convert.write.labels import CURRENCIES
from webquarry_convert.write.pieces import BREAK, Piece, Written

if TYPE_CHECKING:
    from webquarry_convert.write.flow import Writer

MAX_CHARS = 24
"""Of an element that holds a sign or a number; longer ones are text that is set so."""
_NUMBER = re.compile(r"[-+\u2212]?\d")
_PLAIN = frozenset({"span", "b", "strong", "i", "em", "small", "big", "font", "u", "var"})
_LOOK_BACK = 6
"""Pieces in which the text before stands."""


def write_raised(writer: "Writer", node: Node) -> None:
    """A `sup`."""
    if writer.notes.refer_raised(writer, node):
        return
    text, before = _read_short_text(node), _read_before(writer.pieces)
    if not text or not before or before[-1].isspace() or before[-1] in CURRENCIES:
        writer.walk(node.children)
        return
    raised = raise_text(text)
    if raised == text and before[-1].isdigit() and _NUMBER.match(text):
        raised = f"^{text}"
    writer.pieces.append(raised)


def write_lowered(writer: "Writer", node: Node) -> None:
    """A `sub`."""
    text = _read_short_text(node)
    before = _read_before(writer.pieces)
    if text and before and not before[-1].isspace():
        writer.pieces.append(lower_text(text))
    else:
        writer.walk(node.children)


def _read_short_text(node: Node) -> str:
    """What an element holds, when that is a short text; "" where there is more in it, such as a link."""
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
    """The text right before the current place, whatever it is set in."""
    found: list[str] = []
    for piece in pieces[: -_LOOK_BACK - 1 : -1]:
        if isinstance(piece, str):
            found.append(piece[-MAX_CHARS:])
        elif piece is BREAK or isinstance(piece, Written):
            break
    return "".join(reversed(found))
