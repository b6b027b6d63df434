"""Refuses fonts that describe the same characters over and over, because pdfium writes out each range they give.

A font of many characters gives their widths as `/W [0 65535 500]`: first, last, width. Its maps of characters (CMaps)
hold `<0000> <ffff> 0`. Each such range costs pdfium a step for each of its characters, however short it is to write. An
honest font describes a character once, and has 65,536 at most; what ranges cover beyond that is counted here.
"""

import re
from collections.abc import Iterable, Iterator

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.pdf.source.streams import Stream

_CODES = 65_536
"""Characters of a font."""
_MOST_AGAIN = 5_000_000
"""Characters of all fonts that ranges describe again; pdfium may read a font anew for each page."""
_ARRAY = re.compile(rb"\[(?:[\0\t\n\f\r !-$&'*-;=?-~]++|%[^\r\n]*+)++")
"""An array without strings and dictionaries, with the arrays in it, and what follows."""
_SHORTEST = 40
"""Bytes of an array that could cover more than all characters."""
_NAME = re.compile(rb"/([^\s/\[\]<>(){}%]+)\s*+\Z")
_LONGEST_NAME = 50
"""Bytes before an array that are searched for the name of the entry that it is."""
_REFERENCE = re.compile(rb"\b\d+\s+\d+\s+R\b")
_INNER = re.compile(rb"\[[^\[\]]*+\]")
_COMMENT = re.compile(rb"%[^\r\n]*+")
_NUMBER = re.compile(rb"-?\d{1,9}(?:\.\d*)?")
_RANGE = re.compile(rb"<\s*([0-9A-Fa-f]{1,8})\s*>\s*<\s*([0-9A-Fa-f]{1,8})\s*>\s*[<\d]")
_SECTIONS = (b"bfrange", b"cidrange", b"notdefrange")
"""Parts of a CMap that hold ranges: `2 beginbfrange`, two of them, `endbfrange`."""


def check_font_ranges(body: bytes, streams: Iterable[Stream]) -> None:
    """Raise `make_limit_error` when ranges of fonts describe more than `_MOST_AGAIN` characters again."""
    left = _MOST_AGAIN
    for covered in _measure_fonts(body, streams):
        left -= max(0, covered - _CODES)
        if left < 0:
            raise make_limit_error("fonts that describe the same characters over and over")


def _measure_fonts(body: bytes, streams: Iterable[Stream]) -> Iterator[int]:
    """Yield how many characters each array of widths, and each map, covers."""
    yield from _measure_arrays(body)
    for stream in streams:
        if not stream.content:
            continue
        if b"/ObjStm" in stream.dictionary:
            yield from _measure_arrays(stream.content)
        elif b"range" in stream.content:
            yield _measure_map(stream.content)


def _measure_arrays(text: bytes) -> Iterator[int]:
    for found in _ARRAY.finditer(text):
        start = found.start()
        if found.end() - start < _SHORTEST:
            continue
        name = _NAME.search(text[max(0, start - _LONGEST_NAME) : start])
        if name is None or name[1] == b"W":  # one without a name may be what a reference leads to
            yield _measure_array(found[0][1:].partition(b"end")[0])


def _measure_array(array: bytes) -> int:
    """Characters that the ranges of an array of widths cover: numbers by three, but for `first [widths]`. A reference
    may be a width; trees and lists of objects, which are none, hold many.
    """
    covered = 0
    numbers: list[int] = []
    for token in _INNER.sub(b" [] ", _REFERENCE.sub(b" R ", _COMMENT.sub(b" ", array))).split():
        if token == b"[]" or (token == b"R" and len(numbers) < 2):
            numbers = []
            continue
        number = _NUMBER.match(token)
        numbers.append(int(float(number[0])) if number else 0)
        if len(numbers) == 3:
            covered += min(max(0, numbers[1] - numbers[0] + 1), _CODES)
            numbers = []
    return covered


def _measure_map(text: bytes) -> int:
    """Characters that the ranges of a CMap cover."""
    return sum(
        min(max(0, int(last, 16) - int(first, 16) + 1), _CODES)
        for section in text.split(b"begin")
        if section.startswith(_SECTIONS)
        for first, last in _RANGE.findall(section.partition(b"end")[0])
    )
