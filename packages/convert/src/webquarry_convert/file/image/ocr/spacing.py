"""Restores the spaces between words that the network misses in narrow print, based on Tesseract's result.

Tesseract misreads more letters on receipts, but detects the gaps. A space is restored if both engines read the same
letters around it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import accumulate, pairwise

from webquarry_convert.file.image.ocr.lines import Line

_LONGEST = 300  # number of a line's characters that are compared


def restore_spaces(lines: Sequence[Line], seen: Sequence[Line]) -> list[Line]:
    """Restore spaces. lines: lines read by the network. seen: lines read by Tesseract from the same picture."""
    by_height = sorted(seen, key=_get_middle)
    middles = [_get_middle(line) for line in by_height]
    return [replace(line, text=_insert_spaces(line.text, _find_beside(line, by_height, middles))) for line in lines]


def _get_middle(line: Line) -> float:
    return (line.top + line.bottom) / 2


def _find_beside(line: Line, by_height: Sequence[Line], middles: Sequence[float]) -> str:
    """Return Tesseract's text at the line's position."""
    reach = line.height / 2
    first, last = bisect_left(middles, _get_middle(line) - reach), bisect_right(middles, _get_middle(line) + reach)
    row = [other for other in by_height[first:last] if other.right > line.left and other.left < line.right]
    return " ".join(other.text for other in sorted(row, key=lambda other: other.left))


def _insert_spaces(text: str, seen: str) -> str:
    letters, seen_letters = text.replace(" ", ""), seen.replace(" ", "")
    if not seen_letters or max(len(letters), len(seen_letters)) > _LONGEST:
        return text
    gaps, seen_gaps = set(_find_gaps(text)), set(_find_gaps(seen))
    # Case folding may produce two characters from one.
    folded, seen_folded = ([sign.casefold() for sign in read] for read in (letters, seen_letters))
    same = SequenceMatcher(None, folded, seen_folded, autojunk=False)
    for block in same.get_matching_blocks():
        for step in range(1, block.size):
            place = block.a + step
            # The dots of dot-matrix print look like gaps between digits.
            if block.b + step in seen_gaps and any(map(str.isalpha, letters[place - 1 : place + 1])):
                gaps.add(place)
    return " ".join(letters[start:end] for start, end in pairwise([0, *sorted(gaps), len(letters)]))


def _find_gaps(text: str) -> Iterator[int]:
    """Yield the number of letters before each space."""
    return accumulate(len(word) for word in text.split()[:-1])
