"""Times of the last use of keys, recorded in memory and stored periodically, so that no request waits for it."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial

from webquarry.accounts import records
from webquarry.core.background import try_round
from webquarry.core.errors import Overloaded
from webquarry.core.log import log
from webquarry.storage import Database, StorageError

KEPT_EVERY_S = 60.0
"""Seconds between two writes. Each key is written at most once."""


class KeyUses:
    """Records uses of keys.

    `note` is called when a key is looked up, which happens every few seconds for a key in use. `run` stores what was
    recorded.
    """

    def __init__(self, database: Database, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._database = database
        self._sleep = sleep
        self._noted: dict[str, datetime] = {}

    def note(self, key_id: str, at: datetime) -> None:
        self._noted[key_id] = at

    async def keep(self) -> None:
        """Store what was recorded since the last time. On failure it is kept for the next time."""
        noted, self._noted = self._noted, {}
        if not noted:
            return
        try:
            await self._database.write(partial(records.note_uses, noted))
        except (Overloaded, StorageError) as exc:
            self._noted = noted | self._noted
            log.warning("accounts.uses_not_kept", keys=len(noted), fault=type(exc).__name__)

    async def run(self) -> None:
        """Store periodically, and once more when stopped."""
        try:
            while True:
                await self._sleep(KEPT_EVERY_S)
                await try_round("accounts.uses", self.keep())
        finally:
            await try_round("accounts.uses", self.keep())
