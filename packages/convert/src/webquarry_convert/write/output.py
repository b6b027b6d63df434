"""The lines written so far, and the open containers: list items, quotes and notes."""

from itertools import accumulate
from typing import NamedTuple

MAX_CONTAINERS = 12
"""Maximum number of nested lists, quotes and notes. Deeper content is written into the innermost allowed container.

Each line begins with the markers of all its containers, so the limit keeps the text's size linear in the page's size.
"""


class Opened(NamedTuple):
    """The state to restore when a container is closed, and whether it was opened."""

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
        self._page_starts: list[int] = []  # numbers of pieces
        self.is_tight = False  # whether the next block follows without an empty line
        self._prefix = ""
        self._lead: str | None = None  # prefix of the first line in a new container
        self._gap = ""  # prefix of the empty line before that line
        self._containers = 0
        self._list_end: tuple[int, str, str] | None = None
        self._list_goes_on: int | str | None = None  # the key of the next list if it continues the last list
        self.in_item = False  # whether the innermost container is a list item

    @property
    def is_at_start(self) -> bool:
        """Whether the innermost container is empty so far."""
        return not self.pieces or self._lead is not None

    @property
    def can_open(self) -> bool:
        return self._containers < MAX_CONTAINERS

    def ends_with(self, text: str) -> bool:
        """Return whether the innermost container ends with this block of one line."""
        return bool(self.pieces) and self._lead is None and self.pieces[-1] == text

    def block(self, text: str) -> None:
        """Write a block of one or more lines."""
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
        """Return the first of two markers, or the second if a list with the first marker has just ended.

        With the same marker, the adjacent lists would merge.
        """
        if self._list_end == (len(self.pieces), self._prefix, marks[0]):
            return marks[1]
        return marks[0]

    def is_list_continued(self, mark: str) -> bool:
        """Return whether a list with this marker has just ended."""
        return self._list_end == (len(self.pieces), self._prefix, mark)

    def goes_on(self, mark: str, begins: int | str | None) -> bool:
        """Return whether a list continues a list with this marker that has just ended.

        begins: key, as in `end_list`.
        """
        return begins is not None and begins == self._list_goes_on and self.is_list_continued(mark)

    def end_list(self, mark: str, goes_on: int | str | None = None) -> None:
        """End a list. goes_on: the key of a continuation, which is the number of its next item or a class."""
        self._list_end = (len(self.pieces), self._prefix, mark)
        self._list_goes_on = goes_on

    def begin_page(self) -> None:
        """Note that the next block begins a page."""
        self._page_starts.append(len(self.pieces))

    def find_page_starts(self) -> list[int]:
        """Return the offsets in the text at which pages begin, in characters."""
        lengths = [0, *accumulate(map(len, self.pieces))]
        # a block that is not the first one begins with a piece of line breaks
        return [lengths[min(start + 1, len(self.pieces))] if start else 0 for start in self._page_starts]

    def text(self) -> str:
        """Return the complete text, which ends with one line break."""
        return "".join(self.pieces) + "\n" if self.pieces else ""


def _indent(text: str, prefix: str) -> str:
    """Return the lines with a prefix before all lines but the first. Empty lines get no trailing white space."""
    first, *lines = text.split("\n")
    bare = prefix.rstrip()
    return "\n".join([first, *[prefix + line if line else bare for line in lines]])
