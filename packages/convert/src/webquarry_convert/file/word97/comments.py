"""Authors of a document's comments."""

import struct
from typing import Final

from webquarry_convert.file.word97.header import Header, read_positions

COMMENT: Final = "comment"
_OLD_SIZE, _SIZE = 20, 30
_AUTHOR: Final = struct.Struct("<20xh")
_MAX_AUTHORS: Final = 10_000


def get_comment_size(header: Header) -> int:
    """Return the number of bytes that follow the references' positions for each comment in the comment table."""
    return _OLD_SIZE if header.is_old else _SIZE


def read_authors(header: Header) -> dict[int, str]:
    """Return the author of the comment at each position, as a name or, in Word 6 documents, as initials."""
    part = header.part("comment marks")
    size = get_comment_size(header)
    marks, at = read_positions(part, size)
    names = _read_names(header.part("comment authors"))
    authors: dict[int, str] = {}
    for place in range(len(marks) - 1):
        entry = part[at + place * size : at + (place + 1) * size]
        if header.is_old:
            authors[place] = entry[1 : 1 + min(entry[0], 9)].decode("cp1252", "replace")
        else:
            (number,) = _AUTHOR.unpack_from(entry)
            authors[place] = names[number] if 0 <= number < len(names) else ""
    return authors


def _read_names(part: bytes) -> list[str]:
    names: list[str] = []
    at = 0
    while at + 2 <= len(part) and len(names) < _MAX_AUTHORS:
        end = at + 2 + 2 * int.from_bytes(part[at : at + 2], "little")
        names.append(" ".join(part[at + 2 : end].decode("utf-16-le", "replace").split()))
        at = end
    return names
