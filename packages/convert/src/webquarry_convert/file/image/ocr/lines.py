"""Lines of text with their places, as the engines read them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from unicodedata import decomposition

from webquarry_convert.file.image.ocr.rules import Rule

_TALL: Final = frozenset("bdfhijklt0123456789!?()[]{}|/&%$#@€£\"'βδζθλξψбёй")
_DEEP: Final = frozenset("gjpqyJQ()[]{}|$@§ßβγζημξρφχψруфцщ")
_TAILED: Final = frozenset(",;/")
_CAPITAL, _SMALL, _DESCENT, _TAIL = 0.73, 0.53, 0.21, 0.12
"""Of the size of a font: from the base line to the top of capitals and of small letters; down from it to the end of
descenders and of commas. What goes deep in some fonts alone, such as J, is taken as deep: so it looks smaller, if at
all, than it is."""


class Word(NamedTuple):
    left: float
    right: float
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A run of text on one line of print, without wide gaps. Places in pixels from the top left of the picture.

    confidence: from 0 to 1, as the engine says; those of different engines do not compare. reach: top and bottom that
    it would have with a capital and a descender; None where its own are not those of its letters. words: none where
    their places are not known.
    """

    left: float
    top: float
    right: float
    bottom: float
    text: str
    confidence: float
    reach: tuple[float, float] | None = None
    words: tuple[Word, ...] = ()

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def is_level(self) -> bool:
        return self.height <= self.right - self.left

    @property
    def signs(self) -> int:
        """Characters but for spaces: engines differ in where they see those."""
        return len(self.text) - self.text.count(" ")


def find_reach(text: str, top: float, bottom: float) -> tuple[float, float]:
    """Top and bottom that letters would have with a capital and a descender among them. top, bottom: of their ink.

    The same where scripts have neither.
    """
    if any(sign.isalpha() and not (sign.islower() or sign.isupper()) for sign in text):
        return top, bottom
    height = _CAPITAL if any(sign in _TALL or sign.isupper() or decomposition(sign) for sign in text) else _SMALL
    depth = _DESCENT if not _DEEP.isdisjoint(text) else _TAIL if not _TAILED.isdisjoint(text) else 0.0
    size = (bottom - top) / (height + depth)
    return top - (_CAPITAL - height) * size, bottom + (_DESCENT - depth) * size


@dataclass(frozen=True, slots=True)
class Reading:
    """A page as it was read: turned upright, made level. width, height: in pixels; so lie its lines, and the lying and
    standing lines that are drawn."""

    lines: list[Line]
    width: int
    height: int
    dpi: float
    lying: list[Rule] = field(default_factory=list)
    standing: list[Rule] = field(default_factory=list)


def compute_confidence(lines: Iterable[Line]) -> float:
    """That of the average character; 0 when there is none."""
    signs = sure = 0.0
    for line in lines:
        signs += line.signs
        sure += line.signs * line.confidence
    return sure / signs if signs else 0.0


def count_sure_signs(lines: Iterable[Line]) -> float:
    """How many characters are right, by what the engine says."""
    return sum(line.signs * line.confidence for line in lines)
