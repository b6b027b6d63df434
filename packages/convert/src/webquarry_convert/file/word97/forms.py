"""Fields of forms: whether a box is ticked, which entry of a list is chosen. What is typed into one is text."""

import struct
from typing import Final

_CHECKED, _UNCHECKED = "\u2612", "\u2610"
_BOX, _CHOICE = 1, 2
_AS_MADE: Final = 25
"""The state of a field that nobody has touched."""
_TEXTS_BEFORE_CHOICES: Final = 5
_MAX_CHOICES: Final = 25
_MAX_TEXT: Final = 500


def read_state(data: bytes, at: int) -> str:
    """What the field shows whose state lies at a place of the stream `Data`; "" when none does."""
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
    """Behind a text with its length before it and a zero behind it."""
    return at + 4 + 2 * int(struct.unpack_from("<H", data, at)[0])
