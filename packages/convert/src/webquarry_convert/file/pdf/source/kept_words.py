"""The words of a run and their positions, stored in less memory than liteparse needs."""

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple


class KeptWords:
    """A copy of the words of a run. liteparse's runs take several times as much memory.

    words: the words in liteparse's form, created on each access. places: x, y, width and height of each word.
    """

    __slots__ = ("places", "text")

    def __init__(self, words: Sequence[Any]) -> None:
        self.text = "\n".join([word.text.replace("\n", " ") for word in words])
        self.places = array("d")
        for word in words:
            self.places.extend((word.x, word.y, word.width, word.height))

    @property
    def words(self) -> "list[KeptWord]":
        places = iter(self.places)
        texts = self.text.split("\n") if self.places else []
        return [KeptWord(text, *place) for text, place in zip(texts, zip(*[places] * 4, strict=True), strict=True)]


class KeptWord(NamedTuple):
    text: str
    x: float
    y: float
    width: float
    height: float


NO_WORDS = KeptWords(())
"""The words of a run with a single word."""
