"""The streams at the top of an OLE2 compound file, read within its bounds.

A chain of sectors is followed for no more steps than the file has sectors, whatever its allocation table says, and
what a cut file lacks at its end is missing from the stream as well.
"""

import struct
from collections.abc import Sequence
from struct import Struct
from typing import Final

from webquarry.convert.file.compound import SIGNATURE
from webquarry.convert.file.document import corrupt

_FIRST_TABLES: Final = 109  # sectors of the allocation table that the header lists itself
_HEADER: Final = Struct(f"<30x2H10x2I4x5I{_FIRST_TABLES}I")
_ENTRY: Final = Struct("<64xHBx3I36xII4x")
_LAST: Final = 0xFFFF_FFF9
"""Numbers behind it are marks: the end of a chain, an unused sector."""
_NONE: Final = 0xFFFF_FFFF
_STREAM: Final = 2


class Streams:
    """Raises `ConversionFailed` when the file's own tables cannot be read."""

    def __init__(self, body: bytes) -> None:
        if not body.startswith(SIGNATURE):
            raise corrupt("it is no compound file")
        try:
            (
                shift, mini_shift, _, directory, self._smallest, mini_table, _, more, _, *tables,
            ) = _HEADER.unpack_from(body)  # fmt: skip
        except struct.error as exc:
            raise corrupt("it ends within its header") from exc
        if shift not in (9, 12) or mini_shift != 6:
            raise corrupt("its header is damaged")
        self._body = body
        self._size = 1 << shift
        self._table = self._allocation(tables, more)
        entries = self._chained(directory)
        self._entries = _top(entries)
        root = _entry(entries, 0)
        self._mini_table = _numbers(self._chained(mini_table)) if root is not None else []
        self._mini = self._chained(root[4]) if root is not None else b""

    def get(self, name: str) -> bytes | None:
        """What a stream holds; None when there is none of this name."""
        place = self._entries.get(name)
        if place is None:
            return None
        first, length = place
        length = min(length, len(self._body))
        if length < self._smallest:
            return _joined(self._mini, self._mini_table, first, 64, 0)[:length]
        return self._chained(first)[:length]

    def _chained(self, first: int) -> bytes:
        return _joined(self._body, self._table, first, self._size, self._size)

    def _allocation(self, tables: list[int], more: int) -> list[int]:
        """Which sector follows each."""
        most = len(self._body) // self._size + 1
        seen: set[int] = set()
        while more <= _LAST and more not in seen and len(tables) <= most:
            seen.add(more)
            start = (more + 1) * self._size
            listed = _numbers(self._body[start : start + self._size])
            if not listed:
                break
            more = listed.pop()
            tables += listed
        table: list[int] = []
        for number in tables[:most]:
            if number > _LAST:
                break
            start = (number + 1) * self._size
            table += _numbers(self._body[start : start + self._size])
        return table


def _joined(body: bytes, table: Sequence[int], first: int, size: int, before: int) -> bytes:
    """The sectors of a chain. before: bytes in front of the sector with the number 0."""
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


def _numbers(raw: bytes) -> list[int]:
    count = len(raw) // 4
    return list(struct.unpack_from(f"<{count}I", raw))


def _entry(directory: bytes, number: int) -> tuple[int, ...] | None:
    """Its kind, the entries left and right of it and below it, its first sector and its length in bytes."""
    start = number * _ENTRY.size
    if start + _ENTRY.size > len(directory):
        return None
    return _ENTRY.unpack_from(directory, start)[1:]


def _top(directory: bytes) -> dict[str, tuple[int, int]]:
    """First sector and length in bytes of each stream in the tree that hangs below the root entry."""
    root = _entry(directory, 0)
    if root is None:
        raise corrupt("its list of streams is missing")
    found: dict[str, tuple[int, int]] = {}
    waiting = [root[3]]
    seen = {0, _NONE}
    while waiting:
        number = waiting.pop()
        if number in seen:
            continue
        seen.add(number)
        entry = _entry(directory, number)
        if entry is None:
            continue
        kind, left, right, _, first, length = entry
        start = number * _ENTRY.size
        (named,) = struct.unpack_from("<H", directory, start + 64)
        if kind == _STREAM:
            name = directory[start : start + max(0, min(named, 64) - 2)].decode("utf-16-le", "replace")
            found.setdefault(name, (first, length))
        waiting += (left, right)
    return found
