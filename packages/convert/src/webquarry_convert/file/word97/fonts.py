"""A document's fonts.

Their names distinguish code and symbols from prose, and their character sets imply code pages.
"""

from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.word97 import codepages
from webquarry_convert.file.word97.header import Header

_MAX_FONTS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Font:
    """A font of the document. codec: the codec of 8-bit text in the font, or None if unspecified."""

    name: str
    codec: str | None


def read_fonts(header: Header) -> list[Font]:
    """Return the fonts by index, up to the first damaged entry."""
    part = header.part("fonts")
    at, name_at = (2, 6) if header.is_old else (4, 40)
    found: list[Font] = []
    while at + 5 < len(part) and len(found) < _MAX_FONTS:
        entry = part[at : at + 1 + part[at]]
        name = entry[name_at:]
        if header.is_old:
            text = name.partition(b"\0")[0].decode("cp1252", "replace")
        else:
            text = name[: len(name) & ~1].decode("utf-16-le", "replace").partition("\0")[0]
        found.append(Font(text, codepages.find_charset_codec(entry[4]) if len(entry) > 4 else None))
        at += len(entry)
    return found
