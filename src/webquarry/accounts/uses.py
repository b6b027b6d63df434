"""Uses: when each key was last used, noted in memory and kept now and then, so that no call waits for it."""

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
"""Between two writes; each key is written once at most."""


class KeyUses:
    """`note` is called as keys are looked up, as each one in use is every few seconds; `run` keeps what was noted."""

    def __init__(self, database: Database, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._database = database
        self._sleep = sleep
        self._noted: dict[str, datetime] = {}

    def note(self, key_id: str, at: datetime) -> None:
        self._noted[key_id] = at

    async def keep(self) -> None:
        """Write what was noted since the last time; what the store refuses stays noted."""
        noted, self._noted = self._noted, {}
        if not noted:
            return
        try:
            await self._database.write(partial(records.note_uses, noted))
        except (Overloaded, StorageError) as exc:
            self._noted = noted | self._noted
            log.warning("accounts.uses_not_kept", keys=len(noted), fault=type(exc).__name__)

    async def run(self) -> None:
        """Keep for ever, and once more when it is stopped."""
        try:
            while True:
                await self._sleep(KEPT_EVERY_S)
                await try_round("accounts.uses", self.keep())
        finally:
            await try_round("accounts.uses", self.keep())
