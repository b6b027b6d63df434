"""Flights as the pipeline sees them."""

from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Protocol, Self

from webquarry.core.types import GIVEN_UP_AFTER_S, Deadline
from webquarry.flights.outcome import Outcome

LONGEST_S = GIVEN_UP_AFTER_S
"""A flight is over after this, whatever its leader does: the largest deadline of a call and half a minute."""


class Lead:
    """The leader's side of a flight. A context: left without an outcome, however that came, the flight is abandoned."""

    def __init__(self, end: Callable[[Outcome | None], Awaitable[None]]) -> None:
        self._end = end
        self._ended = False

    async def land(self, outcome: Outcome) -> None:
        """Tell the joiners. Ignored when the flight is no longer this leader's (its lease ran out)."""
        await self._end_once(outcome)

    async def abandon(self) -> None:
        """Leave without an outcome: of those who wait, one leads next."""
        await self._end_once(None)

    async def _end_once(self, outcome: Outcome | None) -> None:
        if not self._ended:
            await self._end(outcome)
            self._ended = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.abandon()


class Join:
    """A follower's side of a flight."""

    def __init__(self, wait: Callable[[Deadline], Awaitable[Outcome | None]]) -> None:
        self._wait = wait

    async def wait(self, deadline: Deadline) -> Outcome | None:
        """The leader's outcome; None when the leader is gone (abandoned, died, took too long): board again.

        TimeoutError at the deadline.
        """
        return await self._wait(deadline)


class Flights(Protocol):
    async def board(self, key: str) -> Lead | Join:
        """Lead the flight of `key`, or join the one that is under way.

        A landed flight is over: whoever boards later leads anew, and finds in the cache what it left.
        Overloaded when shared flights cannot be asked.
        """
        ...
