"""Safe reading of ZIP archives, which are the containers of office documents.

    archive = Archive(body)                     # rejects damaged, encrypted or oversized archives before inflating
    archive.names                               # ("[Content_Types].xml", "word/document.xml", ...)
    archive.read("word/document.xml")           # bytes, or None if the part is missing
    for chunk in archive.stream("xl/worksheets/sheet1.xml"):   # KeyError if the part is missing
        ...

Names match as in Office: in any case, with or without a leading slash, with either kind of slash.

The declarations of an archive are not trusted. Entries that share bytes are rejected, a part is inflated to its
declared size at most, and its checksum is verified. Reading a part therefore costs no more than its entry declares, and
the declared total of all entries is limited.
"""

import struct
import zlib
from collections.abc import Iterator
from struct import Struct
from typing import Final, NamedTuple

from webquarry_convert.file.document import make_corrupt_error, make_encrypted_error, make_limit_error
from webquarry_convert.file.limits import MAX_INFLATED, MAX_PART, MAX_PARTS, MAX_RATIO, RATIO_FROM

CHUNK: Final = 256 * 1024
"""Maximum size, in bytes, of a chunk that `Archive.stream` yields."""

_END = b"PK\5\6"
_ENTRY = b"PK\1\2"
_LOCAL = b"PK\3\4"
_END_64 = b"PK\6\6"
_LOCATOR_64 = b"PK\6\7"
_END_REACH = 22 + 65_535  # the sizes of the end record and of the longest possible comment
_END_RECORD = Struct("<4s4H2IH")
_ENTRY_RECORD = Struct("<4s6H3I5H2I")
_LOCAL_RECORD = Struct("<4s5H3I2H")
_END_64_RECORD = Struct("<4sQ2H2I4Q")
_LOCATOR_64_RECORD = Struct("<4sIQI")
_LONG = Struct("<Q")
_FULL_16 = 0xFFFF
_FULL_32 = 0xFFFF_FFFF
_STORED, _DEFLATED = 0, 8
_IS_ENCRYPTED, _IS_UTF_8 = 1, 0x800


class _Entry(NamedTuple):
    """An entry of the directory.

    packed, size: declared compressed and inflated size in bytes. offset: position of the local header in the file.
    least_end: the earliest position at which the part can end. Its local header may be longer than the directory shows.
    """

    name: str
    is_encrypted: bool
    method: int
    crc: int
    packed: int
    size: int
    offset: int
    least_end: int


class Archive:
    """A ZIP archive with limits on its size. The constructor and reads raise only `ConversionFailed`."""

    def __init__(self, body: bytes) -> None:
        self._body = memoryview(body)
        directory = _Directory(body)
        self._end = directory.start
        entries = list(directory.entries())
        self.names: tuple[str, ...] = tuple(entry.name for entry in entries if not entry.name.endswith("/"))
        """Names of the parts, in the archive's order, with forward slashes and without a leading slash."""
        _refuse_bad_entries(entries, self._end)
        # If several entries have the same name, the first one counts.
        self._entries = {_make_key(entry.name): entry for entry in reversed(entries)}
        self._read = 0

    def __contains__(self, name: str) -> bool:
        return _make_key(name) in self._entries

    def size(self, name: str) -> int | None:
        """Return a part's inflated size in bytes, or None if the part is missing. `read` never returns more bytes."""
        entry = self._entries.get(_make_key(name))
        return None if entry is None else entry.size

    def read(self, name: str) -> bytes | None:
        """Return the complete part, or None if it is missing."""
        entry = self._entries.get(_make_key(name))
        if entry is None:
            return None
        return b"".join(self._chunks(entry, entry.size))

    def stream(self, name: str) -> Iterator[bytes]:
        """Yield the part in chunks of at most `CHUNK` bytes. Raises KeyError if it is missing."""
        return self._chunks(self._entries[_make_key(name)], CHUNK)

    def _chunks(self, entry: _Entry, size: int) -> Iterator[bytes]:
        """Yield chunks of at most `size` bytes, and check the declared size and checksum before the last chunk."""
        self._read += entry.size
        if self._read > MAX_INFLATED:
            raise make_limit_error(f"more than {MAX_INFLATED // 1_000_000} MB in its parts")
        packed = self._packed(entry)
        pieces = _split_chunks(packed, size) if entry.method == _STORED else _inflate_pieces(packed, size)
        left, crc = entry.size, 0
        for piece in pieces:
            left -= len(piece)
            if left < 0:
                raise make_corrupt_error("a part of the archive is larger than declared")
            crc = zlib.crc32(piece, crc)
            if left == 0 and crc != entry.crc:
                raise make_corrupt_error("a part of the archive does not match its checksum")
            yield piece
        if left:
            raise make_corrupt_error("a part of the archive ends too early")

    def _packed(self, entry: _Entry) -> memoryview:
        """Return the compressed bytes of a part."""
        if entry.is_encrypted:
            raise make_encrypted_error()
        if entry.method not in (_STORED, _DEFLATED):
            raise make_corrupt_error("a part of the archive is compressed with an unsupported method")
        try:
            signature, *_, name_length, extra_length = _LOCAL_RECORD.unpack_from(self._body, entry.offset)
        except struct.error as exc:
            raise make_corrupt_error("the archive refers to data outside the file") from exc
        start = entry.offset + _LOCAL_RECORD.size + name_length + extra_length
        if signature != _LOCAL or start + entry.packed > self._end:
            raise make_corrupt_error("a part of the archive is not at its declared position")
        return self._body[start : start + entry.packed]


