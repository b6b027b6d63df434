"""Sending responses and errors as ASGI messages. Header names are bytes; constant headers are built once."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import orjson

from webquarry.core.errors import ServiceError

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

JSON = (b"content-type", b"application/json")
PLAIN_MARKDOWN = (b"content-type", b"text/markdown; charset=utf-8")


PRIVATE = (b"cache-control", b"private, no-store")
"""Responses belong to one key, so shared caches must not store them."""
VARY = (b"vary", b"Accept, Accept-Encoding")
NO_SNIFF = ("x-content-type-options", "nosniff")
"""Prevents browsers from guessing content types. The server adds it to every response."""
WHOLE = "webquarry.whole"
"""ASGI extension of our server that takes status, headers and body together. It returns False if the response must be
sent as separate messages instead.
"""


async def send(scope: Mapping[str, Any], status: int, headers: Headers, body: bytes, to: Send) -> None:
    """Send a complete response. Adds its length and the common headers to `headers`."""
    headers += (PRIVATE, VARY, (b"content-length", b"%d" % len(body)))
    whole = scope.get("extensions", {}).get(WHOLE)
    if whole is not None and whole(status, headers, body):
        return
    await to({"type": "http.response.start", "status": status, "headers": headers})
    await to({"type": "http.response.body", "body": body})


def error_body(error: ServiceError) -> bytes:
    """Return exactly `{"error", "code"}` (SPEC 2.2)."""
    return orjson.dumps({"error": error.message, "code": error.code})


def encode_headers(error: ServiceError) -> Headers:
    """Return an error's own header fields, such as Retry-After, in ASGI form."""
    return [(name.lower().encode(), value.encode()) for name, value in error.headers().items()]


def error_headers(error: ServiceError, help_url: str) -> Headers:
    """Return all header fields of an error response, including a link to the error's documentation."""
    return [JSON, *encode_headers(error), (b"link", f'<{help_url}#{error.code}>; rel="help"'.encode())]
