"""The HTTP server: uvicorn with the bounded protocol, and a shutdown that sends an error to interrupted requests."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import Any, Final

import uvicorn

from webquarry.api.addresses import Addresses
from webquarry.api.connections import Connections
from webquarry.api.protocol import BoundedProtocol
from webquarry.api.responses import JSON, NO_SNIFF, Send, encode_headers, error_body, send
from webquarry.core.errors import Overloaded

GRACE_S: Final = 15
"""Seconds to wait at shutdown for requests that have no response yet."""
FINISH_S: Final = 2.0
"""Seconds at shutdown during which received requests still start and finish as usual."""
BACKLOG: Final = 4096
"""Size of the accept queue. A connection that arrives when it is full waits one to three seconds."""


class _Server(uvicorn.Server):
    """uvicorn's server. At shutdown, it answers all received requests, even requests that have not started."""

    def __init__(self, config: uvicorn.Config, drain: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._drain = drain

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the listener and answer the requests that were received.

        Call `drain` if some requests take longer than `FINISH_S`.
        """
        ended = asyncio.ensure_future(super().shutdown(sockets))
        await asyncio.wait({ended}, timeout=FINISH_S)
        await self._drain()
        await ended


def tell_the_stopped(app: Any) -> Any:
    """Wrap the application so that requests interrupted by a shutdown get an API error, not uvicorn's plain 500."""

    async def answer(scope: MutableMapping[str, Any], receive: Any, to: Send) -> None:
        try:
            await app(scope, receive, to)
        except asyncio.CancelledError:
            error = Overloaded("The service is shutting down. Try again shortly.")
            await send(scope, error.status, [JSON, *encode_headers(error)], error_body(error), to)
            raise

    return answer


def server(
    app: Any,
    *,
    host: str,
    port: int,
    drain: Callable[[], Awaitable[None]],
    connections: Connections | None = None,
) -> uvicorn.Server:
    """Return a server with one worker for the ASGI application.

    At shutdown, `drain` is called as soon as every request is answered, and after `FINISH_S` at the latest. It makes
    running requests end soon. `connections` counts and limits connections; by default, the usual limits apply.
    """
    held = connections or Connections(Addresses())
    return _Server(
        uvicorn.Config(
            tell_the_stopped(app),
            host=host,
            port=port,
            http=partial(BoundedProtocol, connections=held),  # type: ignore[arg-type]  # uvicorn only calls it
            ws="none",
            loop="uvloop",
            lifespan="off",
            access_log=False,
            log_config=None,
            headers=[NO_SNIFF],
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=GRACE_S,
            backlog=BACKLOG,
        ),
        drain,
    )
