"""Statements for daily figures: write, sum, merge and delete them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from webquarry.storage import Operation

KEPT_DAYS: Final = 92
"""Number of days whose figures are kept, including today."""
MERGED: Final = ""
"""Writer name of merged figures."""
BATCH: Final = 1000

_PUT = """
    INSERT INTO daily_figures (day, endpoint, figure, writer, value) VALUES (:day, :endpoint, :figure, :writer, :value)
    ON CONFLICT (day, endpoint, figure, writer) DO UPDATE SET value = excluded.value"""
_ADD = """
    INSERT INTO daily_figures (day, endpoint, figure, writer, value) VALUES (:day, :endpoint, :figure, '', :value)
    ON CONFLICT (day, endpoint, figure, writer) DO UPDATE SET value = daily_figures.value + excluded.value"""
_SUM = """
    SELECT day, endpoint, figure, CAST(SUM(value) AS BIGINT) FROM daily_figures
    WHERE day >= :first GROUP BY day, endpoint, figure ORDER BY day, endpoint, figure"""
_TAKE = """
    DELETE FROM daily_figures WHERE (day, endpoint, figure, writer) IN (
        SELECT day, endpoint, figure, writer FROM daily_figures WHERE day < :before AND writer <> '' LIMIT :batch)
    RETURNING day, endpoint, figure, value"""
_SWEEP = "DELETE FROM daily_figures WHERE day < :first"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of an endpoint on a day (UTC), over all servers. `name`: see `Metrics.totals`."""

    day: date
    endpoint: str
    name: str
    value: int


def put(day: date, writer: str, values: Mapping[tuple[str, str], int]) -> Operation[None]:
    """Store a writer's totals of a day, by endpoint and name.

    They replace the earlier totals of the same writer and day.
    """
    for (endpoint, figure), value in sorted(values.items()):
        key = {"day": day.toordinal(), "endpoint": endpoint, "figure": figure, "writer": writer}
        yield _PUT, {**key, "value": value}


def read(first: date) -> Operation[list[Figure]]:
    """Return the figures from `first` on."""
    rows = yield _SUM, {"first": first.toordinal()}
    return [Figure(date.fromordinal(day), endpoint, figure, value) for day, endpoint, figure, value in rows]


def sweep(today: date) -> Operation[bool]:
    """Merge a batch of figures of past days from several writers, and delete old figures.

    Return whether more may be left.
    """
    yield _SWEEP, {"first": (today - timedelta(days=KEPT_DAYS - 1)).toordinal()}
    # a server whose clock is slow may still store figures for yesterday
    rows = yield _TAKE, {"before": (today - timedelta(days=1)).toordinal(), "batch": BATCH}
    sums: Counter[tuple[int, str, str]] = Counter()
    for day, endpoint, figure, value in rows:
        sums[day, endpoint, figure] += value
    for (day, endpoint, figure), value in sorted(sums.items()):
        yield _ADD, {"day": day, "endpoint": endpoint, "figure": figure, "value": value}
    return len(rows) == BATCH
