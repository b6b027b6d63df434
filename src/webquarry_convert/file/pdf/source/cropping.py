"""Whether pages may show a part of their sheet only, told from the bytes of a file, because opening a page to learn it
costs as much as reading it.

Programs write the box that is shown (`/CropBox`) beside that of the sheet (`/MediaBox`), usually with the same numbers.
A file whose every shown box is the box of a sheet too is taken for uncropped. Pages of many files lie in packed objects
(`/ObjStm`), which are inflated for it.
"""

import re
import zlib
from collections.abc import Iterator

_BOX = re.compile(rb"/(Crop|Media)Box\b\s{0,9}(?:\[([-+.\d\s]{0,200})\])?")
_MOST_BOXES = 20_000
_PACKED = b"/ObjStm"
_MOST_PACKED = 5_000
_LONGEST_DICTIONARY = 1_000
"""Bytes around the mark of packed objects."""
_MOST_INFLATED = 20_000_000
_NEAR = 1.0
"""Points by which what is shown of a sheet may differ from it."""
Edges = tuple[float, ...]


def may_be_cropped(body: bytes) -> bool:
    """False where no page is cropped; True also where the bytes do not tell."""
    if b"/CropBox" not in body and _PACKED not in body:
        return False
    parts: list[bytes] = []
    for part in _find_parts(body):
        if part is None:
            return True
        parts.append(part)
    if not any(b"/CropBox" in part for part in parts):
        return False
    shown: set[Edges] = set()
    sheets: set[Edges] = set()
    left = _MOST_BOXES
    for part in parts:
        for kind, numbers in _BOX.findall(part) if b"Box" in part else ():
            left -= 1
            edges = _read_edges(numbers)
            if edges is None or left < 0:
                return True
            (shown if kind == b"Crop" else sheets).add(edges)
    return not shown <= sheets


def _find_parts(body: bytes) -> Iterator[bytes | None]:
    """The body, and what its packed objects hold; None for what cannot be inflated."""
    yield body
    room = _MOST_INFLATED
    at = 0
    for _ in range(_MOST_PACKED):
        at = body.find(_PACKED, at)
        if at < 0:
            return
        start = body.find(b"stream", at, at + _LONGEST_DICTIONARY)
        head = body[max(body.rfind(b"obj", max(0, at - _LONGEST_DICTIONARY), at), 0) : start]
        if start < 0 or head.count(b"FlateDecode") != 1 or b"/DecodeParms" in head:
            yield None
            return
        first = start + len(b"stream")
        first += 2 if body[first : first + 1] == b"\r" else 1
        end = body.find(b"endstream", first)
        if end < 0:
            yield None
            return
        try:
            inner = zlib.decompressobj().decompress(body[first:end], room)
        except zlib.error:
            yield None
            return
        room -= len(inner)
        if room <= 0:
            yield None
            return
        at = end
        yield inner
    yield None


def _read_edges(numbers: bytes) -> Edges | None:
    """A box in whole points; None where it is written elsewhere."""
    try:
        edges = tuple(round(float(number) / _NEAR) for number in numbers.split())
    except ValueError:
        return None
    return edges if len(edges) == 4 else None
