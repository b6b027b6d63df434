"""The limiter of one process: the instants of the calls in the window, by key."""

from collections import OrderedDict, deque

from webquarry.clock import Clock
from webquarry.limits.limiter import WINDOW_S, Allowance


class InProcessLimiter:
    """Exact sliding window. Holds at most `limit` instants for each key that called within the last window."""

    def __init__(self, limit: int, clock: Clock, window_s: float = WINDOW_S) -> None:
        self._limit = limit
        self._clock = clock
        self._window_s = window_s
        # by the newest call, oldest first: what has fallen idle stands in front
        self._calls: OrderedDict[str, deque[float]] = OrderedDict()

    async def take(self, key: str) -> Allowance:
        now = self._clock.monotonic()
        gone = now - self._window_s
        calls = self._calls.get(key)
        if calls is None:
            calls = self._calls[key] = deque()
        while calls and calls[0] <= gone:
            calls.popleft()
        if len(calls) >= self._limit:
            return Allowance(False, self._limit, 0, calls[-1] - gone, calls[0] - gone)
        calls.append(now)
        self._calls.move_to_end(key)
        self._forget_idle(gone)
        return Allowance(True, self._limit, self._limit - len(calls), self._window_s, 0.0)

    def _forget_idle(self, gone: float) -> None:
        """Drop keys without a call in the window; every key is dropped once, so a call costs O(1) on average."""
        while True:
            key, calls = next(iter(self._calls.items()))
            if calls[-1] > gone:
                return
            del self._calls[key]
