"""Limits for OCR of a file's scanned pages."""

from typing import Final

MAX_PAGES: Final = 60
"""Maximum number of a file's scanned pages that are read."""
_FRUITLESS_S: Final = 8.0


class Search:
    """A limit on the time spent on pages without text, so that not every page of a file of photographs is read.

    The limit is in CPU seconds, so the same pages are read on a busy machine as on an idle one.
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
