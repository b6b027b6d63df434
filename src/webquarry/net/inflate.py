"""Content codings, undone while a body streams in.

A chain of stages ends in a `Body`. Each stage hands on about `STEP_BYTES` at a time, so that a bomb costs the
memory of its limit and not of its size: the body raises `Full`, and the stages stop where they are. What comes out of
each stage is held against what came over the wire, so that a bomb is known long before the limit: by then it has
touched little of the decoder's window, and a coding within a coding has made little work that leaves no trace.
"""

import zlib
from collections.abc import Sequence
from typing import Protocol

import brotli  # type: ignore[import-untyped]  # ships no types
import zstandard

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
STEP_BYTES = 64 * 1024
MAX_STACKED = 2
FREE_BYTES = 2 * 1024 * 1024
"""What a stage may give whatever the wire brought."""
MAX_RATIO = 200
"""Beyond that: so many bytes for each of the wire. Long tables that count to a million reach 60 in gzip and 150 in
brotli; zeros reach 229 in the fastest gzip, 1,000 in the best, 5,000 in brotli and Zstandard."""
_SLICE_BYTES = 4 * 1024
_MAX_MEMBERS = 10_000  # of gzip: an empty one has 20 bytes, and each costs a decoder
_ZSTD_WINDOW_BYTES = 8 * 1024 * 1024  # what RFC 9659 allows on the web


class Full(Exception):
    """The body has reached its limit and more was to come."""


class Bomb(Full):
    """More came out than `MAX_RATIO` allows."""


class Corrupt(Exception):
    """The bytes are not of the coding that the answer names, or end before it does."""


class UnknownCoding(Exception):
    """A coding that is not undone here, or too many of them."""


class Stage(Protocol):
    def write(self, data: bytes) -> None:
        """Take the next bytes. Full, Corrupt."""
        ...

    def end(self) -> None:
        """Say that there are no more. Corrupt when there should be."""
        ...


