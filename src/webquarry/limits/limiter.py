"""The limiter as its callers see it."""

import math
from typing import Literal, NamedTuple, Protocol

from webquarry.core.errors import RateLimited

WINDOW_S = 60.0
Counted = Literal["key", "account"]


class Allowance(NamedTuple):
    """The answer to one call. A named tuple, since each call makes one and a frozen dataclass takes twice as long.

    Where a key and its account are counted, it tells of the one that allows less.

    limit: calls in any window; remaining: how many more would be allowed right now.
    reset_s: until the whole window is free again, if no further call comes.
    retry_after_s: until the next call would be allowed; 0 when this one was. counted: whose calls these are.
    """

    allowed: bool
    limit: int
    remaining: int
    reset_s: float
    retry_after_s: float
    counted: Counted = "key"

    def check(self) -> None:
        """RateLimited, with the wait, unless the call is allowed."""
        if not self.allowed:
            raise RateLimited(self.limit, WINDOW_S, math.ceil(self.retry_after_s), self.counted)


class MakeLimiter(Protocol):
    def __call__(self, limit: int, window_s: float, *, account_limit: int | None = None) -> "Limiter":
        """Make a limiter of so many calls in any window of so many seconds."""
        ...


class Limiter(Protocol):
    async def take(self, key: str, account: str | None = None) -> Allowance:
        """Ask for one call of `key`, which belongs to `account`. The call counts for both, and only when both allow it.

        For any instant t, at most `limit` calls of a key and `account_limit` calls of an account were allowed in
        [t, t + window). A limiter without an `account_limit` counts keys only.
        Overloaded when a shared limiter cannot be asked.
        """
        ...
