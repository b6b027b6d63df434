"""Single property modifiers, which are numbered changes to the formatting of characters, paragraphs and table rows.

Word 6 and 95 use one-byte numbers without a size. Later versions use two-byte numbers that encode the size. Both are
returned as two-byte numbers.
"""

import struct
from collections.abc import Iterator
from typing import Final

DELETED: Final = 0x0800
SYMBOL: Final = 0x6A09
PICTURE: Final = 0x6A03
IS_DATA: Final = 0x0806
LETTER_STYLE: Final = 0x4A30
PLAIN: Final = 0x2A33
BOLD: Final = 0x0835
ITALIC: Final = 0x0836
STRIKE: Final = 0x0837
HIDDEN: Final = 0x083C
RAISED: Final = 0x2A48
DOUBLE_STRIKE: Final = 0x2A53
SIZE: Final = 0x4A43
POSITION: Final = 0x4845
FONT: Final = 0x4A4F
FAR_FONT: Final = 0x4A50
"""The modifier for the font of East Asian characters."""
OLD_LANGUAGE: Final = 0x486D
LANGUAGE: Final = 0x4873

PARAGRAPH_STYLE: Final = 0x4600
LIST_LEVEL: Final = 0x260A
LIST: Final = 0x460B
OUTLINE: Final = 0x2640
LEFT: Final = (0x840F, 0x845E)
IN_TABLE: Final = 0x2416
ROW_END: Final = 0x2417
DEPTH: Final = 0x6649
DEEPER: Final = 0x664A
INNER_CELL: Final = 0x244B
INNER_ROW_END: Final = 0x244C
ELSEWHERE: Final = (0x6645, 0x6646, 0x646B)
"""Modifiers that refer to a longer list of modifiers, stored elsewhere. The operand is an offset in the stream `Data`.
"""
DROP_CAP: Final = 0x442C
OLD_NUMBER: Final = 0xC63E
OLD_NUMBER_LEVEL: Final = 0x250D

ROW: Final = 0xD608
ROW_HEAD: Final = 0x3404

_TABS: Final = 0xC615
_SIZES: Final = (1, 1, 2, 4, 2, 2, 0, 3)
"""Operand sizes by the three highest bits of a number. The size 0 means that the operand begins with its length."""

OF_PIECES: Final = {
    0x18: IN_TABLE, 0x19: ROW_END, 0x41: DELETED, 0x53: PLAIN, 0x55: BOLD, 0x56: ITALIC, 0x57: STRIKE, 0x5C: HIDDEN,
    0x0C: LIST_LEVEL, 0x68: RAISED,
}  # fmt: skip
"""Modifiers by the abbreviated one-byte numbers that the piece table uses."""

_OLD: Final = {
    2: PARAGRAPH_STYLE, 12: OLD_NUMBER, 13: OLD_NUMBER_LEVEL, 24: IN_TABLE, 25: ROW_END, 65: DELETED, 74: SYMBOL,
    80: LETTER_STYLE, 83: PLAIN, 85: BOLD, 86: ITALIC, 87: STRIKE, 92: HIDDEN, 93: FONT, 97: LANGUAGE, 104: RAISED,
    186: ROW_HEAD, 190: ROW,
}  # fmt: skip
_BY_LENGTH: Final = -1
_BY_LONG_LENGTH: Final = -2
_OLD_SIZES: Final = {
    number: size
    for size, numbers in {
        0: (0, 52, 83),
        1: (
            4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 24, 25, 29, 37, 44, 50, 51, 65, 66, 67, 71, 75, *range(85, 93), 94, 98,
            100, 102, 104, 117, 118, 119, 185, 186,
        ),
        2: (
            2, 16, 17, 18, 19, 21, 22, 26, 27, 28, *range(30, 37), *range(38, 44), 45, 46, 47, 48, 49, 69, 72, 80, 93,
            96, 97, 99, 101, 107, 109, 110, 121, 122, 123, 124, 182, 183, 184, 189, 195, 197, 198,
        ),
        3: (73, 95),
        4: (20, 70, 192, 194, 196, 200),
        5: (193, 199),
        12: (187,),
        _BY_LENGTH: (
            3, 12, 15, 23, 64, 68, 74, 77, 79, 81, 82, 103, 105, 106, 108, *range(111, 117), 120, 133, 179, 181, 191,
            207,
        ),
        _BY_LONG_LENGTH: (188, 190),
    }.items()
    for number in numbers
}  # fmt: skip


def read_sprms(sprms: bytes, *, is_old: bool) -> Iterator[tuple[int, bytes]]:
    """Yield the number and operand of each modifier. Stops at damaged data."""
    return _read_old(sprms) if is_old else _read_new(sprms)


def _read_new(sprms: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    end = len(sprms)
    while at + 2 < end:
        code = sprms[at] | sprms[at + 1] << 8
        at += 2
        size = _SIZES[code >> 13]
        if not size:
            at, size = _measure_operand(sprms, at, is_long=code == ROW, is_tabs=code == _TABS)
        operand = sprms[at : at + size]
        at += size
        if at > end:
            return
        yield code, operand


def _read_old(sprms: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    end = len(sprms)
    while at < end:
        number = sprms[at]
        at += 1
        size = _OLD_SIZES.get(number)
        if size is None:
            return  # the modifier's length is unknown
        if size < 0:
            if at >= end:
                return
            at, size = _measure_operand(sprms, at, is_long=size == _BY_LONG_LENGTH, is_tabs=number == 23)
        operand = sprms[at : at + size]
        at += size
        if at > end:
            return
        code = _OLD.get(number)
        if code is not None:
            yield code, operand


def _measure_operand(sprms: bytes, at: int, *, is_long: bool, is_tabs: bool) -> tuple[int, int]:
    """Return the offset and length of an operand that begins with its length."""
    length = sprms[at]
    if is_long:
        if at + 2 > len(sprms):
            return at, len(sprms)
        return at + 2, max(0, struct.unpack_from("<H", sprms, at)[0] - 1)
    if is_tabs and length == 0xFF and at + 2 <= len(sprms):
        deleted = sprms[at + 1]
        added = at + 2 + 4 * deleted
        return at + 1, 2 + 4 * deleted + 3 * (sprms[added] if added < len(sprms) else 0)
    return at + 1, length


def parse_number(operand: bytes) -> int:
    """Return an operand as an unsigned number."""
    return int.from_bytes(operand, "little")
