"""HTTP/1 messages on a stream, read strictly: what two readers could understand differently is refused.

Heads are texts of Latin-1. Bodies come in pieces, so that no message has to fit into memory.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Literal

MAX_HEAD_BYTES = 64 * 1024
MAX_FIELDS = 256
MAX_INTERIM = 16
"""Interim answers (1xx) before the one that was asked for."""
FRAMING_ALLOWED_BYTES = 64 * 1024
"""What a message may hold beside its body whatever its size: heads, chunk sizes, trailers."""
PIECE_BYTES = 64 * 1024
_CHUNKS_AT_ONCE = 32

Fields = Sequence[tuple[str, str]]
"""Header fields in their order, names as they were spelled."""
Framing = int | Literal["chunked", "close"]
"""How a body ends: after so many bytes, by its last chunk, or with the connection."""

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105  # of RFC 9110, nothing secret
_REQUEST_LINE = re.compile(rf"({_TOKEN}) ([!-~]+) HTTP/1\.([01])")
_STATUS_LINE = re.compile(r"HTTP/1\.([01]) ([1-9][0-9]{2})(?: ([\t\x20-\x7e\x80-\xff]*))?")
_FIELD = re.compile(rf"({_TOKEN}):[ \t]*+([\t\x20-\x7e\x80-\xff]*)")
_LENGTH = re.compile(r"[0-9]{1,15}")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]{0,1024})?\r\n")
_OF_ONE_HOP = frozenset({"connection", "content-length", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"})


class Malformed(Exception):
    """Not HTTP as we read it. status: what a server answers to it."""

    def __init__(self, fault: str, status: int = 400) -> None:
        super().__init__(fault)
        self.status = status


@dataclass(frozen=True, slots=True)
class _Head:
    fields: Fields
    minor: int
    """Of the version: HTTP/1.0 or HTTP/1.1."""

    def values(self, name: str) -> list[str]:
        """Values of all fields of this (lower-case) name."""
        return [value for known, value in self.fields if known.lower() == name]

    def options(self) -> frozenset[str]:
        """What `Connection` lists, lower case."""
        return frozenset(part.strip().lower() for value in self.values("connection") for part in value.split(","))

    @property
    def is_last(self) -> bool:
        """Whether the sender closes the connection after this message."""
        options = self.options()
        return "close" in options or (self.minor == 0 and "keep-alive" not in options)

    def end_to_end(self) -> list[tuple[str, str]]:
        """The fields that are meant for the other end; none that describe connection, framing or proxies."""
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
    """A head with its blank line. begun: what has been read of it.

    Malformed (431) when it is too long; IncompleteReadError when the stream ends before it does.
    """
    try:
        return (begun + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.LimitOverrunError as exc:
        raise Malformed("head too long", 431) from exc


def parse_request(text: str) -> RequestHead:
    """Malformed when the head is no request, or its body's end is not certain."""
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
    """Malformed when the head is no answer."""
    line, fields = _split(text)
    found = _STATUS_LINE.fullmatch(line)
    if found is None:
        raise Malformed("no status line")
    return AnswerHead(fields, int(found[1]), int(found[2]), found[3] or "")


def answer_framing(method: str, head: AnswerHead) -> Framing:
    """How the body of an answer to `method` ends. Malformed when that is not certain."""
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
        raise Malformed("lengths that differ")
    return _length(lengths.pop())


def head_bytes(first: str, fields: Fields) -> bytes:
    """A head as it is sent."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return f"{first}\r\n{lines}\r\n".encode("latin-1")


def is_mostly_framing(framing_bytes: int, body_bytes: int) -> bool:
    """Whether there is more around a body than an honest sender needs: chunks of twenty bytes pass, longer bodies in
    shorter ones, and heads or trailers without end, do not. They cost us by their number, not by their size."""
    return framing_bytes > FRAMING_ALLOWED_BYTES + body_bytes // 4


async def pieces(reader: asyncio.StreamReader, framing: Framing) -> AsyncGenerator[bytes, None]:
    """The body, its framing undone. IncompleteReadError when the stream ends before it, Malformed for bad chunks, and
    for more framing than the body is good for."""
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
    """A piece as it is sent under `framing`."""
    return b"%x\r\n%b\r\n" % (len(piece), piece) if framing == "chunked" else piece


def end_frames(framing: Framing) -> bytes:
    return b"0\r\n\r\n" if framing == "chunked" else b""


def write_framing_fields(framing: Framing) -> list[tuple[str, str]]:
    """The fields that announce `framing`."""
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
        raise Malformed("not a field")  # bare CR or LF, folded lines and spaces before the colon included
    return first, fields


def _request_framing(head: _Head) -> Framing:
    lengths, codings = head.values("content-length"), head.values("transfer-encoding")
    if codings:
        if lengths or head.minor == 0 or [coding.lower() for coding in codings] != ["chunked"]:
            raise Malformed("framing that is not certain")
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
            await asyncio.sleep(0)  # what lies in the reader's buffer is read without a wait: others have their turn
        if not size:
            await _skip_trailers(reader)
            return
        async for piece in _count_bytes(reader, size):
            yield piece
        body_bytes += size
        if await reader.readexactly(2) != b"\r\n":
            raise Malformed("chunk longer than it says")


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
