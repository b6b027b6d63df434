"""The official SDK's server as a part that begins when it is first needed, and ends with the service."""

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

Build = Callable[[Any], Any]
"""Makes the session manager, given the module `webquarry.mcp.sdk`."""


class OfficialServer:
    """build: called once, when the SDK has been imported. The manager lives in a task of its own, since what it opens
    has to be closed by the task that opened it."""

    def __init__(self, build: Build) -> None:
        self._build = build
        self._manager: Any = None
        self._lock = asyncio.Lock()
        self._ending = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Begin, if that has not happened. The import runs in a thread: it takes half a second, and memory that a
        service without such clients does not spend."""
        if self._manager is not None:
            return
        async with self._lock:
            if self._manager is None:
                manager = self._build(await asyncio.to_thread(import_module, "webquarry.mcp.sdk"))
                started = asyncio.Event()
                self._task = asyncio.create_task(self._hold(manager, started))
                await started.wait()
                self._manager = manager

    async def handle(self, scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        """Answer one request to it."""
        await self.begin()
        await self._manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """End it, and what it still answers."""
        self._ending.set()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=5)

    async def _hold(self, manager: Any, started: asyncio.Event) -> None:
        async with manager.run():
            started.set()
            await self._ending.wait()
