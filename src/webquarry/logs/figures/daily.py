"""The figures of this process, stored every minute, and the sums over all servers."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, date, timedelta
from functools import partial
from typing import Final

from webquarry.core.background import try_round
from webquarry.core.clock import Clock
from webquarry.core.errors import Overloaded
from webquarry.core.log import log
from webquarry.logs.figures import records
from webquarry.logs.figures.records import Figure
from webquarry.storage import Database, StorageError

STORED_EVERY_S: Final = 60.0
Totals = Mapping[tuple[str, str], int]
"""Totals since the start of the process, by endpoint and name."""
Read = Callable[[int], Awaitable[list[Figure]]]
"""Function that returns the figures of the last days, including today."""


class DailyFigures:
    """The figures of one store. `totals` returns what this process has counted."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        totals: Callable[[], Totals],
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._clock = clock
        self._totals = totals
        self._sleep = sleep
        self._writer = secrets.token_hex(6)
        self._day = self._today()
        self._at_start_of_day: Totals = {}
        self._stored: Totals = {}

    async def store(self) -> None:
        """Store the figures that have changed since the last time. After a failure, they are stored the next time."""
        today, totals = self._today(), dict(self._totals())
        of_day = {name: value - self._at_start_of_day.get(name, 0) for name, value in totals.items()}
        changed = {name: value for name, value in of_day.items() if value != self._stored.get(name, 0)}
        if changed:
            try:
                await self._database.write(partial(records.put, self._day, self._writer, changed))
            except (Overloaded, StorageError) as exc:
                log.warning("figures.not_stored", figures=len(changed), fault=type(exc).__name__)
                return
        self._stored = of_day
        if today != self._day:
            self._day, self._at_start_of_day, self._stored = today, totals, {}

    async def read(self, days: int) -> list[Figure]:
        """Return the figures of the last `days` days, including today, at most a minute old."""
        return await self._database.read(partial(records.read, self._today() - timedelta(days=days - 1)))

    async def sweep(self) -> bool:
        """Merge and delete old figures. Return whether more may be left."""
        return await self._database.write(partial(records.sweep, self._today()))

    async def run(self) -> None:
        """Store periodically, and once more when stopped."""
        try:
            while True:
                await self._sleep(STORED_EVERY_S)
                await try_round("figures", self.store())
        finally:
            await try_round("figures", self.store())

    def _today(self) -> date:
        return self._clock.now().astimezone(UTC).date()
