"""The names of the streams in an OLE2 compound file, by which old office documents are told apart."""

import struct
from collections.abc import Iterator
from itertools import islice
from struct import Struct
from typing import Final

from webquarry.convert.file.document import corrupt

SIGNATURE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_FREE = 0xFFFF_FFFA
"""Sector numbers from here on are marks: the end of a chain, an unused sector."""
_NONE = 0xFFFF_FFFF
_ENTRY_SIZE = 128
_LENGTH_OF_NAME = Struct("<64xH")
_LINKS = Struct("<68x3I")
_FIRST_TABLES = 109  # sectors of the allocation table that the header lists itself
_HEADER = Struct(f"<30xH12x2I16x2I{_FIRST_TABLES}I")


def root_names(body: bytes) -> frozenset[str]:
    """Names of the streams and storages at the top of a compound file; those inside others are not among them.

    Raises `ConversionFailed` when the list of them is damaged. Time: linear in the body, whatever its links say.
    """
    try:
        directory = b"".join(_directory(body))
        return frozenset(_top(directory))
    except (struct.error, IndexError, UnicodeDecodeError) as exc:
        raise corrupt("its list of streams points outside the file") from exc


def _directory(body: bytes) -> Iterator[bytes]:
    """The sectors of the directory, in their order."""
    shift, table_count, first, next_list, _, *tables = _HEADER.unpack_from(body)
    if shift not in (9, 12):
        raise corrupt("its header is damaged")
    size = 1 << shift
    numbers = Struct(f"<{size // 4}I")
    most = len(body) // size

    def sector(number: int) -> bytes:
        found = body[(number + 1) * size : (number + 2) * size]
        if not found:
            raise corrupt("its list of streams lies behind its end")
        return found.ljust(size, b"\xff")  # the last one may be cut

    while next_list < _FREE and len(tables) < min(table_count, most):
        *more, next_list = numbers.unpack(sector(next_list))
        tables += more
    number = first
    for _ in range(most + 1):
        if number >= _FREE:
            return
        yield sector(number)
        table = tables[number // (size // 4)]
        number = numbers.unpack(sector(table))[number % (size // 4)]
    raise corrupt("its list of streams runs in a circle")


def _top(directory: bytes) -> Iterator[str]:
    """The names in the tree that hangs below the root entry."""
    waiting = [_LINKS.unpack_from(directory)[2]]
    seen = {0}
    while waiting:
        number = waiting.pop()
        if number == _NONE or number in seen:
            continue
        seen.add(number)
        entry = directory[number * _ENTRY_SIZE : (number + 1) * _ENTRY_SIZE]
        (length,) = _LENGTH_OF_NAME.unpack_from(entry)
        yield entry[: max(0, min(length, 64) - 2)].decode("utf-16-le")
        waiting += islice(_LINKS.unpack_from(entry), 2)
