"""Periodic tasks of a running server."""

from datetime import timedelta
from unittest.mock import AsyncMock

import pytest
import structlog

from support.clock import ManualClock
from webquarry.accounts import Accounts
from webquarry.core.errors import Overloaded
from webquarry.ledger import Daily, Ledger, Maintenance, Receipt
from webquarry.ledger.maintenance import AGAIN_S, EVERY_S, MAX_BATCHES
from webquarry.storage import Database
from webquarry.storage.conversions import Conversion, Conversions
from webquarry.storage.database import query


class Enough(Exception):
    """Ends the maintenance's run."""


async def test_a_round_refunds_abandoned_holds_and_deletes_expired_data(database: Database) -> None:
    clock = ManualClock()
    ledger, conversions = Ledger(database, clock, "i"), Conversions(database)
    account, _ = await Accounts(database, clock).create("someone@example.com", 10)
    now = clock.now()
    expires = now + timedelta(days=30)
    await conversions.keep(Conversion("cv_1", "e", 1, None, None, now, None, expires, None, None, b"{}", b""))
    failed = await ledger.hold(account.id, 1, request_id="r", endpoint="e")
    await ledger.refund(failed, Receipt("r", account.id, "e", "provider_error", "down", "No.", (), now))
    await ledger.hold(account.id, 1, request_id="r", endpoint="e")
    maintenance = Maintenance(ledger, conversions, clock, keep_receipts=timedelta(days=30))

    await maintenance.round()
    assert await ledger.balance(account.id) == 9
    clock.advance(30 * 24 * 3600)
    await maintenance.round()
    assert await ledger.balance(account.id) == 10
    assert await ledger.receipts(account.id, "r") == []
    assert await conversions.by_id("cv_1", now) is None
    assert await ledger.verify() == []


async def test_rounds_continue_if_the_store_is_busy(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock()
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            raise Enough

    maintenance = Maintenance(
        Ledger(database, clock, "i"), Conversions(database), clock, keep_receipts=timedelta(days=1), sleep=sleep
    )

    async def refused(*_: object, **__: object) -> None:
        raise Overloaded

    monkeypatch.setattr(database, "write", refused)
    with pytest.raises(Enough):
        await maintenance.run()
    assert pauses == [30.0] * 3


async def test_a_round_deletes_a_limited_number_of_rows_and_the_next_follows_soon(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.storage.conversions.SWEEP_BATCH", 1)
    clock = ManualClock()
    ledger, conversions = Ledger(database, clock, "i"), Conversions(database)
    now = clock.now()
    for number in range(MAX_BATCHES + 2):
        await conversions.keep(Conversion(f"cv_{number}", "e", 1, None, None, now, None, now, None, None, b"{}", b""))

    async def left() -> int:
        rows = await database.read(lambda: query("SELECT COUNT(*) FROM conversions", {}))
        return int(rows[0][0])

    seen: list[tuple[float, int]] = []

    async def sleep(seconds: float) -> None:
        seen.append((seconds, await left()))
        if len(seen) == 2:
            raise Enough

    maintenance = Maintenance(ledger, conversions, clock, keep_receipts=timedelta(days=30), sleep=sleep)
    await maintenance.begin()
    assert await left() == MAX_BATCHES + 2
    with pytest.raises(Enough):
        await maintenance.run()
    assert seen == [(AGAIN_S, 2), (EVERY_S, 0)]


async def test_an_error_in_a_round_is_logged_and_rounds_continue(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = ManualClock()
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        clock.advance(seconds)
        if len(pauses) == 3:
            raise Enough

    maintenance = Maintenance(
        Ledger(database, clock, "i"), Conversions(database), clock, keep_receipts=timedelta(days=1), sleep=sleep
    )
    await maintenance.begin()
    began = clock.monotonic()

    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a fault")

    with structlog.testing.capture_logs() as logged, monkeypatch.context() as patch:
        patch.setattr(database, "write", broken)
        with pytest.raises(Enough):
            await maintenance.run()
    assert pauses == [30.0] * 3
    assert [line["event"] for line in logged] == ["maintenance.failed"] * 3
    assert maintenance.last_round_at == began
    pauses.pop()
    with pytest.raises(Enough):
        await maintenance.run()
    assert maintenance.last_round_at == clock.monotonic() - 30


async def test_daily_sweep_continues_until_nothing_is_left_and_then_waits_a_day() -> None:
    clock = ManualClock()
    left = [True, False, False]
    sweep = Daily(AsyncMock(side_effect=lambda: left.pop(0)), clock)
    assert [await sweep() for _ in range(4)] == [True, False, False, False]
    assert left == [False]
    clock.advance(24 * 3600)
    assert not await sweep()
    assert left == []
