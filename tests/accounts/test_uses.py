"""The last use of a key, which is stored without delaying a request."""

import asyncio
from datetime import timedelta

import pytest

from conftest import Store
from support.clock import ManualClock
from webquarry.accounts import Accounts, records
from webquarry.accounts.uses import KEPT_EVERY_S, Uses
from webquarry.core.errors import InvalidParams, NotFound, Overloaded, Unauthorized
from webquarry.ledger import MAX_CREDITS
from webquarry.storage import Database


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


async def last_used(accounts: Accounts, account_id: str) -> list[object]:
    return [key.last_used_at for key in await accounts.list_keys(account_id)]


async def test_last_use_is_stored_once_a_minute_and_never_moves_back(
    store: Store, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = await store.open()
    accounts, elsewhere = Accounts(database, clock), Accounts(await store.open(), clock)
    account, key = await accounts.create("someone@example.com", 0)
    assert await last_used(accounts, account.id) == [None]
    await elsewhere.identify(key)
    clock.advance(10)
    for _ in range(3):
        await accounts.identify(key)
    used_at = clock.now()
    await accounts.uses.keep()
    await elsewhere.uses.keep()  # stores an earlier use
    assert await last_used(accounts, account.id) == [used_at]

    writes: list[object] = []
    write = database.write

    async def count_writes(operation: object, **options: object) -> object:
        writes.append(operation)
        return await write(operation, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(database, "write", count_writes)
    await accounts.uses.keep()
    assert writes == []


async def test_uses_are_stored_every_minute_and_at_shutdown(database: Database, clock: ManualClock) -> None:
    accounts = Accounts(database, clock)
    account, key = await accounts.create("someone@example.com", 0)
    woken = asyncio.Event()
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) > 1:
            woken.set()
            await asyncio.Event().wait()

    accounts.uses = Uses(database, records.note_uses, sleep=sleep)
    await accounts.identify(key)
    running = asyncio.create_task(accounts.uses.run())
    await woken.wait()
    assert (slept[0], await last_used(accounts, account.id)) == (KEPT_EVERY_S, [clock.now()])
    clock.advance(6)
    await accounts.identify(key)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert await last_used(accounts, account.id) == [clock.now()]


async def test_use_that_could_not_be_stored_is_stored_later(
    database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts = Accounts(database, clock)
    account, key = await accounts.create("someone@example.com", 0)
    await accounts.identify(key)

    async def refuse(*_: object, **__: object) -> None:
        raise Overloaded

    with monkeypatch.context() as away:
        away.setattr(database, "write", refuse)
        await accounts.uses.keep()
    await accounts.uses.keep()
    assert await last_used(accounts, account.id) == [clock.now()]


async def test_key_has_its_expiry_and_cap(database: Database, clock: ManualClock) -> None:
    accounts = Accounts(database, clock)
    account, _ = await accounts.create("someone@example.com", 0)
    clock.advance(1)
    until = clock.now() + timedelta(days=1)
    key, text = await accounts.create_key(account.id, "batch", expires_at=until, monthly_cap=7)
    assert (await accounts.list_keys(account.id))[1] == key
    assert (key.expires_at, key.monthly_cap) == (until, 7)
    await accounts.set_key_cap(account.id, key.id, None)
    assert (await accounts.list_keys(account.id))[1].monthly_cap is None
    assert (await accounts.identify(text)).key_id == key.id
    clock.advance(86_400)
    assert not key.is_active(clock.now())
    with pytest.raises(Unauthorized, match="expired"):
        await accounts.identify(text)


async def test_invalid_expiry_and_cap_are_refused(database: Database, clock: ManualClock) -> None:
    accounts = Accounts(database, clock)
    account, _ = await accounts.create("someone@example.com", 0)
    for cap in (-1, MAX_CREDITS + 1, 2**63):
        with pytest.raises(InvalidParams, match="cap"):
            await accounts.create_key(account.id, "batch", monthly_cap=cap)
    with pytest.raises(InvalidParams, match="future"):
        await accounts.create_key(account.id, "batch", expires_at=clock.now())
    for name in ("", " ", "x" * 101, "two\nlines", "\u202eturned"):
        with pytest.raises(InvalidParams, match="name"):
            await accounts.create_key(account.id, name)
    other, _ = await accounts.create("other@example.com", 0)
    key = (await accounts.list_keys(account.id))[0]
    with pytest.raises(NotFound):
        await accounts.set_key_cap(other.id, key.id, 5)
