"""The limiter as its callers see it."""

import math
from typing import NamedTuple, Protocol

from webquarry.errors import RateLimited

WINDOW_S = 60.0


class Allowance(NamedTuple):
    """The answer to one call. A named tuple, since each call makes one and a frozen dataclass takes twice as long.

    limit: calls in any window; remaining: how many more would be allowed right now.
    reset_s: until the whole window is free again, if no further call comes.
    retry_after_s: until the next call would be allowed; 0 when this one was.
    """

    allowed: bool
    limit: int
    remaining: int
    reset_s: float
    retry_after_s: float

    def check(self) -> None:
        """RateLimited, with the wait, unless the call is allowed."""
        if not self.allowed:
            raise RateLimited(self.limit, WINDOW_S, math.ceil(self.retry_after_s))


class Limiter(Protocol):
    async def take(self, key: str) -> Allowance:
        """Ask for one call of `key`; it counts only when allowed.

        For any instant t, at most `limit` calls were allowed in [t, t + window).
        Overloaded when a shared limiter cannot be asked.
        """
        ...
