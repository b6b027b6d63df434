"""Daily figures: summed over servers, stored once, merged and deleted when they are old."""

from collections import Counter
from typing import Any

import pytest

from support.clock import ManualClock
from support.people import run_writes_twice
from webquarry.core.errors import Overloaded
from webquarry.logs.figures import KEPT_DAYS, DailyFigures
from webquarry.storage import Database
from webquarry.storage.database import query

DAY_S = 86_400.0


class Counts:
    """The figures that a server has counted."""

    def __init__(self, database: Database, clock: ManualClock) -> None:
        self.totals: Counter[tuple[str, str]] = Counter()
        self.figures = DailyFigures(database, clock, lambda: self.totals)

    async def count(self, value: int, endpoint: str = "search", name: str = "requests") -> None:
        self.totals[endpoint, name] += value
        await self.figures.store()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def counts(database: Database, clock: ManualClock) -> Counts:
    return Counts(database, clock)


async def read(counts: Counts, days: int = KEPT_DAYS) -> list[tuple[str, str, str, int]]:
    return [(str(each.day), each.endpoint, each.name, each.value) for each in await counts.figures.read(days)]


async def count_rows(database: Database) -> int:
    return int((await database.read(lambda: query("SELECT COUNT(*) FROM daily_figures", {})))[0][0])


async def test_figures_are_totals_of_a_day_over_all_servers(
    counts: Counts, database: Database, clock: ManualClock
) -> None:
    other = Counts(database, clock)
    await counts.count(2)
    await counts.count(3)
    await other.count(10)
    await other.count(1, "maps", "credits")
    assert await read(counts) == [
        ("2026-01-01", "maps", "credits", 1),
        ("2026-01-01", "search", "requests", 15),
    ]


async def test_a_new_day_begins_at_zero(counts: Counts, clock: ManualClock) -> None:
    await counts.count(2)
    clock.advance(DAY_S)
    await counts.count(5)  # since the last time, so it belongs to the first day
    await counts.count(4)
    assert await read(counts) == [
        ("2026-01-01", "search", "requests", 7),
        ("2026-01-02", "search", "requests", 4),
    ]
    assert await read(counts, days=1) == [("2026-01-02", "search", "requests", 4)]


async def test_storing_twice_changes_nothing(
    counts: Counts, database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_writes_twice(database, monkeypatch)
    await counts.count(2)
    clock.advance(3 * DAY_S)
    await counts.count(3)
    await counts.figures.sweep()
    await counts.figures.sweep()
    assert await read(counts) == [("2026-01-01", "search", "requests", 5)]


async def test_figures_that_could_not_be_stored_are_stored_later(
    counts: Counts, database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: Any, **__: Any) -> None:
        raise Overloaded

    with monkeypatch.context() as away:
        away.setattr(database, "write", refuse)
        await counts.count(2)
        clock.advance(DAY_S)
        await counts.count(1)
    await counts.count(1)
    await counts.count(7)
    assert [value for *_, value in await read(counts)] == [4, 7]


async def test_writers_are_merged_after_their_day(counts: Counts, database: Database, clock: ManualClock) -> None:
    for _ in range(5):
        await Counts(database, clock).count(2)
    assert await count_rows(database) == 5
    assert not await counts.figures.sweep()
    assert await count_rows(database) == 5
    clock.advance(2 * DAY_S)
    await counts.figures.sweep()
    assert await count_rows(database) == 1
    late = Counts(database, ManualClock())
    await late.count(1)
    await counts.figures.sweep()
    assert await read(counts) == [("2026-01-01", "search", "requests", 11)]


async def test_old_figures_are_deleted(counts: Counts, database: Database, clock: ManualClock) -> None:
    await counts.count(1)
    clock.advance((KEPT_DAYS - 1) * DAY_S)
    await counts.figures.sweep()
    assert await count_rows(database) == 1
    clock.advance(DAY_S)
    await counts.figures.sweep()
    assert await count_rows(database) == 0


async def test_nothing_is_stored_without_counts(counts: Counts, database: Database) -> None:
    await counts.figures.store()
    assert await count_rows(database) == 0
