"""Lines that no engine can read, such as handwriting: they are marked, since what it guesses there are other words.

On pages that are print, the network is as unsure of short lines as it is of handwriting, and right: so a page decides
first. Measured on made handwriting: of the words below the threshold a fifth was right, of those above half.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from webquarry_convert.file.image.ocr.lines import Line, compute_confidence

ILLEGIBLE: Final = "[illegible]"
_PRINT: Final = 0.9
"""The network's confidence of a page of print; receipts have 0.97 and more."""
_WORDS: Final = 0.8


def mark_illegible(lines: list[Line], page: float = _PRINT, line: float = _WORDS) -> list[Line]:
    """page: confidence from which a page is print; line: that below which a line of another page cannot be read."""
    if compute_confidence(lines) >= page:
        return lines
    return [replace(one, text=ILLEGIBLE) if one.confidence < line else one for one in lines]


def count_illegible(lines: Iterable[Line]) -> int:
    return sum(line.text == ILLEGIBLE for line in lines)
