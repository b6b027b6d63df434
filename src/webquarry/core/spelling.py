"""Names that do not exist, and which existing one was meant."""

from collections.abc import Sequence
from difflib import get_close_matches

_ALIKE = 0.65
"""How alike an unknown name is to the known one that was meant; of other words, all known ones say more."""
_MAX_CHARS = 64
"""Of an unknown name that are compared."""


def find_meant(name: str, known: Sequence[str]) -> str | None:
    """The known name of which an unknown one is a misspelling, if any. known: in small letters, as all of ours are."""
    return next(iter(get_close_matches(name[:_MAX_CHARS].lower(), known, n=1, cutoff=_ALIKE)), None)
