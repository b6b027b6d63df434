"""A SOCKS5 proxy on loopback for tests, with given names and a record of its requests."""

import asyncio
import ipaddress
from collections.abc import Mapping
from types import TracebackType
from typing import Self


class Socks:
    """Used as a context. known: addresses of names; credentials: `user:password`, none required if empty.

    asked: (host, port) of every request, unchanged.
    """

    def __init__(self, known: Mapping[str, str] | None = None, credentials: str = "") -> None:
        self.asked: list[tuple[str, int]] = []
        self.connections = 0
        self.port = 0
        self._known = known or {}
        self._credentials = credentials
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            if await self._greet(reader, writer):
                await self._connect(reader, writer)
        except (OSError, EOFError):
            pass  # clients may disconnect at any point
        finally:
            writer.transport.abort()

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        _, count = await reader.readexactly(2)
        methods = await reader.readexactly(count)
        wanted = 2 if self._credentials else 0
        if wanted not in methods:
            writer.write(b"\x05\xff")
            await writer.drain()
            writer.close()
            await writer.wait_closed()
            return False
        writer.write(bytes([5, wanted]))
        if not wanted:
            return True
        await reader.readexactly(1)
        user, password = [(await reader.readexactly((await reader.readexactly(1))[0])).decode() for _ in range(2)]
        is_known = f"{user}:{password}" == self._credentials
        writer.write(bytes([1, not is_known]))
        await writer.drain()
        return is_known

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        *_, kind = await reader.readexactly(4)
        if kind == 3:
            host = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
        else:
            host = str(ipaddress.ip_address(await reader.readexactly(4 if kind == 1 else 16)))
        port = int.from_bytes(await reader.readexactly(2), "big")
        self.asked.append((host, port))
        try:
            there, site = await asyncio.open_connection(self._known.get(host, host), port)
        except OSError:
            writer.write(b"\x05\x05\x00\x01\x00\x00\x00\x00\x00\x00")
            await writer.drain()
            return
        writer.write(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
        await asyncio.gather(_carry(reader, site), _carry(there, writer))


async def _carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    while piece := await source.read(65536):
        sink.write(piece)
        await sink.drain()
    sink.close()
