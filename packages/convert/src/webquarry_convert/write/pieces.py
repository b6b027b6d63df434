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


class Formula(Written):
    """TeX between dollar signs. `in_dollars`: whether the page itself writes formulas so, in its text."""

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
"""Before the text of an item that is a line of a cell."""
_DOLLAR = Written("\\$")
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


def guard_formulas(pieces: list[Piece]) -> list[Piece]:
    """The pieces with what keeps readers of dollar signs from mistaking them, where there are formulas.

    Two formulas side by side are set apart by a space. The `$` of a price is escaped; where the page itself writes
    formulas in its text between dollar signs, each `$` may be of one and stays.
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
