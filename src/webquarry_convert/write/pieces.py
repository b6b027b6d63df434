"""Pieces of inline content: raw texts, marks that open, signs that close the innermost one, and finished markdown.

Example: `["a ", STRONG, "b ", CLOSE, "c"]` becomes the line `a **b** c`.
"""

import re

INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")


class Mark:
    """What opens and closes around text. `is_link`: brackets, in which brackets of the text must pair."""

    __slots__ = ("closing", "is_link", "opening")

    def __init__(self, opening: str, closing: str, *, is_link: bool = False) -> None:
        self.opening = opening
        self.closing = closing
        self.is_link = is_link


class Written:
    """Markdown that is finished: code, an image, a formula, a note."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class _Sign:
    __slots__ = ()


STRONG = Mark("**", "**")
EMPHASIS = Mark("*", "*")
STRIKE = Mark("~~", "~~")
CLOSE = _Sign()
CLOSE_LINK = _Sign()
BREAK = _Sign()
ITEM = Written("- ")
"""Before the text of an item that is a line of a cell."""
Piece = str | Mark | Written | _Sign


def make_link(target: str) -> Mark:
    return Mark("[", f"]({target})", is_link=True)


def collapse_space(text: str) -> str:
    """White space as HTML shows it, without signs that nobody sees."""
    text = " ".join(text.split())
    if not text.isascii() and INVISIBLE.search(text):
        text = " ".join(INVISIBLE.sub("", text).split())
    return text


def begins_item(pieces: list[Piece]) -> bool:
    """Whether nothing is said yet behind the sign of an item. White space at the end is taken away."""
    while pieces and isinstance(last := pieces[-1], str) and last.isspace():
        pieces.pop()
    return bool(pieces) and pieces[-1] is ITEM


def is_said(piece: Piece) -> bool:
    """Whether a piece says something: text, code, a formula, no image."""
    if isinstance(piece, str):
        return not piece.isspace()
    return isinstance(piece, Written) and not piece.text.startswith("![")


def join_plain_text(pieces: list[Piece]) -> str | None:
    """The raw text of a run that has nothing else, as most; None when there are marks or markdown in it."""
    try:
        return "".join(pieces)  # type: ignore[arg-type]  # asking each piece first takes longer
    except TypeError:
        return None
