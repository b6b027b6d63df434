"""Signing up, in and out: who gets a session, how soon it ends, and what strangers can find out."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import asyncpg
import pytest
from argon2 import PasswordHasher

from conftest import Store
from support.clock import ManualClock
from support.people import PASSWORD, QuickHasher, make_people, run_writes_twice
from support.postgres import Postgres
from webquarry.accounts import Accounts, Passwords, People, RegistrationClosed, Visitor
from webquarry.core.errors import InvalidParams, NotFound, Unauthorized
from webquarry.ledger import Ledger
from webquarry.storage import Database
from webquarry.storage.database import query
from webquarry.storage.postgres import open_postgres

EMAIL = "ada@example.com"


class Box:
    """An outbox that records the requested emails."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    def confirm(self, email: str) -> None:
        self.asked.append(("confirm", email))

    def tell_taken(self, email: str) -> None:
        self.asked.append(("taken", email))

    def reset(self, email: str) -> None:
        self.asked.append(("reset", email))

    def move(self, account_id: str, email: str) -> None:
        self.asked.append(("move", account_id, email))

    def tell_low_balance(self, email: str, balance: int, threshold: int) -> None:
        self.asked.append(("low balance", email, str(balance)))

    def tell_webhook_off(self, account_id: str, host: str, reason: str) -> None:
        self.asked.append(("webhook off", account_id, host, reason))

    def tell_change(self, email: str, what: str) -> None:
        self.asked.append(("changed", email, what))


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def hasher() -> QuickHasher:
    return QuickHasher()


@pytest.fixture
def people(database: Database, clock: ManualClock, hasher: QuickHasher) -> People:
    return make_people(database, clock, hasher=hasher)


async def sign_up(people: People, email: str = EMAIL) -> str:
    cookie = await people.register(email, PASSWORD)
    assert cookie is not None
    return cookie


async def visit(people: People, cookie: str) -> Visitor:
    visitor = await people.identify_session(cookie)
    assert visitor is not None
    return visitor


async def test_signing_up_opens_a_session_and_grants_the_first_credits_once(
    people: People, database: Database, clock: ManualClock
) -> None:
    visitor = await visit(people, await sign_up(people, " Ada@Example.com "))
    assert (visitor.email, visitor.is_admin) == (EMAIL, False)
    assert visitor.caller.key_id == f"session:{visitor.session_id}"
    ledger = Ledger(database, clock, "i")
    assert await ledger.balance(visitor.account_id) == 10
    with pytest.raises(InvalidParams, match="Sign in instead"):
        await people.register(EMAIL.upper(), PASSWORD)
    assert await ledger.balance(visitor.account_id) == 10
    assert await ledger.verify() == []


async def test_neither_passwords_nor_cookies_are_stored(people: People, database: Database) -> None:
    cookie = await sign_up(people)
    rows = [await database.read(partial(query, f"SELECT * FROM {table}", {})) for table in ("accounts", "sessions")]
    assert cookie not in str(rows)
    assert PASSWORD not in str(rows)
    assert "$argon2id$" in str(rows)
    assert len(bytes.fromhex(cookie)) == 32


async def test_each_sign_in_with_a_password_opens_a_separate_session(people: People) -> None:
    first = await sign_up(people)
    second = await people.sign_in("ADA@example.com", PASSWORD)
    assert first != second
    await people.sign_out(first)
    assert await people.identify_session(first) is None
    assert await people.identify_session(second)


