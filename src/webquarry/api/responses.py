"""Sending responses and errors as ASGI messages. Header names are bytes; constant headers are built once."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import orjson

from webquarry.core.errors import ServiceError

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Headers = list[tuple[bytes, bytes]]

JSON = (b"content-type", b"application/json")
PLAIN_MARKDOWN = (b"content-type", b"text/markdown; charset=utf-8")


PRIVATE = (b"cache-control", b"private, no-store")
"""Header that forbids shared caches to store a response, because it belongs to one key."""
VARY = (b"vary", b"Accept, Accept-Encoding")
NO_SNIFF = ("x-content-type-options", "nosniff")
"""Header that prevents browsers from guessing content types. The server adds it to every response."""
WHOLE = "webquarry.whole"
"""ASGI extension of this server that sends status, headers and body together.

It returns False if the response must instead be sent as separate messages.
"""


async def send(scope: Mapping[str, Any], status: int, headers: Headers, body: bytes, to: Send) -> None:
    """Send a complete response. Adds its length and the common headers to `headers`."""
    headers += (PRIVATE, VARY, (b"content-length", b"%d" % len(body)))
    whole = scope.get("extensions", {}).get(WHOLE)
    if whole is not None and whole(status, headers, body):
        return
    await to({"type": "http.response.start", "status": status, "headers": headers})
    await to({"type": "http.response.body", "body": body})


async def send_stream(
    status: int, headers: Headers, first: bytes, rest: AsyncGenerator[bytes, None], receive: Receive, to: Send
) -> None:
    """Send a response of unknown length. Stop when the caller has disconnected.

    A `ServiceError` that occurs meanwhile ends the response with a line that contains the error, because the status was
    already sent.
    """
    gone = asyncio.ensure_future(_until_gone(receive))
    try:
        await to({"type": "http.response.start", "status": status, "headers": [*headers, PRIVATE, VARY]})
        await to({"type": "http.response.body", "body": first, "more_body": True})
        while (piece := await _next(rest, gone)) is not None:
            await to({"type": "http.response.body", "body": piece, "more_body": True})
    except ServiceError as error:
        await to({"type": "http.response.body", "body": error_body(error) + b"\n", "more_body": True})
    finally:
        gone.cancel()
        await rest.aclose()
    await to({"type": "http.response.body", "body": b""})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _next(pieces: AsyncGenerator[bytes, None], gone: "asyncio.Future[None]") -> bytes | None:
    """Return the next piece, or None at the end or when the caller has disconnected."""
    piece = asyncio.ensure_future(anext(pieces, None))
    awaited: set[asyncio.Future[Any]] = {piece, gone}
    await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
    if not piece.done():
        piece.cancel()
        await asyncio.wait({piece})
        return None
    return piece.result()


def error_body(error: ServiceError) -> bytes:
    """Return an error's body, which is exactly `{"error", "code"}` (SPEC 2.2)."""
    return orjson.dumps({"error": error.message, "code": error.code})


def encode_headers(error: ServiceError) -> Headers:
    """Return an error's own header fields, such as Retry-After, in ASGI form."""
    return [(name.lower().encode(), value.encode()) for name, value in error.headers().items()]


def error_headers(error: ServiceError, help_url: str) -> Headers:
    """Return all header fields of an error response, including a link to the error's documentation."""
    return [JSON, *encode_headers(error), (b"link", f'<{help_url}#{error.code}>; rel="help"'.encode())]
