"""Lines of text and their positions, as read by the OCR engines."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from unicodedata import decomposition

from webquarry_convert.file.image.ocr.rules import Rule

_TALL: Final = frozenset("bdfhijklt0123456789!?()[]{}|/&%$#@€£\"'βδζθλξψбёй")
_DEEP: Final = frozenset("gjpqyJQ()[]{}|$@§ßβγζημξρφχψруфцщ")
_TAILED: Final = frozenset(",;/")
_CAPITAL, _SMALL, _DESCENT, _TAIL = 0.73, 0.53, 0.21, 0.12
"""Vertical metrics as shares of the font size: heights of capitals and small letters above the base line, and depths of
descenders and commas below it.

Letters that descend only in some fonts, such as J, count as descenders. An estimated font size may therefore be too
small, but it is never too large.
"""


class Word(NamedTuple):
    left: float
    right: float
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A run of text on one line of print, without wide gaps. Positions are pixels from the top left of the picture.

    confidence: from 0 to 1, not comparable between engines. reach: the top and bottom that the line would have with a
    capital and a descender, or None if its box does not fit its letters. words: empty if the words' positions are
    unknown.
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
        """Number of characters without spaces. Spaces are excluded because the engines detect different ones."""
        return len(self.text) - self.text.count(" ")


def find_reach(text: str, top: float, bottom: float) -> tuple[float, float]:
    """Return the top and bottom of letters, extended as if they included a capital and a descender.

    top, bottom: the top and bottom of the letters' ink, which are returned unchanged for scripts without capitals and
    descenders.
    """
    if any(sign.isalpha() and not (sign.islower() or sign.isupper()) for sign in text):
        return top, bottom
    height = _CAPITAL if any(map(_is_tall, text)) else _SMALL
    depth = _DESCENT if not _DEEP.isdisjoint(text) else _TAIL if not _TAILED.isdisjoint(text) else 0.0
    size = (bottom - top) / (height + depth)
    return top - (_CAPITAL - height) * size, bottom + (_DESCENT - depth) * size


def _is_tall(sign: str) -> bool:
    """Return whether a character is as tall as a capital."""
    return sign in _TALL or sign.isupper() or decomposition(sign) != ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A recognized page after rotation and deskewing.

    width, height: the page's size in pixels. Lines and drawn rules use the same coordinates.
    """

    lines: list[Line]
    width: int
    height: int
    dpi: float
    lying: list[Rule] = field(default_factory=list)
    standing: list[Rule] = field(default_factory=list)


def compute_confidence(lines: Iterable[Line]) -> float:
    """Return the average confidence per character, or 0 if there are no characters."""
    signs = sure = 0.0
    for line in lines:
        signs += line.signs
        sure += line.signs * line.confidence
    return sure / signs if signs else 0.0


def count_sure_signs(lines: Iterable[Line]) -> float:
    """Return the expected number of correct characters, based on the engine's confidence."""
    return sum(line.signs * line.confidence for line in lines)
