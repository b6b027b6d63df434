"""Marks lines that no engine can read, such as handwriting, because the engines' guesses are wrong words.

On printed pages, the network reads short lines correctly, but with a confidence as low as for handwriting. The page is
therefore judged first. On synthetic handwriting, a fifth of the words with a confidence below the threshold were right,
and half of the others.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from webquarry_convert.file.image.ocr.lines import Line, compute_confidence

ILLEGIBLE: Final = "[illegible]"
_PRINT: Final = 0.9
"""Minimum network confidence of a printed page. Receipts have at least 0.97."""
_WORDS: Final = 0.8


def mark_illegible(lines: list[Line], page: float = _PRINT, line: float = _WORDS) -> list[Line]:
    """Mark illegible lines.

    page: minimum confidence of a printed page.
    line: minimum confidence of a legible line on other pages.
    """
    if compute_confidence(lines) >= page:
        return lines
    return [replace(one, text=ILLEGIBLE) if one.confidence < line else one for one in lines]


def count_illegible(lines: Iterable[Line]) -> int:
    return sum(line.text == ILLEGIBLE for line in lines)
