"""Descriptions of pictures."""

import struct
from typing import Final

_SHAPES: Final = (0x64, 0x66)
_NAMED: Final = 0x66
_SHAPE_CONTAINER, _PROPERTIES = 0xF004, (0xF00B, 0xF121, 0xF122)
_DESCRIPTION: Final = 0x0381
_IS_LONG: Final = 0x8000
_MAX_RECORDS: Final = 16
_MAX_PROPERTIES: Final = 500
_MAX_TEXT: Final = 2000


def read_description(data: bytes, at: int) -> str:
    """Return the description of the picture at an offset of the stream `Data`, or "" if it has none."""
    try:
        length, header, kind = struct.unpack_from("<I2H", data, at)
        start = at + header
        if kind not in _SHAPES:
            return ""
        if kind == _NAMED:
            start += 1 + struct.unpack_from("<B", data, start)[0]
        identity, inside = struct.unpack_from("<2xHI", data, start)
        if identity != _SHAPE_CONTAINER:
            return ""
        end = min(start + 8 + inside, at + length)
        start += 8
        for _ in range(_MAX_RECORDS):
            if start >= end:
                break
            count, identity, inside = struct.unpack_from("<HHI", data, start)
            if identity in _PROPERTIES:
                found = _find_description(data, start + 8, count >> 4)
                if found:
                    return found
            start += 8 + inside
    except struct.error:
        pass  # the record is truncated and has no description
    return ""


def _find_description(data: bytes, at: int, count: int) -> str:
    """Return the description among a picture's properties.

    count: number of properties. Long values follow after all properties, in the same order.
    """
    behind = at + 6 * count
    for number in range(min(count, _MAX_PROPERTIES)):
        identity, value = struct.unpack_from("<HI", data, at + 6 * number)
        if identity & 0x3FFF == _DESCRIPTION and identity & _IS_LONG:
            text = data[behind : behind + min(value, 2 * _MAX_TEXT)]
            return " ".join(text[: len(text) & ~1].decode("utf-16-le", "replace").partition("\0")[0].split())
        if identity & _IS_LONG:
            behind += value
    return ""
