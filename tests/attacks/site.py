"""The adversary's site: one address per attack, so that a host's failures in one attack do not affect another."""

import asyncio
import socket
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

from webquarry.doctor.responses import Response, Sends, answer

_HEAD_BYTES = 1024 * 1024
_NOT_FOUND = Sends(answer(b"Nothing is here.", "Content-Type: text/plain", status="404 Not Found"), then="keep")
SMALL_PAGE = (
    b'<!doctype html><html lang="en"><head><title>A small page</title></head><body><main><h1>A small page</h1>'
    + b"<p>It is read while something else is attacked, and says enough to be an article of its own.</p>" * 200
    + b"</main></body></html>"
)
"""20 KB: the page that an honest account requests meanwhile."""


class Site:
    """`hosts` loopback addresses on one port, with the responses given to `serve`."""

    def __init__(self, hosts: int) -> None:
        self.asked = 0
        self.sent_bytes = 0
        self._names = [f"127.{77 + at // 62500}.{at // 250 % 250}.{at % 250 + 1}" for at in range(hosts + 1)]
        self._port = self._closed_port = 0
        self._kept = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._servers: list[asyncio.Server] = []
        self._responses: dict[str, Mapping[str, Response]] = {}
        self._open: dict[asyncio.StreamWriter, str] = {}
        self._next = 1

    async def __aenter__(self) -> Self:
        for name in self._names:
            server = await asyncio.start_server(self._serve, name, self._port, limit=_HEAD_BYTES)
            self._servers.append(server)
            self._port = self._port or server.sockets[0].getsockname()[1]
        self._kept.bind((self._names[-1], 0))  # bound, but not listening
        self._closed_port = self._kept.getsockname()[1]
        small = Sends(answer(SMALL_PAGE, "Content-Type: text/html; charset=utf-8"), then="keep")
        self._responses[self._names[0]] = {"/": small}
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._kept.close()
        for server in self._servers:
            server.close()
        for writer in list(self._open):
            writer.transport.abort()

    @property
    def allowed(self) -> str:
        """Return the addresses that the server must be allowed to visit."""
        return ",".join([f"{self._names[-1]}:{self._closed_port}", *(f"{name}:{self._port}" for name in self._names)])

    @property
    def small_page(self) -> str:
        """Return the URL of an honest page."""
        return f"http://{self._names[0]}:{self._port}/"

    def serve(self, responses: Mapping[str, Response]) -> str:
        """Send these responses, by path, at an unused address. Raises IndexError if none is left."""
        name = self._names[self._next]
        self._next += 1
        self._responses[name] = responses
        return f"http://{name}:{self._port}"

    def serve_beside_closed(self, responses: Mapping[str, Response]) -> tuple[str, str]:
        """Serve like `serve`. Also return the address of a closed port of the same host."""
        self._responses[self._names[-1]] = responses
        return f"http://{self._names[-1]}:{self._port}", f"http://{self._names[-1]}:{self._closed_port}"

    def drop(self, address: str) -> None:
        """Stop sending responses at an address, and abort responses in progress."""
        name = address.removeprefix("http://").partition(":")[0]
        self._responses.pop(name, None)
        for writer in [writer for writer, host in self._open.items() if host == name]:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = str(writer.get_extra_info("sockname")[0])
        self._open[writer] = name
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                while await self._answer(name, reader, writer):
                    pass
        finally:
            self._open.pop(writer, None)
            writer.close()

    async def _answer(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        request = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        path = request.split(" ", 2)[1].partition("?")[0]
        self.asked += 1
        response = self._responses.get(name, {}).get(path, _NOT_FOUND)
        return await response.say(_Connection(self, reader, writer))


class _Connection:
    def __init__(self, site: Site, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._site = site
        self._reader = reader
        self._writer = writer

    @property
    def port(self) -> int:
        return 0

    async def send(self, data: bytes) -> None:
        if self._writer.is_closing():
            raise ConnectionResetError("the client has gone")
        self._writer.write(data)
        await self._writer.drain()
        self._site.sent_bytes += len(data)

    async def wait(self) -> None:
        await self._reader.read()
