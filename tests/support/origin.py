"""A small HTTP origin on loopback for tests: it sends exactly the given bytes and records requests."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self


@dataclass(frozen=True, slots=True)
class Asked:
    """A received request. target: path and query; headers: lower-case names."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


Script = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]
"""Writes a response by hand. The connection is closed when the script has closed the writer."""


def answer(
    status: int = 200, body: bytes = b"", headers: Mapping[str, str] | None = None, *, length: int | None = None
) -> bytes:
    """Return a whole HTTP response. length: the Content-Length, the correct one by default."""
    named = {"Content-Length": str(len(body) if length is None else length), **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status} Status\r\n{head}\r\n".encode("utf-8", "surrogateescape") + body


class Origin:
    """Responds by path with bytes, or by running a script. Other paths are 404.

    Used as a context: `async with Origin() as origin`. connections and requests: all that were received so far.
    """

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.host = host
        self.port = 0
        self.connections = 0
        self.requests: list[Asked] = []
        self._routes: dict[str, bytes | Script] = {}
        self._readers: dict[asyncio.StreamWriter, asyncio.StreamReader] = {}
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, self.host, 0, limit=1 << 20)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        for writer in list(self._readers):
            writer.transport.abort()
        await asyncio.sleep(0)

    @property
    def target(self) -> str:
        """Return host:port, as `egress_allow` expects it."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def url(self, path: str = "/") -> str:
        return f"http://{self.target}{path}"

    def on(self, path: str, sent: bytes | Script) -> str:
        """Set the response for `path` (without query). Return its URL."""
        self._routes[path] = sent
        return self.url(path)

    async def left(self, writer: asyncio.StreamWriter) -> None:
        """Wait, in a script, until the client has closed the connection."""
        await self._readers[writer].read()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._readers[writer] = reader
        try:
            # clients may disconnect at any point
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while not writer.is_closing():
                    asked = await _read(reader)
                    self.requests.append(asked)
                    await self._tell(asked, writer)
        finally:
            self._readers.pop(writer, None)
            writer.close()

    async def _tell(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        found = self._routes.get(asked.target.partition("?")[0], answer(404))
        if isinstance(found, bytes):
            writer.write(found)
            await writer.drain()
        else:
            await found(asked, writer)


async def _read(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    method, target, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(method, target, headers, body)
