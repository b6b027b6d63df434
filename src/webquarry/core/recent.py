"""How endpoints and sources have done lately in this process: the last runs of each, for the status page."""

from collections import deque
from dataclasses import dataclass
from datetime import datetime
from statistics import median

KEPT = 200
"""Runs of one endpoint, or tries of one source, that are looked back upon."""
FAILURES = frozenset({"timeout", "blocked", "changed", "refused", "down", "fault"})
"""Ends for which the source or this service is to blame. That there is nothing, or that a document cannot be read, is
an answer."""
_UNTOLD = frozenset({"stopped", "unavailable"})
"""Ends that say nothing of how it does: nobody was asked to the end."""


@dataclass(frozen=True, slots=True)
class Figures:
    """count: of runs looked back upon, at most `KEPT`. share: of these that succeeded, 0 to 1. median_ms: of the
    successful. last_success_at: None when there was none."""

    count: int
    share: float
    median_ms: int | None
    last_success_at: datetime | None
    last_at: datetime


class Recent:
    """Ends by name, the newest last. Names are those of declarations, so it stays small."""

    def __init__(self) -> None:
        self._ends: dict[str, deque[tuple[datetime, bool, int]]] = {}

    def note(self, name: str, end: str, ms: int, at: datetime) -> None:
        """end: `ok`, or the reason or code of the error."""
        if end not in _UNTOLD:
            self._ends.setdefault(name, deque(maxlen=KEPT)).append((at, end not in FAILURES, ms))

    def figures(self, name: str) -> Figures | None:
        """None when it was not asked yet."""
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
