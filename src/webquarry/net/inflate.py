"""Content codings, undone while a body streams in.

A chain of stages ends in a `Body`. Each stage hands on about `STEP_BYTES` at a time, so that a bomb costs the
memory of its limit and not of its size: the body raises `Full`, and the stages stop where they are.
"""

import zlib
from collections.abc import Sequence
from typing import Protocol

import brotli  # type: ignore[import-untyped]  # ships no types
import zstandard

ACCEPT_ENCODING = "gzip, deflate, br, zstd"
STEP_BYTES = 64 * 1024
MAX_STACKED = 2
_ZSTD_WINDOW_BYTES = 8 * 1024 * 1024  # what RFC 9659 allows on the web


class Full(Exception):
    """The body has reached its limit and more was to come."""


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
        self._limit = limit
        self._held = bytearray()

    def write(self, data: bytes) -> None:
        room = self._limit - len(self._held)
        if len(data) > room:
            self._held += data[:room]
            raise Full
        self._held += data

    def end(self) -> None:
        pass

    def take(self) -> bytes:
        """The bytes; the body is empty afterwards, so that they are not held twice for long."""
        taken, self._held = bytes(self._held), bytearray()
        return taken


def inflater(codings: Sequence[str], body: Body) -> Stage:
    """The first stage of the chain that undoes `codings` (in the order of Content-Encoding) into `body`."""
    named = [coding for coding in (c.strip().lower() for c in codings) if coding not in ("", "identity")]
    if len(named) > MAX_STACKED:
        raise UnknownCoding(", ".join(named))
    stage: Stage = body
    for coding in named:
        stage = _undo(coding, stage)
    return stage


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

    def write(self, data: bytes) -> None:
        while data:
            if self._member.ended:
                if data[0] != self._MAGIC:
                    return
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
