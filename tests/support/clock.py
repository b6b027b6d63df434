"""A clock that advances only on request."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta


class ManualClock:
    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._now = start
        self._monotonic = 1000.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        self._monotonic += seconds

    def jump(self, by: timedelta) -> None:
        """Set the displayed time without any time passing."""
        self._now += by

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.Handle:
        """Replace a loop's `call_later`: after all ready tasks have run, advance this clock and call."""

        def come() -> None:
            self.advance(seconds)
            call()

        return asyncio.get_running_loop().call_later(0.001, come)
