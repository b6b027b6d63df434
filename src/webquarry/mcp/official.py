"""The official SDK's server. It starts when first needed and ends with the service."""

import asyncio
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

Build = Callable[[Any], Any]
"""Creates the session manager, given the module `webquarry.mcp.sdk`."""


class OfficialServer:
    """Starts and holds the SDK's session manager.

    `build` is called after the SDK is imported. The manager runs in a separate task, because the task that opens its
    resources must also close them.
    """

    def __init__(self, build: Build) -> None:
        self._build = build
        self._began: asyncio.Future[Any] | None = None
        self._ending = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> "asyncio.Future[Any]":
        """Start the manager if needed. Return a future for it. A failed start is retried by the next call.

        The import is slow, so it runs in a thread.
        """
        if self._began is None or (self._began.done() and self._began.exception() is not None):
            self._began = asyncio.get_running_loop().create_future()
            # retrieves the exception if the caller was canceled
            self._began.add_done_callback(asyncio.Future.exception)
            self._task = asyncio.create_task(self._hold(self._began))
        return self._began

    async def handle(self, scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        """Respond to a request."""
        manager = await asyncio.shield(self.begin())
        await manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """Stop the manager and the requests that it is still serving."""
        self._ending.set()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=5)

    async def _hold(self, began: "asyncio.Future[Any]") -> None:
        try:
            manager = self._build(await asyncio.to_thread(import_module, "webquarry.mcp.sdk"))
            async with manager.run():
                began.set_result(manager)
                await self._ending.wait()
        except Exception as exc:
            if began.done():
                raise
            began.set_exception(exc)