def count_questions(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows with each read and write of the database."""
    done: list[str] = []
    read, write = database.read, database.write

    async def counted_read(operation: object, **options: object) -> object:
        done.append("read")
        return await read(operation, **options)  # type: ignore[arg-type]

    async def counted_write(operation: object, **options: object) -> object:
        done.append("write")
        return await write(operation, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(database, "read", counted_read)
    monkeypatch.setattr(database, "write", counted_write)
    return done


async def test_error_and_duration_do_not_reveal_whether_an_account_exists(
    people: People, database: Database, hasher: QuickHasher, monkeypatch: pytest.MonkeyPatch
) -> None:
    disabled = await visit(people, await sign_up(people, "disabled@example.com"))
    await people.set_disabled(disabled.account_id, True)
    await Accounts(database, ManualClock()).create("keysonly@example.com", 0)
    await sign_up(people)
    done = count_questions(database, monkeypatch)
    seen: set[tuple[str, int, int, tuple[str, ...]]] = set()
    tries = [(EMAIL, "wrong password"), ("nobody@example.com", PASSWORD), ("nonsense", PASSWORD), ("", "")]
    for email, password in [*tries, ("disabled@example.com", PASSWORD), ("keysonly@example.com", PASSWORD)]:
        done.clear()
        hasher.checked = hasher.made = 0
        with pytest.raises(Unauthorized) as refused:
            await people.sign_in(email, password)
        made = 0 if seen else hasher.made  # the first check creates the dummy hash
        seen.add((str(refused.value), hasher.checked, hasher.made - made, tuple(done)))
    assert seen == {("Incorrect email address or password.", 1, 0, ("read",))}


async def test_a_closed_service_registers_nobody(database: Database, clock: ManualClock) -> None:
    with pytest.raises(RegistrationClosed):
        await make_people(database, clock, is_open=False).register(EMAIL, PASSWORD)


@pytest.mark.parametrize(("email", "password"), [("ada", PASSWORD), (EMAIL, "short")])
async def test_invalid_addresses_and_passwords_create_no_account(
    people: People, database: Database, email: str, password: str
) -> None:
    with pytest.raises(InvalidParams):
        await people.register(email, password)
    assert await database.read(lambda: query("SELECT id FROM accounts", {})) == []


async def test_a_session_ends_immediately_and_on_other_servers_within_five_seconds(
    store: Store, clock: ManualClock
) -> None:
    here, there = make_people(await store.open(), clock), make_people(await store.open(), clock)
    cookie = await sign_up(here)
    assert await visit(there, cookie) == await visit(here, cookie)
    await here.sign_out(cookie)
    assert await here.identify_session(cookie) is None
    clock.advance(5)
    assert await there.identify_session(cookie) is None


async def test_signing_out_everywhere_ends_the_sessions_of_this_account_only(store: Store, clock: ManualClock) -> None:
    here, there = make_people(await store.open(), clock), make_people(await store.open(), clock)
    mine, other = await sign_up(here), await sign_up(here, "eve@example.com")
    again = await there.sign_in(EMAIL, PASSWORD)
    visitor = await visit(here, mine)
    await visit(there, again)
    await here.sign_out_everywhere(visitor.account_id)
    clock.advance(5)
    assert [await there.identify_session(cookie) for cookie in (mine, again)] == [None, None]
    assert await there.identify_session(other)


async def test_a_session_lasts_thirty_days(people: People, database: Database, clock: ManualClock) -> None:
    cookie = await sign_up(people)
    clock.advance(30 * 86_400 - 1)
    assert await people.identify_session(cookie)
    clock.advance(6)
    assert await people.identify_session(cookie) is None
    assert not await people.sessions.sweep()
    assert await database.read(lambda: query("SELECT id FROM sessions", {})) == []


async def test_changing_the_password_ends_all_sessions_except_a_new_one(people: People) -> None:
    first = await sign_up(people)
    second = await people.sign_in(EMAIL, PASSWORD)
    visitor = await visit(people, first)
    with pytest.raises(InvalidParams, match="current: incorrect password"):
        await people.change_password(visitor, "wrong password", "another good one")
    with pytest.raises(InvalidParams, match="at least"):
        await people.change_password(visitor, PASSWORD, "short")
    third = await people.change_password(visitor, PASSWORD, "another good one")
    assert [await people.identify_session(cookie) for cookie in (first, second)] == [None, None]
    assert (await visit(people, third)).account_id == visitor.account_id
    with pytest.raises(Unauthorized):
        await people.sign_in(EMAIL, PASSWORD)
    assert await people.sign_in(EMAIL, "another good one")


async def test_a_changed_address_replaces_the_old_one(people: People) -> None:
    await sign_up(people, "eve@example.com")
    cookie = await sign_up(people)
    visitor = await visit(people, cookie)
    for email, password, fault in (
        ("new@example.com", "wrong password", "incorrect password"),
        ("nonsense", PASSWORD, "email: must be"),
        ("Eve@example.com", PASSWORD, "email: an account with this address"),
    ):
        with pytest.raises(InvalidParams, match=fault):
            await people.change_email(visitor, password, email)
    assert await people.change_email(visitor, PASSWORD, "New@example.com")
    assert (await visit(people, cookie)).email == "new@example.com"
    assert await people.sign_in("new@example.com", PASSWORD)
    with pytest.raises(Unauthorized):
        await people.sign_in(EMAIL, PASSWORD)


async def test_an_operator_sets_passwords_and_flags(database: Database, clock: ManualClock, people: People) -> None:
    account, _ = await Accounts(database, clock).create(EMAIL, 0)
    await people.set_password(EMAIL, PASSWORD)
    cookie = await people.sign_in(EMAIL, PASSWORD)
    assert not (await visit(people, cookie)).is_admin
    await people.set_admin(account.id, True)
    assert (await visit(people, cookie)).is_admin
    await people.set_disabled(account.id, True)
    assert await people.identify_session(cookie) is None
    await people.set_disabled(account.id, False)
    clock.advance(1)  # an unknown session is cached as unknown for this time
    assert await people.identify_session(cookie)
    for change in (
        people.set_password("nobody@example.com", PASSWORD),
        people.set_admin("ac_none", True),
        people.set_disabled("ac_none", True),
    ):
        with pytest.raises(NotFound):
            await change


async def test_a_disabled_account_is_signed_out_elsewhere_within_five_seconds(store: Store, clock: ManualClock) -> None:
    here, there = make_people(await store.open(), clock), make_people(await store.open(), clock)
    cookie = await sign_up(here)
    visitor = await visit(there, cookie)
    await here.set_disabled(visitor.account_id, True)
    clock.advance(5)
    assert await there.identify_session(cookie) is None


async def test_a_hash_with_old_costs_is_replaced_at_the_next_sign_in(database: Database, clock: ManualClock) -> None:
    await sign_up(make_people(database, clock, hasher=PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)))
    hasher = QuickHasher()
    people = make_people(database, clock, hasher=hasher)
    await people.sign_in(EMAIL, PASSWORD)
    rows = await database.read(lambda: query("SELECT password_hash FROM accounts", {}))
    assert not Passwords(hasher).needs_rehash(rows[0][0])
    assert await people.sign_in(EMAIL, PASSWORD)


async def test_with_email_signing_up_does_not_reveal_whether_an_account_existed(
    database: Database, clock: ManualClock
) -> None:
    box = Box()
    people = make_people(database, clock, post=box)
    assert await people.register(EMAIL, PASSWORD) is None
    assert await people.register(EMAIL, "another good one") is None
    assert box.asked == [("confirm", EMAIL), ("taken", EMAIL)]
    words = set()
    for password in (PASSWORD, "another good one"):
        with pytest.raises(Unauthorized) as refused:
            await people.sign_in(EMAIL, password)
        words.add(str(refused.value))
    assert len(words) == 1
    assert box.asked[2:] == [("confirm", EMAIL)]


async def test_with_email_a_new_address_must_be_confirmed(database: Database, clock: ManualClock) -> None:
    cookie = await sign_up(make_people(database, clock))
    box = Box()
    people = make_people(database, clock, post=box)
    visitor = await visit(people, cookie)
    assert not await people.change_email(visitor, PASSWORD, "new@example.com")
    assert box.asked == [("move", visitor.account_id, "new@example.com")]
    assert (await visit(people, cookie)).email == EMAIL


def meanwhile(passwords: Passwords, do: Callable[[], Awaitable[object]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run `do` after the next password check has succeeded but before its result is used."""
    verify = passwords.verify

    async def verify_slowly(kept: str | None, password: str) -> bool:
        matches = await verify(kept, password)
        monkeypatch.undo()
        await do()
        return matches

    monkeypatch.setattr(passwords, "verify", verify_slowly)


async def test_a_password_replaced_during_its_check_is_refused(
    database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    passwords = Passwords(QuickHasher())
    people = make_people(database, clock, passwords=passwords)
    visitor = await visit(people, await sign_up(people))
    thief = make_people(database, clock, passwords=passwords)

    async def replace() -> None:
        await people.set_password(EMAIL, "the owner's new one")

    for try_old in (
        lambda: thief.sign_in(EMAIL, PASSWORD),
        lambda: thief.change_password(visitor, PASSWORD, "the thief's new one"),
        lambda: thief.change_email(visitor, PASSWORD, "thief@example.com"),
    ):
        await people.set_password(EMAIL, PASSWORD)
        meanwhile(passwords, replace, monkeypatch)
        with pytest.raises((Unauthorized, InvalidParams)):
            await try_old()
        assert await database.read(lambda: query("SELECT id FROM sessions", {})) == []
        assert await people.sign_in(EMAIL, "the owner's new one")


async def test_rehashing_does_not_restore_an_old_password(
    database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sign_up(make_people(database, clock, hasher=PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)))
    passwords = Passwords(QuickHasher())
    people = make_people(database, clock, passwords=passwords)
    meanwhile(passwords, lambda: people.set_password(EMAIL, "another good one"), monkeypatch)
    with pytest.raises(Unauthorized):
        await people.sign_in(EMAIL, PASSWORD)
    assert await people.sign_in(EMAIL, "another good one")


async def test_the_rules_for_new_passwords_do_not_apply_to_existing_ones(
    database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sign_up(make_people(database, clock, hasher=PasswordHasher(time_cost=2, memory_cost=8, parallelism=1)))
    monkeypatch.setattr("webquarry.accounts.passwords.MIN_PASSWORD", 100)
    assert await make_people(database, clock).sign_in(EMAIL, PASSWORD)


async def test_signing_in_and_changing_a_password_succeed_if_the_first_confirmation_was_lost(
    people: People, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_writes_twice(database, monkeypatch)
    visitor = await visit(people, await sign_up(people))
    await visit(people, await people.sign_in(EMAIL, PASSWORD))
    await visit(people, await people.change_password(visitor, PASSWORD, "another good one"))
    assert len(await database.read(lambda: query("SELECT id FROM sessions", {}))) == 1


async def test_an_address_concurrently_taken_on_another_server_is_reported_as_taken(
    postgres: Postgres, clock: ManualClock
) -> None:
    url = await postgres.database()
    database, other = await open_postgres(url, migrate=False), await asyncpg.connect(url)
    try:
        people = make_people(database, clock)
        await sign_up(people, "eve@example.com")
        visitor = await visit(people, await sign_up(people))
        async with other.transaction():
            await other.execute("UPDATE accounts SET email = 'new@example.com' WHERE email = 'eve@example.com'")
            changing = asyncio.create_task(people.change_email(visitor, PASSWORD, "new@example.com"))
            # until it waits for the other transaction, having found the address free
            while not await other.fetchval("SELECT COUNT(*) FROM pg_locks WHERE NOT granted"):  # noqa: ASYNC110  # has no event
                await asyncio.sleep(0.001)
        with pytest.raises(InvalidParams, match="email: an account with this address already exists"):
            await changing
    finally:
        await other.close()
        await database.close()
