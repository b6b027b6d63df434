"""Recent results of endpoints and sources in this process, for the status page."""

from collections import Counter, deque
from dataclasses import dataclass
from datetime import datetime
from statistics import median

KEPT = 200
"""Number of recent runs of an endpoint, or attempts of a source, to remember."""
FAILURES = frozenset({"timeout", "blocked", "changed", "refused", "down", "fault"})
"""Outcomes that are the fault of the source or this service.

Empty results and unreadable documents are nobody's fault.
"""
_UNTOLD = frozenset({"stopped", "unavailable"})
"""Outcomes that are not counted for reliability, because the attempt was not completed."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Statistics of recent runs.

    `count` is the number of runs, at most `KEPT`. `share` is the fraction that succeeded, from 0 to 1. `median_ms` is
    the median duration of successful ones. `last_success_at` is None if none succeeded.
    """

    count: int
    share: float
    median_ms: int | None
    last_success_at: datetime | None
    last_at: datetime


class Recent:
    """Recent outcomes by name, newest last. Names come from declarations, so there are a limited number of them.

    `runs` and `failures` count all outcomes since the start.
    """

    def __init__(self) -> None:
        self._ends: dict[str, deque[tuple[datetime, bool, int]]] = {}
        self.runs: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()

    def note(self, name: str, end: str, ms: int, at: datetime) -> None:
        """Record an outcome. `end` is `ok`, or the reason or code of the error."""
        if end not in _UNTOLD:
            self._ends.setdefault(name, deque(maxlen=KEPT)).append((at, end not in FAILURES, ms))
            self.runs[name] += 1
            self.failures[name] += end in FAILURES

    def figures(self, name: str) -> Figures | None:
        """Return the statistics, or None if there are no outcomes yet."""
        ends = self._ends.get(name)
        if not ends:
            return None
        good = [(at, ms) for at, is_good, ms in ends if is_good]
        return Figures(
            len(ends),
            len(good) / len(ends),
            round(median(ms for _, ms in good)) if good else None,
            good[-1][0] if good else None,
            ends[-1][0],
        )
