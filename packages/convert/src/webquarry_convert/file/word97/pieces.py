"""The text of a document: pieces of the main stream in reading order.

In a fast-saved document, new text follows the old text, and a list gives the pieces in reading order. Deleted text is
in no piece, and copied text is in several pieces.

A position counts code units of one or two bytes. Characters outside the basic multilingual plane take two positions, as
do characters of a double-byte code page. Texts are therefore decoded (`codepages.decode_letters`) when they are
written.
"""

import struct
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from webquarry_convert.file.document import make_corrupt_error, make_limit_error
from webquarry_convert.file.word97.header import Header
from webquarry_convert.file.word97.sprms import OF_PIECES

MAX_REPEATED: Final = 4
"""Maximum length of the text, as a multiple of the main stream's length.

A fast-saved document stores copied text only once.
"""
_PROPERTIES, _PIECES = 1, 2
_PIECE: Final = 8
_NARROW: Final = 0x4000_0000
_WINDOWS: Final = {byte: letter for byte in range(0x80, 0xA0) if (letter := bytes([byte]).decode("cp1252", "ignore"))}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the document's text, as listed in the piece table.

    first: first position. start: offset in the main stream. width: number of bytes per character. sprms: the modifiers
    that apply to the whole piece.
    """

    first: int
    length: int
    start: int
    width: int
    sprms: bytes = b""


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a document. letters: one character for each position."""

    letters: str
    pieces: list[Piece]


def read_text(header: Header) -> Text:
    pieces = _read_pieces(header)
    if sum(piece.length * piece.width for piece in pieces) > MAX_REPEATED * len(header.main):
        raise make_limit_error("its pieces contain more text than the file")
    return Text("".join(_decode_piece(header, piece) for piece in pieces), pieces)


def _decode_piece(header: Header, piece: Piece) -> str:
    raw = header.main[piece.start : piece.start + piece.length * piece.width]
    if len(raw) < piece.length * piece.width:
        raise make_corrupt_error("its text is outside the file")
    if piece.width == 1:
        letters = raw.decode("latin-1")
        return letters if header.is_old else letters.translate(_WINDOWS)
    letters = raw.decode("utf-16-le", "surrogatepass")
    return letters if len(letters) == piece.length else "".join(map(chr, struct.unpack(f"<{piece.length}H", raw)))


def _read_pieces(header: Header) -> list[Piece]:
    is_listed = header.is_complex or not header.is_old
    listed, properties = _split_piece_table(header.part("pieces")) if is_listed else (b"", [])
    if not listed:
        return [_make_only_piece(header)]
    count = (len(listed) - 4) // (4 + _PIECE)
    positions = struct.unpack_from(f"<{count + 1}I", listed) if count > 0 else (0,)
    pieces: list[Piece] = []
    for at, (first, after) in enumerate(pairwise(positions)):
        start, modifier = struct.unpack_from("<2xIH", listed, 4 * (count + 1) + at * _PIECE)
        if after < first or positions[0]:
            raise make_corrupt_error("its text pieces are out of order")
        start, width = (start, 1) if header.is_old else _read_place(start)
        pieces.append(Piece(first, after - first, start, width, _find_modifiers(modifier, properties)))
    return pieces


def _make_only_piece(header: Header) -> Piece:
    """Return the whole text as one piece, for a document without a list of pieces."""
    width = 2 if header.is_wide and not header.is_old else 1
    if header.is_complex or header.last <= header.first:
        raise make_corrupt_error("the list of its text pieces is missing")
    return Piece(0, (header.last - header.first) // width, header.first, width)


def _read_place(stated: int) -> tuple[int, int]:
    """Return a piece's offset and its number of bytes per letter."""
    return ((stated & ~_NARROW) // 2, 1) if stated & _NARROW else (stated, 2)


def _split_piece_table(part: bytes) -> tuple[bytes, list[bytes]]:
    """Return the piece table, and the modifiers before it that the pieces refer to."""
    properties: list[bytes] = []
    at = 0
    while at + 3 <= len(part):
        kind = part[at]
        if kind == _PIECES:
            (length,) = struct.unpack_from("<I", part.ljust(at + 5, b"\0"), at + 1)
            return part[at + 5 : at + 5 + length], properties
        if kind != _PROPERTIES:
            break
        (length,) = struct.unpack_from("<H", part, at + 1)
        properties.append(part[at + 3 : at + 3 + length])
        at += 3 + length
    return b"", properties


def _find_modifiers(modifier: int, properties: list[bytes]) -> bytes:
    """Return a piece's modifiers, which are an entry in the list or a single abbreviated modifier."""
    if modifier & 1:
        number = modifier >> 1
        return properties[number] if number < len(properties) else b""
    code = OF_PIECES.get(modifier >> 1 & 0x7F)
    return b"" if code is None else struct.pack("<HB", code, modifier >> 8)
