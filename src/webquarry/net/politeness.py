"""Queues that limit when and how many requests go to one host.

Requests to a host start at least the declared spacing apart, and no more run concurrently than declared. The next turn
goes to the waiting account that holds the fewest turns; among equals, to the account that was served longest ago.
Within an account, turns follow the order of arrival. An account that fills a queue therefore delays itself. Jobs get a
turn when no other request is waiting. A request that would wait beyond its deadline fails immediately.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from webquarry.core.clock import Clock
from webquarry.core.errors import ProviderError
from webquarry.core.shares import is_background
from webquarry.core.types import Deadline, Politeness

MAX_IDLE_HOSTS = 1024
MAX_SERVED = 256
"""Maximum number of accounts per queue whose last turn is remembered."""


class Handle(Protocol):
    def cancel(self) -> None: ...


Later = Callable[[float, Callable[[], None]], Handle]
"""Function that calls another one after a number of seconds, like an event loop's `call_later`."""


@dataclass(slots=True, eq=False)
class _Waiter:
    """A request that waits for its turn.

    `granted` gets None as its result when the turn comes, or an error if the turn would come too late.
    """

    limit: int
    spacing_s: float
    deadline: Deadline
    granted: asyncio.Future[None]


@dataclass(slots=True)
class _Line:
    """The queue of one host.

    `waiting` lists requests by account. `held` counts the turns that each account holds. `served` maps accounts to the
    numbers of their last turns.
    """

    next_start_s: float = 0.0
    waiting: dict[str, deque[_Waiter]] = field(default_factory=dict)
    held: Counter[str] = field(default_factory=Counter)
    served: dict[str, int] = field(default_factory=dict)
    turns: int = 0
    timer: Handle | None = None

    @property
    def active(self) -> int:
        return self.held.total()

    def is_idle(self, now_s: float) -> bool:
        return not self.held and not self.waiting and self.next_start_s <= now_s

    def rank(self, account: str) -> tuple[bool, int, int]:
        """Return the account's rank. The lowest rank is next."""
        return is_background(account), self.held[account], self.served.get(account, 0)

    def ahead(self, account: str) -> int:
        """Return the number of waiting requests that precede a new request of this account.

        Turns held now are not counted: if starts are far apart, they will have ended by then.
        """
        own, served = len(self.waiting.get(account, ())), self.served.get(account, 0)
        return own + sum(
            min(len(waiters), own + (1 if self.served.get(other, 0) <= served else 0))
            for other, waiters in self.waiting.items()
            if other != account and is_background(other) <= is_background(account)
        )

    def take(self, account: str) -> None:
        """Give the account a turn."""
        self.turns += 1
        self.held[account] += 1
        self.served.pop(account, None)
        self.served[account] = self.turns
        if len(self.served) > MAX_SERVED:
            del self.served[next(iter(self.served))]

    def leave(self, account: str) -> None:
        self.held[account] -= 1
        if not self.held[account]:
            del self.held[account]

    def drop(self, account: str, waiter: _Waiter) -> None:
        """Remove a waiting request."""
        waiters = self.waiting.get(account)
        if waiters is not None and waiter in waiters:
            waiters.remove(waiter)
            if not waiters:
                del self.waiting[account]


class Turns:
    """The queues of all hosts.

    `concurrency` is the number of parallel requests per host unless a provider declares it.
    """

    def __init__(self, clock: Clock, concurrency: int, *, later: Later | None = None) -> None:
        self._clock = clock
        self._concurrency = concurrency
        self._later: Later = later or (lambda seconds, call: asyncio.get_running_loop().call_later(seconds, call))
        self._lines: dict[str, _Line] = {}

    @property
    def hosts(self) -> int:
        """Number of hosts with a queue."""
        return len(self._lines)

    @asynccontextmanager
    async def turn(
        self, host: str, politeness: Politeness, deadline: Deadline, account: str = ""
    ) -> AsyncIterator[None]:
        """Wait for a turn at `host` and hold it.

        Raises ProviderError (timeout) if the turn would not come before the deadline.
        """
        line = self._line(host)
        now_s = self._clock.monotonic()
        earliest_s = max(now_s, line.next_start_s) + politeness.spacing_s * line.ahead(account)
        if earliest_s - now_s > deadline.remaining_s:
            raise _too_late(host, earliest_s - now_s)
        await self._enter(host, line, account, politeness, deadline)
        try:
            yield
        finally:
            line.leave(account)
            self._advance(host, line)
            self._forget(host, line)

    def _line(self, host: str) -> _Line:
        line = self._lines.get(host)
        if line is None:
            if len(self._lines) >= MAX_IDLE_HOSTS:
                now_s = self._clock.monotonic()
                self._lines = {name: kept for name, kept in self._lines.items() if not kept.is_idle(now_s)}
            line = self._lines[host] = _Line()
        return line

    def _forget(self, host: str, line: _Line) -> None:
        if line.is_idle(self._clock.monotonic()) and self._lines.get(host) is line:
            del self._lines[host]

    async def _enter(self, host: str, line: _Line, account: str, politeness: Politeness, deadline: Deadline) -> None:
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiter = _Waiter(politeness.concurrency or self._concurrency, politeness.spacing_s, deadline, granted)
        line.waiting.setdefault(account, deque()).append(waiter)
        self._advance(host, line)
        try:
            if not granted.done():
                async with deadline.bound():
                    await granted
            else:
                granted.result()
        except BaseException as exc:
            if granted.done() and not granted.cancelled() and granted.exception() is None:
                line.leave(account)  # the turn came at the same moment
            line.drop(account, waiter)
            self._advance(host, line)
            self._forget(host, line)
            if isinstance(exc, TimeoutError):
                raise ProviderError(
                    f"Too many requests to {host} are in progress, and none completed before the deadline.",
                    reason="timeout",
                ) from exc
            raise

    def _advance(self, host: str, line: _Line) -> None:
        """Grant turns while they are allowed. If only the spacing prevents the next turn, set a timer for that turn."""
        if line.timer is not None:
            line.timer.cancel()
            line.timer = None
        while line.waiting:
            account = min(line.waiting, key=line.rank)
            waiter = line.waiting[account][0]
            if waiter.granted.done():  # canceled; the request's own cleanup also removes it
                line.drop(account, waiter)
                continue
            if line.active >= waiter.limit:
                return
            now_s = self._clock.monotonic()
            if (wait_s := line.next_start_s - now_s) > 0:
                if self._give_up_late(host, line, wait_s):
                    continue
                line.timer = self._later(wait_s, lambda: self._advance(host, line))
                return
            line.drop(account, waiter)
            line.take(account)
            line.next_start_s = now_s + waiter.spacing_s
            waiter.granted.set_result(None)

    def _give_up_late(self, host: str, line: _Line, wait_s: float) -> bool:
        """Fail requests whose deadline is before the next start. Return whether any failed."""
        late = [
            (account, waiter)
            for account, waiters in line.waiting.items()
            for waiter in waiters
            if waiter.deadline.remaining_s < wait_s
        ]
        for account, waiter in late:
            line.drop(account, waiter)
            if not waiter.granted.done():
                waiter.granted.set_exception(_too_late(host, wait_s))
        return bool(late)


def _too_late(host: str, wait_s: float) -> ProviderError:
    return ProviderError(
        f"Requests to {host} are rate-limited by this service, and the next one is allowed only after the deadline. "
        f"Try again in {max(1, round(wait_s))} s.",
        reason="timeout",
        retry_after_s=wait_s,
    )
