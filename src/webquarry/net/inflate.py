"""Decoders for content codings, applied while a body streams in.

A chain of stages ends in a `Body`. Each stage passes on about `STEP_BYTES` at a time, so that a decompression bomb uses
only as much memory as the limit allows: the body raises `Full`, and the stages stop. The output of each stage is
compared with the bytes received, so that a bomb is detected long before the limit, when it has used little of the
decoder's window. This also catches nested codings that create much work and little output.
"""

import zlib
from collections.abc import Sequence
from typing import Protocol

import brotli  # type: ignore[import-untyped]  # brotli has no types
import zstandard

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
STEP_BYTES = 64 * 1024
MAX_STACKED = 2
FREE_BYTES = 2 * 1024 * 1024
"""Bytes that a stage may produce regardless of the input's size."""
MAX_RATIO = 200
"""Maximum ratio of output to received bytes beyond `FREE_BYTES`.

Long tables that count to a million reach a ratio of 60 with gzip and 150 with brotli. Zeros reach 229 with the fastest
gzip, 1,000 with the best, and 5,000 with brotli and Zstandard.
"""
_SLICE_BYTES = 4 * 1024
_MAX_MEMBERS = 10_000  # maximum members of a gzip file; an empty member has only 20 bytes, and each needs a decoder
_ZSTD_WINDOW_BYTES = 8 * 1024 * 1024  # maximum on the web, according to RFC 9659


class Full(Exception):
    """The body has reached its limit, and more data would follow."""


class Bomb(Full):
    """The output exceeds `MAX_RATIO`."""


class Corrupt(Exception):
    """The data is not in the coding that the response names, or it ends too early."""


class UnknownCoding(Exception):
    """A coding is not supported, or there are too many codings."""


class Stage(Protocol):
    def write(self, data: bytes) -> None:
        """Process the next bytes. Raises Full or Corrupt."""
        ...

    def end(self) -> None:
        """Signal the end of the data. Raises Corrupt if more was expected."""
        ...


class Body:
    """Sink for the decoded bytes, at most `limit`."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._parts: list[bytes] = []
        self._open = bytearray()
        """Bytes received after `_parts`. Storing single bytes in a list would take 50 times as much memory."""

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
        """Return the bytes and empty the body, so that it does not hold a second copy."""
        taken = b"".join((*self._parts, self._open))
        self._parts.clear()
        self._open.clear()
        return taken


def inflater(codings: Sequence[str], body: Body) -> Stage:
    """Return the first stage of a chain that decodes `codings` (in the order of Content-Encoding) into `body`."""
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
    """Counts the received bytes and passes them on in slices, so that only processed bytes count towards the ratio."""

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
    """Checks the output of a coding before the next stage gets it.

    `most_bytes` limits output that is itself compressed. The body has a separate limit.
    """

    def __init__(self, sink: Stage, wire: _Wire, most_bytes: int) -> None:
        self._sink = sink
        self._wire = wire
        self._most_bytes = most_bytes
        self._given_bytes = 0

    def write(self, data: bytes) -> None:
        self._given_bytes += len(data)
        if self._given_bytes > max(FREE_BYTES, MAX_RATIO * self._wire.seen_bytes):
            raise Bomb
        self._sink.write(data)  # a body stores what fits before it raises Full
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
    """A zlib stream with the given window format."""

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
        """Decode bytes up to the end of the stream. Return the bytes after it."""
        self._begun = self._begun or bool(data)
        while not self._stream.eof:
            try:
                piece = self._stream.decompress(data, STEP_BYTES)
            except zlib.error as exc:
                raise Corrupt from exc
            self._sink.write(piece)
            data = self._stream.unconsumed_tail
            # After a full step, the stream may still contain output even if all input is consumed.
            if not data and len(piece) < STEP_BYTES:
                break
        return self._stream.unused_data

    def end(self) -> None:
        if self._begun and not self._stream.eof:
            raise Corrupt
        self._sink.end()


class _Gzip:
    """One or more gzip members. As in browsers, padding after the last member is ignored."""

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
    """A zlib stream, or the raw deflate stream that some servers send under the same name."""

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
            # can_accept_more_data() only considers input; output may still be pending
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
    """Zstandard frames.

    The library does not report whether the last frame is complete; the framing of the transfer does.
    """

    def __init__(self, sink: Stage) -> None:
        self._sink = sink
        self._stream = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES).stream_writer(
            sink,  # type: ignore[arg-type]  # the library only uses its `write`
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
