"""Request bodies. All interfaces read them here, so that the same limits on size and time apply everywhere.

A body must begin within GRACE_S seconds, then arrive at LEAST_BYTES_PER_S or faster, and be complete within WITHIN_S. A
caller who disconnects early gets an ordinary error, which nobody reads and which is not logged as a fault.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping, Sequence
from typing import Any

from webquarry.core.errors import FileTooLarge, InvalidParams

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

WITHIN_S = 60.0
"""Seconds within which a body must be complete."""
LEAST_BYTES_PER_S = 8 * 1024
GRACE_S = 5.0
"""Seconds by which a body may lag behind the minimum rate."""


async def read_body(headers: Sequence[tuple[bytes, bytes]], receive: Receive, max_bytes: int) -> bytes:
    """Return the whole body. `headers` are the request's headers.

    Raises FileTooLarge if the body has or announces more than `max_bytes`, InvalidParams if it arrives too slowly or is
    incomplete.
    """
    if any(name == b"content-length" and int(value) > max_bytes for name, value in headers):
        raise _make_size_error(max_bytes)
    body = bytearray()
    async for chunk in read_chunks(receive):
        body += chunk
        if len(body) > max_bytes:
            raise _make_size_error(max_bytes)
    return bytes(body)


async def read_chunks(receive: Receive) -> AsyncIterator[bytes]:
    """Yield the body in chunks as they arrive. Raises InvalidParams if it arrives too slowly or is incomplete."""
    began_s, size = asyncio.get_running_loop().time(), 0
    more = True
    while more:
        allowed_s = GRACE_S + size / LEAST_BYTES_PER_S
        try:
            async with asyncio.timeout_at(began_s + min(WITHIN_S, allowed_s)):
                message = await receive()
        except TimeoutError as exc:
            if allowed_s < WITHIN_S:
                raise InvalidParams(f"The body was sent at less than {LEAST_BYTES_PER_S:,} bytes a second.") from exc
            raise InvalidParams(f"The body did not arrive within {WITHIN_S:.0f} seconds.") from exc
        if message["type"] == "http.disconnect":
            raise InvalidParams("The connection was closed before the body was complete.")
        chunk = message.get("body", b"")
        size += len(chunk)
        yield chunk
        more = message.get("more_body", False)


def _make_size_error(max_bytes: int) -> FileTooLarge:
    return FileTooLarge(f"The body is larger than {max_bytes:,} bytes.")
