"""Inline content as lines of markdown: text, emphasis, links, code and images.

White space collapses as in HTML and is moved out of marks. Empty marks are dropped. Most runs have only marks that
parse as intended in their position, and are written in one pass. `emphasis` writes all other runs.
"""

from webquarry_convert.text import escape
from webquarry_convert.write.emphasis import Run
from webquarry_convert.write.pieces import (
    BREAK,
    CLOSE,
    CLOSE_LINK,
    INVISIBLE,
    Mark,
    Piece,
    Written,
    collapse_space,
    guard_formulas,
    join_plain_text,
)

_BESIDE_MARKS = frozenset("!`*~")
"""Characters that must not directly precede a mark, code or an image, because together they have a different meaning.
"""


def write_lines(pieces: list[Piece]) -> list[str]:
    """Return the lines of a run, escaped within each line but not at its start. Two breaks make an empty line."""
    pieces = guard_formulas(pieces)
    found = _write_simple(pieces)
    if found is not None:
        return found
    run = Run()
    texts: list[str] = []
    for piece in pieces:
        if piece.__class__ is str:
            texts.append(piece)
            continue
        if texts:
            run.text("".join(texts))
            texts = []
        if isinstance(piece, Mark):
            run.open(piece)
        elif isinstance(piece, Written):
            run.written(piece.text)
        elif piece is BREAK:
            run.write_break()
        else:
            run.close()
    if texts:
        run.text("".join(texts))
    return run.finished()


class _NeedsCareError(Exception):
    """Raised if the marks of a run would not be parsed as intended in their position."""


def _write_simple(pieces: list[Piece]) -> list[str] | None:
    """Return the lines of a simple run, or None if the run needs more care.

    In a simple run, the marks are parsed as intended in their position, and white space is collapsed once per line.
    """
    run = _SimpleRun()
    texts: list[str] = []
    try:
        for piece in pieces:
            if piece.__class__ is str:
                texts.append(piece)
                continue
            if texts:
                run.add_text(texts[0] if len(texts) == 1 else "".join(texts))
                texts = []
            if piece is CLOSE or piece is CLOSE_LINK:
                run.close()
            elif piece is BREAK:
                run.end_line()
            else:
                run.add(piece)
        if texts:
            run.add_text("".join(texts))
        run.end_line()
    except _NeedsCareError:
        return None
    return run.lines


class _SimpleRun:
    """The run that is being written, piece by piece. Its methods raise `_NeedsCareError`."""

    __slots__ = ("_in_link", "_needs_space", "_opened", "_written", "lines")

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._written: list[str] = []
        self._opened: list[tuple[Mark, int]] = []  # open marks with their positions, outermost first
        self._in_link = False
        self._needs_space = False  # whether emphasis just ended after a character that requires white space next

    def add_text(self, text: str) -> None:
        if (self._needs_space and not text[:1].isspace()) or (not text.isascii() and INVISIBLE.search(text)):
            raise _NeedsCareError
        self._needs_space = False
        self._written.append(escape.label(text) if self._in_link else escape.part(text))

    def close(self) -> None:
        """Close the innermost mark."""
        if not self._opened:
            raise _NeedsCareError
        written = self._written
        mark, place = self._opened.pop()
        inner = written[place + 1] if len(written) == place + 2 else "".join(written[place + 1 :])
        shown = inner.strip()
        if mark.is_link:
            self._in_link = self._needs_space = False
        elif self._needs_space:
            raise _NeedsCareError
        if not shown:
            written[place:] = [inner]
            return
        lead = " " if inner[0].isspace() else ""
        trail = " " if inner[-1].isspace() else ""
        if not mark.is_link:
            if not (shown[0].isalnum() or lead or _is_free(written, place, self._opened)):
                raise _NeedsCareError
            self._needs_space = not (shown[-1].isalnum() or trail)
        written[place:] = [f"{lead}{mark.opening}{shown}{mark.closing}{trail}"]

    def end_line(self) -> None:
        if self._opened:
            raise _NeedsCareError
        self._needs_space = False
        self.lines.append(" ".join("".join(self._written).split()))
        self._written = []

    def add(self, piece: Piece) -> None:
        """Open a mark, or add finished markdown."""
        written = self._written
        if self._needs_space or (written and written[-1][-1:] in _BESIDE_MARKS):
            raise _NeedsCareError
        if isinstance(piece, Mark):
            if self._opened and self._opened[-1][0].is_link == piece.is_link:
                raise _NeedsCareError
            self._opened.append((piece, len(written)))
            self._in_link = self._in_link or piece.is_link
            written.append("")
        elif isinstance(piece, Written):
            written.append(piece.text)


def _is_free(written: list[str], place: int, opened: list[tuple[Mark, int]]) -> bool:
    """Return whether the mark at this position follows white space, the line's start, or a link's opening bracket."""
    if not place:
        return True
    before = written[place - 1]
    return before[-1:].isspace() or bool(opened and opened[-1][1] == place - 1)


def write_line(pieces: list[Piece], joint: str = " ") -> str:
    """Return a run as a single line. joint: replacement for line breaks."""
    text = join_plain_text(pieces)
    if text is None:
        return joint.join(line for line in write_lines(pieces) if line)
    return escape.whole(collapse_space(text))
