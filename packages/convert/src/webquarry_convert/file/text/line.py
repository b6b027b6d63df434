"""The runs of one paragraph as inline nodes: emphasis where it sets words apart, links, raised and lowered signs.

Word processors cut a sentence into runs wherever they like, and format white space at random. Runs that look the same
become one, white space takes the look of what is around it, and what a whole paragraph wears is no emphasis.
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
"""Characters up to which a paragraph all in bold keeps it: it stands for a heading."""

_LEAST_MOVE: Final = 5

Content = list[Node | str]


def make_element(tag: str, children: Content, **attributes: str | None) -> Node:
    node = Node(tag, dict(attributes), -1)
    node.children = children
    return node


def find_place_mark(position: int, size: int, usual: int) -> int:
    """`RAISED` or `LOWERED`, where letters are smaller than those around and moved by a good part of their size; 0.

    position: how far above their line they stand. usual: the size of the letters around. All in one unit.
    """
    if size >= usual or abs(position) * _LEAST_MOVE < size:
        return 0
    return RAISED if position > 0 else LOWERED


class Line:
    """The content of a paragraph while it is read, in reading order."""

    __slots__ = ("_pieces", "has_nodes")

    def __init__(self) -> None:
        self._pieces: list[tuple[Node | str, int, str | None]] = []
        self.has_nodes = False

    def __bool__(self) -> bool:
        """Whether anything stands in it, be it white space."""
        return bool(self._pieces)

    def text(self, text: str, marks: int = 0, link: str | None = None) -> None:
        """marks: `BOLD` and the others, or-ed. link: where the text leads."""
        self._pieces.append((text, marks, link))

    def node(self, node: Node, marks: int = 0, link: str | None = None) -> None:
        """An image, a formula, the mark of a note, a line break."""
        self.has_nodes = True
        self._pieces.append((node, marks, link))

    def add_line_break(self, link: str | None = None) -> None:
        self.node(Node("br", {}, -1), 0, link)

    def plain(self) -> str:
        """All its text, as it stands; a break is a line feed."""
        return "".join(
            piece if isinstance(piece, str) else "\n" if piece.tag == "br" else "" for piece, _, _ in self._pieces
        )

    def drop_start(self, length: int) -> None:
        """Take off the first characters, which are no breaks."""
        for at, (piece, marks, link) in enumerate(self._pieces):
            if isinstance(piece, str):
                self._pieces[at] = piece[length:], marks, link
                length -= len(piece)
            if length <= 0:
                return

    def formula(self) -> Node | None:
        """The formula that stands alone in this line."""
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
        """What all of the text wears."""
        common = -1
        for piece, marks, _ in self._pieces:
            if isinstance(piece, str) and piece and not piece.isspace():
                common &= marks
                if not common:
                    return 0
        return 0 if common == -1 else common

    def content(self, *, is_plain: bool = False) -> Content:
        """The line as nodes. is_plain: in a heading or a cell, whose own look already says what bold text would."""
        if not self._pieces:
            return []
        if not self.has_nodes and not any(marks or link for _, marks, link in self._pieces):
            return ["".join(piece for piece, _, _ in self._pieces)]  # type: ignore[misc]  # texts only
        worn = self.find_common_marks() & (BOLD | ITALIC | CODE)
        if worn & BOLD and not is_plain and len(self.plain()) <= MAX_LABEL:
            worn &= ~BOLD
        content: Content = []
        for link, runs in groupby(self._runs(worn), key=lambda run: run[2]):
            written = [node for piece, marks, _ in runs for node in _write_run(piece, marks)]
            content += written if link is None else [make_element("a", written, href=link)]
        return content

    def _runs(self, worn: int) -> list[tuple[Node | str, int, str | None]]:
        """The pieces without the marks that all wear, neighbours of the same look joined."""
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
    """A run with its marks. Spaces at the ends of code stand beside it: within, they would be lost."""
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
