"""Lines of text with their places, as the engines read them."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A run of text on one line of print, without wide gaps. Places in pixels from the top left of the picture.

    confidence: from 0 to 1, as the engine says; those of different engines do not compare.
    """

    left: float
    top: float
    right: float
    bottom: float
    text: str
    confidence: float

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


@dataclass(frozen=True, slots=True)
class Reading:
    """A page as it was read: turned upright, made level. width, height: in pixels; so lie its lines."""

    lines: list[Line]
    width: int
    height: int
    dpi: float


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
