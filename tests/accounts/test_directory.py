"""The directory: finding and listing accounts, and the remaining data of a deleted one."""

from datetime import timedelta
from functools import partial

import pytest

from support.clock import ManualClock
from support.people import PASSWORD, make_people, run_writes_twice
from webquarry.accounts import Accounts, Directory, History, PastCall, People, people_records, sessions
from webquarry.core.errors import InvalidParams, NotFound, Unauthorized
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
def people(database: Database, clock: ManualClock, accounts: Accounts) -> People:
    return make_people(database, clock, accounts=accounts)


@pytest.fixture
def directory(database: Database, clock: ManualClock, people: People) -> Directory:
    return Directory(database, clock, people)


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
    with pytest.raises(Unauthorized):
        await accounts.identify(text)
    clock.advance(5)
    with pytest.raises(NotFound):
        await directory.delete(found.id)
    assert await people.identify_session(cookie) is None
    assert await Conversions(database).by_id("cv_1", clock.now()) is None
    for table in ("accounts", "api_keys", "sessions"):
        rows = await database.read(lambda table=table: query(f"SELECT * FROM {table}", {}))  # type: ignore[misc]
        assert [word for word in ("ada@", "of Ada") if word in str(rows)] == []  # digests may contain "ada"
    assert await ledger.balance(found.id) == 8
    assert await ledger.verify() == []
    assert await people.register("ada@example.com", PASSWORD) is not None
    assert (await directory.find("ada@example.com")).id != found.id


async def test_whatever_calls_for_a_deleted_account_is_looked_up_anew_at_once(
    database: Database, clock: ManualClock
) -> None:
    forgotten: list[str] = []
    people = make_people(database, clock, forget=forgotten.append)
    account, _ = await Accounts(database, clock).create("ada@example.com", 0)
    await Directory(database, clock, people).delete(account.id)
    assert forgotten == [account.id]


async def test_what_was_under_way_changes_nothing_of_a_deleted_account(
    database: Database, clock: ManualClock, accounts: Accounts, people: People, directory: Directory
) -> None:
    account, _ = await accounts.create("ada@example.com", 0)
    await directory.delete(account.id)
    address = f"{account.id}@deleted.invalid"
    tables = ("accounts", "api_keys", "sessions", "playground_calls")
    before = [await database.read(lambda table=table: query(f"SELECT * FROM {table}", {})) for table in tables]  # type: ignore[misc]
    for change in (
        people.set_disabled(account.id, False),
        people.set_admin(account.id, True),
        people.set_password(address, PASSWORD),
        accounts.create_key(account.id, "laptop of Ada"),
    ):
        with pytest.raises(NotFound):
            await change
    call = PastCall("1", account.id, "search", "q=ada", None, None, "ok", "miss", 1, 1, clock.now())
    for late in (
        partial(people_records.set_hash, account.id, "ada"),
        partial(people_records.set_email, account.id, "ada@example.com", None),
        partial(people_records.set_verified, account.id, clock.now()),
        partial(sessions.add, people.sessions.make(account.id)),
    ):
        await database.write(late)
    await History(database).add(call)
    after = [await database.read(lambda table=table: query(f"SELECT * FROM {table}", {})) for table in tables]  # type: ignore[misc]
    assert after == before
    assert await accounts.by_id(account.id) is await accounts.by_email(address) is None


async def test_deleting_succeeds_when_its_first_acknowledgement_was_lost(
    database: Database, accounts: Accounts, directory: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, _ = await accounts.create("ada@example.com", 0)
    run_writes_twice(database, monkeypatch)
    await directory.delete(account.id)
    with pytest.raises(NotFound):
        await directory.find(account.id)


async def test_nobody_takes_the_address_that_an_account_is_deleted_to(accounts: Accounts, directory: Directory) -> None:
    account, _ = await accounts.create("ada@example.com", 0)
    with pytest.raises(InvalidParams):
        await accounts.create(f"{account.id}@deleted.invalid", 0)
    await directory.delete(account.id)
