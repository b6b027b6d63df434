"""Records of workbooks up to Excel 2003."""

import struct
from collections.abc import Iterator


def read_records(stream: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the type of each record, the start of its content, and its length."""
    at = 0
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        yield kind, at + 4, min(length, len(stream) - at - 4)
        at += 4 + length
