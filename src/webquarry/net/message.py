"""Strict parser for HTTP/1 messages on a stream. The parser refuses input that two parsers could interpret differently.

Heads are Latin-1 text. Bodies are streamed, so that no message has to fit into memory.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Literal

MAX_HEAD_BYTES = 64 * 1024
MAX_FIELDS = 256
MAX_INTERIM = 16
"""Interim responses (1xx) allowed before the final one."""
FRAMING_ALLOWED_BYTES = 64 * 1024
"""Bytes of framing (heads, chunk sizes, trailers) that are allowed for a body of any size."""
PIECE_BYTES = 64 * 1024
_CHUNKS_AT_ONCE = 32

Fields = Sequence[tuple[str, str]]
"""Header fields in order, with their original spelling."""
Framing = int | Literal["chunked", "close"]
"""The way in which a body ends: after a number of bytes, with its last chunk, or when the connection closes."""

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105  # a token of RFC 9110, not a secret
_REQUEST_LINE = re.compile(rf"({_TOKEN}) ([!-~]+) HTTP/1\.([01])")
_STATUS_LINE = re.compile(r"HTTP/1\.([01]) ([1-9][0-9]{2})(?: ([\t\x20-\x7e\x80-\xff]*))?")
_FIELD = re.compile(rf"({_TOKEN}):[ \t]*+([\t\x20-\x7e\x80-\xff]*)")
_LENGTH = re.compile(r"[0-9]{1,15}")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]{0,1024})?\r\n")
_OF_ONE_HOP = frozenset({"connection", "content-length", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"})


class Malformed(Exception):
    """Input that this parser refuses as HTTP. `status` is the status of a server's response to such input."""

    def __init__(self, fault: str, status: int = 400) -> None:
        super().__init__(fault)
        self.status = status


@dataclass(frozen=True, slots=True)
class _Head:
    fields: Fields
    minor: int
    """The minor version: HTTP/1.0 or HTTP/1.1."""

    def values(self, name: str) -> list[str]:
        """Return the values of all fields with this lower-case name."""
        return [value for known, value in self.fields if known.lower() == name]

    def options(self) -> frozenset[str]:
        """Return the options listed in `Connection`, in lower case."""
        return frozenset(part.strip().lower() for value in self.values("connection") for part in value.split(","))

    @property
    def is_last(self) -> bool:
        """Whether the sender closes the connection after this message."""
        options = self.options()
        return "close" in options or (self.minor == 0 and "keep-alive" not in options)

    def end_to_end(self) -> list[tuple[str, str]]:
        """Return the fields meant for the final recipient, without fields about the connection, framing or proxies."""
        dropped = _OF_ONE_HOP | self.options()
        return [
            (name, value)
            for name, value in self.fields
            if name.lower() not in dropped and not name.lower().startswith("proxy-")
        ]


@dataclass(frozen=True, slots=True)
class RequestHead(_Head):
    method: str
    target: str
    framing: Framing


@dataclass(frozen=True, slots=True)
class AnswerHead(_Head):
    status: int
    reason: str


