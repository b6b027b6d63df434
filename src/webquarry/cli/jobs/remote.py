"""The jobs of a server, over HTTP."""

import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, ExitStack, nullcontext
from typing import Any

import orjson

from webquarry.cli.jobs.operations import PREFIX, Body, Query, split_lines
from webquarry.cli.server import PIECE, SPARE_S, Server, read_body, run_in_daemon

WAIT_S = 60.0 + SPARE_S
"""Seconds that a response may take, besides the transfer of its body."""


class RemoteJobs:
    """Jobs of a server. See `JobsApi`."""

    charges = True
    poll_s = 4.0  # two requests each time, of the 60 a minute that a key may send

    def __init__(self, url: str, key: str) -> None:
        self._server = Server(url, key)

    async def send(self, method: str, path: str, query: Query = (), body: Body | None = None) -> dict[str, Any]:
        return await run_in_daemon(lambda: self._send(method, path, query, body))

    async def read_lines(self, path: str, query: Query = ()) -> AsyncIterator[bytes]:
        async for line in split_lines(self._read(path, query)):
            yield line

    def working(self, _job_id: str) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    def _send(self, method: str, path: str, query: Query, body: Body | None) -> dict[str, Any]:
        headers = {} if body is None else {"Content-Type": body.media, "Idempotency-Key": body.key}
        content = body.content if body is not None else b"" if method == "POST" else None
        with self._server.send(method, PREFIX + path, query, headers, content, wait_s=WAIT_S) as response:
            answer = read_body(response, time.monotonic() + WAIT_S)
        try:
            made = orjson.loads(answer)
        except orjson.JSONDecodeError as error:
            raise self._server.make_foreign_failure() from error
        if not isinstance(made, dict):
            raise self._server.make_foreign_failure()
        return made

    async def _read(self, path: str, query: Query) -> AsyncIterator[bytes]:
        with ExitStack() as stack:
            sent = self._server.send("GET", PREFIX + path, query, wait_s=WAIT_S)
            response = await run_in_daemon(lambda: stack.enter_context(sent))
            if response.headers.get_content_type() != "application/x-ndjson":
                raise self._server.make_foreign_failure()
            while piece := await run_in_daemon(lambda: response.read1(PIECE)):
                yield piece
