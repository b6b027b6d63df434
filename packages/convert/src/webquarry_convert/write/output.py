"""The lines written so far, and the containers (list items, quotes, notes) that the next ones stand in."""

from typing import NamedTuple

MAX_CONTAINERS = 12
"""Lists, quotes and notes within each other; what is deeper stands in the last of them. Each line begins with the
marks of all its containers, so the bound keeps the text linear in the size of the page."""


class Opened(NamedTuple):
    """What `close` needs to leave a container: the state before it, and whether it was opened at all."""

    prefix: str
    lead: str | None
    gap: str
    is_tight: bool
    pieces: int
    is_real: bool


class Output:
    """Blocks of markdown one empty line apart, in their containers. An empty container leaves no trace."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.is_tight = False  # whether the next block follows without an empty line
        self._prefix = ""
        self._lead: str | None = None  # what the first line in a new container begins with
        self._gap = ""  # what the empty line before that line begins with
        self._containers = 0
        self._list_end: tuple[int, str, str] | None = None
        self._list_goes_on: int | str | None = None  # what the next list begins with if it goes on with the last one
        self.in_item = False  # whether the innermost container is an item of a list

    @property
    def is_at_start(self) -> bool:
        """Whether nothing stands in the innermost container yet."""
        return not self.pieces or self._lead is not None

    @property
    def can_open(self) -> bool:
        return self._containers < MAX_CONTAINERS

    def ends_with(self, text: str) -> bool:
        """Whether the innermost container ends with this block of one line."""
        return bool(self.pieces) and self._lead is None and self.pieces[-1] == text

    def block(self, text: str) -> None:
        """Write one block of one line or more."""
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
        """Begin a container. first, rest: what its first line and each further one begin with."""
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
        """End a container; False when nothing was written in it."""
        if before.is_real:
            self._containers -= 1
        self._prefix = before.prefix
        written = len(self.pieces) > before.pieces
        if not written:
            self._lead, self._gap, self.is_tight = before.lead, before.gap, before.is_tight
        return written

    def list_mark(self, marks: str) -> str:
        """The first of the two marks, the second when a list with the first one ended just here: side by side they
        would be one list."""
        if self._list_end == (len(self.pieces), self._prefix, marks[0]):
            return marks[1]
        return marks[0]

    def is_list_continued(self, mark: str) -> bool:
        """Whether a list with this mark ended just here."""
        return self._list_end == (len(self.pieces), self._prefix, mark)

    def goes_on(self, mark: str, begins: int | str | None) -> bool:
        """Whether a list is the rest of one with this mark that ended just here. begins: as `goes_on` of `end_list`."""
        return begins is not None and begins == self._list_goes_on and self.is_list_continued(mark)

    def end_list(self, mark: str, goes_on: int | str | None = None) -> None:
        """goes_on: by what its rest is known: the number of its next item, or a class."""
        self._list_end = (len(self.pieces), self._prefix, mark)
        self._list_goes_on = goes_on

    def text(self) -> str:
        """All of it; ends with one line break."""
        return "".join(self.pieces) + "\n" if self.pieces else ""


def _indent(text: str, prefix: str) -> str:
    """Return lines with a prefix before each but the first; white space at its end is left out on empty lines."""
    first, *lines = text.split("\n")
    bare = prefix.rstrip()
    return "\n".join([first, *[prefix + line if line else bare for line in lines]])
