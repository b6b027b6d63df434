"""Streams as responses of pages."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing

from starlette.responses import StreamingResponse


async def send_stream(
    stream: AsyncGenerator[bytes, None], media_type: str, headers: Mapping[str, str] | None = None
) -> StreamingResponse:
    """Return a response that is never cached. An error before the first piece is raised, and can be shown as a page."""
    first = await anext(stream, b"")

    async def pieces() -> AsyncIterator[bytes]:
        async with aclosing(stream):
            yield first
            async for piece in stream:
                yield piece

    own = {"cache-control": "private, no-store", "x-accel-buffering": "no", **(headers or {})}
    return StreamingResponse(pieces(), media_type=media_type, headers=own)
