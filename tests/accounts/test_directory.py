"""The directory: accounts found and listed, and what is left of one that was deleted."""

from datetime import timedelta

import pytest

from support.clock import ManualClock
from support.people import PASSWORD, make_people
from webquarry.accounts import Accounts, Directory
from webquarry.errors import NotFound, Unauthorized
from webquarry.ledger import Ledger
from webquarry.storage import Database
from webquarry.storage.conversions import Conversion, Conversions
from webquarry.storage.database import query


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def accounts(database: Database, clock: ManualClock) -> Accounts:
    return Accounts(database, clock)


@pytest.fixture
def directory(database: Database, clock: ManualClock, accounts: Accounts) -> Directory:
    return Directory(database, clock, accounts, make_people(database, clock))


async def test_accounts_are_listed_by_address_a_page_at_a_time(accounts: Accounts, directory: Directory) -> None:
    for name in ("cleo", "ada", "b_b", "bob"):
        await accounts.create(f"{name}@example.com", 0)
    first = await directory.list_page(batch=2)
    second = await directory.list_page(after=first[-1].email, batch=2)
    assert [each.email.partition("@")[0] for each in (*first, *second)] == ["ada", "b_b", "bob", "cleo"]
    assert [each.email for each in await directory.list_page(part=" B_B@ ")] == ["b_b@example.com"]
    assert await directory.list_page(part="%") == []
    ada = first[0]
    assert await directory.find(ada.id) == await directory.find("ADA@example.com") == ada
    with pytest.raises(NotFound):
        await directory.find("nobody@example.com")


async def test_deleting_takes_what_is_personal_and_leaves_the_books(
    database: Database, clock: ManualClock, accounts: Accounts, directory: Directory
) -> None:
    people, ledger = make_people(database, clock), Ledger(database, clock, "i")
    cookie = await people.register("ada@example.com", PASSWORD)
    assert cookie is not None
    found = await directory.find("ada@example.com")
    key, text = await accounts.create_key(found.id, "laptop of Ada")
    hold = await ledger.hold(found.id, 2, request_id="r", endpoint="markdown_file", key_id=key.id)
    later = clock.now() + timedelta(days=1)
    upload = Conversion("cv_1", "markdown_file", 1, None, found.id, clock.now(), None, later, None, None, b"{}", b"")
    await ledger.settle(hold, 2, upload)
    await directory.delete(found.id)
    with pytest.raises(NotFound):
        await directory.delete(found.id)
    with pytest.raises(Unauthorized):
        await accounts.identify(text)
    clock.advance(5)
    assert await people.identify_session(cookie) is None
    assert await Conversions(database).by_id("cv_1", clock.now()) is None
    for table in ("accounts", "api_keys", "sessions"):
        rows = await database.read(lambda table=table: query(f"SELECT * FROM {table}", {}))  # type: ignore[misc]
        assert "ada" not in str(rows).lower()
    assert await ledger.balance(found.id) == 8
    assert await ledger.verify() == []
    assert await people.register("ada@example.com", PASSWORD) is not None
    assert (await directory.find("ada@example.com")).id != found.id
