"""Records, which workbooks until 2003 are made of."""

import struct
from collections.abc import Iterator


def read_records(stream: bytes) -> Iterator[tuple[int, int, int]]:
    """Kind of each record, where its content begins and how long it is."""
    at = 0
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        yield kind, at + 4, min(length, len(stream) - at - 4)
        at += 4 + length
