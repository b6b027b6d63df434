"""Monthly caps: exact for concurrent requests, and refunded in the month of the charge."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest

from conftest import Store
from support.clock import ManualClock
from webquarry.accounts import Accounts
from webquarry.core.errors import CapReached, InsufficientCredits
from webquarry.ledger import Hold, Ledger, Receipt
from webquarry.ledger.spending import first_kept, month_of, next_month, renewal
from webquarry.storage import Database
from webquarry.storage.database import query

Maker = Callable[..., Awaitable[tuple[str, str]]]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 12, 31, 23, 59, tzinfo=UTC))


@pytest.fixture
def ledger(database: Database, clock: ManualClock) -> Ledger:
    return Ledger(database, clock, "i")


@pytest.fixture
def key(database: Database, clock: ManualClock) -> Maker:
    accounts = Accounts(database, clock)

    async def make(cap: int | None, credits: int = 100) -> tuple[str, str]:
        account, _ = await accounts.create("someone@example.com", credits)
        made, _ = await accounts.create_key(account.id, "batch", monthly_cap=cap)
        return account.id, made.id

    return make


async def hold_of(ledger: Ledger, owner: tuple[str, str], amount: int) -> Hold:
    account_id, key_id = owner
    return await ledger.hold(account_id, amount, request_id="r", endpoint="e", key_id=key_id)


def receipt(hold: Hold, clock: ManualClock) -> Receipt:
    return Receipt("r", hold.account_id, "e", "provider_error", "down", "No.", (), clock.now())


async def months(database: Database) -> dict[int, int]:
    return dict(await database.read(lambda: query("SELECT month, spent FROM spending ORDER BY month", {})))


async def test_call_beyond_the_cap_is_refused_and_holds_nothing(ledger: Ledger, key: Maker, database: Database) -> None:
    owner = await key(5)
    await hold_of(ledger, owner, 4)
    with pytest.raises(CapReached) as refused:
        await hold_of(ledger, owner, 2)
    error = refused.value
    assert (error.status, error.code, error.reason) == (402, "insufficient_credits", "monthly_cap")
    for found in ("'batch'", "monthly cap of 5", "has 1 left", "costs 2", "renews on 2027-01-01 at 00:00 UTC"):
        assert found in error.message
    assert await ledger.balance(owner[0]) == 96
    assert await ledger.verify() == []
    await hold_of(ledger, owner, 1)
    assert await months(database) == {202612: 5}


async def test_cap_of_zero_refuses_the_first_request(ledger: Ledger, key: Maker, database: Database) -> None:
    owner = await key(0)
    with pytest.raises(CapReached):
        await hold_of(ledger, owner, 1)
    with pytest.raises(CapReached):
        await ledger.check_cap(owner[1], 1)
    assert await months(database) == {}


@pytest.mark.parametrize(("spent", "price", "is_refused"), [(4, 0, False), (4, 1, False), (4, 2, True), (0, 5, False)])
async def test_a_key_may_spend_its_cap_to_the_credit(
    ledger: Ledger, key: Maker, spent: int, price: int, is_refused: bool
) -> None:
    owner = await key(5)
    if spent:
        await hold_of(ledger, owner, spent)
    if is_refused:
        with pytest.raises(CapReached):
            await ledger.check_cap(owner[1], price)
    else:
        await ledger.check_cap(owner[1], price)


async def test_a_key_without_a_cap_may_spend_anything(ledger: Ledger, key: Maker) -> None:
    owner = await key(None)
    await ledger.check_cap(owner[1], 10**9)


async def test_missing_balance_is_reported_before_the_cap(ledger: Ledger, key: Maker, database: Database) -> None:
    owner = await key(5, credits=3)
    with pytest.raises(InsufficientCredits, match="balance is 3"):
        await hold_of(ledger, owner, 9)
    assert await months(database) == {}


async def test_cap_is_renewed_next_month(ledger: Ledger, key: Maker, clock: ManualClock) -> None:
    owner = await key(5)
    await hold_of(ledger, owner, 5)
    clock.advance(59)
    with pytest.raises(CapReached):
        await hold_of(ledger, owner, 1)
    clock.advance(1)
    await hold_of(ledger, owner, 5)
    assert await ledger.verify() == []


async def test_refund_is_booked_to_the_month_of_its_hold(
    ledger: Ledger, key: Maker, clock: ManualClock, database: Database
) -> None:
    owner = await key(5)
    late, part, kept = [await hold_of(ledger, owner, amount) for amount in (1, 3, 1)]
    clock.advance(120)
    await hold_of(ledger, owner, 5)
    await ledger.refund(late, receipt(late, clock))
    await ledger.settle(part, 2, None)
    await ledger.settle(kept, 1, None)
    assert await months(database) == {202612: 3, 202701: 5}
    with pytest.raises(CapReached):
        await hold_of(ledger, owner, 1)
    # an error after the settle: the charge is refunded in its month, once
    for _ in range(2):
        await ledger.refund(part, receipt(part, clock))
    assert await months(database) == {202612: 1, 202701: 5}
    assert await ledger.verify() == []


async def test_hold_refunded_by_the_sweep_is_subtracted_from_the_spending(
    ledger: Ledger, key: Maker, clock: ManualClock, database: Database
) -> None:
    await hold_of(ledger, await key(5), 4)
    clock.advance(151)
    assert await ledger.sweep() == 1
    assert await months(database) == {202612: 0}
    assert await ledger.verify() == []


async def test_a_thousand_concurrent_holds_on_two_servers_spend_exactly_the_cap(
    store: Store, clock: ManualClock
) -> None:
    ledgers = [Ledger(await store.open(), clock, f"instance-{n}") for n in range(2)]
    accounts = Accounts(store.opened[0], clock)
    account, _ = await accounts.create("someone@example.com", 10_000)
    keys = [(await accounts.create_key(account.id, f"{cap}", monthly_cap=cap))[0].id for cap in (60, 90)]
    asked = [hold_of(ledgers[n % 2], (account.id, keys[n % 4 // 2]), 1) for n in range(400)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    held = [outcome for outcome in outcomes if isinstance(outcome, Hold)]
    assert [sum(hold.key_id == key for hold in held) for key in keys] == [60, 90]
    assert all(isinstance(outcome, Hold | CapReached) for outcome in outcomes)
    # half of them fail: their credits may be spent again, and no more
    failed = [hold for hold in held if hold.key_id == keys[0]][:30]
    await asyncio.gather(*[ledgers[n % 2].refund(hold, receipt(hold, clock)) for n, hold in enumerate(failed)])
    again = [hold_of(ledgers[n % 2], (account.id, keys[0]), 2) for n in range(40)]
    outcomes = await asyncio.gather(*again, return_exceptions=True)
    assert sum(isinstance(outcome, Hold) for outcome in outcomes) == 15
    assert await ledgers[0].verify() == []


async def test_changed_cap_applies_to_the_next_request(
    ledger: Ledger, key: Maker, database: Database, clock: ManualClock
) -> None:
    owner = await key(None)
    accounts = Accounts(database, clock)
    await hold_of(ledger, owner, 7)
    await accounts.set_key_cap(*owner, 7)
    with pytest.raises(CapReached):
        await hold_of(ledger, owner, 1)
    await accounts.set_key_cap(*owner, 8)
    await hold_of(ledger, owner, 1)
    await accounts.set_key_cap(*owner, None)
    await hold_of(ledger, owner, 50)
    assert await ledger.verify() == []


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("UPDATE spending SET spent = 9", "recorded spending of 9 in 202612, but its rows add up to 4"),
        ("DELETE FROM spending", "recorded spending of 0 in 202612, but its rows add up to 4"),
        ("UPDATE spending SET month = 202701", "its rows add up to"),
        ("INSERT INTO spending (key_id, month, spent) VALUES ('other', 202612, 2)", "other has recorded spending of 2"),
    ],
)
async def test_wrong_spending_is_found(ledger: Ledger, key: Maker, database: Database, damage: str, found: str) -> None:
    await hold_of(ledger, await key(5), 4)
    assert await ledger.verify() == []
    await database.write(lambda: query(damage, {}))
    assert any(found in difference.message for difference in await ledger.verify())


def test_months_follow_each_other() -> None:
    assert month_of(datetime(2026, 12, 31, 23, 59, 59, 999_600, tzinfo=UTC)) == 202701  # rounded as in the stored form
    assert [next_month(month) for month in (202611, 202612)] == [202612, 202701]
    assert renewal(datetime(2026, 12, 5, tzinfo=UTC)) == datetime(2027, 1, 1, tzinfo=UTC)


async def test_sums_of_old_months_are_deleted_and_those_that_are_kept_are_verified(
    ledger: Ledger, key: Maker, database: Database, clock: ManualClock
) -> None:
    owner = await key(None)
    for _ in range(6):
        hold = await hold_of(ledger, owner, 2)
        await ledger.settle(hold, 2, None)
        clock.advance(30 * 24 * 3600)
    assert clock.now().month == 6
    assert not await ledger.sweep_spending()
    assert await months(database) == {202703: 4, 202704: 2, 202705: 2}
    assert await ledger.verify() == []
    await database.write(lambda: query("UPDATE spending SET spent = 3 WHERE month = 202705", {}))
    assert len(await ledger.verify()) == 1


async def test_refund_of_a_hold_whose_month_is_no_longer_kept_changes_no_sum(
    ledger: Ledger, key: Maker, database: Database, clock: ManualClock
) -> None:
    owner = await key(5)
    hold = await hold_of(ledger, owner, 2)
    clock.advance(200 * 24 * 3600)
    await ledger.sweep_spending()
    assert await ledger.refund(hold, receipt(hold, clock)) == 100
    assert await months(database) == {}
    assert await ledger.verify() == []


@pytest.mark.parametrize(("month", "kept"), [(1, 202610), (3, 202612), (4, 202701), (12, 202709)])
def test_current_month_and_the_three_before_are_kept(month: int, kept: int) -> None:
    assert first_kept(datetime(2027, month, 15, tzinfo=UTC)) == kept
