"""Usage of an account, read from its rows on both databases."""

import asyncio
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.clock import ManualClock
from webquarry.accounts import Accounts
from webquarry.ledger import AccountUsage, DayUsage, Hold, Ledger, Period, Receipt, last_days
from webquarry.storage import Database

DAY_S = 86_400


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def ledger(database: Database, clock: ManualClock) -> Ledger:
    return Ledger(database, clock, "i")


def receipt(hold: Hold, clock: ManualClock) -> Receipt:
    return Receipt(hold.request_id, hold.account_id, "e", "provider_error", "down", "No.", (), clock.now())


async def play(ledger: Ledger, clock: ManualClock, account_id: str, key_id: str) -> None:
    """Play a partly charged request, a refunded one, one refunded after its settle, and one that still runs."""
    part = await ledger.hold(account_id, 6, request_id="part", endpoint="brand", key_id=key_id)
    clock.advance(DAY_S)
    await ledger.settle(part, 4, None)
    failed = await ledger.hold(account_id, 2, request_id="failed", endpoint="search", key_id=key_id)
    await ledger.refund(failed, receipt(failed, clock))
    clock.advance(1)
    unheard = await ledger.hold(account_id, 3, request_id="unheard", endpoint="search", key_id="session:a")
    await ledger.settle(unheard, 3, None)
    await ledger.refund(unheard, receipt(unheard, clock))
    clock.advance(1)
    await ledger.hold(account_id, 5, request_id="running", endpoint="maps")


async def test_usage_and_entries_show_the_cost_of_each_request(
    ledger: Ledger, database: Database, clock: ManualClock
) -> None:
    accounts = Accounts(database, clock)
    account, _ = await accounts.create("someone@example.com", 100)
    other, _ = await accounts.create("other@example.com", 50)
    key, _ = await accounts.create_key(account.id, "batch")
    first = clock.now().date()
    await play(ledger, clock, account.id, key.id)
    period, second = last_days(clock.now(), 30), first + timedelta(days=1)
    assert await ledger.usage(account.id, period) == [
        DayUsage(first, "brand", credits=4, calls=1, refunded=0),
        DayUsage(second, "maps", credits=0, calls=1, refunded=0),
        DayUsage(second, "search", credits=0, calls=2, refunded=2),
    ]
    entries = await ledger.entries(account.id, period)
    assert [(entry.request_id, entry.status, entry.amount, entry.held) for entry in entries] == [
        ("running", "open", -5, 5),
        ("unheard", "refunded", 0, 3),
        ("failed", "refunded", 0, 2),
        ("part", "charged", -4, 6),
        (None, "granted", 100, 0),
    ]
    assert sum(entry.amount for entry in entries) == await ledger.balance(account.id)
    assert [entry.key_id for entry in entries] == [None, "session:a", key.id, key.id, None]
    assert await ledger.usage_by_account(period) == {account.id: AccountUsage(account.id, 4, 4, 2)}
    assert await ledger.usage_by_account(period, [account.id]) == await ledger.usage_by_account(period)
    assert await ledger.usage_by_account(period, [other.id]) == {}
    assert await ledger.spending(account.id) == {key.id: 4}
    assert await ledger.spending(other.id) == {}
    (failed,) = await ledger.receipts(account.id, "failed")
    assert failed.refunded == 2


async def test_entries_match_their_filter_and_are_in_order(
    ledger: Ledger, database: Database, clock: ManualClock
) -> None:
    account, _ = await Accounts(database, clock).create("someone@example.com", 100)
    await play(ledger, clock, account.id, "key_1")
    period = last_days(clock.now(), 30)

    async def ids(**asked: object) -> list[str | None]:
        return [entry.request_id for entry in await ledger.entries(account.id, period, **asked)]  # type: ignore[arg-type]

    assert await ids(status="refunded") == ["unheard", "failed"]
    assert await ids(status="granted") == [None]
    assert await ids(endpoint="search", key_id="key_1") == ["failed"]
    assert await ids(endpoint="nothing") == []
    seen: list[str | None] = []
    before = None
    while page := await ledger.entries(account.id, period, before=before, batch=2):
        seen += [entry.request_id for entry in page]
        before = page[-1].place
    assert seen == await ids()
    empty = Period(period.begins - timedelta(days=9), period.begins)
    assert await ledger.entries(account.id, empty) == []
    assert await ledger.usage(account.id, empty) == []


async def test_days_and_entries_always_agree_with_the_balance(database: Database) -> None:
    clock = ManualClock()
    ledger = Ledger(database, clock, "i")
    accounts = Accounts(database, clock)
    moves = st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6), st.sampled_from("sro"), st.integers(0, 2)))
    number = iter(range(10_000))

    async def check(history: list[tuple[int, int, str, int]]) -> None:
        account, _ = await accounts.create(f"{next(number)}@example.com", 1000)
        for amount, due, end, days in history:
            hold = await ledger.hold(account.id, amount, request_id="r", endpoint=f"e{amount}", key_id="key_1")
            clock.advance(DAY_S * days + 1)
            if end == "s":
                await ledger.settle(hold, min(due, amount), None)
            elif end == "r":
                await ledger.refund(hold, receipt(hold, clock))
        period = last_days(clock.now(), 366)
        entries = await ledger.entries(account.id, period, batch=1000)
        assert sum(entry.amount for entry in entries) == await ledger.balance(account.id)
        charged = sum(-entry.amount for entry in entries if entry.status in ("charged", "refunded"))
        assert sum(day.credits for day in await ledger.usage(account.id, period)) == charged

    loop = asyncio.get_running_loop()

    @settings(suppress_health_check=list(HealthCheck), database=None)
    @given(moves)
    def run(history: list[tuple[int, int, str, int]]) -> None:
        asyncio.run_coroutine_threadsafe(check(history), loop).result()

    await asyncio.to_thread(run)
    assert await ledger.verify() == []
