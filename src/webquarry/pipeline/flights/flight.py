"""Interface of flights for the pipeline."""

from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Protocol, Self

from webquarry.core.types import GIVEN_UP_AFTER_S, Deadline
from webquarry.pipeline.flights.outcome import Outcome

LONGEST_S = GIVEN_UP_AFTER_S
"""Maximum duration of a flight in seconds, whatever its leader does: the longest request deadline plus 30."""


class Lead:
    """The leader's side of a flight. As a context manager, leaving it without an outcome abandons the flight."""

    def __init__(self, end: Callable[[Outcome | None], Awaitable[None]]) -> None:
        self._end = end
        self._ended = False

    async def land(self, outcome: Outcome) -> None:
        """Report the outcome to the joiners. Ignored if the leader's lease has expired."""
        await self._end_once(outcome)

    async def abandon(self) -> None:
        """End the lead without an outcome. One of the joiners becomes the next leader."""
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
    """A joiner's side of a flight."""

    def __init__(self, wait: Callable[[Deadline], Awaitable[Outcome | None]]) -> None:
        self._wait = wait

    async def wait(self, deadline: Deadline) -> Outcome | None:
        """Return the leader's outcome, or None if the leader abandoned the flight, died or took too long.

        The caller must then try again.

        Raises TimeoutError at the deadline.
        """
        return await self._wait(deadline)


class Flights(Protocol):
    async def board(self, key: str) -> Lead | Join:
        """Lead a new flight for `key`, or join the flight in progress.

        A flight with an outcome is over: a later request leads a new flight and finds the earlier result in the cache.
        Raises Overloaded if shared flights are unreachable.
        """
        ...
