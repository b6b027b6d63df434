"""Builds OLE2 compound files with empty or filled streams."""

import struct

END, FREE, TABLE, LIST, NONE = 0xFFFF_FFFE, 0xFFFF_FFFF, 0xFFFF_FFFD, 0xFFFF_FFFC, 0xFFFF_FFFF
STORAGE, STREAM, ROOT = 1, 2, 5


def compound(*names: str, inside: tuple[str, ...] = ()) -> bytes:
    """Build a compound file with these empty streams at the top level.

    inside: the streams of a storage next to them.
    """
    entries = [("Root Entry", ROOT, NONE, 1)]
    top = [*((name, STREAM, NONE) for name in names), *([("Storage", STORAGE, len(names) + 2)] if inside else [])]
    for at, (name, kind, child) in enumerate(top, start=2):
        entries.append((name, kind, at if at <= len(top) else NONE, child))
    for at, name in enumerate(inside, start=len(entries) + 1):
        entries.append(
            (name, STREAM, at if at < len(entries) + 1 + len(inside) - 1 and name != inside[-1] else NONE, NONE)
        )
    directory = b"".join(_entry(*entry) for entry in entries)
    sectors = -(-len(directory) // 512)
    directory = directory.ljust(sectors * 512, b"\0")
    table = [TABLE, *range(2, sectors + 1), END]
    table += [FREE] * (128 - len(table))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<9I", 0, 1, 1, 0, 4096, END, 0, END, 0) + struct.pack("<109I", 0, *[FREE] * 108)
    return header + struct.pack("<128I", *table) + directory


def _entry(name: str, kind: int, right: int, child: int, first: int = END, length: int = 0) -> bytes:
    coded = name.encode("utf-16-le") + b"\0\0"
    links = struct.pack("<3I", NONE, right, child)
    return (
        coded.ljust(64, b"\0")
        + struct.pack("<H2B", len(coded), kind, 1)
        + links
        + bytes(36)
        + struct.pack("<2I4x", first, length)
    )


def filled(streams: dict[str, bytes]) -> bytes:
    """Build a compound file with these streams at the top level.

    Streams under 4096 bytes are stored in small sectors.
    """
    small = {name: body for name, body in streams.items() if 0 < len(body) < 4096}
    mini = b"".join(body.ljust(-(-len(body) // 64) * 64, b"\0") for body in small.values())
    mini_table: list[int] = []
    starts = dict.fromkeys(streams, END)
    for name, body in small.items():
        starts[name] = len(mini_table)
        mini_table += _chain(len(mini_table), -(-len(body) // 64))
    sectors: list[bytes] = []
    table: list[int] = []

    def put(body: bytes) -> int:
        first = len(table)
        count = -(-len(body) // 512)
        padded = body.ljust(count * 512, b"\0")
        sectors.extend(padded[at : at + 512] for at in range(0, len(padded), 512))
        table.extend(_chain(first, count))
        return first if count else END

    for name, body in streams.items():
        if name not in small:
            starts[name] = put(body)
    packed_table = struct.pack(f"<{len(mini_table)}I", *mini_table)
    at_mini_table = put(packed_table.ljust(-(-len(packed_table) // 512) * 512, b"\xff"))
    entries = [_entry("Root Entry", ROOT, NONE, 1 if streams else NONE, put(mini), len(mini))]
    names = list(streams)
    for at, name in enumerate(names, start=2):
        right = at if at <= len(names) else NONE
        entries.append(_entry(name, STREAM, right, NONE, starts[name], len(streams[name])))
    directory = put(b"".join(entries))
    count = further = 0  # sectors of the allocation table, and of the extra list that does not fit into the header
    while count * 128 < len(table) + count + further or 109 + further * 127 < count:
        count += 1
        further = max(0, -(-(count - 109) // 127))
    own = list(range(len(table), len(table) + count))
    lists_at = len(table) + count
    table += [*[TABLE] * count, *[LIST] * further]
    table += [FREE] * (count * 128 - len(table))
    lists = b""
    for at in range(further):
        listed = own[109 + at * 127 : 109 + (at + 1) * 127]
        following = lists_at + at + 1 if at + 1 < further else END
        lists += struct.pack("<128I", *listed, *[FREE] * (127 - len(listed)), following)
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<7I", 0, count, directory, 0, 4096, at_mini_table, -(-len(mini_table) // 128))
    header += struct.pack("<2I", lists_at if further else END, further)
    header += struct.pack("<109I", *own[:109], *[FREE] * max(0, 109 - count))
    return header + b"".join(sectors) + struct.pack(f"<{len(table)}I", *table) + lists


def _chain(first: int, count: int) -> list[int]:
    return [*range(first + 1, first + count), END] if count else []
