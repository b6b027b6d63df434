"""A PDF's unpacked streams. They are found in the bytes of the file, without following references between objects."""

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

_STREAM = re.compile(rb"stream\r?\n")
_LONGEST_DICTIONARY = 2_000
"""The number of bytes before a stream that are searched for its dictionary."""
_SAMPLE = 1_000
"""The number of unpacked bytes that show whether a stream that claims to be a picture really is one."""
_CHUNK = 4_096
"""The number of packed bytes that are unpacked in one step.

The content of a damaged stream ends before the damaged chunk.
"""
_MOST_INFLATED = 20_000_000
"""The maximum total number of bytes in all streams.

`bounds` rejects a single larger stream with a high compression ratio.
"""
_PLAIN = bytes([*range(0x20, 0x7F), *b"\t\r\n"])
_MOSTLY = 0.9
_FILTERS = (b"/FlateDecode", b"/Fl ", b"/Fl/", b"/Fl]", b"/Fl>")
_PREDICTED = (b"/XRef", b"/ObjStm", b"/Image")
"""Kinds of streams that are often packed with a predictor, so that their first bytes do not identify their content."""
_PICTURE_FILTERS = (b"/DCT", b"/JPX", b"/JBIG2", b"/CCITT")


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream object of a PDF file.

    dictionary: the bytes of its dictionary. content: the unpacked bytes, or None if the compression is not supported.
    """

    dictionary: bytes
    content: bytes | None


def read_streams(body: bytes) -> Iterator[Stream]:
    """Yield each stream that may be text. Pictures are skipped, but not streams that only claim to be pictures.

    Takes linear time in the sizes of the body and `_MOST_INFLATED`.
    """
    room = _MOST_INFLATED
    at = 0
    while match := _STREAM.search(body, at):
        start = match.end()
        before = max(0, match.start() - _LONGEST_DICTIONARY)
        dictionary = body[max(body.rfind(b"obj", before, start), before) : match.start()]
        end = body.find(b"endstream", start)
        end = len(body) if end < 0 else end
        at = end + len(b"endstream")
        if any(name in dictionary for name in _PICTURE_FILTERS):
            continue
        if b"/Filter" not in dictionary:
            content: bytes | None = body[start:end]
        elif any(name in dictionary for name in _FILTERS) and (
            b"/DecodeParms" not in dictionary or any(name in dictionary for name in _PREDICTED)
        ):
            is_picture = b"/Image" in dictionary and not _is_text(_inflate(body[start : start + _SAMPLE], _SAMPLE))
            content = b"" if is_picture else _inflate(body[start:end], room + 1)
        else:
            content = None
        if content:
            room -= len(content)
        yield Stream(dictionary, content if room >= 0 else None)
        if room < 0:
            return


def _inflate(packed: bytes, most: int) -> bytes:
    """Unpack up to `most` bytes. For a damaged stream, return the bytes before the damage."""
    inflater = zlib.decompressobj()
    found: list[bytes] = []
    for at in range(0, len(packed), _CHUNK) if most > 0 else ():
        try:
            piece = inflater.decompress(packed[at : at + _CHUNK], most)
        except zlib.error:
            break
        found.append(piece)
        most -= len(piece)
        if most <= 0 or inflater.eof:
            break
    return b"".join(found)


def _is_text(sample: bytes) -> bool:
    return len(sample.translate(None, delete=_PLAIN)) <= (1 - _MOSTLY) * len(sample)
