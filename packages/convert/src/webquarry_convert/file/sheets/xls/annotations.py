"""Hyperlinks, notes and text boxes, which `.xls` stores in separate records ([MS-XLS] 2.4.140, 2.4.179, 2.4.329).

This module reads these records. In the stream for xlrd, the type of each such record is overwritten with a type that
readers skip. Otherwise, xlrd would reject a workbook with a damaged record of this kind, and would store a link on a
whole sheet once for each of the sheet's sixteen million cells.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from webquarry_convert.file.sheets.notes import Note
from webquarry_convert.file.sheets.table import Area
from webquarry_convert.file.sheets.xls.records import read_records

_BOF, _EOF, _BOUNDSHEET, _FORMULA, _CONTINUE = 0x809, 0x0A, 0x85, 0x06, 0x3C
_NOTE, _OBJECT, _TEXT, _LINK, _TIP = 0x1C, 0x5D, 0x1B6, 0x1B8, 0x800
_IGNORED = struct.pack("<H", 0xE2)  # a record without content, which readers skip
_TAKEN = frozenset({_NOTE, _OBJECT, _TEXT, _LINK, _TIP})
_BIFF_8, _BIFF_5 = 0x600, 0x500
_COMMON_PART = 0x15
_CONTINUED = 0xFFFF
_WORKSHEET = 0
_URL = bytes.fromhex("e0c9ea79f9bace118c8200aa004ba90b")
_HAS_MONIKER, _HAS_PLACE, _HAS_TEXT, _HAS_FRAME, _IS_STRING = 0x01, 0x08, 0x10, 0x80, 0x100
_STRING_TOKEN = 0x17
_FUNCTIONS = (b"\x22", b"\x42", b"\x62")
_HYPERLINK = struct.pack("<H", 359)
Found = TypeVar("Found")


@dataclass(slots=True)
class _SheetAnnotations:
    """A sheet's annotations.

    remarks: the row, column, author and object of each note. short: the row, column and text of each note in files of
    Excel 5 and 95.
    """

    links: list[tuple[Area, str]] = field(default_factory=list)
    texts: dict[int, list[str]] = field(default_factory=dict)
    remarks: list[tuple[int, int, str, int]] = field(default_factory=list)
    short: list[tuple[int, int, bytearray]] = field(default_factory=list)


class Annotations:
    """The annotations of a workbook. Never fails: unreadable annotations are dropped."""

    def __init__(self, stream: bytes) -> None:
        """Read the annotations. stream: the records of a workbook."""
        self._stream = stream
        self._left = bytearray(stream)
        self._sheets: dict[int, _SheetAnnotations] = {}
        """Each sheet's annotations, by the position where the sheet starts."""
        self._sheet = _SheetAnnotations()
        self._version = 0
        self._object = 0
        self._missing = 0
        """Number of characters of an object's text that are still to be read from later records."""
        self._listed: list[int] = []
        self._open: list[int] = []
        self._ends: dict[int, int] = {}
        """The end of each sheet, and of each chart on a sheet, by its start."""
        self._read()
        self.left = bytes(self._left)
        """The records, with annotations blanked out."""
        self.reach = sum(max(0, self._ends.get(start, len(stream)) - start) for start in self._listed)
        """Total number of bytes in all listed sheets, from start to end."""
        self._in_order = list(self._sheets.values())

    def of(self, index: int, encoding: str | None) -> tuple[list[tuple[Area, str]], list[Note], list[str]]:
        """Return a worksheet's links, notes and text boxes.

        index: the worksheet's index in the workbook's order, from 0. encoding: the encoding of the sheet's 8-bit
        strings.
        """
        sheet = self._in_order[index] if index < len(self._in_order) else _SheetAnnotations()
        # Each text belongs to only one note, because repeating a long text for many notes would need unlimited memory.
        texts = dict(sheet.texts)
        notes = [
            Note(row, column, "".join(texts.pop(number, ())), author) for row, column, author, number in sheet.remarks
        ]
        notes += [Note(row, column, _decode_text(text, encoding)) for row, column, text in sheet.short]
        boxes = [text for pieces in texts.values() if (text := "".join(pieces).strip())]
        return sheet.links, notes, boxes

    def _read(self) -> None:
        for kind, at, length in read_records(self._stream):
            if kind == _FORMULA:
                if self._version == _BIFF_8:
                    self._read_formula(at, length)
            elif kind == _BOF:
                self._begin(at, length)
            elif kind == _BOUNDSHEET:
                self._list(at, length)
            elif kind == _EOF:
                if self._open:
                    self._ends[self._open.pop()] = at
            elif kind == _CONTINUE:
                if self._missing:
                    self._append_text(self._stream[at : at + length])
            elif kind in _TAKEN and self._version:
                self._take(kind, self._stream[at : at + length])
                self._left[at - 4 : at - 2] = _IGNORED

    def _begin(self, at: int, length: int) -> None:
        if not self._version and length >= 2:
            (version,) = struct.unpack_from("<H", self._stream, at)
            self._version = version if version in (_BIFF_5, _BIFF_8) else 0
        self._open.append(at - 4)
        # A chart on a sheet begins inside the sheet, and is not one of the listed sheets.
        self._sheet = self._sheets.get(at - 4, self._sheet)

    def _list(self, at: int, length: int) -> None:
        if length >= 6:
            start, kind = struct.unpack_from("<IxB", self._stream, at)
            self._listed.append(start)
            if kind == _WORKSHEET:
                self._sheets.setdefault(start, _SheetAnnotations())

    def _take(self, kind: int, body: bytes) -> None:
        self._missing = 0
        if kind == _LINK:
            link = _try_read(_read_link, body)
            if link is not None:
                self._sheet.links.append(link)
        elif kind == _NOTE:
            self._note(body)
        elif kind == _OBJECT and len(body) >= 8:
            part, _, _, self._object = struct.unpack_from("<4H", body)
            self._object = self._object if part == _COMMON_PART else 0
        elif kind == _TEXT and len(body) >= 12:
            (self._missing,) = struct.unpack_from("<H", body, 10)
            self._sheet.texts[self._object] = []

    def _append_text(self, body: bytes) -> None:
        text = _decode_characters(body[1:], is_wide=bool(body[:1] and body[0] & 1))[: self._missing]
        self._sheet.texts[self._object].append(text)
        self._missing = self._missing - len(text) if text else 0

    def _note(self, body: bytes) -> None:
        if len(body) < 6:
            return
        row, column, third = struct.unpack_from("<3H", body)
        if self._version == _BIFF_5:
            if row == _CONTINUED and self._sheet.short:
                self._sheet.short[-1][2].extend(body[6 : 6 + third])
            elif row != _CONTINUED:
                self._sheet.short.append((row, column, bytearray(body[6 : 6 + third])))
        elif len(body) >= 8:
            (number,) = struct.unpack_from("<H", body, 6)
            self._sheet.remarks.append((row, column, _try_read(_read_author, body) or "", number))

    def _read_formula(self, at: int, length: int) -> None:
        """Read a formula that contains a link to a literal address."""
        body = self._stream[at : at + length]
        if len(body) < 26 or body[22] != _STRING_TOKEN:
            return
        row, column, _ = struct.unpack_from("<3H", body)
        (size,) = struct.unpack_from("<H", body, 20)
        tokens = body[22 : 22 + size]
        if tokens[-4:-3] in _FUNCTIONS and tokens[-2:] == _HYPERLINK:
            count, flags = tokens[1], tokens[2]
            address = _decode_characters(tokens[3 : 3 + (count * 2 if flags & 1 else count)], is_wide=bool(flags & 1))
            self._sheet.links.append((Area(row, column, row, column), address))


