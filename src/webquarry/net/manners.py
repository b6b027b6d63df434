"""Turns: who may visit a host now.

Visitors of one host start in the order in which they came, at least the declared spacing apart, and no more at once
than declared. Who would have to wait beyond its deadline is told so at once.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from webquarry.clock import Clock
from webquarry.errors import ProviderError
from webquarry.types import Deadline, Manners

MAX_IDLE_HOSTS = 1024


@dataclass(slots=True)
class _Line:
    """The visitors of one host. waiting: each with the concurrency that it allows."""

    active: int = 0
    next_start_s: float = 0.0
    waiting: deque[tuple[int, asyncio.Future[None]]] = field(default_factory=deque)

    def is_idle(self, now_s: float) -> bool:
        return self.active == 0 and not self.waiting and self.next_start_s <= now_s


class Turns:
    """Turns of all hosts. concurrency: visitors of one host at once where a provider does not say."""

    def __init__(
        self, clock: Clock, concurrency: int, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._clock = clock
        self._concurrency = concurrency
        self._sleep = sleep
        self._lines: dict[str, _Line] = {}

    @property
    def hosts(self) -> int:
        """Hosts that are remembered."""
        return len(self._lines)

    @asynccontextmanager
    async def turn(self, host: str, manners: Manners, deadline: Deadline) -> AsyncIterator[None]:
        """Wait for a turn at `host` and hold it. ProviderError (timeout) when it would not come by the deadline."""
        line = self._line(host)
        earliest_s = max(self._clock.monotonic(), line.next_start_s) + manners.spacing_s * len(line.waiting)
        self._check_in_time(host, earliest_s, deadline)
        await self._enter(host, line, manners.concurrency or self._concurrency, deadline)
        try:
            start_s = max(self._clock.monotonic(), line.next_start_s)
            self._check_in_time(host, start_s, deadline)
            line.next_start_s = start_s + manners.spacing_s
            if (wait_s := start_s - self._clock.monotonic()) > 0:
                await self._sleep(wait_s)
            yield
        finally:
            self._leave(host, line)

    def _line(self, host: str) -> _Line:
        line = self._lines.get(host)
        if line is None:
            if len(self._lines) >= MAX_IDLE_HOSTS:
                now_s = self._clock.monotonic()
                self._lines = {name: kept for name, kept in self._lines.items() if not kept.is_idle(now_s)}
            line = self._lines[host] = _Line()
        return line

    def _check_in_time(self, host: str, start_s: float, deadline: Deadline) -> None:
        wait_s = start_s - self._clock.monotonic()
        if wait_s > deadline.remaining_s:
            raise ProviderError(
                f"Requests to {host} are spaced out of politeness and the next turn lies beyond this call's time: "
                f"try again in {max(1, round(wait_s))} s.",
                reason="timeout",
                retry_after_s=wait_s,
            )

    async def _enter(self, host: str, line: _Line, limit: int, deadline: Deadline) -> None:
        if line.active < limit and not line.waiting:
            line.active += 1
            return
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.waiting.append((limit, granted))
        try:
            async with deadline.bound():
                await granted
        except BaseException as exc:
            if granted.done() and not granted.cancelled():
                line.active -= 1
            granted.cancel()
            self._advance(line)
            if isinstance(exc, TimeoutError):
                raise ProviderError(
                    f"Too many requests to {host} are under way: none of them ended within this call's time.",
                    reason="timeout",
                ) from exc
            raise

    def _leave(self, host: str, line: _Line) -> None:
        line.active -= 1
        self._advance(line)
        if line.is_idle(self._clock.monotonic()) and self._lines.get(host) is line:
            del self._lines[host]

    def _advance(self, line: _Line) -> None:
        """Let in from the front who fits; who has given up is dropped."""
        while line.waiting:
            limit, granted = line.waiting[0]
            if not granted.done():
                if line.active >= limit:
                    return
                line.active += 1
                granted.set_result(None)
            line.waiting.popleft()
