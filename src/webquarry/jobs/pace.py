"""The pace of lanes across all servers: the time between two visits, and rests after refusals."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from webquarry.core.clock import epoch_ms
from webquarry.storage import Operation

KEPT: Final = timedelta(minutes=10)
_FIND = "SELECT spacing_ms, next_start_at, refusals FROM lanes WHERE name = :name"
_START = """
    UPDATE lanes SET next_start_at = :now + spacing_ms, refusals = 0 WHERE name = :name AND next_start_at <= :now
    RETURNING name"""
_SPACE = """
    INSERT INTO lanes (name, spacing_ms, next_start_at) VALUES (:name, :spacing_ms, :now)
    ON CONFLICT (name) DO UPDATE SET spacing_ms = excluded.spacing_ms"""
_REST = """
    INSERT INTO lanes (name, next_start_at, refusals) VALUES (:name, :until, :refusals)
    ON CONFLICT (name) DO UPDATE SET next_start_at = excluded.next_start_at, refusals = excluded.refusals"""
_RESTING = "SELECT COUNT(*) FROM lanes WHERE refusals > 0 AND next_start_at > :now"
_FORGET = """
    DELETE FROM lanes WHERE next_start_at <= :before AND NOT EXISTS (
        SELECT 1 FROM job_items WHERE lane = lanes.name AND state = 'ready')
    AND NOT EXISTS (SELECT 1 FROM job_items WHERE lane = lanes.name AND state = 'taken')"""


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of a lane. `refusals` is set while the lane rests until `next_start_ms`."""

    name: str
    spacing_ms: int = 0
    next_start_ms: int = 0
    refusals: int = 0

    def rest_s(self, now: datetime) -> float:
        """Return the seconds until the next visit may start."""
        return max(0.0, (self.next_start_ms - epoch_ms(now)) / 1000)


def find(name: str) -> Operation[Pace]:
    rows = yield _FIND, {"name": name}
    return Pace(name, *rows[0]) if rows else Pace(name)


def start(name: str, now: datetime) -> Operation[float]:
    """Start a visit and return 0, or return the number of seconds to wait before trying again."""
    if (yield _START, {"name": name, "now": epoch_ms(now)}):
        return 0.0
    found = yield from find(name)
    return found.rest_s(now)


def space(name: str, spacing_ms: int, now: datetime) -> Operation[None]:
    """Set the time between the starts of two visits."""
    yield _SPACE, {"name": name, "spacing_ms": spacing_ms, "now": epoch_ms(now)}


def rest(name: str, until: datetime, refusals: int) -> Operation[None]:
    """Prevent visits until this time."""
    yield _REST, {"name": name, "until": epoch_ms(until), "refusals": refusals}


def count_resting(now: datetime) -> Operation[int]:
    """Return the number of lanes that rest after refusals."""
    [(count,)] = yield _RESTING, {"now": epoch_ms(now)}
    return int(count)


def forget(now: datetime) -> Operation[None]:
    """Delete the pace of lanes without items, ten minutes after their last visit.

    The pace of a crawl's lanes is set before the lanes have items.
    """
    yield _FORGET, {"before": epoch_ms(now - KEPT)}
