"""A streamed response always ends its source, however the response ends."""

import asyncio
from collections.abc import AsyncGenerator, MutableMapping
from typing import Any

import pytest

from webquarry.api.responses import send_stream
from webquarry.core.errors import Overloaded


class Source:
    """Pieces of a stream. `is_closed` is set when the source has ended."""

    def __init__(self, *, error: Exception | None = None, hangs: bool = False) -> None:
        self.is_closed = False
        self._error = error
        self._hangs = hangs

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        try:
            yield b"one\n"
            if self._error is not None:
                raise self._error
            if self._hangs:
                await asyncio.Event().wait()
        finally:
            self.is_closed = True


async def stay() -> MutableMapping[str, Any]:
    await asyncio.Event().wait()
    raise AssertionError


async def leave() -> MutableMapping[str, Any]:
    await asyncio.sleep(0.01)
    return {"type": "http.disconnect"}


async def test_pieces_are_sent_until_the_end() -> None:
    source, sent = Source(), list[MutableMapping[str, Any]]()

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    await send_stream(200, [], b"zero\n", source.pieces(), stay, send)
    assert [message.get("body") for message in sent[1:]] == [b"zero\n", b"one\n", b""]
    assert source.is_closed


async def test_an_error_during_a_stream_is_the_last_line() -> None:
    source, sent = Source(error=Overloaded(retry_after_s=1)), list[MutableMapping[str, Any]]()

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    await send_stream(200, [], b"", source.pieces(), stay, send)
    assert b'"code":"overloaded"' in sent[-2]["body"]
    assert source.is_closed


async def test_the_source_ends_when_the_client_disconnects() -> None:
    source = Source(hangs=True)

    async def send(_message: MutableMapping[str, Any]) -> None:
        """Send nothing."""

    async with asyncio.timeout(5):
        await send_stream(200, [], b"", source.pieces(), leave, send)
    assert source.is_closed


async def test_the_source_ends_when_sending_fails() -> None:
    source = Source()
    pieces = source.pieces()
    first = await anext(pieces)

    async def send(_message: MutableMapping[str, Any]) -> None:
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        await send_stream(200, [], first, pieces, stay, send)
    assert source.is_closed
