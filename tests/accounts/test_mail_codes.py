"""Codes in emails, stored in both databases."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from conftest import Store
from support.clock import ManualClock
from support.people import PASSWORD, QuickHasher, make_people, run_writes_twice
from webquarry.accounts import Outbox, Passwords, People
from webquarry.accounts.mail import Email
from webquarry.accounts.mail_codes import PAUSE
from webquarry.core.errors import InvalidParams, Unauthorized
from webquarry.storage import Database

EMAIL, NEW = "ada@example.com", "another good one"


@dataclass
class Mailbox:
    people: People
    passwords: Passwords
    database: Database
    outbox: Outbox
    clock: ManualClock
    emails: list[Email]

    async def code(self) -> str:
        """Return the code of the last email."""
        await self.outbox.drain()
        return self.emails[-1].text.partition("?code=")[2].split()[0]


@pytest.fixture
async def mailbox(store: Store) -> AsyncIterator[Mailbox]:
    database, clock = await store.open(), ManualClock()
    emails: list[Email] = []

    async def send(mail: Email) -> None:
        emails.append(mail)

    outbox = Outbox(database, clock, send, base_url="https://data.example")
    sending = asyncio.create_task(outbox.run())
    passwords = Passwords(QuickHasher())
    yield Mailbox(
        make_people(database, clock, passwords=passwords, post=outbox), passwords, database, outbox, clock, emails
    )
    sending.cancel()


async def test_a_code_confirms_an_address_once(mailbox: Mailbox) -> None:
    await mailbox.people.register(EMAIL, PASSWORD)
    code = await mailbox.code()
    visitor = await mailbox.people.identify_session(await mailbox.people.confirm_address(code, PASSWORD))
    assert visitor is not None
    assert (visitor.email, visitor.is_verified) == (EMAIL, True)
    with pytest.raises(InvalidParams, match="already used"):
        await mailbox.people.confirm_address(code, PASSWORD)
    assert await mailbox.people.sign_in(EMAIL, PASSWORD)


async def test_a_code_resets_a_password_once_even_if_used_twice_concurrently(mailbox: Mailbox) -> None:
    await mailbox.people.register(EMAIL, PASSWORD)
    before = await mailbox.people.confirm_address(await mailbox.code(), PASSWORD)
    mailbox.people.ask_reset(EMAIL)
    code = await mailbox.code()
    tries = [mailbox.people.reset_password(code, NEW) for _ in range(3)]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(outcome, str) for outcome in outcomes) == 1
    assert all(isinstance(outcome, str | InvalidParams) for outcome in outcomes)
    assert await mailbox.people.identify_session(before) is None
    assert await mailbox.people.sign_in(EMAIL, NEW)
    with pytest.raises(Unauthorized):
        await mailbox.people.sign_in(EMAIL, PASSWORD)


async def test_a_later_code_replaces_an_earlier_code(mailbox: Mailbox) -> None:
    await mailbox.people.register(EMAIL, PASSWORD)
    first = await mailbox.code()
    mailbox.clock.advance(PAUSE.total_seconds() + 1)
    with pytest.raises(Unauthorized):
        await mailbox.people.sign_in(EMAIL, PASSWORD)
    second = await mailbox.code()
    assert first != second
    with pytest.raises(InvalidParams):
        await mailbox.people.confirm_address(first, PASSWORD)
    assert await mailbox.people.confirm_address(second, PASSWORD)


async def test_expired_codes_are_deleted(mailbox: Mailbox) -> None:
    await mailbox.people.register(EMAIL, PASSWORD)
    code = await mailbox.code()
    mailbox.clock.advance(3 * 86_400)
    assert not await mailbox.people.sweep()
    with pytest.raises(InvalidParams):
        await mailbox.people.confirm_address(code, PASSWORD)


async def test_an_email_is_sent_if_the_first_confirmation_of_its_code_was_lost(
    mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_writes_twice(mailbox.database, monkeypatch)
    await mailbox.people.register(EMAIL, PASSWORD)
    assert await mailbox.people.confirm_address(await mailbox.code(), PASSWORD)


async def test_a_password_replaced_during_its_check_does_not_confirm_an_address(
    mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    await mailbox.people.register(EMAIL, PASSWORD)
    code = await mailbox.code()
    verify = mailbox.passwords.verify

    async def verify_slowly(kept: str | None, password: str) -> bool:
        matches = await verify(kept, password)
        await mailbox.people.set_password(EMAIL, NEW)
        return matches

    monkeypatch.setattr(mailbox.passwords, "verify", verify_slowly)
    with pytest.raises(InvalidParams):
        await mailbox.people.confirm_address(code, PASSWORD)


@pytest.mark.parametrize("address", ["a,b@example.com", "<ada@example.com>", '"ada"@example.com', "ada(1)@example.com"])
async def test_an_address_with_several_recipients_is_refused(mailbox: Mailbox, address: str) -> None:
    with pytest.raises(InvalidParams, match="email: must be an email address"):
        await mailbox.people.register(address, PASSWORD)
