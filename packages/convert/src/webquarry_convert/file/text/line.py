"""The runs of one paragraph as inline nodes: emphasis, links, superscripts and subscripts.

Word processors split sentences into arbitrary runs and format white space arbitrarily. This module joins runs with the
same formatting, and formats white space like the text around it. Formatting of a whole paragraph is not emphasis.
"""

from itertools import groupby
from typing import Final

from webquarry_convert.text.raised import lower_text, raise_text
from webquarry_convert.tree import Node

BOLD: Final = 1
ITALIC: Final = 2
STRIKE: Final = 4
RAISED: Final = 8
LOWERED: Final = 16
CODE: Final = 32

_TAGS: Final = ((CODE, "code"), (ITALIC, "em"), (BOLD, "strong"), (STRIKE, "s"))
MAX_LABEL: Final = 120
"""Maximum length, in characters, of an entirely bold paragraph that stays bold because it acts as a heading."""

_LEAST_MOVE: Final = 5

Content = list[Node | str]


def make_element(tag: str, children: Content, **attributes: str | None) -> Node:
    node = Node(tag, dict(attributes), -1)
    node.children = children
    return node


def find_place_mark(position: int, size: int, usual: int) -> int:
    """Return `RAISED` or `LOWERED` for text that is smaller than its surroundings and clearly shifted, otherwise 0.

    position: the height above the line. usual: the size of the surrounding text. All values have the same unit.
    """
    if size >= usual or abs(position) * _LEAST_MOVE < size:
        return 0
    return RAISED if position > 0 else LOWERED


class Line:
    """The content of a paragraph being read, in reading order."""

    __slots__ = ("_pieces", "has_nodes")

    def __init__(self) -> None:
        self._pieces: list[tuple[Node | str, int, str | None]] = []
        self.has_nodes = False

    def __bool__(self) -> bool:
        """Return whether the line has any content, including white space."""
        return bool(self._pieces)

    def text(self, text: str, marks: int = 0, link: str | None = None) -> None:
        """Add text.

        marks: combined flags such as `BOLD`.
        link: the link's target.
        """
        self._pieces.append((text, marks, link))

    def node(self, node: Node, marks: int = 0, link: str | None = None) -> None:
        """Add an image, a formula, a note reference or a line break."""
        self.has_nodes = True
        self._pieces.append((node, marks, link))

    def add_line_break(self, link: str | None = None) -> None:
        self.node(Node("br", {}, -1), 0, link)

    def plain(self) -> str:
        """Return the whole text unchanged, with breaks as line feeds."""
        return "".join(
            piece if isinstance(piece, str) else "\n" if piece.tag == "br" else "" for piece, _, _ in self._pieces
        )

    def drop_start(self, length: int) -> None:
        """Remove the first characters, which must not include breaks."""
        for at, (piece, marks, link) in enumerate(self._pieces):
            if isinstance(piece, str):
                self._pieces[at] = piece[length:], marks, link
                length -= len(piece)
            if length <= 0:
                return

    def formula(self) -> Node | None:
        """Return the formula if it is the line's only content, or None otherwise."""
        found: Node | None = None
        for piece, _, _ in self._pieces:
            if isinstance(piece, str):
                if not piece.isspace() and piece:
                    return None
            elif piece.tag != "math" or found is not None:
                return None
            else:
                found = piece
        return found

    def find_common_marks(self) -> int:
        """Return the marks that all text in the line has."""
        common = -1
        for piece, marks, _ in self._pieces:
            if isinstance(piece, str) and piece and not piece.isspace():
                common &= marks
                if not common:
                    return 0
        return 0 if common == -1 else common

    def content(self, *, is_plain: bool = False) -> Content:
        """Return the line as nodes. is_plain: whether it is in a heading or a cell, which makes bold redundant."""
        if not self._pieces:
            return []
        if not self.has_nodes and not any(marks or link for _, marks, link in self._pieces):
            return ["".join(piece for piece, _, _ in self._pieces)]  # type: ignore[misc]  # strings only
        worn = self.find_common_marks() & (BOLD | ITALIC | CODE)
        if worn & BOLD and not is_plain and len(self.plain()) <= MAX_LABEL:
            worn &= ~BOLD
        content: Content = []
        for link, runs in groupby(self._runs(worn), key=lambda run: run[2]):
            written = [node for piece, marks, _ in runs for node in _write_run(piece, marks)]
            content += written if link is None else [make_element("a", written, href=link)]
        return content

    def _runs(self, worn: int) -> list[tuple[Node | str, int, str | None]]:
        """Return the pieces without the common marks. Adjacent pieces with the same formatting are joined."""
        runs: list[tuple[Node | str, int, str | None]] = []
        texts: list[str] = []
        look: tuple[int, str | None] = (0, None)
        pieces = self._pieces
        for at, (piece, marks, link) in enumerate(pieces):
            marks &= ~worn
            if not isinstance(piece, str):
                if texts:
                    runs.append(("".join(texts), *look))
                    texts = []
                runs.append((piece, marks, link))
                continue
            if not piece:
                continue
            if texts and (marks, link) != look:
                if piece.isspace() and at + 1 < len(pieces):
                    following = pieces[at + 1]
                    if (following[1] & ~worn, following[2]) == look:
                        marks, link = look
                if (marks, link) != look:
                    runs.append(("".join(texts), *look))
                    texts = []
            texts.append(piece)
            look = (marks, link)
        if texts:
            runs.append(("".join(texts), *look))
        return runs


def _write_run(piece: Node | str, marks: int) -> Content:
    """Return a run with its marks. Spaces at the ends of code are moved outside, because markdown drops them inside."""
    if not isinstance(piece, str) or not marks & CODE or piece.isspace():
        return [_apply_marks(piece, marks)]
    begun = piece.lstrip()
    core = begun.rstrip()
    parts: Content = [piece[: len(piece) - len(begun)], _apply_marks(core, marks), begun[len(core) :]]
    return [part for part in parts if part != ""]


def _apply_marks(piece: Node | str, marks: int) -> Node | str:
    if not marks:
        return piece
    if isinstance(piece, str):
        if marks & RAISED:
            piece = raise_text(piece)
        elif marks & LOWERED:
            piece = lower_text(piece)
        if piece.isspace():
            return piece
    elif piece.tag in ("math", "br", "a"):
        return piece
    for mark, tag in _TAGS:
        if marks & mark:
            piece = make_element(tag, [piece])
            if mark == CODE:
                marks &= STRIKE
    return piece
