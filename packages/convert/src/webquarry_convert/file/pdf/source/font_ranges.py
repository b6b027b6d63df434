"""Rejects fonts that describe the same characters repeatedly, because pdfium expands every range.

A font with many characters gives their widths as `/W [0 65535 500]`: first, last, width. Its character maps (CMaps)
contain `<0000> <ffff> 0`. Each range costs pdfium one step per character, although writing it takes only a few bytes. A
legitimate font describes each of at most 65,536 characters once. This module counts the descriptions beyond this
number.
"""

import re
from collections.abc import Iterable, Iterator

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.pdf.source.streams import Stream

_CODES = 65_536
"""The maximum number of characters in a font."""
_MOST_AGAIN = 5_000_000
"""The maximum number of repeated descriptions in all fonts together.

It is limited because pdfium may read a font again for each page.
"""
_ARRAY = re.compile(rb"\[(?:[\0\t\n\f\r !-$&'*-;=?-~]++|%[^\r\n]*+)++")
"""Matches an array without strings and dictionaries, with its nested arrays, and everything after the array."""
_SHORTEST = 40
"""The length, in bytes, of the shortest array that could cover too many characters."""
_NAME = re.compile(rb"/([^\s/\[\]<>(){}%]+)\s*+\Z")
_LONGEST_NAME = 50
"""The number of bytes before an array that are searched for the name of its entry."""
_REFERENCE = re.compile(rb"\b\d+\s+\d+\s+R\b")
_INNER = re.compile(rb"\[[^\[\]]*+\]")
_COMMENT = re.compile(rb"%[^\r\n]*+")
_NUMBER = re.compile(rb"-?\d{1,9}(?:\.\d*)?")
_RANGE = re.compile(rb"<\s*([0-9A-Fa-f]{1,8})\s*>\s*<\s*([0-9A-Fa-f]{1,8})\s*>\s*[<\d]")
_SECTIONS = (b"bfrange", b"cidrange", b"notdefrange")
"""Sections of a CMap that contain ranges: `2 beginbfrange`, two ranges, `endbfrange`."""


def check_font_ranges(body: bytes, streams: Iterable[Stream]) -> None:
    """Raise `make_limit_error` if font ranges repeat more than `_MOST_AGAIN` characters."""
    left = _MOST_AGAIN
    for covered in _measure_fonts(body, streams):
        left -= max(0, covered - _CODES)
        if left < 0:
            raise make_limit_error("fonts that map the same characters too often")


def _measure_fonts(body: bytes, streams: Iterable[Stream]) -> Iterator[int]:
    """Yield the number of characters that each array of widths or character map covers."""
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
        if name is None or name[1] == b"W":  # an array without a name may be what a reference points to
            yield _measure_array(found[0][1:].partition(b"end")[0])


def _measure_array(array: bytes) -> int:
    """Return the number of characters in the ranges of an array of widths.

    Ranges are three numbers; `first [widths]` is not a range. A width may be a reference, but an array with many
    references is a different list or a tree of objects.
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
    """Return the number of characters in the ranges of a CMap."""
    return sum(
        min(max(0, int(last, 16) - int(first, 16) + 1), _CODES)
        for section in text.split(b"begin")
        if section.startswith(_SECTIONS)
        for first, last in _RANGE.findall(section.partition(b"end")[0])
    )
