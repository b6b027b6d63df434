"""Streams of an OLE2 compound file, the container of old office documents. Reads only top-level streams.

A chain of sectors is followed for at most as many steps as the file has sectors, whatever its allocation table
contains. If the file is truncated, its streams are too.
"""

import struct
from collections.abc import Sequence
from functools import cached_property
from struct import Struct
from typing import Final

from webquarry_convert.file.document import make_corrupt_error

SIGNATURE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FIRST_TABLES: Final = 109  # number of the allocation table's sector numbers that fit in the header
_HEADER: Final = Struct(f"<30x2H10x2I4x5I{_FIRST_TABLES}I")
_ENTRY: Final = Struct("<64xHBx3I36xII4x")
_LAST: Final = 0xFFFF_FFF9
"""Largest sector number. Greater numbers have special meanings, such as the end of a chain or an unused sector."""
_NONE: Final = 0xFFFF_FFFF
_STREAM: Final = 2


class Compound:
    """A compound file. Raises `ConversionFailed` if its tables are damaged.

    names: names of the top-level streams and storages as written, although lookups ignore case.
    """

    def __init__(self, body: bytes) -> None:
        if not body.startswith(SIGNATURE):
            raise make_corrupt_error("it is not a compound file")
        try:
            (
                shift, mini_shift, _, directory, self._smallest, self._mini_first, _, more, _, *tables,
            ) = _HEADER.unpack_from(body)  # fmt: skip
        except struct.error as exc:
            raise make_corrupt_error("it ends within its header") from exc
        if shift not in (9, 12) or mini_shift != 6:
            raise make_corrupt_error("its header is damaged")
        self._body = body
        self._size = 1 << shift
        self._table = self._read_allocation_table(tables, more)
        entries = self._read_chain(directory)
        self._small_first, top = _list_top_streams(entries)
        self.names = frozenset(top)
        self._known = frozenset(name.upper() for name in top)
        self._streams = {name.upper(): place for name, place in top.items() if place is not None}

    def __contains__(self, name: str) -> bool:
        return name.upper() in self._known

    def get(self, name: str) -> bytes | None:
        """Return a stream's content, or None if the stream is missing."""
        place = self._streams.get(name.upper())
        if place is None:
            return None
        first, length = place
        length = min(length, len(self._body))
        if length < self._smallest:
            small, table = self._small
            return _join_sectors(small, table, first, 64, 0)[:length]
        return self._read_chain(first)[:length]

    @cached_property
    def _small(self) -> tuple[bytes, list[int]]:
        """The stream that contains the small streams, and for each of its sectors the next one."""
        return self._read_chain(self._small_first), _read_numbers(self._read_chain(self._mini_first))

    def _read_chain(self, first: int) -> bytes:
        return _join_sectors(self._body, self._table, first, self._size, self._size)

    def _read_allocation_table(self, tables: list[int], more: int) -> list[int]:
        """Return the allocation table: for each sector, the next one."""
        most = len(self._body) // self._size + 1
        seen: set[int] = set()
        while more <= _LAST and more not in seen and len(tables) <= most:
            seen.add(more)
            start = (more + 1) * self._size
            listed = _read_numbers(self._body[start : start + self._size])
            if not listed:
                break
            more = listed.pop()
            tables += listed
        table: list[int] = []
        for number in tables[:most]:
            if number > _LAST:
                break
            start = (number + 1) * self._size
            table += _read_numbers(self._body[start : start + self._size])
        return table


def _join_sectors(body: bytes, table: Sequence[int], first: int, size: int, before: int) -> bytes:
    """Return the bytes of a chain of sectors.

    before: number of bytes before sector 0.
    """
    sectors: list[bytes] = []
    number = first
    for _ in range(len(body) // size + 1):
        start = before + number * size
        if number > _LAST or start >= len(body):
            break
        sectors.append(body[start : start + size])
        if number >= len(table):
            break
        number = table[number]
    return b"".join(sectors)


def _read_numbers(raw: bytes) -> list[int]:
    count = len(raw) // 4
    return list(struct.unpack_from(f"<{count}I", raw))


def _read_entry(directory: bytes, number: int) -> tuple[int, ...] | None:
    """Return an entry's kind, left sibling, right sibling, child, first sector, and length in bytes."""
    start = number * _ENTRY.size
    if start + _ENTRY.size > len(directory):
        return None
    return _ENTRY.unpack_from(directory, start)[1:]


def _list_top_streams(directory: bytes) -> tuple[int, dict[str, tuple[int, int] | None]]:
    """Return the root entry's first sector, and each top-level stream's first sector and length in bytes.

    Storages map to None.
    """
    root = _read_entry(directory, 0)
    if root is None:
        raise make_corrupt_error("its list of streams is missing")
    found: dict[str, tuple[int, int] | None] = {}
    waiting = [root[3]]
    seen = {0, _NONE}
    while waiting:
        number = waiting.pop()
        if number in seen:
            continue
        seen.add(number)
        entry = _read_entry(directory, number)
        if entry is None:
            continue
        kind, left, right, _, first, length = entry
        start = number * _ENTRY.size
        (named,) = struct.unpack_from("<H", directory, start + 64)
        name = directory[start : start + max(0, min(named, 64) - 2)].decode("utf-16-le", "replace")
        found.setdefault(name, (first, length) if kind == _STREAM else None)
        waiting += (left, right)
    return root[4], found
