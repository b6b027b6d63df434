"""The file information block at the start of the main stream, which locates the structures of the file."""

import struct
from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.compound import Compound
from webquarry_convert.file.document import make_corrupt_error, make_encrypted_error

_OLD: Final = frozenset({0xA5DC, 0xA697, 0xA698, 0xA699})
"""The magic numbers of Word 6 and 95.

The last three are from East Asian versions. Files with these numbers contain only 8-bit text.
"""
_NEW: Final = 0xA5EC
_ENCRYPTED: Final = 0x0100
_SECOND_TABLE: Final = 0x0200
_COMPLEX: Final = 0x0004
_EXTENDED: Final = 0x1000
_COUNTS_AT: Final = {True: 0x34, False: 0x4C}
"""Offset of the table of story lengths, by `is_old`."""
_PARTS: Final = {
    # For each structure, the offsets at which its location and length are stored, in old and in new files.
    "styles": (0x60, 0xA2),
    "footnote marks": (0x68, 0xAA),
    "footnote texts": (0x70, 0xB2),
    "comment marks": (0x78, 0xBA),
    "comment texts": (0x80, 0xC2),
    "letter pages": (0xB8, 0xFA),
    "paragraph pages": (0xC0, 0x102),
    "fonts": (0xD0, 0x112),
    "pieces": (0x160, 0x1A2),
    "shapes": (None, 0x1DA),
    "comment authors": (None, 0x1BA),
    "endnote marks": (0x1D2, 0x20A),
    "endnote texts": (0x1DA, 0x212),
    "box texts": (None, 0x25A),
    "lists": (None, 0x2E2),
    "list overrides": (None, 0x2EA),
}


@dataclass(frozen=True, slots=True)
class Stories:
    """The number of characters in each story. Stories follow each other in this order."""

    text: int
    footnotes: int
    headers: int
    macros: int
    comments: int
    endnotes: int
    boxes: int

    @property
    def footnotes_at(self) -> int:
        return self.text

    @property
    def headers_at(self) -> int:
        return self.text + self.footnotes

    @property
    def comments_at(self) -> int:
        return self.headers_at + self.headers + self.macros

    @property
    def endnotes_at(self) -> int:
        return self.comments_at + self.comments

    @property
    def boxes_at(self) -> int:
        return self.endnotes_at + self.endnotes


def _find_tables(streams: Compound, flags: int) -> bytes:
    """Return the table stream that the flags select.

    If it is missing, return the other one, or b"" if both are missing.
    """
    names = ("1Table", "0Table") if flags & _SECOND_TABLE else ("0Table", "1Table")
    return streams.get(names[0]) or streams.get(names[1]) or b""


class Header:
    """The file information block.

    main: the stream with the text. is_old: whether Word 6 or 95 wrote the file. language: the Windows identifier of the
    program's language. far_language: the Windows identifier for the language of East Asian text, or 0. is_macintosh:
    whether 8-bit text uses a Macintosh encoding. first, last: bounds of the text if it is in one piece.
    """

    def __init__(self, streams: Compound) -> None:
        main = streams.get("WordDocument")
        if main is None:
            raise make_corrupt_error("it contains no Word document")
        self.main = main
        try:
            magic, self.language, flags = struct.unpack_from("<H4xH2xH", main)
            self.is_old = magic in _OLD
            if not self.is_old and magic != _NEW:
                raise make_corrupt_error("it is not a Word document of a known version")
            if flags & _ENCRYPTED:
                raise make_encrypted_error()
            (character_set,) = struct.unpack_from("<H", main, 0x14)
            self.is_macintosh = self.is_old and character_set == 0x100
            self.is_complex = bool(flags & _COMPLEX)
            self.is_wide = bool(flags & _EXTENDED)
            self.first, self.last = struct.unpack_from("<2I", main, 0x18)
            self.far_language = 0 if self.is_old else struct.unpack_from("<H", main, 0x3C)[0]
            self.stories = Stories(*struct.unpack_from("<7I", main, _COUNTS_AT[self.is_old]))
        except struct.error as exc:
            raise make_corrupt_error("it ends within its header") from exc
        self.tables = main if self.is_old else _find_tables(streams, flags)

    def place(self, part: str) -> tuple[int, int]:
        """Return the offset of a structure in the table stream and its length in bytes.

        A missing structure has the length 0.
        """
        at = _PARTS[part][not self.is_old]
        if at is None or at + 8 > len(self.main):
            return 0, 0
        first, length = struct.unpack_from("<2I", self.main, at)
        return first, min(length, max(0, len(self.tables) - first))

    def part(self, part: str) -> bytes:
        first, length = self.place(part)
        return self.tables[first : first + length]

    def find_first_pages(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the first page and the number of pages, for character runs and for paragraph runs.

        They are used for old files with truncated lists.
        """
        if not self.is_old or len(self.main) < 0x192:
            return (0, 0), (0, 0)
        letters, paragraphs, of_letters, of_paragraphs = struct.unpack_from("<4H", self.main, 0x18A)
        return (letters, of_letters), (paragraphs, of_paragraphs)


def read_positions(part: bytes, size: int) -> tuple[list[int], int]:
    """Return the character positions at the start of a structure, and the offset of its entries.

    There is one more position than entries. size: the size of an entry, in bytes.
    """
    count = max(0, (len(part) - 4) // (4 + size))
    if not count:
        return [], 0
    return list(struct.unpack_from(f"<{count + 1}I", part)), 4 * (count + 1)
