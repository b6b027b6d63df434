"""Rate limiter of one process. It stores the times of the requests in the window, by key and by account."""

from collections import OrderedDict, deque

from webquarry.core.clock import Clock
from webquarry.limits.limiter import WINDOW_S, Allowance, Counted


class InProcessLimiter:
    """Exact sliding windows.

    At most `limit` times are stored per key, and `account_limit` per account, if there were requests in the last
    window.
    """

    def __init__(
        self, limit: int, clock: Clock, window_s: float = WINDOW_S, *, account_limit: int | None = None
    ) -> None:
        self._clock = clock
        self._window_s = window_s
        self._keys = _Calls(limit, "key")
        self._accounts = None if account_limit is None else _Calls(account_limit, "account")

    async def take(self, key: str, account: str | None = None) -> Allowance:
        now = self._clock.monotonic()
        gone = now - self._window_s
        keys, accounts = self._keys, self._accounts
        refused = keys.refuse(key, gone)
        if accounts is None or account is None:
            return refused or keys.add(key, now, gone, self._window_s)
        both = refused, accounts.refuse(account, gone)
        longest = max((each for each in both if each), key=lambda each: each.retry_after_s, default=None)
        if longest is not None:
            return longest
        mine, ours = keys.add(key, now, gone, self._window_s), accounts.add(account, now, gone, self._window_s)
        return mine if mine.remaining <= ours.remaining else ours


class _Calls:
    """Times of allowed requests, by name of the key or account. Names without a request in the window are dropped."""

    def __init__(self, limit: int, counted: Counted) -> None:
        self._limit = limit
        self._counted = counted
        # ordered by the latest request, oldest first, so idle names come first
        self._calls: OrderedDict[str, deque[float]] = OrderedDict()

    def refuse(self, name: str, gone: float) -> Allowance | None:
        """Return a refusal if another request would exceed the limit, or None if it is allowed."""
        calls = self._calls.get(name)
        if calls is None or len(calls) < self._limit:
            return None
        while calls and calls[0] <= gone:
            calls.popleft()
        if len(calls) < self._limit:
            return None
        return Allowance(False, self._limit, 0, calls[-1] - gone, calls[0] - gone, self._counted)

    def add(self, name: str, now: float, gone: float, window_s: float) -> Allowance:
        """Count an allowed request."""
        calls = self._calls.get(name)
        if calls is None:
            calls = self._calls[name] = deque()
        while calls and calls[0] <= gone:
            calls.popleft()
        calls.append(now)
        self._calls.move_to_end(name)
        self._forget_idle(gone)
        return Allowance(True, self._limit, self._limit - len(calls), window_s, 0.0, self._counted)

    def _forget_idle(self, gone: float) -> None:
        """Drop names without a request in the window. Each name is dropped only once, so the average cost of a request
        is O(1).
        """
        while True:
            name, calls = next(iter(self._calls.items()))
            if calls and calls[-1] > gone:
                return
            del self._calls[name]
