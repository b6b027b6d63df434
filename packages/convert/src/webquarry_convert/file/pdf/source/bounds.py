"""Detects decompression bombs before pdfium opens the file, because pdfium cannot be interrupted.

Two kinds are detected: streams that inflate to many times their size, and forms that draw each other. If form 1 draws
form 2 ten times, form 2 draws form 3 ten times, and so on, then form 1 draws form 6 100,000 times. Other compression
methods, streams whose start compresses badly, and forms within packed objects are not detected here; the worker's
limits stop them.
"""

import contextlib
import re
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.limits import MAX_RATIO, RATIO_FROM

_STREAM = re.compile(rb"stream\r?\n")
_NUMBER = re.compile(rb"(\d{1,9})\s+\d{1,5}\s+$")
_NAMED = re.compile(rb"/([^\s/<>\[\]()]+)\s+(\d{1,9})\s+\d{1,5}\s+R")
_DO = re.compile(rb"/([^\s/<>\[\]()]+)\s+Do\b")
_LONGEST_FORM = 1_000_000
"""The number of bytes that are searched in a form."""
_MOST_DRAWN = 100_000
_MOST_STREAMS = 50_000
_LONGEST_DICTIONARY = 2_000
"""The number of bytes before a stream that are searched."""
_CHUNK = 65_536
_SAMPLE = 8_192
"""The number of packed bytes at the start of a stream that are tested.

If they do not compress well, the rest is not inflated.
"""
_TIGHT = 50
_MOST = 1_032
"""The maximum number of bytes that deflate can produce from one byte."""


@dataclass(frozen=True, slots=True)
class _Nest:
    """A form that may draw others.

    names: the other forms' numbers, by their names in this form. start, end: the position of its content in the file,
    cut off if the content is long.
    """

    names: Mapping[bytes, int]
    start: int
    end: int
    is_packed: bool


def check_bounds(body: bytes) -> None:
    """Check a file for decompression bombs.

    Raises `make_limit_error` if a stream inflates to more than `RATIO_FROM` bytes and to more than `MAX_RATIO` times
    its size, or if forms draw each other too often.
    """
    nests: dict[int, _Nest] = {}
    at = 0
    for _ in range(_MOST_STREAMS):
        match = _STREAM.search(body, at)
        if match is None:
            break
        start = at = match.end()
        before = max(0, start - _LONGEST_DICTIONARY)
        head = max(body.rfind(b"obj", before, start), before)
        dictionary = body[head:start]
        layers = dictionary.count(b"FlateDecode")
        is_nest = b"/Form" in dictionary and b"/XObject" in dictionary
        if not layers and not is_nest:
            continue
        end = body.find(b"endstream", start)
        if end < 0:
            end = len(body)
        at = end + len(b"endstream\n")
        if is_nest and (number := _NUMBER.search(body, max(0, head - 20), head)):
            names = {name: int(named) for name, named in _NAMED.findall(dictionary)}
            nests[int(number[1])] = _Nest(names, start, min(end, start + _LONGEST_FORM), layers > 0)
        if not layers or (b"/Image" in dictionary and layers == 1):  # text extraction does not decode images
            continue
        if layers == 1 and not _has_tight_start(body, start, end):
            continue
        packed = body[start:end]
        if _measure_inflated(packed, layers) > max(RATIO_FROM, len(packed) * MAX_RATIO):
            raise make_limit_error("a stream with a compression ratio over 200")
    if nests and not _is_bounded({number: _count_drawn(body, nest, nests) for number, nest in nests.items()}):
        raise make_limit_error("form objects that include each other too often")


def _count_drawn(body: bytes, nest: _Nest, nests: Mapping[int, _Nest]) -> Counter[int]:
    """Return how often a form draws each other form, by number, or {} if those forms draw no forms themselves."""
    names = nest.names
    if nests.keys().isdisjoint(names.values()):
        return Counter()
    content = body[nest.start : nest.end]
    if nest.is_packed:
        with contextlib.suppress(zlib.error):
            content = zlib.decompressobj().decompress(content, _LONGEST_FORM)
    return Counter(names[name] for name in _DO.findall(content) if name in names)


def _is_bounded(forms: dict[int, Counter[int]]) -> bool:
    """Return whether every form draws at most `_MOST_DRAWN` others, directly and indirectly, and never itself."""
    totals: dict[int, int] = {}
    for first in forms:
        stack = [first]
        within: set[int] = set()
        while stack:
            form = stack[-1]
            if form in totals:
                stack.pop()
                continue
            within.add(form)
            inner = forms.get(form, Counter())
            missing = [other for other in inner if other not in totals]
            if any(other in within for other in missing):
                return False
            if missing:
                stack.append(missing[0])
                continue
            totals[form] = 1 + sum(times * totals[other] for other, times in inner.items())
            if totals[form] > _MOST_DRAWN:
                return False
            within.discard(form)
            stack.pop()
    return True


def _has_tight_start(body: bytes, start: int, end: int) -> bool:
    if (end - start) * _MOST < RATIO_FROM:
        return False
    return _measure_inflated(body[start : start + _SAMPLE], 1) >= _SAMPLE * _TIGHT


def _measure_inflated(packed: bytes, layers: int) -> int:
    """Return the number of inflated bytes. Counting stops as soon as the number exceeds the limit."""
    most = max(RATIO_FROM, len(packed) * MAX_RATIO)
    total = 0
    inflater = zlib.decompressobj()
    inner: list[bytes] = []
    at, rest = 0, b""  # in slices, because each step copies the remaining input
    while total <= most and not inflater.eof and (rest or at < len(packed)):
        if not rest:
            rest, at = packed[at : at + _CHUNK], at + _CHUNK
        try:
            piece = inflater.decompress(rest, _CHUNK)
        except zlib.error:  # pdfium reads everything before the damaged bytes
            break
        total += len(piece)
        if layers > 1:
            inner.append(piece)
        rest = inflater.unconsumed_tail
    return max(total, _measure_inflated(b"".join(inner), layers - 1)) if layers > 1 else total
