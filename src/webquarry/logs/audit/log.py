"""Access to the audit log: pages of events, newest first. Events are kept for a limited number of days."""

from datetime import timedelta
from functools import partial

from webquarry.core.clock import Clock
from webquarry.logs.audit import records
from webquarry.logs.audit.records import NEWEST, Entry, Filter
from webquarry.storage import Database

PAGE = 50


class AuditLog:
    """The audit log of one store. `keep` is how long events are kept."""

    def __init__(self, database: Database, clock: Clock, *, keep: timedelta) -> None:
        self._database = database
        self._clock = clock
        self._keep = keep

    async def list_all(self, chosen: Filter, *, before: int = NEWEST, batch: int = PAGE) -> list[Entry]:
        """Return events of all accounts with positions below `before`, newest first."""
        return await self._database.read(partial(records.list_all, chosen, before, batch))

    async def list_of_account(self, account_id: str, *, before: int = NEWEST, batch: int = PAGE) -> list[Entry]:
        """Return the events of one account with positions below `before`, newest first."""
        return await self._database.read(partial(records.list_of_account, account_id, before, batch))

    async def sweep(self) -> bool:
        """Delete a batch of expired events. Return whether more may be left."""
        return await self._database.write(partial(records.sweep, self._clock.now() - self._keep))
