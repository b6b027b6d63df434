"""Shared responses: which of them can be shared, by whom, and when a link ends."""

from datetime import timedelta

import pytest

from support.clock import ManualClock
from support.people import make_people
from webquarry.accounts import Accounts, Directory, History, PastCall, Shares, shares
from webquarry.core.errors import InvalidParams
from webquarry.storage import Database
from webquarry.storage.conversions import Conversion, Conversions
from webquarry.storage.database import query


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


async def make_account(database: Database, clock: ManualClock, name: str = "owner") -> str:
    account, _ = await Accounts(database, clock).create(f"{name}@example.com", 0)
    return account.id


async def store_response(
    database: Database,
    clock: ManualClock,
    account: str,
    id: str = "cv_1",
    *,
    owner: str | None = None,
    file_name: str | None = None,
) -> str:
    """Store a response that lasts a day, and its request in the account's history."""
    now = clock.now()
    until = now + timedelta(days=1)
    await Conversions(database).keep(Conversion(id, "search", 1, None, owner, now, None, until, None, None, b"{}", b""))
    await History(database).add(
        PastCall(f"{account}{id}", account, "search", "q=tea", file_name, id, "ok", "miss", 1, 12, now)
    )
    return id


async def test_link_carries_the_request_and_is_created_once(database: Database, clock: ManualClock) -> None:
    account, links = await make_account(database, clock), Shares(database)
    id = await store_response(database, clock, account)
    share = await links.share(account, id, clock.now())
    assert share is not None
    assert (share.conversion_id, share.endpoint, share.question) == (id, "search", "q=tea")
    assert share.expires_at == clock.now() + timedelta(days=1)
    assert await links.share(account, id, clock.now()) == share
    assert await links.find(share.id, clock.now()) == share
    assert await links.of_conversion(account, id, clock.now()) == share
    assert await links.list_shares(account, clock.now()) == [share]


async def test_only_public_responses_of_the_own_history_can_be_shared(database: Database, clock: ManualClock) -> None:
    account, other = await make_account(database, clock), await make_account(database, clock, "other")
    links, now = Shares(database), clock.now()
    public = await store_response(database, clock, account)
    assert await links.share(other, public, now) is None
    owned = await store_response(database, clock, account, "cv_2", owner=account)
    assert await links.share(account, owned, now) is None
    of_file = await store_response(database, clock, account, "cv_3", file_name="a.csv")
    assert await links.share(account, of_file, now) is None
    assert await links.share(account, "cv_none", now) is None
    clock.advance(86_400)
    assert await links.share(account, public, clock.now()) is None


async def test_only_the_owner_ends_a_link_and_a_new_one_has_a_new_secret(
    database: Database, clock: ManualClock
) -> None:
    account, other = await make_account(database, clock), await make_account(database, clock, "other")
    links, now = Shares(database), clock.now()
    id = await store_response(database, clock, account)
    share = await links.share(account, id, now)
    assert share is not None
    await links.end(other, share.id)
    assert await links.find(share.id, now) == share
    await links.end(account, share.id)
    assert await links.find(share.id, now) is None
    assert await links.list_shares(account, now) == []
    again = await links.share(account, id, now)
    assert again is not None
    assert again.id != share.id


async def test_link_ends_with_its_response_and_is_deleted_with_it(database: Database, clock: ManualClock) -> None:
    account, links = await make_account(database, clock), Shares(database)
    share = await links.share(account, await store_response(database, clock, account), clock.now())
    assert share is not None
    clock.advance(86_400)
    assert await links.find(share.id, clock.now()) is None
    assert await links.list_shares(account, clock.now()) == []
    await Conversions(database).sweep(clock.now())
    assert await count_rows(database) == 0


async def test_disabled_account_shares_nothing_and_a_deleted_one_leaves_no_link(
    database: Database, clock: ManualClock
) -> None:
    account, links = await make_account(database, clock), Shares(database)
    id = await store_response(database, clock, account)
    share = await links.share(account, id, clock.now())
    assert share is not None
    people = make_people(database, clock)
    await people.set_disabled(account, True)
    assert await links.find(share.id, clock.now()) is None
    await people.set_disabled(account, False)
    assert await links.find(share.id, clock.now()) == share
    await Directory(database, clock, people).delete(account)
    assert await count_rows(database) == 0


async def test_number_of_links_is_bounded(
    database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "MAX_SHARES", 2)
    account, links, now = await make_account(database, clock), Shares(database), clock.now()
    ids = [await store_response(database, clock, account, f"cv_{number}") for number in range(3)]
    first = await links.share(account, ids[0], now)
    await links.share(account, ids[1], now)
    with pytest.raises(InvalidParams, match="at most 2"):
        await links.share(account, ids[2], now)
    assert await links.share(account, ids[0], now) == first


async def count_rows(database: Database) -> int:
    [[count]] = await database.read(lambda: query("SELECT COUNT(*) FROM shares", {}))
    return int(count)
