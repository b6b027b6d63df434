"""Periodic maintenance by a running server."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import date, timedelta

from webquarry.core.background import try_round
from webquarry.core.clock import Clock
from webquarry.ledger.ledger import Ledger
from webquarry.storage.conversions import Conversions

EVERY_S = 30.0
"""Seconds between rounds. An instance counts as dead after a silence of about five rounds."""
AGAIN_S = 1.0
"""Seconds until the next round if some expired data or unconfirmed refunds remain."""
MAX_BATCHES = 20
"""Maximum batches deleted per round, so that the next heartbeat is not late. A batch takes about 0.1 s."""


Sweep = Callable[[], Awaitable[bool]]
"""Function that deletes a batch of expired data and returns whether more may be left."""


class Daily:
    """A sweep that runs once a day (UTC), for tables without an index on their expiry."""

    def __init__(self, sweep: Sweep, clock: Clock) -> None:
        self._sweep = sweep
        self._clock = clock
        self._done_on: date | None = None

    async def __call__(self) -> bool:
        """Delete a batch. Once nothing is left, do nothing until the next day."""
        today = self._clock.now().date()
        if self._done_on == today:
            return False
        left = await self._sweep()
        if not left:
            self._done_on = today
        return left


class Maintenance:
    """Sends heartbeats, refunds abandoned holds and deletes expired data.

    Call `begin` once before serving and `run` while serving.
    """

    def __init__(
        self,
        ledger: Ledger,
        conversions: Conversions,
        clock: Clock,
        *,
        keep_receipts: timedelta,
        sweeps: Sequence[Sweep] = (),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`sweeps` delete expired data of other parts of the service."""
        self._ledger = ledger
        self._conversions = conversions
        self._clock = clock
        self._keep_receipts = keep_receipts
        self._sweeps = sweeps
        self._sleep = sleep
        self._last_round_at = clock.monotonic()

    @property
    def last_round_at(self) -> float:
        """Monotonic time of the last successful round, or of creation before the first one."""
        return self._last_round_at

    async def begin(self) -> None:
        """Do the work that requests depend on: send a heartbeat, and refund the holds of dead instances."""
        await self._ledger.load_unconfirmed_refunds()
        await self._keep_up()

    async def _keep_up(self) -> None:
        await self._ledger.heartbeat()
        await self._ledger.watch()
        await self._ledger.resolve()  # before the sweep, because the sweep does not write receipts
        await self._ledger.sweep()

    async def round(self) -> bool:
        """Do the work that requests depend on, then delete up to MAX_BATCHES of expired data.

        Return whether more expired data may be left.
        """
        await self._keep_up()
        left, batches, now = True, 0, self._clock.now()
        while left and batches < MAX_BATCHES:
            answers = await self._conversions.sweep(now)
            receipts = await self._ledger.drop_receipts(now - self._keep_receipts)
            others = [await sweep() for sweep in self._sweeps]
            left, batches = answers or receipts or any(others), batches + 1
        self._last_round_at = self._clock.monotonic()
        return left

    async def run(self) -> None:
        """Run rounds forever. A round that fails is skipped."""
        while True:
            left = await try_round("maintenance", self.round())
            await self._sleep(AGAIN_S if left or self._ledger.unconfirmed_refunds else EVERY_S)
