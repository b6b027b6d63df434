"""A relay before a real PostgreSQL that loses chosen responses."""

import asyncio
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

_NAME = ".s.PGSQL.5432"


class Relay:
    """Listens on a socket in `folder` and relays to the server whose socket is in `to`. Used as a context.

    lose_commit: lose the response to the next COMMIT with all connections, and be unavailable until `away` is cleared.
    lost: number of lost responses.
    """

    def __init__(self, folder: Path, to: Path) -> None:
        self._path, self._to = folder / _NAME, to / _NAME
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.lose_commit = False
        self.away = False
        self.lost = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._accept, self._path)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def go_away(self) -> None:
        """Close all connections, and refuse new ones until `away` is cleared."""
        self.away = True
        for task in self._tasks:
            task.cancel()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.away:
            writer.transport.abort()
            return
        from_server, to_server = await asyncio.open_unix_connection(self._to)
        commits = asyncio.Event()
        pumps = [
            asyncio.create_task(self._ask(reader, to_server, commits)),
            asyncio.create_task(self._answer(from_server, writer, commits)),
        ]
        self._tasks.update(pumps)
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            to_server.transport.abort()
            writer.transport.abort()
            self._tasks.difference_update(pumps)

    async def _ask(self, reader: asyncio.StreamReader, to_server: asyncio.StreamWriter, commits: asyncio.Event) -> None:
        while data := await reader.read(65536):
            if self.lose_commit and b"COMMIT" in data:
                commits.set()
            to_server.write(data)

    async def _answer(
        self, from_server: asyncio.StreamReader, writer: asyncio.StreamWriter, commits: asyncio.Event
    ) -> None:
        with suppress(ConnectionError):
            while data := await from_server.read(65536):
                if commits.is_set() and b"COMMIT" in data:  # the server's tag that shows that the commit is done
                    self.lost += 1
                    self.lose_commit = False
                    self.go_away()
                    return
                writer.write(data)
