"""How well the queue of jobs is served, over all accounts and servers."""

from dataclasses import dataclass
from datetime import datetime

from webquarry.core.clock import epoch_ms
from webquarry.storage import Operation

_WAITS = """
    SELECT COUNT(*), MIN(CASE WHEN served_at > created_at THEN served_at ELSE created_at END) FROM jobs
    WHERE state = 'running'"""


@dataclass(frozen=True, slots=True)
class QueueStanding:
    """`running` jobs, and the longest time in seconds for which none of a job's items was begun."""

    running: int
    wait_s: float


def read_standing(now: datetime) -> Operation[QueueStanding]:
    """Return how well running jobs are served."""
    [(running, served_at)] = yield _WAITS, {}
    return QueueStanding(running, 0.0 if served_at is None else max(0, epoch_ms(now) - served_at) / 1000)
