"""The objects of a Numbers document: parts named `.iwa`, which contain compressed frames with messages.

A frame is a zero byte, a length in three bytes, and raw Snappy data of this length. A part's frames together contain a
sequence of objects. Each object consists of the length of the message `ArchiveInfo`, this message (field 1: identifier,
field 2: its messages with 1: type and 3: length), and the messages themselves.
"""

from collections.abc import Iterator

from cramjam import DecompressionError, snappy

from webquarry_convert.file.archive import Archive
from webquarry_convert.file.document import make_corrupt_error, make_encrypted_error, make_limit_error
from webquarry_convert.file.limits import MAX_INFLATED
from webquarry_convert.file.sheets.numbers.wire import Message, read_varint

MAX_FRAME = 1_048_576
"""Maximum size of an inflated frame, in bytes. Numbers writes 65,536."""
MAX_TIMES, MAX_AGAIN = 4, 4_000_000
"""Limits on reading objects: a multiple of their total size, and a number of bytes. Several tables may share a list."""
_FRAME_HEADER = 4
_VERIFIER = ".iwpv2"
"""Name of the part that only password-protected documents contain."""
_NEVER_TABLES = ("DocumentStylesheet", "ViewState", "Metadata", "AnnotationAuthorStorage", "OperationStorage")
"""Prefixes of the names of parts without table objects. The part with the last prefix is not stored in frames."""


def _find_index(archive: Archive) -> Archive:
    """Return the archive that contains the objects. It may be inside the document's archive."""
    inner = next((name for name in archive.names if name.rpartition("/")[2] == "Index.zip"), None)
    return archive if inner is None else Archive(archive.read(inner) or b"")


class Objects:
    """All objects that a table may refer to, by identifier."""

    def __init__(self, archive: Archive) -> None:
        if any(name.endswith(_VERIFIER) for name in archive.names):
            raise make_encrypted_error()
        self._bodies: dict[int, tuple[int, bytes]] = {}
        self._left = MAX_INFLATED
        self._again = MAX_AGAIN
        archive = _find_index(archive)
        for name in archive.names:
            if name.endswith(".iwa") and not name.rpartition("/")[2].startswith(_NEVER_TABLES):
                self._add(b"".join(self._inflate(archive.read(name) or b"")))
        self._again += MAX_TIMES * sum(len(body) for _, body in self._bodies.values())

    def kind(self, identifier: int) -> int:
        """Return an object's type, or 0 if the object is missing."""
        return self._bodies.get(identifier, (0, b""))[0]

    def get(self, identifier: int) -> Message:
        """Return the object, or an empty message if it is missing."""
        body = self._bodies.get(identifier, (0, b""))[1]
        self._again -= len(body)
        if self._again < 0:
            raise make_limit_error("lists that are used too often")
        return Message(body)

    def _inflate(self, part: bytes) -> Iterator[bytes]:
        at = 0
        while at < len(part):
            length = int.from_bytes(part[at + 1 : at + _FRAME_HEADER], "little")
            frame = part[at + _FRAME_HEADER : at + _FRAME_HEADER + length]
            if part[at] != 0 or len(frame) != length or not length:
                raise make_corrupt_error("a part has an unknown compression")
            size, _ = read_varint(frame, 0)
            self._left -= size
            if size > MAX_FRAME or self._left < 0:
                raise make_limit_error("its decompressed parts")
            try:
                yield bytes(snappy.decompress_raw(frame))
            except DecompressionError as exc:
                raise make_corrupt_error("a part has an unknown compression") from exc
            at += _FRAME_HEADER + length

    def _add(self, body: bytes) -> None:
        at = 0
        while at < len(body):
            length, at = read_varint(body, at)
            about = Message(body[at : at + length])
            at += length
            for index, message in enumerate(about.messages(2)):
                size = message.number(3)
                if at + size > len(body):
                    raise make_corrupt_error("an object ends too early")
                if index == 0:
                    self._bodies[about.number(1)] = message.number(1), body[at : at + size]
                at += size
