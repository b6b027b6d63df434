"""Whether fonts of a file draw characters beyond the first 65,536 of Unicode: letters of formulas, emoji.

liteparse leaves them out. To ask each page for them costs half as much as reading it, so the tables of a file that tell
what the codes of its fonts mean are looked at first: they write such a character as two numbers, <D835DC65>.
"""

import re
import zlib

_STREAM = re.compile(rb"stream\r?\n")
_PAIR = re.compile(rb"[Dd]8[0-9A-Fa-f]{2}[Dd][C-Fc-f]")
_OTHERS = re.compile(rb"/(?:Subtype|Length1|Predictor|ObjStm|FunctionType)\b")
"""In dictionaries of streams that are no such table."""
_NAMES = (b"/ToUnicode", b"/ObjStm")
"""One of them is in files with such tables."""
_BEGINNINGS = (b"/CIDInit", b"%!PS", b"begincmap")
_LONGEST_DICTIONARY = 300
"""Bytes before a stream that are looked at."""
_START = 64
"""Bytes of a stream by which a table is told."""
_MOST_INFLATED = 10_000_000
"""Bytes of all tables."""
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
    """The table of a font in a stream; nothing where another is in it, or it is packed otherwise.

    start, end: of the stream in the file. most: bytes of the table that are read.
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