def _try_read(read: Callable[[bytes], Found], body: bytes) -> Found | None:
    """Read a record and return the result, or return None if the record is damaged."""
    try:
        return read(body)
    except (struct.error, IndexError):
        return None


def _read_link(body: bytes) -> tuple[Area, str] | None:
    top, bottom, left, right = struct.unpack_from("<4H", body)
    (flags,) = struct.unpack_from("<I", body, 28)
    at = 32
    for flag in (_HAS_TEXT, _HAS_FRAME):
        if flags & flag:
            _, at = _read_counted_text(body, at)
    if not flags & _HAS_MONIKER:
        return None
    if flags & _IS_STRING:
        address, at = _read_counted_text(body, at)
    else:
        if body[at : at + 16] != _URL:
            return None
        (size,) = struct.unpack_from("<I", body, at + 16)
        at += 20
        address = _read_terminated_text(body[at : at + size])
        at += size
    if flags & _HAS_PLACE and "#" not in address:
        place, _ = _read_counted_text(body, at)
        address = f"{address}#{place}" if place else address
    return Area(top, left, bottom, right), address


def _read_counted_text(body: bytes, at: int) -> tuple[str, int]:
    """Return a text that begins with its number of characters, and the position after the text."""
    (count,) = struct.unpack_from("<I", body, at)
    end = at + 4 + 2 * count
    return _read_terminated_text(body[at + 4 : end]), end


def _read_terminated_text(body: bytes) -> str:
    return _decode_characters(body, is_wide=True).partition("\0")[0]


def _read_author(body: bytes) -> str:
    (count,) = struct.unpack_from("<H", body, 8)
    is_wide = bool(body[10] & 1)
    return _decode_characters(body[11 : 11 + count * (2 if is_wide else 1)], is_wide=is_wide)


def _decode_text(text: bytes | bytearray, encoding: str | None) -> str:
    try:
        return text.decode(encoding or "cp1252", "replace")
    except LookupError:
        return text.decode("cp1252", "replace")


def _decode_characters(body: bytes, *, is_wide: bool) -> str:
    return body.decode("utf-16-le" if is_wide else "latin-1", "replace")
