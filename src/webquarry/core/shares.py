"""Slots of a scarce resource, shared fairly between accounts.

    compute = Shares(2, queue=16, spare=2)

    async with compute.slot(account, deadline):
        ...

A free slot goes to the waiting account that holds the fewest slots and, among equals, to the account that was served
longest ago. No account gets more slots than an account that is waiting, and an account without competition gets all
slots. Background work (`in_background`) gets a slot when no other request waits.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from webquarry.core.errors import Overloaded
from webquarry.core.types import Deadline

_Line = deque[asyncio.Future[None]]
_BACKGROUND = "~"
"""First character of names of background work. Account ids do not begin with it."""


def in_background(account: str) -> str:
    """Return the name under which an account's background work takes slots and turns."""
    return f"{_BACKGROUND}{account}"


def is_background(name: str) -> bool:
    return name.startswith(_BACKGROUND)


def account_of(name: str) -> str:
    """Return the account for which slots and turns are taken under this name."""
    return name.removeprefix(_BACKGROUND)


class Shares:
    """A pool of `size` slots.

    `queue` is the number of requests that may wait, at most half of them for one account. `spare` is the number of
    additional slots for accounts that hold less than an equal share of `size` (at least one slot), so that a new
    account need not wait for other accounts' work. `most` limits the slots of one account even if no other account
    waits; None means no limit.
    """

    def __init__(self, size: int, *, queue: int = 0, spare: int = 0, most: int | None = None) -> None:
        self._size = size
        self._queue = queue
        self._spare = spare
        self._most = most
        self._held: Counter[str] = Counter()
        self._busy = 0
        self._lines: dict[str, _Line] = {}  # requests in the order of arrival
        self._grants = 0
        self._served: dict[str, int] = {}  # number of the latest grant, for each account that holds a slot or waits

    @property
    def busy(self) -> int:
        """Number of slots in use."""
        return self._busy

    @property
    def waiting(self) -> int:
        """Number of waiting requests of all accounts."""
        return sum(len(line) for line in self._lines.values())

    @asynccontextmanager
    async def slot(self, account: str, deadline: Deadline) -> AsyncIterator[None]:
        """Hold a slot. Raises Overloaded if too many requests wait, or if no slot is free before the deadline."""
        await self.enter(account, deadline)
        try:
            yield
        finally:
            self.leave(account)

    async def enter(self, account: str, deadline: Deadline) -> None:
        """Take a slot as `slot` does, which must be released with `leave`."""
        if self._fits(account):
            self._grant(account)
            return
        line = self._lines.get(account, ())
        if self.waiting >= self._queue or len(line) >= max(1, self._queue // 2):
            raise Overloaded
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(account, deque()).append(granted)
        try:
            async with deadline.bound():
                await granted
        except BaseException as exc:
            if granted.done() and not granted.cancelled():
                self.leave(account)  # the slot was granted at the same moment
            else:
                self._give_up(account, granted)
            if isinstance(exc, TimeoutError):
                raise Overloaded from exc
            raise

    def _fits(self, account: str) -> bool:
        held = self._held.get(account, 0)
        if self._most is not None and held >= self._most:
            return False
        return self._busy < self._size or (self._busy < self._size + self._spare and held < self._equal_part(account))

    def _equal_part(self, account: str) -> int:
        """Return an equal share of `size` among this account and all accounts that hold a slot."""
        return max(1, self._size // (len(self._held) + (account not in self._held)))

    def _grant(self, account: str) -> None:
        self._held[account] += 1
        self._busy += 1
        self._grants += 1
        self._served[account] = self._grants

    def leave(self, account: str) -> None:
        """Release a slot taken with `enter`."""
        self._busy -= 1
        self._held[account] -= 1
        if not self._held[account]:
            del self._held[account]
        self._serve()
        self._forget(account)

    def _serve(self) -> None:
        """Give free slots to waiting requests."""
        while fit := [account for account in self._lines if self._fits(account)]:
            account = min(fit, key=self._rank)
            line = self._lines[account]
            granted = line.popleft()
            if not line:
                del self._lines[account]
            if not granted.done():
                self._grant(account)
                granted.set_result(None)

    def _rank(self, name: str) -> tuple[bool, int, int]:
        """Return the rank of a waiting name. The lowest is next."""
        return is_background(name), self._held.get(name, 0), self._served.get(name, 0)

    def _give_up(self, account: str, granted: asyncio.Future[None]) -> None:
        line = self._lines.get(account)
        if line is not None and granted in line:
            line.remove(granted)
            if not line:
                del self._lines[account]
                self._forget(account)

    def _forget(self, account: str) -> None:
        """Forget when an account was last served if it neither holds a slot nor waits."""
        if account not in self._held and account not in self._lines:
            self._served.pop(account, None)
