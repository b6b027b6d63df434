"""What goes out: ASGI messages of answers and errors. Header names are bytes, made once where they do not vary."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import orjson

from webquarry.core.errors import ServiceError

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

JSON = (b"content-type", b"application/json")
PLAIN_MARKDOWN = (b"content-type", b"text/markdown; charset=utf-8")


PRIVATE = (b"cache-control", b"private, no-store")
"""Answers are one key's: nothing on their way may keep them."""
VARY = (b"vary", b"Accept, Accept-Encoding")
NO_SNIFF = ("x-content-type-options", "nosniff")
"""Nobody may guess the type of what we send. The server puts it on every response."""
WHOLE = "webquarry.whole"
"""Our server's ASGI extension: takes status, headers and body at once; False when they have to be sent as messages."""


async def send(scope: Mapping[str, Any], status: int, headers: Headers, body: bytes, to: Send) -> None:
    """One whole response; the headers gain its length and what every answer carries."""
    headers += (PRIVATE, VARY, (b"content-length", b"%d" % len(body)))
    whole = scope.get("extensions", {}).get(WHOLE)
    if whole is not None and whole(status, headers, body):
        return
    await to({"type": "http.response.start", "status": status, "headers": headers})
    await to({"type": "http.response.body", "body": body})


def error_body(error: ServiceError) -> bytes:
    """Exactly `{"error", "code"}` (SPEC 2.2)."""
    return orjson.dumps({"error": error.message, "code": error.code})


def encode_headers(error: ServiceError) -> Headers:
    """Return the fields that belong to an error, as ASGI takes them."""
    return [(name.lower().encode(), value.encode()) for name, value in error.headers().items()]


def error_headers(error: ServiceError, help_url: str) -> Headers:
    """What else is known of an error, and where it is explained."""
    return [JSON, *encode_headers(error), (b"link", f'<{help_url}#{error.code}>; rel="help"'.encode())]
