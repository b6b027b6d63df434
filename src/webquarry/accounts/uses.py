"""Times when keys and sessions were last used.

These times are collected in memory and stored periodically, so that no request waits for the database.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Generic, TypeVar

from webquarry.core.background import try_round
from webquarry.core.errors import Overloaded
from webquarry.core.log import log
from webquarry.storage import Database, Operation, StorageError

KEPT_EVERY_S = 60.0
"""Seconds between two writes. Each write stores a key or session at most once."""
U = TypeVar("U")


class Uses(Generic[U]):
    """The last use of each key or session.

    `note` is called with each use, or every few seconds. `run` stores the collected uses with the operation `write`.
    """

    def __init__(
        self,
        database: Database,
        write: Callable[[Mapping[str, U]], Operation[None]],
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._write = write
        self._sleep = sleep
        self._noted: dict[str, U] = {}

    def note(self, id: str, use: U) -> None:
        self._noted[id] = use

    async def keep(self) -> None:
        """Store the uses noted since the last run. If that fails, keep them for the next run."""
        noted, self._noted = self._noted, {}
        if not noted:
            return
        try:
            await self._database.write(partial(self._write, noted))
        except (Overloaded, StorageError) as exc:
            self._noted = noted | self._noted
            log.warning("accounts.uses_not_kept", uses=len(noted), fault=type(exc).__name__)

    async def run(self) -> None:
        """Store periodically, and once more when stopped."""
        try:
            while True:
                await self._sleep(KEPT_EVERY_S)
                await try_round("accounts.uses", self.keep())
        finally:
            await try_round("accounts.uses", self.keep())
