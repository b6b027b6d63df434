"""The directory: finding and listing accounts, and the data that remain of a deleted account."""

import asyncio
from datetime import timedelta
from functools import partial

import pytest

from support.clock import ManualClock
from support.people import PASSWORD, make_people, run_writes_twice
from webquarry.accounts import Accounts, Directory, History, Listing, PastCall, People, people_records, sessions
from webquarry.accounts.directory import BY_EMAIL, COLUMNS, Column, Order
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
    second = await directory.list_page(after=BY_EMAIL.place_of(first[-1]), batch=2)
    assert [each.email.partition("@")[0] for each in (*first, *second)] == ["ada", "b_b", "bob", "cleo"]
    assert [each.email for each in await directory.list_page(part=" B_B@ ")] == ["b_b@example.com"]
    assert await directory.list_page(part="%") == []
    ada = first[0]
    assert await directory.find(ada.id) == await directory.find("ADA@example.com") == ada
    with pytest.raises(NotFound):
        await directory.find("nobody@example.com")


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("is_descending", [False, True])
async def test_accounts_are_listed_in_the_order_of_a_column(
    directory: Directory, accounts: Accounts, clock: ManualClock, column: Column, is_descending: bool
) -> None:
    for name, credits in (("cleo", 5), ("ada", 7), ("dora", 5), ("bob", 0)):
        await accounts.create(f"{name}@example.com", credits)
        clock.advance(1)
    by = {"email": ["ada", "bob", "cleo", "dora"], "created_at": ["cleo", "ada", "dora", "bob"]}
    order, after = Order(column, is_descending), ""
    found: list[Listing] = []
    while page := await directory.list_page(order=order, after=after, batch=1):
        found += page
        after = order.place_of(page[-1])
    names = [each.email.partition("@")[0] for each in (reversed(found) if is_descending else found)]
    if column == "balance":
        assert [each.balance for each in found] == ([7, 5, 5, 0] if is_descending else [0, 5, 5, 7])
        assert sorted(names) == by["email"]
    else:
        assert names == by[column]


@pytest.mark.parametrize("place", ["x", "many:ac_1", "9" * 30 + ":ac_1", "-1:ac_1", ":", "٣:ac_1"])
async def test_an_unknown_cursor_starts_the_list_from_the_beginning(
    directory: Directory, accounts: Accounts, place: str
) -> None:
    await accounts.create("ada@example.com", 1)
    assert len(await directory.list_page(order=Order("balance"), after=place)) == 1


async def test_accounts_are_counted_with_their_balances(
    directory: Directory, accounts: Accounts, people: People
) -> None:
    made = [(await accounts.create(f"{name}@example.com", 5))[0].id for name in ("ada", "bob", "cleo")]
    await people.set_admin(made[0], True)
    await people.set_disabled(made[1], True)
    await directory.delete(made[2])
    counts = await directory.count()
    assert (counts.accounts, counts.disabled, counts.admins, counts.credits) == (2, 1, 1, 10)


async def test_last_administrator_keeps_the_rights(directory: Directory, accounts: Accounts, people: People) -> None:
    ada, bob = [(await accounts.create(f"{name}@example.com", 0))[0].id for name in ("ada", "bob")]
    for each in (ada, bob):
        await people.set_admin(each, True)
    outcomes = await asyncio.gather(*(people.set_admin(each, False) for each in (ada, bob)), return_exceptions=True)
    assert sorted(type(each).__name__ for each in outcomes) == ["InvalidParams", "NoneType"]
    (left,) = [each for each in (ada, bob) if (await directory.find(each)).is_admin]
    other = bob if left == ada else ada
    await people.set_disabled(left, True)
    await people.set_admin(other, True)
    with pytest.raises(InvalidParams, match="last administrator"):
        await people.set_admin(other, False)  # a disabled administrator cannot administer
    with pytest.raises(NotFound):
        await people.set_admin("ac_none", False)


async def test_deleting_an_account_removes_personal_data_and_keeps_the_ledger(
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


async def test_deleting_an_account_drops_its_cached_credentials_immediately(
    database: Database, clock: ManualClock
) -> None:
    forgotten: list[str] = []
    people = make_people(database, clock, forget=forgotten.append)
    account, _ = await Accounts(database, clock).create("ada@example.com", 0)
    await Directory(database, clock, people).delete(account.id)
    assert forgotten == [account.id]


async def test_operations_in_progress_do_not_change_a_deleted_account(
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


async def test_deleting_succeeds_if_its_first_confirmation_was_lost(
    database: Database, accounts: Accounts, directory: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, _ = await accounts.create("ada@example.com", 0)
    run_writes_twice(database, monkeypatch)
    await directory.delete(account.id)
    with pytest.raises(NotFound):
        await directory.find(account.id)


async def test_nobody_can_use_the_address_of_a_deleted_account(accounts: Accounts, directory: Directory) -> None:
    account, _ = await accounts.create("ada@example.com", 0)
    with pytest.raises(InvalidParams):
        await accounts.create(f"{account.id}@deleted.invalid", 0)
    await directory.delete(account.id)
