"""The baseline of `cached`: a minimal ASGI application that sends the same body and runs on the same server.

`python -m bench.bare BODY_FILE` prints its port and serves until it is terminated.
"""

import socket
import sys
from pathlib import Path
from typing import Any

import uvloop

from webquarry.api.server import server


def application(body: bytes) -> Any:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            for phase in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{phase}.complete"})
            return
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


async def _serve(body: bytes) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(2048)
        port = listener.getsockname()[1]
        print(port, flush=True)
        await server(application(body), host="127.0.0.1", port=port, drain=_nothing).serve(sockets=[listener])


async def _nothing() -> None:
    """Do nothing, because only the connections have to be drained."""


if __name__ == "__main__":
    uvloop.run(_serve(Path(sys.argv[1]).read_bytes()))
