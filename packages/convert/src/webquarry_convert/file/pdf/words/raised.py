"""Superscripts and subscripts, which liteparse joins to the preceding word as if they were on its line.

If digits are raised or lowered, their word's box extends higher or lower than adjacent words:

    14 m2 in all      "m2" begins above "14" and ends level with it: its last digit is raised, so it is "m\u00b2"

If digits follow digits, the box does not show which of them are raised, so the single characters are examined.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.source.pdfium import Characters, File
from webquarry_convert.text.raised import LOWERED, RAISED

_DIGIT = re.compile("[0-9]")
_TALLER = 1.04
"""Minimum height of a run with raised or lowered parts, relative to the lowest run in the same font."""
_HIGHEST = 10.0
"""Height, in ems, that is assumed for unknown fonts. No run in such a font is taller."""
_LEVEL = 0.25
"""Positions are rounded to this fraction of a point."""
_SMALLER = 0.9
"""Maximum size of raised digits, relative to the text before them."""
_BESIDE = 2.0
"""Maximum distance, in ems, between a run and the runs that show the top and bottom of its line."""
_MOST_LOOKS = 50
"""Maximum number of runs on the same level that are examined."""
_MOST_WORDS = 400
"""Maximum number of words in a run."""
_AFTER_LETTER = re.compile(
    r"([^\W\d_][.,;:)\]\"'\u201d\u2019]{0,2}|[)\]])([-\u2212+]?[0-9]{1,2}(?:[,\u2013-][0-9]{1,2}){0,8})(?=\W{0,4}\Z|[^\W\d_])"
)
_AFTER_DIGITS = re.compile(r"[0-9][^\w\s]{0,2}[0-9][.,;:]?\Z")
_SIGNED = re.compile(r"([0-9])([-\u2212][0-9]{1,2})(?=\W{0,4}\Z)")
_MARK = re.compile(r"[0-9](?<=[a-z.,;:)\]\"'\u201d\u2019][0-9])")
"""Matches a digit that may be a note reference. This quick check precedes `_MARKED`."""
_MARKED = re.compile(
    r"(?<!\S)(?:[^\s0-9]{0,30}[a-z]{2}[.,;:)\]\"'\u201d\u2019]{0,2}[0-9]{1,2}(?:[,\u2013-][0-9]{1,2}){0,8}|[kcdm]?m[23])[^\s0-9A-Za-z]{0,4}(?!\S)"
)
"""Matches words that seem to end with a note reference, and units of area."""
_SMALL = frozenset("0123456789+-\u2212")
_BETWEEN = ",\u2013"
"""Characters that may separate note references."""
_SMALL_OR_BETWEEN = _SMALL | set(_BETWEEN)
_LEAST_RISE = 0.1
"""Minimum rise of a raised digit, in ems."""
_MOST_CHECKED = 500
"""Maximum number of words that are checked on a page. Each word is searched in all text on the page."""
_AS_DRAWN = re.compile(r"[^'\"-]+")
"""Matches a part of a word without quotes and dashes, which liteparse does not return as drawn."""


def mark_raised_digits(pages: Sequence[Page], file: File) -> None:
    heights = _measure_fonts(pages)
    for page in pages:
        tall = [span for span in page.spans if _is_tall(span, heights)]
        marked = [
            span
            for span in page.spans
            if _MARK.search(span.text) and _MARKED.search(span.text) and _are_boxed_alike(span)
        ]
        characters = file.characters(page.number) if marked else None
        for span in marked:
            for found in _MARKED.finditer(span.text):
                word = found[0]
                if characters is not None and (text := _shift_small_digits(word, characters)) != word:
                    _replace(span, word, text)
        if not tall:
            continue
        level = _Levels(page.spans, heights)
        checked: dict[str, bool] = {}
        for span in tall:
            for word, table in level.find_raised_words(span):
                text = _write_digits(_AFTER_LETTER, word, table)
                if table is RAISED:
                    text = _write_digits(_SIGNED, text, table)
                if text == word and table is RAISED and _AFTER_DIGITS.search(word):
                    text = _raise_small_digits(word, file.characters(page.number))
                if text == word:
                    continue
                if text not in checked:
                    is_told = len(checked) < _MOST_CHECKED
                    checked[text] = is_told and _is_shifted(word, text, file.characters(page.number))
                if checked[text]:
                    _replace(span, word, text)


def _write_digits(behind: re.Pattern[str], word: str, table: dict[int, int]) -> str:
    return behind.sub(lambda found: found[1] + found[2].translate(table), word)


def _measure_fonts(pages: Iterable[Page]) -> dict[str, float]:
    """Return the height of the lowest run in each font, per point of font size."""
    heights: dict[str, float] = {}
    for page in pages:
        for span in page.spans:
            if span.source is not None and span.parts is None:
                height = (span.y1 - span.y0) / span.size
                if height < heights.get(span.font, _HIGHEST):
                    heights[span.font] = height
    return heights


def _is_tall(span: Span, heights: Mapping[str, float]) -> bool:
    return (
        span.source is not None
        and span.parts is None
        and span.y1 - span.y0 > _TALLER * span.size * heights.get(span.font, _HIGHEST)
        and _DIGIT.search(span.text) is not None
    )


class _Levels:
    """The tops and bottoms of those runs on a page that have no raised parts."""

    def __init__(self, spans: Iterable[Span], heights: Mapping[str, float]) -> None:
        self._heights = heights
        self._tops: dict[int, list[Span]] = {}
        self._bottoms: dict[int, list[Span]] = {}
        for span in spans:
            if span.source is not None and span.parts is None and not _is_tall(span, heights):
                self._tops.setdefault(_round(span.y0), []).append(span)
                self._bottoms.setdefault(_round(span.y1), []).append(span)

    def find_raised_words(self, span: Span) -> list[tuple[str, dict[int, int]]]:
        """Return words with digits that extend above or below the other words.

        Each word is paired with the translation table for raised or lowered digits.
        """
        words = [(word.y, word.y + word.height, word.text) for word in span.source.words[:_MOST_WORDS]]
        most = _TALLER * span.size * self._heights[span.font]
        beside = [(y0, y1) for y0, y1, _ in words if y1 - y0 <= most]
        tops = {_round(y0) for y0, _ in beside} or _find_beside(span, span.y0, self._tops)
        bottoms = {_round(y1) for _, y1 in beside} or _find_beside(span, span.y1, self._bottoms)
        found: list[tuple[str, dict[int, int]]] = []
        for y0, y1, text in words:
            if y1 - y0 <= most or _DIGIT.search(text) is None:
                continue
            begins, ends = _is_near(y0, tops), _is_near(y1, bottoms)
            if ends and not begins:
                found.append((text, RAISED))
            elif begins and not ends:
                found.append((text, LOWERED))
        return found


def _round(place: float) -> int:
    return round(place / _LEVEL)


def _find_beside(span: Span, place: float, levels: Mapping[int, Sequence[Span]]) -> set[int]:
    """Return the levels near a position on which other text is directly next to a span."""
    reach = _BESIDE * span.size
    at = _round(place)
    return {
        level
        for level in (at - 1, at, at + 1)
        if any(
            other.x0 - span.x1 < reach and span.x0 - other.x1 < reach for other in levels.get(level, ())[:_MOST_LOOKS]
        )
    }


def _is_near(place: float, places: Set[int]) -> bool:
    at = _round(place)
    return at in places or at - 1 in places or at + 1 in places


def _raise_small_digits(word: str, characters: Characters) -> str:
    """Return a word with its last digits raised if these are smaller than the digits before them."""
    at = characters.find(word)
    found = _find_small_part(word, characters, at) if at is not None else None
    return word if found is None or found[1] < len(word) else word[: found[0]] + word[found[0] :].translate(RAISED)


def _shift_small_digits(word: str, characters: Characters) -> str:
    """Return a word in which smaller digits are raised or lowered according to their baseline."""
    at = characters.find(word)
    found = _find_small_part(word, characters, at) if at is not None else None
    if at is None or found is None:
        return word
    start, end = found
    rise = characters.find_origin(at + start - 1)[1] - characters.find_origin(at + start)[1]
    if abs(rise) < _LEAST_RISE * characters.measure_size(at + start - 1):
        return word
    return word[:start] + word[start:end].translate(RAISED if rise > 0 else LOWERED) + word[end:]


def _is_shifted(word: str, text: str, characters: Characters) -> bool:
    """Return whether the first changed character is smaller than the character before it, or on another baseline.

    The check is needed because high brackets and deep letters also make a word tall.
    """
    first = next(place for place, (drawn, read) in enumerate(zip(word, text, strict=True)) if drawn != read)
    at, start = characters.find(word), 0
    if at is None:
        part = next((part for part in _AS_DRAWN.finditer(word) if part.start() < first < part.end()), None)
        if part is not None:
            at, start = characters.find(part[0]), part.start()
    if at is None or not characters.is_upright:
        return True
    sign = at + first - start
    size, before = max((characters.measure_size(place), place) for place in range(at, sign))
    rise = characters.find_origin(before)[1] - characters.find_origin(sign)[1]
    return characters.measure_size(sign) < _SMALLER * size or abs(rise) > _LEAST_RISE * size


def _find_small_part(word: str, characters: Characters, at: int) -> tuple[int, int] | None:
    """Return the range of the first digits in a word that are smaller than the text before them.

    at: the word's index on the page.
    """
    sizes = [characters.measure_size(place) for place in range(at, at + len(word))]
    start = next((place for place in range(1, len(word)) if 0 < sizes[place] < _SMALLER * sizes[place - 1]), None)
    if start is None:
        return None
    end = start
    while end < len(word) and word[end] in _SMALL_OR_BETWEEN and sizes[end] <= _SMALLER * sizes[start - 1]:
        end += 1
    end = start + len(word[start:end].rstrip(_BETWEEN))
    return (start, end) if end > start else None


def _are_boxed_alike(span: Span) -> bool:
    """Return whether all words are as tall as the run, as in TeX files. If they are, the boxes are no evidence."""
    if span.source is None or span.parts is not None:
        return False
    words = span.source.words[:_MOST_WORDS]
    return all(word.y == words[0].y and word.height == words[0].height for word in words)


def _replace(span: Span, word: str, text: str) -> None:
    """Replace the first occurrence of a word in a span."""
    span.text = re.sub(rf"(?<!\S){re.escape(word)}(?!\S)", lambda _: text, span.text, count=1)
    parts: list[Any] = span.words()
    for part in parts:
        if part.text == word:
            part.text = text
            break
