"""Credits: the effect of each operation when it is done once, twice, late or concurrently."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from conftest import Store
from support.clock import ManualClock
from webquarry.accounts import Accounts
from webquarry.core.errors import InsufficientCredits, InvalidParams
from webquarry.ledger import MAX_CREDITS, Attempt, Hold, Ledger, Receipt, Settled, UnknownAccount, UnknownHold
from webquarry.storage import Database
from webquarry.storage.conversions import Conversion, Conversions


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def ledger(database: Database, clock: ManualClock) -> Ledger:
    return Ledger(database, clock, "instance-1")


@pytest.fixture
def account(database: Database, clock: ManualClock) -> Callable[[int], Awaitable[str]]:
    accounts = Accounts(database, clock)

    async def create(credits: int) -> str:
        made, _ = await accounts.create("someone@example.com", credits)
        return made.id

    return create


def answer(id: str, clock: ManualClock) -> Conversion:
    now = clock.now()
    return Conversion(
        id=id,
        endpoint="markdown_url",
        version=1,
        cache_key="k",
        owner=None,
        created_at=now,
        fresh_until=now + timedelta(hours=6),
        expires_at=now + timedelta(days=30),
        provider=None,
        source_url=None,
        data=b"{}",
        markdown=b"",
    )


def receipt(hold: Hold, clock: ManualClock) -> Receipt:
    return Receipt(
        request_id=hold.request_id,
        account_id=hold.account_id,
        endpoint=hold.endpoint,
        code="provider_error",
        reason="timeout",
        message="The source did not respond in time.",
        attempts=(Attempt("first", "blocked", 120), Attempt("second", "timeout", 30_000)),
        created_at=clock.now(),
    )


Creator = Callable[[int], Awaitable[str]]


async def hold_of(ledger: Ledger, account_id: str, amount: int) -> Hold:
    return await ledger.hold(account_id, amount, request_id="req", endpoint="markdown_url")


async def test_a_grant_increases_the_balance(ledger: Ledger, account: Creator) -> None:
    id = await account(10)
    assert await ledger.grant(id, 5, "a gift") == 15
    assert await ledger.balance(id) == 15


async def test_a_grant_with_a_repeated_request_id_is_added_once(ledger: Ledger, account: Creator) -> None:
    id = await account(0)
    assert await ledger.grant(id, 5, "paid", request_id="payment-1") == 5
    assert await ledger.grant(id, 5, "paid", request_id="payment-1") == 5
    assert await ledger.verify() == []


async def test_no_grant_exceeds_the_maximum_balance(ledger: Ledger, account: Creator, database: Database) -> None:
    id = await account(1)
    for amount in (MAX_CREDITS, 2**63 - 1, 2**64):
        with pytest.raises(InvalidParams, match=f"at most {MAX_CREDITS} credits"):
            await ledger.grant(id, amount, "too much")
    assert await ledger.grant(id, MAX_CREDITS - 1, "all", request_id="r") == MAX_CREDITS
    assert await ledger.grant(id, MAX_CREDITS - 1, "all", request_id="r") == MAX_CREDITS
    assert await ledger.verify() == []


async def test_a_grant_to_an_unknown_account_is_refused(ledger: Ledger) -> None:
    with pytest.raises(UnknownAccount):
        await ledger.grant("ac_none", 5, "a gift")
    with pytest.raises(UnknownAccount):
        await hold_of(ledger, "ac_none", 1)


async def test_a_hold_beyond_the_balance_states_price_and_balance(ledger: Ledger, account: Creator) -> None:
    id = await account(3)
    with pytest.raises(InsufficientCredits, match="costs 4 credits and your balance is 3"):
        await hold_of(ledger, id, 4)
    assert await ledger.balance(id) == 3
    assert await ledger.verify() == []


async def test_a_settle_charges_and_stores_in_one_transaction(
    ledger: Ledger, account: Creator, database: Database, clock: ManualClock
) -> None:
    id = await account(10)
    hold = await hold_of(ledger, id, 2)
    assert await ledger.balance(id) == 8
    assert await ledger.settle(hold, 2, answer("cv_1", clock)) == Settled(charged=2, balance=8, late=False)
    assert await Conversions(database).by_id("cv_1", clock.now()) is not None
    assert await ledger.verify() == []


async def test_a_partial_settle_returns_the_rest(ledger: Ledger, account: Creator) -> None:
    id = await account(10)
    hold = await hold_of(ledger, id, 6)
    assert await ledger.settle(hold, 4, None) == Settled(charged=4, balance=6, late=False)
    assert await ledger.verify() == []


async def test_nothing_beyond_the_hold_can_be_charged(ledger: Ledger, account: Creator) -> None:
    hold = await hold_of(ledger, await account(10), 2)
    for charged in (3, -1):
        with pytest.raises(ValueError):
            await ledger.settle(hold, charged, None)
    assert await ledger.balance(hold.account_id) == 8


async def test_an_answer_that_cannot_be_stored_is_not_charged(
    ledger: Ledger, account: Creator, clock: ManualClock
) -> None:
    """A settle without a result is impossible, because both are one transaction."""
    hold = await hold_of(ledger, await account(10), 2)
    foreign = answer("cv_1", clock)
    object.__setattr__(foreign, "owner", "an account that is not there")
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        await ledger.settle(hold, 2, foreign)
    assert await ledger.refund(hold, receipt(hold, clock)) == 10
    assert await ledger.verify() == []


async def test_a_refund_returns_everything_and_stores_its_receipt(
    ledger: Ledger, account: Creator, clock: ManualClock
) -> None:
    hold = await hold_of(ledger, await account(10), 2)
    assert await ledger.refund(hold, receipt(hold, clock)) == 10
    assert await ledger.receipts(hold.account_id, "req") == [replace(receipt(hold, clock), refunded=2)]
    assert await ledger.receipts("ac_other", "req") == []
    assert await ledger.verify() == []


async def test_a_second_settle_changes_nothing(ledger: Ledger, account: Creator) -> None:
    hold = await hold_of(ledger, await account(10), 6)
    first = await ledger.settle(hold, 4, None)
    assert await ledger.settle(hold, 6, None) == first
    assert await ledger.verify() == []


async def test_no_error_message_prevents_a_refund(ledger: Ledger, account: Creator, clock: ManualClock) -> None:
    account_id = await account(10)
    hold = await hold_of(ledger, account_id, 3)
    assert await ledger.refund(hold, replace(receipt(hold, clock), message="nothing \0 half \ud83d")) == 10
    (kept,) = await ledger.receipts(account_id, "req")
    assert kept.message == "nothing \ufffd half ?"


async def test_a_refund_after_the_settle_returns_the_charge_once(
    ledger: Ledger, account: Creator, clock: ManualClock
) -> None:
    hold = await hold_of(ledger, await account(10), 6)
    await ledger.settle(hold, 4, None)
    for _ in range(2):
        assert await ledger.refund(hold, receipt(hold, clock)) == 10
    assert len(await ledger.receipts(hold.account_id, "req")) == 1
    settled = await ledger.settle(hold, 4, None)
    assert (settled.charged, settled.late, settled.balance) == (0, True, 10)
    assert await ledger.verify() == []


async def test_a_second_refund_changes_nothing(ledger: Ledger, account: Creator, clock: ManualClock) -> None:
    hold = await hold_of(ledger, await account(10), 6)
    for _ in range(2):
        assert await ledger.refund(hold, receipt(hold, clock)) == 10
    assert len(await ledger.receipts(hold.account_id, "req")) == 1
    assert await ledger.verify() == []


async def test_a_settle_after_the_refund_stores_the_answer_and_charges_nothing(
    ledger: Ledger, account: Creator, database: Database, clock: ManualClock
) -> None:
    hold = await hold_of(ledger, await account(10), 6)
    clock.advance(151)
    assert await ledger.sweep() == 1
    assert await ledger.settle(hold, 6, answer("cv_1", clock)) == Settled(charged=0, balance=10, late=True)
    assert await Conversions(database).by_id("cv_1", clock.now()) is not None
    assert await ledger.verify() == []


async def test_an_unknown_hold_cannot_be_closed(ledger: Ledger, account: Creator, clock: ManualClock) -> None:
    stranger = Hold("h", await account(10), 1, "req", "markdown_url", "instance-1", clock.now())
    with pytest.raises(UnknownHold):
        await ledger.settle(stranger, 1, None)
    with pytest.raises(UnknownHold):
        await ledger.refund(stranger, receipt(stranger, clock))
    assert await ledger.verify() == []


async def test_a_thousand_concurrent_holds_on_a_hundred_credits_grant_a_hundred(
    store: Store, clock: ManualClock
) -> None:
    ledgers = [Ledger(await store.open(), clock, f"instance-{n}") for n in range(2)]
    account, _ = await Accounts(store.opened[0], clock).create("someone@example.com", 100)
    outcomes = await asyncio.gather(
        *[hold_of(ledgers[n % 2], account.id, 1) for n in range(1000)], return_exceptions=True
    )
    assert sum(isinstance(outcome, Hold) for outcome in outcomes) == 100
    assert sum(isinstance(outcome, InsufficientCredits) for outcome in outcomes) == 900
    assert await ledgers[0].balance(account.id) == 0
    assert await ledgers[0].verify() == []


async def test_a_caller_cancelled_during_the_hold_leaves_no_hold(ledger: Ledger, account: Creator) -> None:
    id = await account(10)
    callers = [asyncio.ensure_future(hold_of(ledger, id, 1)) for _ in range(20)]
    await asyncio.sleep(0)
    for caller in callers:
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    await ledger.grant(id, 1, "queued behind them")
    assert await ledger.balance(id) == 11
    assert await ledger.verify() == []


async def test_the_recent_balance_expires_after_five_seconds(
    ledger: Ledger, account: Creator, clock: ManualClock
) -> None:
    id = await account(10)
    assert ledger.recent_balance(id) is None
    hold = await hold_of(ledger, id, 3)
    assert ledger.recent_balance(id) == 7
    await ledger.settle(hold, 1, None)
    assert ledger.recent_balance(id) == 9
    clock.advance(5.1)
    assert ledger.recent_balance(id) is None
    await ledger.balance(id)
    assert ledger.recent_balance(id) == 9


async def test_holds_of_earlier_instances_are_refunded_at_start(store: Store, clock: ManualClock) -> None:
    database = await store.open()
    account, _ = await Accounts(database, clock).create("someone@example.com", 10)
    before, now = Ledger(database, clock, "before"), Ledger(database, clock, "now")
    await before.heartbeat()
    await hold_of(before, account.id, 3)
    kept = await hold_of(now, account.id, 2)
    if database.shared:  # the instance may be alive, so only its silence decides
        assert await now.sweep() == 0
        clock.advance(140)
        await now.settle(kept, 0, None)
        kept = await hold_of(now, account.id, 2)
        clock.advance(11)
    assert await now.sweep() == 1
    assert await now.balance(account.id) == 8
    assert (await now.settle(kept, 2, None)).late is False
    assert await now.verify() == []


@pytest.mark.parametrize("backend", ["postgres"])
async def test_an_instance_with_heartbeats_keeps_its_holds(store: Store, backend: str, clock: ManualClock) -> None:
    database = await store.open()
    account, _ = await Accounts(database, clock).create("someone@example.com", 10)
    slow, other = Ledger(database, clock, "slow"), Ledger(database, clock, "other")
    hold = await hold_of(slow, account.id, 3)
    clock.advance(149)
    await slow.heartbeat()
    clock.advance(149)
    assert await other.sweep() == 0
    clock.advance(2)
    assert await other.sweep() == 1
    assert (await slow.settle(hold, 3, None)).late is True
    assert await other.verify() == []


@pytest.mark.parametrize("backend", ["postgres"])
async def test_a_live_instance_keeps_its_holds_despite_a_wrong_clock_elsewhere(
    store: Store, backend: str, clock: ManualClock
) -> None:
    database = await store.open()
    account, _ = await Accounts(database, clock).create("someone@example.com", 10)
    ahead = ManualClock(clock.now() + timedelta(hours=1))
    one, other = Ledger(database, clock, "one"), Ledger(database, ahead, "other")
    await one.heartbeat()
    await hold_of(one, account.id, 3)
    for _ in range(10):
        await other.watch()
        assert await other.sweep() == 0
        clock.advance(30)
        ahead.advance(30)
        await one.heartbeat()
    await other.watch()
    ahead.advance(150)
    await other.watch()
    assert await other.sweep() == 0
    ahead.advance(1)
    assert await other.sweep() == 1
    assert await other.verify() == []
