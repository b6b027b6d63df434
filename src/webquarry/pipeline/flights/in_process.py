"""Flights within one process."""

import asyncio
from dataclasses import dataclass, field
from functools import partial

from webquarry.core.clock import Clock
from webquarry.core.types import Deadline
from webquarry.pipeline.flights.flight import LONGEST_S, Join, Lead
from webquarry.pipeline.flights.outcome import Outcome


@dataclass(slots=True, eq=False)
class _Flight:
    """A flight in progress. `over` is set once `outcome` is final. `expires_at_s` is on the clock's monotonic scale."""

    expires_at_s: float
    over: asyncio.Event = field(default_factory=asyncio.Event)
    outcome: Outcome | None = None


class InProcessFlights:
    """Flights in progress. A leader dies with this process, so only `longest_s` ends its lease."""

    def __init__(self, clock: Clock, longest_s: float = LONGEST_S) -> None:
        self._clock = clock
        self._longest_s = longest_s
        self._flights: dict[str, _Flight] = {}

    def __len__(self) -> int:
        return len(self._flights)

    async def board(self, key: str) -> Lead | Join:
        now = self._clock.monotonic()
        flight = self._flights.get(key)
        if flight is not None and now < flight.expires_at_s:
            return Join(partial(self._wait, flight))
        if flight is not None:
            await self._end(key, flight, None)
        flight = self._flights[key] = _Flight(now + self._longest_s)
        return Lead(partial(self._end, key, flight))

    async def _end(self, key: str, flight: _Flight, outcome: Outcome | None) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]
            flight.outcome = outcome
            flight.over.set()

    async def _wait(self, flight: _Flight, deadline: Deadline) -> Outcome | None:
        lease_s = max(0.0, flight.expires_at_s - self._clock.monotonic())
        patience_s = deadline.remaining_s
        try:
            async with asyncio.timeout(min(lease_s, patience_s)):
                await flight.over.wait()
        except TimeoutError:
            if patience_s <= lease_s:
                raise
            return None
        return flight.outcome
