"""Suggestions for misspelled names."""

from collections.abc import Sequence
from difflib import get_close_matches

_ALIKE = 0.65
"""Minimum similarity between an unknown name and a suggestion.

Below this similarity, a list of all known names is more useful.
"""
_MAX_CHARS = 64
"""Maximum number of an unknown name's characters that are compared."""


def find_meant(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that was probably meant, or None. `known` names must be in lower case."""
    return next(iter(get_close_matches(name[:_MAX_CHARS].lower(), known, n=1, cutoff=_ALIKE)), None)
