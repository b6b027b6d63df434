"""Readiness: tests whether requests can be served."""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

from webquarry.core.clock import Clock
from webquarry.core.errors import ServiceError
from webquarry.storage import StorageError

AGE_S = 2.0
"""Maximum age in seconds of a cached result, so that frequent checks do not burden the store."""
WITHIN_S = 5.0
MIN_FREE_BYTES = 16 * 1024 * 1024
"""Minimum free space for the store.

A full disk accepts small writes for a while, as long as the database's log has room.
"""


class Readiness:
    """Checks whether requests can be served.

    `folder` holds the store or its accompanying files. `write` makes a small write and returns once the store has
    accepted it. `shared` queries the service that all instances share, and is None if there is no such service.
    """

    def __init__(
        self,
        clock: Clock,
        folder: Path,
        write: Callable[[], Awaitable[object]],
        shared: Callable[[], Awaitable[object]] | None,
    ) -> None:
        self._clock = clock
        self._folder = folder
        self._write = write
        self._shared = shared
        self._judged_at: float | None = None
        self._missing: str | None = None
        self._judging = asyncio.Lock()

    async def missing(self) -> str | None:
        """Return a sentence for the operator that states why requests cannot be served, or None if they can."""
        async with self._judging:
            if self._judged_at is None or self._clock.monotonic() - self._judged_at > AGE_S:
                self._missing = await self._judge()
                self._judged_at = self._clock.monotonic()
            return self._missing

    async def _judge(self) -> str | None:
        free = shutil.disk_usage(self._folder).free if self._folder.exists() else MIN_FREE_BYTES
        if free < MIN_FREE_BYTES:
            return f"The data folder's disk is full: {free:,} bytes are free, but {MIN_FREE_BYTES:,} are required."
        if not _can_open_files():
            return "The process can't open more files or connections. Its limit (ulimit -n) may be too low."
        try:
            async with asyncio.timeout(WITHIN_S):
                await self._write()
        except (ServiceError, StorageError, TimeoutError):
            return "The database can't be written to. Check that its server is running and that its disk is not full."
        if self._shared is not None:
            try:
                async with asyncio.timeout(WITHIN_S):
                    await self._shared()
            except (ServiceError, TimeoutError):
                return "Redis (WEBQUARRY_REDIS_URL) does not respond. Requests are rejected until it does."
        return None


def _can_open_files() -> bool:
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        return False
    return True
