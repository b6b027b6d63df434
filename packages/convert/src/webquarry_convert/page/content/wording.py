"""Weights of a text's first words. Words such as `subscribe`, `©` and `related` begin blocks around the content."""

from collections.abc import Mapping
from itertools import repeat

MAX_WORDS = 8
MAX_CHARS = 60
_NOTHING = repeat(0)
"""Endless zeros, which are the weights of unknown words."""


def get_first_words(text: str) -> list[str]:
    """Return the words at the beginning of a text, in lowercase and with their punctuation."""
    return text[:MAX_CHARS].lower().split()[:MAX_WORDS]


class Wording:
    """The weights of blocks, in sixteenths, based on their first words.

    Content often begins with words that have positive weights.
    """

    def __init__(self, weights: Mapping[str, int]) -> None:
        self._weights = weights

    def weight(self, text: str) -> int:
        return sum(map(self._weights.get, get_first_words(text), _NOTHING))
