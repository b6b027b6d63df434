"""Unconfirmed accounts are deleted, and all other accounts are kept."""

from datetime import timedelta

from conftest import Store
from support.clock import ManualClock
from support.people import PASSWORD, make_people
from webquarry.accounts import Accounts, Directory, Outbox, People, unconfirmed
from webquarry.accounts.mail import Email
from webquarry.ledger import Ledger
from webquarry.storage import Database

LATER = (unconfirmed.KEPT + timedelta(minutes=1)).total_seconds()


async def _discard(_email: Email) -> None:
    """Discard the email."""


def make(database: Database, clock: ManualClock) -> People:
    return make_people(database, clock, post=Outbox(database, clock, _discard, base_url="https://data.example"))


async def list_addresses(database: Database, clock: ManualClock, people: People) -> list[str]:
    return [each.email for each in await Directory(database, clock, people).list_page()]


async def test_an_account_is_deleted_if_nobody_confirms_it_in_time(store: Store) -> None:
    database, clock = await store.open(), ManualClock()
    people = make(database, clock)
    await people.register("ada@example.com", PASSWORD)
    assert not await people.sweep_unconfirmed()
    assert await list_addresses(database, clock, people) == ["ada@example.com"]
    clock.advance(LATER)
    await people.register("new@example.com", PASSWORD)
    assert not await people.sweep_unconfirmed()
    assert await list_addresses(database, clock, people) == ["new@example.com"]
    assert await Ledger(database, clock, "in_1").verify() == []
    await people.register("ada@example.com", PASSWORD)  # the address is free again
    assert await list_addresses(database, clock, people) == ["ada@example.com", "new@example.com"]


async def test_confirmed_used_and_operator_created_accounts_are_kept(store: Store) -> None:
    database, clock = await store.open(), ManualClock()
    people, accounts = make(database, clock), Accounts(database, clock)
    for name in ("confirmed", "granted", "keyed"):
        await people.register(f"{name}@example.com", PASSWORD)
    found = {each.email: each.id for each in await Directory(database, clock, people).list_page()}
    # set by the operator, which marks the address as verified
    await people.set_password("confirmed@example.com", PASSWORD)
    await Ledger(database, clock, "in_1").grant(found["granted@example.com"], 5, request_id="g", note="")
    await accounts.create_key(found["keyed@example.com"], "key")
    await accounts.create("operator@example.com", 5)
    clock.advance(LATER)
    before = await list_addresses(database, clock, people)
    assert not await people.sweep_unconfirmed()
    assert await list_addresses(database, clock, people) == before


async def test_no_account_is_deleted_if_addresses_are_not_confirmed(store: Store) -> None:
    database, clock = await store.open(), ManualClock()
    people = make_people(database, clock)
    await people.register("ada@example.com", PASSWORD)
    clock.advance(LATER)
    await people.sweep()
    assert not await people.sweep_unconfirmed()
    assert await list_addresses(database, clock, people) == ["ada@example.com"]
