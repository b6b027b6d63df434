"""Metadata of a document: the property set `SummaryInformation`."""

import struct
from typing import Final

from webquarry_convert.file.properties import MAX_VALUE, Properties

_CODE_PAGE, _TITLE, _AUTHOR = 1, 2, 4
_NARROW, _WIDE = 30, 31
"""Types of string values. A string is either in the property set's code page or in UTF-16."""
_MAX_ENTRIES: Final = 200
_CODECS: Final = {65001: "utf-8", 10000: "mac_roman", 1200: "utf-16-le"}


def read_properties(stream: bytes | None) -> Properties:
    """Return the title and the author. Each is "" if the property set is damaged or lacks the value."""
    try:
        return Properties() if stream is None else _read(stream)
    except struct.error:
        return Properties()


def _read(stream: bytes) -> Properties:
    (start,) = struct.unpack_from("<I", stream, 44)
    (count,) = struct.unpack_from("<I", stream, start + 4)
    places = [struct.unpack_from("<2I", stream, start + 8 + 8 * at) for at in range(min(count, _MAX_ENTRIES))]
    found = {identity: start + place for identity, place in places}
    codec = "cp1252"
    if _CODE_PAGE in found:
        (number,) = struct.unpack_from("<4xH", stream, found[_CODE_PAGE])
        codec = _CODECS.get(number, f"cp{number}")
    return Properties(*(_read_text(stream, found.get(identity), codec) for identity in (_TITLE, _AUTHOR)))


def _read_text(stream: bytes, at: int | None, codec: str) -> str | None:
    if at is None:
        return None
    kind, length = struct.unpack_from("<HxxI", stream, at)
    if kind not in (_NARROW, _WIDE):
        return None
    raw = stream[at + 8 : at + 8 + length * (2 if kind == _WIDE else 1)]
    try:
        text = raw.decode("utf-16-le" if kind == _WIDE else codec, "replace")
    except LookupError:
        text = raw.decode("cp1252", "replace")
    return " ".join(text.partition("\0")[0].split())[:MAX_VALUE] or None
