"""Client connections of aiohttp, with limits that aiohttp lacks.

aiohttp accepts any number of interim responses (1xx), responses without a request, and chunks of one byte each. A
flooding host could keep the event loop busy until the request's deadline.
"""

import asyncio
from typing import Any, Final

from aiohttp import ClientPayloadError
from aiohttp.client_proto import ResponseHandler
from aiohttp.http import HttpProcessingError, RawResponseMessage
from aiohttp.streams import StreamReader

from webquarry.net.message import MAX_INTERIM, is_mostly_framing

PIECE_BYTES: Final = 8 * 1024
"""Number of bytes to parse between two checks of the limits. An interim response may be as short as 25 bytes."""


class BoundedHandler(ResponseHandler):
    """Accepts one response per request, with at most MAX_INTERIM interim responses and little framing around its body.

    Breaking a limit closes the connection. A caller waiting for the response gets an error which states that the
    response is not HTTP. A caller reading the body gets an error which states that the connection was closed early.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self._rest = b""  # data that arrived faster than the body was read
        self._begin()

    def _begin(self) -> None:
        self._interim = self._final = 0
        self._bytes = 0
        self._refused = False

    def set_response_params(self, **params: Any) -> None:
        self._begin()
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        """Parse `data` in small parts, as aiohttp does, unless a limit was broken.

        Empty `data` means that the reader has caught up.
        """
        if not data:
            super().data_received(data)
        rest, self._rest = self._rest + data, b""
        for start in range(0, len(rest), PIECE_BYTES):
            if self._refused:
                return
            if self._reading_paused:
                self._rest = rest[start:]
                return
            self._parse(rest[start : start + PIECE_BYTES])

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._rest and not self._refused:
            self._parse(self._rest)
        self._rest = b""
        super().connection_lost(exc)

    def feed_data(self, data: tuple[RawResponseMessage, StreamReader], size: int = 0) -> None:
        """Queue the head of a response for the caller that is waiting for it."""
        if self._refused:
            return
        if 100 <= data[0].code < 200 and data[0].code != 101:
            self._interim += 1
        else:
            self._final += 1
        if self._interim > MAX_INTERIM or self._final > 1:
            self._refuse("more responses than requests")
        else:
            super().feed_data(data, size)

    def _parse(self, piece: bytes) -> None:
        super().data_received(piece)
        self._bytes += len(piece)
        if self._refused or self._upgraded:
            return
        content_bytes = 0 if self._payload is None else self._payload.total_bytes
        if is_mostly_framing(self._bytes - content_bytes, content_bytes):
            self._refuse("more framing than body")

    def _refuse(self, fault: str) -> None:
        self._refused = True
        if self._payload is not None:
            self._payload.set_exception(ClientPayloadError(fault))
        self.set_exception(HttpProcessingError(message=fault))
        if self.transport is not None:
            self.transport.abort()
