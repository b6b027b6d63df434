"""Requests of a page that is being rendered."""

from playwright.async_api import Request

from webquarry.core.clock import Clock

_ENDLESS = frozenset({"eventsource", "websocket", "ping"})
"""Types of requests that never end and do not delay a page."""


class Traffic:
    """Counts a page's requests and reports whether any are still loading."""

    def __init__(self, clock: Clock) -> None:
        self.count = 0
        self._clock = clock
        self._started_s: dict[Request, float] = {}
        self._last_s = clock.monotonic()

    def began(self, request: Request) -> None:
        self.count += 1
        if request.resource_type not in _ENDLESS:
            self._last_s = self._started_s[request] = self._clock.monotonic()

    def ended(self, request: Request) -> None:
        if self._started_s.pop(request, None) is not None:
            self._last_s = self._clock.monotonic()

    def quiet_s(self, patience_s: float) -> float:
        """Return the seconds since the last event, or 0 if a request has been loading for less than `patience_s`."""
        now_s = self._clock.monotonic()
        if any(now_s - started_s < patience_s for started_s in self._started_s.values()):
            return 0.0
        return now_s - self._last_s
