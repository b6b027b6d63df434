"""The lines written so far, and the open containers: list items, quotes and notes."""

from itertools import accumulate
from typing import NamedTuple

MAX_CONTAINERS = 12
"""Maximum number of nested lists, quotes and notes. Deeper content is written into the innermost allowed container.

Each line begins with the markers of all its containers, so the limit keeps the text's size linear in the page's size.
"""


class Opened(NamedTuple):
    """The state to restore when a container is closed, and whether the container was opened."""

    prefix: str
    lead: str | None
    gap: str
    is_tight: bool
    pieces: int
    is_real: bool


class Output:
    """Blocks of markdown separated by empty lines, in their containers. Empty containers are removed."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._page_starts: list[int] = []  # indexes of the pieces that begin a page
        self.is_tight = False  # whether the next block follows without a blank line
        self._prefix = ""
        self._lead: str | None = None  # prefix of the first line in a container that was just opened
        self._gap = ""  # prefix of the blank line before that line
        self._containers = 0
        self._list_end: tuple[int, str, str] | None = None
        self._list_goes_on: int | str | None = None  # the key that the next list must have to continue the last one
        self.in_item = False  # whether the innermost container is a list item

    @property
    def is_at_start(self) -> bool:
        """Whether nothing has been written to the innermost container."""
        return not self.pieces or self._lead is not None

    @property
    def can_open(self) -> bool:
        return self._containers < MAX_CONTAINERS

    def ends_with(self, text: str) -> bool:
        """Return whether this one-line block is the last one in the innermost container."""
        return bool(self.pieces) and self._lead is None and self.pieces[-1] == text

    def block(self, text: str) -> None:
        """Write a block, which consists of one or more lines."""
        prefix = self._prefix
        if self.pieces:
            if self.is_tight:
                self.pieces.append("\n")
            else:
                self.pieces.append(f"\n{prefix.rstrip() if self._lead is None else self._gap}\n")
        self.is_tight = False
        if self._lead is not None:
            self.pieces.append(self._lead)
            self._lead = None
        elif prefix:
            self.pieces.append(prefix)
        self.pieces.append(_indent(text, prefix) if prefix and "\n" in text else text)

    def open(self, first: str, rest: str) -> Opened:
        """Begin a container. first, rest: prefixes of the first line and of the other lines."""
        is_real = self.can_open
        before = Opened(self._prefix, self._lead, self._gap, self.is_tight, len(self.pieces), is_real)
        if is_real:
            self._containers += 1
            if self._lead is None:
                self._gap = self._prefix.rstrip()
                self._lead = self._prefix
            self._lead += first
            self._prefix += rest
        return before

    def close(self, before: Opened) -> bool:
        """End a container. Returns False if it is empty."""
        if before.is_real:
            self._containers -= 1
        self._prefix = before.prefix
        written = len(self.pieces) > before.pieces
        if not written:
            self._lead, self._gap, self.is_tight = before.lead, before.gap, before.is_tight
        return written

    def list_mark(self, marks: str) -> str:
        """Return the first of two list markers, or the second one directly after a list with the first marker.

        Adjacent lists with the same marker would merge.
        """
        if self._list_end == (len(self.pieces), self._prefix, marks[0]):
            return marks[1]
        return marks[0]

    def is_list_continued(self, mark: str) -> bool:
        """Return whether a list with this marker has just ended."""
        return self._list_end == (len(self.pieces), self._prefix, mark)

    def goes_on(self, mark: str, begins: int | str | None) -> bool:
        """Return whether a list continues the list with the same marker that has just ended.

        begins: the list's key, as in `end_list`.
        """
        return begins is not None and begins == self._list_goes_on and self.is_list_continued(mark)

    def end_list(self, mark: str, goes_on: int | str | None = None) -> None:
        """End a list. goes_on: the key that a continuation must have: the number of the next item, or a class."""
        self._list_end = (len(self.pieces), self._prefix, mark)
        self._list_goes_on = goes_on

    def begin_page(self) -> None:
        """Record that the next block begins a page."""
        self._page_starts.append(len(self.pieces))

    def find_page_starts(self) -> list[int]:
        """Return the offsets in the text at which pages begin, in characters."""
        lengths = [0, *accumulate(map(len, self.pieces))]
        # every block except the first begins with a piece that contains line breaks
        return [lengths[min(start + 1, len(self.pieces))] if start else 0 for start in self._page_starts]

    def text(self) -> str:
        """Return the complete text, which ends with one line break."""
        return "".join(self.pieces) + "\n" if self.pieces else ""


def _indent(text: str, prefix: str) -> str:
    """Return the text with a prefix on each line except the first. Blank lines get no trailing white space."""
    first, *lines = text.split("\n")
    bare = prefix.rstrip()
    return "\n".join([first, *[prefix + line if line else bare for line in lines]])