async def read_head(reader: asyncio.StreamReader, begun: bytes = b"") -> str:
    """Read a head including its blank line. `begun` is the part that was already read.

    Raises Malformed (431) if the head is too long, IncompleteReadError if the stream ends early.
    """
    try:
        return (begun + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.LimitOverrunError as exc:
        raise Malformed("head too long", 431) from exc


def parse_request(text: str) -> RequestHead:
    """Parse the head of a request. Raises Malformed if it is not a request, or if the end of its body is ambiguous."""
    line, fields = _split(text)
    found = _REQUEST_LINE.fullmatch(line)
    if found is None:
        raise Malformed("no request line", 505 if " HTTP/2" in line else 400)
    method, target, minor = found[1], found[2], int(found[3])
    bare = _Head(fields, minor)
    hosts = bare.values("host")
    if len(hosts) > 1 or (minor == 1 and not hosts):
        raise Malformed("not exactly one Host")
    return RequestHead(fields, minor, method, target, _request_framing(bare))


def parse_answer(text: str) -> AnswerHead:
    """Parse the head of a response. Raises Malformed if it is not a response."""
    line, fields = _split(text)
    found = _STATUS_LINE.fullmatch(line)
    if found is None:
        raise Malformed("no status line")
    return AnswerHead(fields, int(found[1]), int(found[2]), found[3] or "")


def answer_framing(method: str, head: AnswerHead) -> Framing:
    """Return how the body of a response to `method` ends. Raises Malformed if that is ambiguous."""
    if method == "HEAD" or head.status in (204, 304) or head.status < 200:
        return 0
    codings = head.values("transfer-encoding")
    if codings:
        if [coding.lower() for coding in codings] != ["chunked"]:
            raise Malformed("unknown transfer coding")
        return "chunked"
    lengths = {part.strip() for value in head.values("content-length") for part in value.split(",")}
    if not lengths:
        return "close"
    if len(lengths) > 1:
        raise Malformed("different lengths")
    return _length(lengths.pop())


def head_bytes(first: str, fields: Fields) -> bytes:
    """Encode a head for sending."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return f"{first}\r\n{lines}\r\n".encode("latin-1")


def is_mostly_framing(framing_bytes: int, body_bytes: int) -> bool:
    """Return whether a body has more framing than an honest sender needs.

    Small bodies in chunks of twenty bytes pass. Longer bodies in shorter chunks, and endless heads or trailers, do not
    pass, because their cost depends on the number of chunks or fields rather than their size.
    """
    return framing_bytes > FRAMING_ALLOWED_BYTES + body_bytes // 4


async def pieces(reader: asyncio.StreamReader, framing: Framing) -> AsyncGenerator[bytes, None]:
    """Yield the body without its framing.

    Raises IncompleteReadError if the stream ends early, Malformed for bad chunks or for too much framing.
    """
    if framing == "close":
        while piece := await reader.read(PIECE_BYTES):
            yield piece
    elif framing == "chunked":
        async for piece in _chunks(reader):
            yield piece
    else:
        async for piece in _count_bytes(reader, framing):
            yield piece


def frame(piece: bytes, framing: Framing) -> bytes:
    """Encode a part of a body for sending."""
    return b"%x\r\n%b\r\n" % (len(piece), piece) if framing == "chunked" else piece


def end_frames(framing: Framing) -> bytes:
    return b"0\r\n\r\n" if framing == "chunked" else b""


def write_framing_fields(framing: Framing) -> list[tuple[str, str]]:
    """Return the header fields that announce `framing`."""
    if framing == "chunked":
        return [("Transfer-Encoding", "chunked")]
    return [] if framing == "close" else [("Content-Length", str(framing))]


def _split(text: str) -> tuple[str, Fields]:
    if len(text) > MAX_HEAD_BYTES:
        raise Malformed("head too long", 431)
    first, *lines = text.removesuffix("\r\n\r\n").split("\r\n")
    if len(lines) > MAX_FIELDS:
        raise Malformed("too many fields", 431)
    found = [_FIELD.fullmatch(line) for line in lines]
    fields = [(field[1], field[2].rstrip(" \t")) for field in found if field is not None]
    if len(fields) < len(lines):
        raise Malformed("not a field")  # this also covers bare CR or LF, folded lines, and spaces before the colon
    return first, fields


def _request_framing(head: _Head) -> Framing:
    lengths, codings = head.values("content-length"), head.values("transfer-encoding")
    if codings:
        if lengths or head.minor == 0 or [coding.lower() for coding in codings] != ["chunked"]:
            raise Malformed("ambiguous framing")
        return "chunked"
    if len(lengths) > 1:
        raise Malformed("more than one length")
    return _length(lengths[0]) if lengths else 0


def _length(text: str) -> int:
    if _LENGTH.fullmatch(text) is None:
        raise Malformed("no length")
    return int(text)


async def _count_bytes(reader: asyncio.StreamReader, size: int) -> AsyncGenerator[bytes, None]:
    left = size
    while left:
        piece = await reader.read(min(left, PIECE_BYTES))
        if not piece:
            raise asyncio.IncompleteReadError(b"", left)
        left -= len(piece)
        yield piece


async def _chunks(reader: asyncio.StreamReader) -> AsyncGenerator[bytes, None]:
    framing_bytes = body_bytes = number = 0
    while True:
        line = await _line(reader)
        found = _CHUNK.fullmatch(line)
        if found is None:
            raise Malformed("no chunk size")
        size = int(found[1], 16)
        framing_bytes += len(line) + 2
        number += 1
        if is_mostly_framing(framing_bytes, body_bytes):
            raise Malformed("more framing than body")
        if number % _CHUNKS_AT_ONCE == 0:
            await asyncio.sleep(0)  # reading buffered data does not wait, so let other tasks run
        if not size:
            await _skip_trailers(reader)
            return
        async for piece in _count_bytes(reader, size):
            yield piece
        body_bytes += size
        if await reader.readexactly(2) != b"\r\n":
            raise Malformed("chunk longer than its declared size")


async def _skip_trailers(reader: asyncio.StreamReader) -> None:
    left = MAX_HEAD_BYTES
    for _ in range(MAX_FIELDS):
        line = await _line(reader)
        if line == b"\r\n":
            return
        left -= len(line)
        if left < 0:
            break
    raise Malformed("too many trailers")


async def _line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n")
    except asyncio.LimitOverrunError as exc:
        raise Malformed("line too long") from exc
