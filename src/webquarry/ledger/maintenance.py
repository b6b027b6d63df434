"""Maintenance: what has to be done now and then, while a server runs."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

from webquarry.core.background import try_round
from webquarry.core.clock import Clock
from webquarry.ledger.ledger import Ledger
from webquarry.storage.conversions import Conversions

EVERY_S = 30.0
"""Between two rounds; five of them fit into the silence after which an instance counts as gone."""
AGAIN_S = 1.0
"""Between two rounds when the first did not come to the end of what has expired, or refunds are in doubt."""
MAX_BATCHES = 20
"""Batches that a round drops at most, so that the next heartbeat is not late: a batch takes about 0.1 s."""


class Maintenance:
    """Heartbeats, refunds abandoned holds, drops what has expired. `begin` once before serving, `run` meanwhile."""

    def __init__(
        self,
        ledger: Ledger,
        conversions: Conversions,
        clock: Clock,
        *,
        keep_receipts: timedelta,
        sweeps: Sequence[Callable[[], Awaitable[bool]]] = (),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """sweeps: what else drops a batch of what has expired, each saying whether more may be left."""
        self._ledger = ledger
        self._conversions = conversions
        self._clock = clock
        self._keep_receipts = keep_receipts
        self._sweeps = sweeps
        self._sleep = sleep
        self._last_round_at = clock.monotonic()

    @property
    def last_round_at(self) -> float:
        """Monotonic instant at which a round last succeeded; before the first one, that of the making."""
        return self._last_round_at

    async def begin(self) -> None:
        """What calls depend on: say that this instance lives, and refund what is left of those that do not."""
        await self._ledger.load_doubts()
        await self._keep_up()

    async def _keep_up(self) -> None:
        await self._ledger.heartbeat()
        await self._ledger.watch()
        await self._ledger.resolve()  # before the sweep, which knows no receipts
        await self._ledger.sweep()

    async def round(self) -> bool:
        """What calls depend on, and drop what has expired, at most MAX_BATCHES of it; whether more may be left."""
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
        """Rounds for ever; one that fails is skipped."""
        while True:
            left = await try_round("maintenance", self.round())
            await self._sleep(AGAIN_S if left or self._ledger.doubts else EVERY_S)