class _Directory:
    """The directory at the end of an archive. start: the directory's offset in bytes."""

    def __init__(self, body: bytes) -> None:
        end = body.rfind(_END, max(0, len(body) - _END_REACH))
        if end < 0 or end + _END_RECORD.size > len(body):
            raise make_corrupt_error("the archive ends too early")
        _, _, _, _, count, size, offset, _ = _END_RECORD.unpack_from(body, end)
        stop = end
        if count == _FULL_16 or _FULL_32 in (size, offset):
            stop, count, size, offset = self._read_long_end(body, end, (count, size, offset))
        self._body = body
        self._count = count
        self._stop = stop
        self.start = stop - size
        # Offsets don't count bytes that were prepended to the archive.
        self._shift = self.start - offset
        if count > MAX_PARTS:
            raise make_limit_error(f"more than {MAX_PARTS:,} parts")
        if self.start < 0 or self._shift < 0:
            raise make_corrupt_error("the directory of the archive is outside the file")

    @staticmethod
    def _read_long_end(body: bytes, end: int, short: tuple[int, int, int]) -> tuple[int, int, int, int]:
        """Return the end of the directory, the number of its entries, its size and its offset from the ZIP64 record.

        short: number, size and offset from the ordinary record, used if there is no ZIP64 record.
        """
        locator = end - _LOCATOR_64_RECORD.size
        if locator < 0 or not body.startswith(_LOCATOR_64, locator):
            return end, *short
        at = body.rfind(_END_64, max(0, locator - _END_64_RECORD.size - 65_535), locator)
        if at < 0 or at + _END_64_RECORD.size > len(body):
            raise make_corrupt_error("the directory of the archive is outside the file")
        *_, count, size, offset = _END_64_RECORD.unpack_from(body, at)
        return at, count, size, offset

    def entries(self) -> Iterator[_Entry]:
        body, at = self._body, self.start
        for _ in range(self._count):
            if at + _ENTRY_RECORD.size > self._stop or not body.startswith(_ENTRY, at):
                raise make_corrupt_error("the directory of the archive is damaged")
            record = _ENTRY_RECORD.unpack_from(body, at)
            flags, method, crc, packed, size = record[3], record[4], record[7], record[8], record[9]
            name_length, extra_length, comment_length, offset = record[10], record[11], record[12], record[16]
            at += _ENTRY_RECORD.size
            name = body[at : at + name_length]
            at += name_length
            if _FULL_32 in (packed, size, offset):
                extra = body[at : at + extra_length]
                size, packed, offset = _read_long_sizes(extra, size, packed, offset)
            at += extra_length + comment_length
            offset += self._shift
            yield _Entry(
                name=_normalise_name(name.decode("utf-8" if flags & _IS_UTF_8 else "cp437", "replace")),
                is_encrypted=bool(flags & _IS_ENCRYPTED),
                method=method,
                crc=crc,
                packed=packed,
                size=size,
                offset=offset,
                least_end=offset + _LOCAL_RECORD.size + name_length + packed,
            )


def _read_long_sizes(extra: bytes, *fields: int) -> list[int]:
    """Return the fields of an entry. Values that are too large for the entry come from its ZIP64 extra record."""
    at, found = 0, list(fields)
    while at + 4 <= len(extra):
        kind, length = int.from_bytes(extra[at : at + 2], "little"), int.from_bytes(extra[at + 2 : at + 4], "little")
        at += 4
        if kind == 1:
            values = [value for (value,) in _LONG.iter_unpack(extra[at : at + length - length % _LONG.size])]
            for index, field in enumerate(found):
                if field == _FULL_32 and values:
                    found[index] = values.pop(0)
            return found
        at += length
    return found


def _refuse_bad_entries(entries: list[_Entry], end: int) -> None:
    """Raise an error for entries that declare too much or share bytes.

    If entries shared bytes, a small archive could inflate the same bytes many times.
    """
    total = 0
    for entry in entries:
        total += entry.size
        if entry.size > MAX_PART:
            raise make_limit_error(f"a part of more than {MAX_PART // 1_000_000} MB")
        if entry.size > RATIO_FROM and entry.size > MAX_RATIO * entry.packed:
            raise make_limit_error("a part with a compression ratio that is too high")
    if total > MAX_INFLATED:
        raise make_limit_error(f"more than {MAX_INFLATED // 1_000_000} MB in its parts")
    at = 0
    for entry in sorted(entries, key=lambda entry: entry.offset):
        if entry.offset < at:
            raise make_corrupt_error("parts of the archive overlap")
        at = entry.least_end
    if at > end:
        raise make_corrupt_error("the archive ends too early")


def _split_chunks(packed: memoryview, size: int) -> Iterator[bytes]:
    for at in range(0, len(packed), max(size, 1)):
        yield bytes(packed[at : at + size])


def _inflate_pieces(packed: memoryview, size: int) -> Iterator[bytes]:
    """Yield chunks of inflated bytes. Inflates up to one byte more than declared, which reveals a false declaration."""
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    step = size + 1
    slices = _split_chunks(packed, CHUNK)  # zlib copies the rest of the input for each chunk, so the input is split
    rest = b""
    try:
        while not inflater.eof:
            rest = rest or next(slices, b"")
            is_end = not rest
            piece = inflater.decompress(rest, step)
            rest = inflater.unconsumed_tail
            if piece:
                yield piece
            elif is_end:
                return  # the data is truncated
    except zlib.error as exc:
        raise make_corrupt_error("a part of the archive is damaged") from exc


def _normalise_name(name: str) -> str:
    return name.replace("\\", "/").lstrip("/")


def _make_key(name: str) -> str:
    return _normalise_name(name).casefold()
