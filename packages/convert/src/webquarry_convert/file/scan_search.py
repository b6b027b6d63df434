"""How many scanned pages of a file are worth reading."""

from typing import Final

MAX_PAGES: Final = 60
"""Pages of a file that are read."""
_FRUITLESS_S: Final = 8.0


class Search:
    """Whether to read further pages: not in a file of photographs.

    It counts seconds of the processor, so that it ends at the same page on a busy machine and on an idle one.
    """

    def __init__(self) -> None:
        self._fruitless_s = 0.0

    @property
    def is_over(self) -> bool:
        """Whether pages without text took so long that the others are not worth it."""
        return self._fruitless_s >= _FRUITLESS_S

    def note(self, *, has_text: bool, cpu_s: float) -> None:
        """Note a page that was read. Empty ones take next to no time."""
        if not has_text:
            self._fruitless_s += cpu_s
