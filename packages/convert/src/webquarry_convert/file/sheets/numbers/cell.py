"""Decodes cells as Numbers has stored them since 2018.

A cell is a fixed header followed by the fields that its flags announce, in order.
"""

import struct
from dataclasses import dataclass, field
from decimal import Decimal

from webquarry_convert.file.document import make_corrupt_error

NUMBER, TEXT, DATE, BOOLEAN, DURATION, ERROR, RICH_TEXT, CURRENCY = 2, 3, 5, 6, 7, 8, 9, 10
"""The types of cells."""

VERSION = 5
_HEAD = 12
LONGEST = 256
"""Maximum size of a cell, in bytes. The supported fields need about a hundred bytes."""
_DECIMAL_BIAS = 0x1820
_STRING, _RICH = 0x8, 0x10
_NUMBER_FORMAT, _CURRENCY_FORMAT, _DATE_FORMAT = 0x2000, 0x4000, 0x8000
_DURATION_FORMAT, _TEXT_FORMAT, _BOOLEAN_FORMAT = 0x10000, 0x20000, 0x40000
_FORMATS = {
    NUMBER: (_CURRENCY_FORMAT, _NUMBER_FORMAT),
    CURRENCY: (_CURRENCY_FORMAT, _NUMBER_FORMAT),
    TEXT: (_TEXT_FORMAT,),
    DATE: (_DATE_FORMAT,),
    BOOLEAN: (_BOOLEAN_FORMAT,),
    DURATION: (_DURATION_FORMAT,),
}
"""Format fields by cell type, in order of precedence."""
_LAST_KEY = _BOOLEAN_FORMAT


@dataclass(slots=True)
class Cell:
    """A cell as stored, before its value is formatted.

    decimal: the value of a number. double: the value of a boolean, or of a duration in seconds. seconds: the seconds
    from the start of 2001 to a date. keys: keys of strings and formats in the table's lists, by flag.
    """

    kind: int
    decimal: Decimal | None = None
    double: float | None = None
    seconds: float | None = None
    keys: dict[int, int] = field(default_factory=dict)

    @property
    def string(self) -> int | None:
        return self.keys.get(_STRING)

    @property
    def rich_text(self) -> int | None:
        return self.keys.get(_RICH)

    @property
    def format(self) -> int | None:
        """The key of the format that applies to this type of value."""
        return next((self.keys[flag] for flag in _FORMATS.get(self.kind, ()) if flag in self.keys), None)


def decode_cell(body: bytes) -> Cell:
    """Decode a cell. Raises `make_corrupt_error` for an unknown storage version and for a truncated cell."""
    if len(body) < _HEAD or body[0] != VERSION:
        raise make_corrupt_error("a cell has an unknown format")
    flags = int.from_bytes(body[8:12], "little")
    cell = Cell(body[1])
    at = _HEAD
    try:
        if flags & 1:
            cell.decimal = _decode_decimal(body[at : at + 16])
            at += 16
        if flags & 2:
            (cell.double,) = struct.unpack_from("<d", body, at)
            at += 8
        if flags & 4:
            (cell.seconds,) = struct.unpack_from("<d", body, at)
            at += 8
        flag = _STRING
        while flag <= _LAST_KEY:
            if flags & flag:
                (cell.keys[flag],) = struct.unpack_from("<I", body, at)
                at += 4
            flag <<= 1
    except struct.error as exc:
        raise make_corrupt_error("a cell ends too early") from exc
    return cell


def _decode_decimal(body: bytes) -> Decimal:
    """Decode an IEEE 754 decimal128 number with a binary significand."""
    if len(body) < 16:
        raise make_corrupt_error("a cell ends too early")
    bits = int.from_bytes(body, "little")
    exponent = (bits >> 113 & 0x3FFF) - _DECIMAL_BIAS
    mantissa = Decimal(bits & (1 << 113) - 1).scaleb(exponent)
    return -mantissa if bits >> 127 else mantissa
