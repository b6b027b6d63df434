"""Pieces of inline content: raw strings, opening marks, signs that close the innermost mark, and finished markdown.

Example: `["a ", STRONG, "b ", CLOSE, "c"]` becomes the line `a **b** c`.
"""

import re

INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")


class Mark:
    """Markup around text.

    is_link: whether the mark is the brackets of a link, between which the text's brackets must be balanced.
    """

    __slots__ = ("closing", "is_link", "opening")

    def __init__(self, opening: str, closing: str, *, is_link: bool = False) -> None:
        self.opening = opening
        self.closing = closing
        self.is_link = is_link


class Written:
    """Finished markdown: code, an image, a formula or a note."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Formula(Written):
    """TeX between dollar signs. in_dollars: whether the page's text also encloses formulas in dollar signs."""

    __slots__ = ("in_dollars",)

    def __init__(self, text: str, *, in_dollars: bool = False) -> None:
        super().__init__(text)
        self.in_dollars = in_dollars


class _Sign:
    __slots__ = ()


STRONG = Mark("**", "**")
EMPHASIS = Mark("*", "*")
STRIKE = Mark("~~", "~~")
CLOSE = _Sign()
CLOSE_LINK = _Sign()
BREAK = _Sign()
ITEM = Written("- ")
"""Prefix of a list item that is written as a line in a cell."""
_DOLLAR = Written("\\$")
Piece = str | Mark | Written | _Sign


def make_link(target: str) -> Mark:
    return Mark("[", f"]({target})", is_link=True)


def collapse_space(text: str) -> str:
    """Collapse white space as in HTML, and remove invisible characters."""
    text = " ".join(text.split())
    if not text.isascii() and INVISIBLE.search(text):
        text = " ".join(INVISIBLE.sub("", text).split())
    return text


def begins_item(pieces: list[Piece]) -> bool:
    """Return whether only an item's marker has been written. Removes trailing white space."""
    while pieces and isinstance(last := pieces[-1], str) and last.isspace():
        pieces.pop()
    return bool(pieces) and pieces[-1] is ITEM


def is_said(piece: Piece) -> bool:
    """Return whether a piece has content: text, code or a formula, but not an image."""
    if isinstance(piece, str):
        return not piece.isspace()
    return isinstance(piece, Written) and not piece.text.startswith("![")


def join_plain_text(pieces: list[Piece]) -> str | None:
    """Return the raw text of a run without markup (the usual case), or None for a run with marks or markdown."""
    try:
        return "".join(pieces)  # type: ignore[arg-type]  # asking each piece first takes longer
    except TypeError:
        return None


def guard_formulas(pieces: list[Piece]) -> list[Piece]:
    """Return the pieces in a form in which no dollar sign can be misread.

    Adjacent formulas are separated by a space. The `$` of a price is escaped, unless the page's text contains formulas
    between dollar signs. In this case, any `$` may belong to a formula and is kept.
    """
    formulas = [piece for piece in pieces if isinstance(piece, Formula)]
    if not formulas:
        return pieces
    escapes = not any(formula.in_dollars for formula in formulas)
    guarded: list[Piece] = []
    is_behind_formula = False
    for piece in pieces:
        if isinstance(piece, str):
            is_behind_formula = is_behind_formula and not piece
            guarded += _escape_dollars(piece) if escapes else (piece,)
            continue
        if isinstance(piece, Formula) and is_behind_formula:
            guarded.append(" ")
        if piece is BREAK or isinstance(piece, Written):
            is_behind_formula = isinstance(piece, Formula)
        guarded.append(piece)
    return guarded


def _escape_dollars(text: str) -> list[Piece]:
    first, *others = text.split("$")
    pieces: list[Piece] = [first]
    for other in others:
        pieces += (_DOLLAR, other)
    return pieces
