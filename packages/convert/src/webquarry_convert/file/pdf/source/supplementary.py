"""Detects fonts that draw characters beyond the first 65,536 of Unicode, such as letters in formulas and emoji.

liteparse omits these characters. Searching each page for them takes half as long as reading it, so the tables that map
the fonts' codes to characters are searched first. In these tables, such a character consists of two numbers:
<D835DC65>.
"""

import re
import zlib

_STREAM = re.compile(rb"stream\r?\n")
_PAIR = re.compile(rb"[Dd]8[0-9A-Fa-f]{2}[Dd][C-Fc-f]")
_OTHERS = re.compile(rb"/(?:Subtype|Length1|Predictor|ObjStm|FunctionType)\b")
"""Matches dictionary entries of streams that are not such tables."""
_NAMES = (b"/ToUnicode", b"/ObjStm")
"""Names that every file with such tables contains."""
_BEGINNINGS = (b"/CIDInit", b"%!PS", b"begincmap")
_LONGEST_DICTIONARY = 300
"""The number of bytes before a stream that are searched for its dictionary."""
_START = 64
"""The number of bytes of a stream that identify a table."""
_MOST_INFLATED = 10_000_000
"""The maximum number of bytes of all tables."""
_MOST_STREAMS = 50_000


def may_draw_supplementary(body: bytes) -> bool:
    if not any(name in body for name in _NAMES):
        return False
    at = 0
    room = _MOST_INFLATED
    for _ in range(_MOST_STREAMS):
        found = _STREAM.search(body, at)
        if found is None:
            return False
        start = found.end()
        end = body.find(b"endstream", start)
        if end < 0:
            return False
        before = max(0, found.start() - _LONGEST_DICTIONARY)
        dictionary = body[max(body.rfind(b"obj", before, found.start()), before) : found.start()]
        table = _read_table(dictionary, body, start, end, room)
        if _PAIR.search(table):
            return True
        room -= len(table)
        at = end + len(b"endstream")
    return False


def _read_table(dictionary: bytes, body: bytes, start: int, end: int, most: int) -> bytes:
    """Return the table of a font in a stream, or b"" if the stream has other content or an unsupported compression.

    start, end: the stream's position in the file. most: the number of the table's bytes to read.
    """
    if most <= 0 or _OTHERS.search(dictionary) is not None:
        return b""
    if b"/Filter" not in dictionary:
        return body[start : min(end, start + most)] if body.startswith(_BEGINNINGS, start) else b""
    if dictionary.count(b"FlateDecode") != 1:
        return b""
    try:
        first = zlib.decompressobj().decompress(body[start : start + _START], _START)
        is_table = first.lstrip().startswith(_BEGINNINGS)
        return zlib.decompressobj().decompress(body[start:end], most) if is_table else b""
    except zlib.error:
        return b""
