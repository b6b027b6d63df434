"""Interface of rate limiters."""

import math
from typing import Literal, NamedTuple, Protocol

from webquarry.core.errors import RateLimited

WINDOW_S = 60.0
Counted = Literal["key", "account"]


class Allowance(NamedTuple):
    """The decision about one request. If a key and its account are both counted, the stricter limit decides.

    `limit` is the number of requests per window, and `remaining` is the number still allowed now. `reset_s` is the time
    until the whole window is free if no further requests are made. `retry_after_s` is the time until the next request
    is allowed; it is 0 if this request was allowed. `counted` names the limit that decided. It is a named tuple because
    every request creates one, and creating a frozen dataclass takes twice as long.
    """

    allowed: bool
    limit: int
    remaining: int
    reset_s: float
    retry_after_s: float
    counted: Counted = "key"

    def check(self) -> None:
        """Raise RateLimited, with the time to wait, unless the request is allowed."""
        if not self.allowed:
            raise RateLimited(self.limit, WINDOW_S, math.ceil(self.retry_after_s), self.counted)


class MakeLimiter(Protocol):
    def __call__(self, limit: int, window_s: float, *, account_limit: int | None = None) -> "Limiter":
        """Create a limiter of `limit` requests per window of `window_s` seconds."""
        ...


class Limiter(Protocol):
    async def take(self, key: str, account: str | None = None) -> Allowance:
        """Count a request of `key`, which belongs to `account`. ¶ The request counts for both, but only if both limits
        allow it.

        For any time t, at most `limit` requests of a key and `account_limit` of an account are allowed in [t, t +
        window). Without an `account_limit`, only keys are counted. Raises Overloaded if a shared limiter is
        unreachable.
        """
        ...
