"""The file of a request: a multipart body with one part, `file`, read as it arrives.

What is too large is read on for a moment and thrown away, so that the caller, who sends before it reads, sees the
answer.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from typing import Any

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from webquarry.errors import FileTooLarge, InvalidParams, Overloaded
from webquarry.types import File

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

PART = "file"
WITHIN_S = 60.0
"""How long a file may take to arrive."""
MAX_AT_ONCE = 32
"""Files on their way into memory."""
MAX_DISCARDED = 32 * 1024 * 1024
DISCARD_WITHIN_S = 5.0
MAX_FRAMING = 16 * 1024
"""Bytes of a body beside its file: boundaries and the part's own head."""
MAX_NAME = 255
_WANTED = f"Send multipart/form-data with one part named '{PART}'"


class Uploads:
    """Receives files, so many at once and no more."""

    def __init__(self) -> None:
        self._open = 0

    async def receive(self, headers: Sequence[tuple[bytes, bytes]], receive: Receive, max_bytes: int) -> File:
        """The file of a request whose body is yet to be read.

        InvalidParams: no multipart body, no part `file`, a second one, or another one beside it; it did not arrive in
        time, or not whole. FileTooLarge: beyond max_bytes. Overloaded: too many files are on their way.
        """
        if self._open >= MAX_AT_ONCE:
            raise Overloaded("Too many files are on their way: try again shortly.")
        form = _Form(_boundary(headers), max_bytes)
        self._open += 1
        try:
            async with asyncio.timeout(WITHIN_S):
                await _feed(form, receive)
        except TimeoutError as exc:
            raise InvalidParams(f"The file did not arrive within {WITHIN_S:.0f} seconds.") from exc
        finally:
            self._open -= 1
        return form.file()


async def _feed(form: "_Form", receive: Receive) -> None:
    """Take the body until it ends, or until there is nothing more to learn from it."""
    async for chunk in _chunks(receive):
        try:
            form.take(chunk)
        except FileTooLarge:
            form.drop()
            await _discard(receive)
            raise


async def _chunks(receive: Receive) -> Any:
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise InvalidParams("The connection was closed before the file had arrived.")
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


async def _discard(receive: Receive) -> None:
    """Read on without keeping anything, for a while."""
    until = time.monotonic() + DISCARD_WITHIN_S
    left = MAX_DISCARDED
    try:
        async with asyncio.timeout(DISCARD_WITHIN_S):
            async for chunk in _chunks(receive):
                left -= len(chunk)
                if left <= 0 or time.monotonic() > until:
                    return
    except (TimeoutError, InvalidParams):
        return


class _Form:
    """A multipart body that may hold one part."""

    def __init__(self, boundary: bytes, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._chunks: list[bytes] = []
        self._size = self._framing = 0
        self._parts = 0
        self._is_whole = False
        self._field = self._value = b""
        self._disposition: Mapping[bytes, bytes] = {}
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_part_data": self._data,
                "on_header_begin": self._header,
                "on_header_field": self._header_field,
                "on_header_value": self._header_value,
                "on_header_end": self._header_end,
                "on_headers_finished": self._judge,
                "on_end": self._end,
            },
        )

    def take(self, chunk: bytes) -> None:
        before = self._size
        try:
            self._parser.write(chunk)
        except MultipartParseError as exc:
            raise InvalidParams(f"The multipart body is malformed. {_WANTED}.") from exc
        self._framing += len(chunk) - (self._size - before)
        if self._framing > MAX_FRAMING:
            raise InvalidParams(f"The multipart body holds more than its file. {_WANTED}.")

    def drop(self) -> None:
        """Let go of what has arrived."""
        self._chunks = []

    def file(self) -> File:
        if not self._is_whole:
            raise InvalidParams(f"The multipart body ends too early, or holds no part. {_WANTED}.")
        name = self._disposition.get(b"filename", b"").decode("utf-8", "replace")
        return File(name.replace("\\", "/").rpartition("/")[2][-MAX_NAME:], b"".join(self._chunks))

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > 1:
            raise InvalidParams(f"The multipart body has a second part. {_WANTED}.")

    def _data(self, data: bytes, start: int, end: int) -> None:
        self._size += end - start
        if self._size > self._max_bytes:
            raise FileTooLarge(f"The file is larger than {self._max_bytes:,} bytes.")
        self._chunks.append(data[start:end])

    def _header(self) -> None:
        self._field = self._value = b""

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        if self._field.lower() == b"content-disposition":
            kind, self._disposition = parse_options_header(self._value)
            if kind != b"form-data":
                self._disposition = {}

    def _judge(self) -> None:
        if self._disposition.get(b"name") != PART.encode():
            raise InvalidParams(f"The multipart body has a part that is not known. {_WANTED}.")

    def _end(self) -> None:
        self._is_whole = self._parts == 1


def _boundary(headers: Sequence[tuple[bytes, bytes]]) -> bytes:
    """The boundary that the request's one Content-Type names."""
    types = [value for name, value in headers if name == b"content-type"]
    kind, options = parse_options_header(types[0]) if len(types) == 1 else (b"", {})
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 0 < len(boundary) <= 70:
        raise InvalidParams(f"The request has no multipart body. {_WANTED}.")
    return boundary
