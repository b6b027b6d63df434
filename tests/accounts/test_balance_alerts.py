"""Emails about low balances: one for each fall below the threshold, on any number of servers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from conftest import Store
from support.clock import ManualClock
from support.people import make_people, run_writes_twice
from webquarry.accounts import Accounts, Outbox, People
from webquarry.accounts.balance_alerts import BalanceAlerts
from webquarry.accounts.mail import Email
from webquarry.core.errors import InvalidParams
from webquarry.ledger import MAX_CREDITS, Ledger
from webquarry.storage import Database

EMAIL, PASSWORD = "ada@example.com", "correct horse battery"


@dataclass
class Desk:
    """An account with 10 credits and a threshold of 5, and the emails that it gets."""

    account: str
    ledger: Ledger
    people: People
    outbox: Outbox
    sent: list[Email] = field(default_factory=list)

    @property
    def alerts(self) -> BalanceAlerts:
        return self.people.balance_alerts

    async def spend(self, credits: int) -> None:
        hold = await self.ledger.hold(self.account, credits, request_id="r", endpoint="search")
        await self.ledger.settle(hold, credits, None)

    async def check(self) -> list[str]:
        """Check the balances. Return the subjects of the emails that were sent."""
        await self.alerts.check()
        await self.outbox.drain()
        sent, self.sent = self.sent, []
        return [mail.subject for mail in sent]


@pytest.fixture
async def desk(database: Database) -> AsyncIterator[Desk]:
    async with open_desk(database) as desk:
        yield desk


@asynccontextmanager
async def open_desk(database: Database) -> AsyncIterator[Desk]:
    clock = ManualClock()

    async def send(mail: Email) -> None:
        made.sent.append(mail)

    outbox = Outbox(database, clock, send, base_url="https://data.example")
    sending = asyncio.create_task(outbox.run())
    people = make_people(database, clock, post=outbox)
    account, _ = await Accounts(database, clock).create(EMAIL, 10)
    await people.set_password(EMAIL, PASSWORD)  # marks the address as verified
    made = Desk(account.id, Ledger(database, clock, "in_1"), people, outbox)
    await made.alerts.set(account.id, 5)
    yield made
    sending.cancel()


SUBJECT = "Your Webquarry account has {} left"


async def test_each_fall_below_the_threshold_sends_one_email(desk: Desk) -> None:
    assert await desk.check() == []
    await desk.spend(5)
    assert await desk.check() == []  # 5 are not fewer than 5
    await desk.spend(1)
    assert await desk.check() == [SUBJECT.format("4 credits")]
    await desk.spend(3)
    assert await desk.check() == []
    await desk.ledger.grant(desk.account, 1, "given")
    assert await desk.check() == []  # 2: still below
    await desk.ledger.grant(desk.account, 3, "given")
    assert await desk.check() == []
    await desk.spend(4)
    assert await desk.check() == [SUBJECT.format("1 credit")]


async def test_a_grant_rearms_the_alert_even_if_its_credits_are_spent_before_the_next_check(desk: Desk) -> None:
    await desk.spend(6)
    assert len(await desk.check()) == 1
    await desk.ledger.grant(desk.account, 10, "given")
    await desk.spend(12)
    assert await desk.check() == [SUBJECT.format("2 credits")]


async def test_held_credits_do_not_count_as_spent(desk: Desk) -> None:
    hold = await desk.ledger.hold(desk.account, 8, request_id="r", endpoint="search")
    assert await desk.check() == []
    await desk.ledger.settle(hold, 8, None)
    assert await desk.check() == [SUBJECT.format("2 credits")]


async def test_email_states_balance_and_threshold_and_links_to_the_setting(desk: Desk) -> None:
    await desk.spend(7)
    await desk.alerts.check()
    await desk.outbox.drain()
    (mail,) = desk.sent
    assert mail.to == EMAIL
    for part in ("3 credits left", "fewer than 5", "https://data.example/account#low-balance"):
        assert part in mail.text


async def test_threshold_above_the_balance_alerts_at_the_next_fall(desk: Desk) -> None:
    await desk.alerts.set(desk.account, 50)
    assert await desk.alerts.find(desk.account) == 50
    assert await desk.check() == []
    await desk.ledger.grant(desk.account, 100, "given")
    await desk.spend(70)
    assert len(await desk.check()) == 1


async def test_no_email_is_sent_without_a_threshold(desk: Desk) -> None:
    await desk.alerts.set(desk.account, None)
    await desk.spend(10)
    assert await desk.check() == []


async def test_disabled_account_gets_no_email(desk: Desk) -> None:
    await desk.people.set_disabled(desk.account, True)
    await desk.spend(10)
    assert await desk.check() == []


async def test_only_one_of_two_servers_sends_the_email(store: Store) -> None:
    async with open_desk(await store.open()) as desk:
        other = make_people(await store.open(), ManualClock(), post=desk.outbox)
        await desk.spend(7)
        await asyncio.gather(other.balance_alerts.check(), desk.alerts.check())
        assert len(await desk.check()) == 1


async def test_email_is_sent_once_if_the_claim_is_repeated(
    desk: Desk, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.spend(7)
    run_writes_twice(database, monkeypatch)
    assert len(await desk.check()) == 1


@pytest.mark.parametrize("threshold", [0, -1, MAX_CREDITS + 1, 2**63])
async def test_threshold_out_of_bounds_is_refused(desk: Desk, threshold: int) -> None:
    with pytest.raises(InvalidParams, match="threshold"):
        await desk.alerts.set(desk.account, threshold)
