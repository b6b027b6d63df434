"""Form fields: a check box's state, or a list's selected entry. Text fields are ordinary text."""

import struct
from typing import Final

_CHECKED, _UNCHECKED = "\u2612", "\u2610"
_BOX, _CHOICE = 1, 2
_AS_MADE: Final = 25
"""Stored state of a field that has its default value."""
_TEXTS_BEFORE_CHOICES: Final = 5
_MAX_CHOICES: Final = 25
_MAX_TEXT: Final = 500


def read_state(data: bytes, at: int) -> str:
    """Return the displayed value of the field at an offset of the stream `Data`, or "" if the field has no value."""
    try:
        (header,) = struct.unpack_from("<4xH", data, at)
        version, flags = struct.unpack_from("<IH", data, at + header)
        if version != 0xFFFF_FFFF or flags & 3 not in (_BOX, _CHOICE):
            return ""
        at = _skip_text(data, at + header + 10)
        (made,) = struct.unpack_from("<H", data, at)
        state = flags >> 2 & 0x1F
        state = made if state == _AS_MADE else state
        if flags & 3 == _BOX:
            return _CHECKED if state else _UNCHECKED
        return _read_choice(data, at + 2, state)
    except struct.error:
        return ""


def _read_choice(data: bytes, at: int, number: int) -> str:
    for _ in range(_TEXTS_BEFORE_CHOICES):
        at = _skip_text(data, at)
    mark, count = struct.unpack_from("<2H", data, at)
    if mark != 0xFFFF or number >= min(count, _MAX_CHOICES):
        return ""
    at += 6
    for _ in range(number):
        at += 2 + 2 * struct.unpack_from("<H", data, at)[0]
    (length,) = struct.unpack_from("<H", data, at)
    text = data[at + 2 : at + 2 + 2 * min(length, _MAX_TEXT)]
    return text[: len(text) & ~1].decode("utf-16-le", "replace")


def _skip_text(data: bytes, at: int) -> int:
    """Return the offset after a length-prefixed, zero-terminated text."""
    return at + 4 + 2 * int(struct.unpack_from("<H", data, at)[0])