class Body:
    """Where the inflated bytes end up: at most `limit`."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._parts: list[bytes] = []
        self._open = bytearray()
        """What has come behind the parts: what comes by the byte would take fifty times as much."""

    def write(self, data: bytes) -> None:
        room = self.limit - self.size
        self._open += data if len(data) <= room else data[:room]
        self.size += min(len(data), room)
        if len(self._open) >= STEP_BYTES:
            self._parts.append(bytes(self._open))
            self._open.clear()
        if len(data) > room:
            raise Full

    def end(self) -> None:
        pass

    def take(self) -> bytes:
        """The bytes; the body is empty afterwards, so that they are not held twice for long."""
        taken = b"".join((*self._parts, self._open))
        self._parts.clear()
        self._open.clear()
        return taken


def inflater(codings: Sequence[str], body: Body) -> Stage:
    """The first stage of the chain that undoes `codings` (in the order of Content-Encoding) into `body`."""
    named = [coding for coding in (c.strip().lower() for c in codings) if coding not in ("", "identity")]
    if len(named) > MAX_STACKED:
        raise UnknownCoding(", ".join(named))
    if not named:
        return body
    wire = _Wire()
    stage: Stage = body
    for coding in named:
        stage = _undo(coding, _Measured(stage, wire, max(body.limit, FREE_BYTES)))
    wire.first = stage
    return wire


class _Wire:
    """What came in so far, handed on in slices: what is still to come says nothing about what has come out."""

    first: Stage

    def __init__(self) -> None:
        self.seen_bytes = 0

    def write(self, data: bytes) -> None:
        for start in range(0, len(data), _SLICE_BYTES):
            part = data[start : start + _SLICE_BYTES]
            self.seen_bytes += len(part)
            self.first.write(part)

    def end(self) -> None:
        self.first.end()


class _Measured:
    """Between a coding and what takes its output. most_bytes: for what is itself compressed, the body has its own."""

    def __init__(self, sink: Stage, wire: _Wire, most_bytes: int) -> None:
        self._sink = sink
        self._wire = wire
        self._most_bytes = most_bytes
        self._given_bytes = 0

    def write(self, data: bytes) -> None:
        self._given_bytes += len(data)
        if self._given_bytes > max(FREE_BYTES, MAX_RATIO * self._wire.seen_bytes):
            raise Bomb
        self._sink.write(data)  # a body takes what fits before it is full
        if self._given_bytes > self._most_bytes:
            raise Full

    def end(self) -> None:
        self._sink.end()


def _undo(coding: str, sink: Stage) -> Stage:
    match coding:
        case "gzip" | "x-gzip":
            return _Gzip(sink)
        case "deflate":
            return _Deflate(sink)
        case "br":
            return _Brotli(sink)
        case "zstd":
            return _Zstd(sink)
    raise UnknownCoding(coding)


class _Zlib:
    """One zlib stream of the given window form."""

    def __init__(self, sink: Stage, wbits: int) -> None:
        self._sink = sink
        self._stream = zlib.decompressobj(wbits)
        self._begun = False

    @property
    def ended(self) -> bool:
        return self._stream.eof

    def write(self, data: bytes) -> None:
        self.write_some(data)

    def write_some(self, data: bytes) -> bytes:
        """Take bytes up to the end of the stream; what lies behind it is given back."""
        self._begun = self._begun or bool(data)
        while not self._stream.eof:
            try:
                piece = self._stream.decompress(data, STEP_BYTES)
            except zlib.error as exc:
                raise Corrupt from exc
            self._sink.write(piece)
            data = self._stream.unconsumed_tail
            # a full step may have left output inside the stream although all input is used
            if not data and len(piece) < STEP_BYTES:
                break
        return self._stream.unused_data

    def end(self) -> None:
        if self._begun and not self._stream.eof:
            raise Corrupt
        self._sink.end()


class _Gzip:
    """One or more gzip members. Padding behind the last one is ignored, as browsers do."""

    _MAGIC = 0x1F

    def __init__(self, sink: Stage) -> None:
        self._sink = sink
        self._member = _Zlib(sink, zlib.MAX_WBITS | 16)
        self._members = 1

    def write(self, data: bytes) -> None:
        while data:
            if self._member.ended:
                if data[0] != self._MAGIC:
                    return
                self._members += 1
                if self._members > _MAX_MEMBERS:
                    raise Bomb
                self._member = _Zlib(self._sink, zlib.MAX_WBITS | 16)
            data = self._member.write_some(data)

    def end(self) -> None:
        self._member.end()


class _Deflate:
    """A zlib stream, or the bare deflate stream that some servers send under the same name."""

    def __init__(self, sink: Stage) -> None:
        self._sink = sink
        self._head = b""
        self._stream: _Zlib | None = None

    def write(self, data: bytes) -> None:
        if self._stream is None:
            self._head += data
            if len(self._head) < 2:
                return
            is_zlib = self._head[0] & 0x0F == 8 and int.from_bytes(self._head[:2]) % 31 == 0
            self._stream = _Zlib(self._sink, zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS)
            data, self._head = self._head, b""
        self._stream.write(data)

    def end(self) -> None:
        if self._stream is not None:
            self._stream.end()
        elif self._head:
            raise Corrupt
        else:
            self._sink.end()


class _Brotli:
    def __init__(self, sink: Stage) -> None:
        self._sink = sink
        self._stream = brotli.Decompressor()
        self._begun = False

    def write(self, data: bytes) -> None:
        if not data or self._stream.is_finished():
            return
        self._begun = True
        try:
            piece = self._stream.process(data, output_buffer_limit=STEP_BYTES)
            # can_accept_more_data() speaks of input only: output may still wait inside
            while piece:
                self._sink.write(piece)
                piece = self._stream.process(b"", output_buffer_limit=STEP_BYTES)
        except brotli.error as exc:
            raise Corrupt from exc

    def end(self) -> None:
        if self._begun and not self._stream.is_finished():
            raise Corrupt
        self._sink.end()


class _Zstd:
    """Frames of Zstandard. The library does not tell whether the last one is whole; the transfer's framing does."""

    def __init__(self, sink: Stage) -> None:
        self._sink = sink
        self._stream = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES).stream_writer(
            sink,  # type: ignore[arg-type]  # of a file it uses `write` only
            write_size=STEP_BYTES,
            closefd=False,
        )

    def write(self, data: bytes) -> None:
        try:
            self._stream.write(data)
        except zstandard.ZstdError as exc:
            raise Corrupt from exc

    def end(self) -> None:
        self._sink.end()
