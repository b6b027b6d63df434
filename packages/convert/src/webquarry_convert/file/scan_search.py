"""Limits on the scanned pages of a file that are read."""

from typing import Final

MAX_PAGES: Final = 60
"""Maximum number of scanned pages in a file that are read."""
_FRUITLESS_S: Final = 8.0


class Search:
    """A limit on pages without text, which prevents reading all pages of a file of photographs.

    The limit is in CPU seconds, which stop at the same page on a busy and on an idle machine.
    """

    def __init__(self) -> None:
        self._fruitless_s = 0.0

    @property
    def is_over(self) -> bool:
        """Whether pages without text have taken too long."""
        return self._fruitless_s >= _FRUITLESS_S

    def note(self, *, has_text: bool, cpu_s: float) -> None:
        """Record a page that was read. Blank pages take almost no time."""
        if not has_text:
            self._fruitless_s += cpu_s
