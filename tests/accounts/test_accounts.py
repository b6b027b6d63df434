"""Authentication: accounts, their keys, and the delay until a revoked key is refused."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from conftest import Store
from support.clock import ManualClock
from webquarry.accounts import Accounts, Caller
from webquarry.accounts.memory import REMEMBERED
from webquarry.accounts.records import ApiKey
from webquarry.core.clock import epoch_ms
from webquarry.core.errors import InvalidParams, NotFound, Unauthorized
from webquarry.ledger import MAX_CREDITS, Ledger
from webquarry.storage import Database, Operation
from webquarry.storage.database import query


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def accounts(database: Database, clock: ManualClock) -> Accounts:
    return Accounts(database, clock)


async def reads(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A list that grows by one with each read of the database."""
    seen: list[object] = []
    read = database.read

    async def counted(operation: object, **options: object) -> object:
        seen.append(operation)
        return await read(operation, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(database, "read", counted)
    return seen


def answered_at_once(accounts: Accounts, key: str) -> Caller:
    """Return the result of `identify`, asserting that it does not suspend."""
    with pytest.raises(StopIteration) as stop:
        accounts.identify(key).send(None)
    caller = stop.value.value
    assert isinstance(caller, Caller)
    return caller


async def test_a_new_account_has_credits_and_a_working_key(
    accounts: Accounts, database: Database, clock: ManualClock
) -> None:
    account, key = await accounts.create("  Someone@Example.com ", 10)
    assert account.email == "someone@example.com"
    assert (await accounts.identify(key)).account_id == account.id
    ledger = Ledger(database, clock, "i")
    assert await ledger.balance(account.id) == account.balance == 10
    assert await ledger.verify() == []
    assert await accounts.by_id(account.id) == await accounts.by_email("SOMEONE@example.com") == account


async def test_an_account_may_start_without_credits(accounts: Accounts) -> None:
    account, _ = await accounts.create("someone@example.com", 0)
    assert account.balance == 0


async def test_two_accounts_cannot_share_an_email(accounts: Accounts, database: Database) -> None:
    await accounts.create("someone@example.com", 10)
    with pytest.raises(InvalidParams, match=r"an account with the address someone@example.com already exists"):
        await accounts.create("SOMEONE@example.com", 10)
    rows = await database.read(lambda: query("SELECT (SELECT COUNT(*) FROM api_keys), COUNT(*) FROM ledger", {}))
    assert rows == [(1, 1)]


@pytest.mark.parametrize(
    "email", ["", "someone", "a@b", "a b@example.com", "a@@example.com", "a@example..com", "a@" + "b" * 250 + ".com"]
)
async def test_an_invalid_email_is_refused(accounts: Accounts, email: str) -> None:
    with pytest.raises(InvalidParams, match="email: must be an email address"):
        await accounts.create(email, 10)


@pytest.mark.parametrize("email", ["=a@example.com", "+a@example.com", "-a@example.com", " =cmd|a@example.com"])
async def test_an_email_that_a_spreadsheet_would_run_is_refused(accounts: Accounts, email: str) -> None:
    with pytest.raises(InvalidParams, match=r"email: must not start with [=+-], which"):
        await accounts.create(email, 10)
    assert (await accounts.create(f"a{email.strip()}", 10))[0].email == f"a{email.strip()}"


@pytest.mark.parametrize(
    "email",
    [
        "\uff41da@example.com",  # full-width a
        "\uff1da@example.com",  # full-width =
        "ada@\uff45xample.com",
        "ada@example\uff0ecom.example",
        "\U0001d41ada@example.com",  # bold a
        "o\ufb03ce@example.com",  # the ligature ffi
        "ada\u00b2@example.com",  # superscript 2
        "\u24d0da@example.com",  # circled a
        "re\u0301mi@example.com",  # e and a combining accent
    ],
)
async def test_an_email_that_imitates_another_is_refused(accounts: Accounts, email: str) -> None:
    with pytest.raises(InvalidParams, match="email: must not contain full-width"):
        await accounts.create(email, 10)


async def test_an_email_may_have_letters_of_any_language(accounts: Accounts) -> None:
    for email in ("rémi@example.com", "користувач@example.com", "用户@example.com", "a+tag@example.com"):
        assert (await accounts.create(email, 10))[0].email == email


async def test_a_store_reports_whether_it_has_accounts(accounts: Accounts) -> None:
    assert not await accounts.exist()
    await accounts.create("someone@example.com", 10)
    assert await accounts.exist()


async def test_keys_are_kept_as_digests(accounts: Accounts, database: Database) -> None:
    _, key = await accounts.create("someone@example.com", 10)
    rows = await database.read(lambda: query("SELECT * FROM api_keys", {}))
    assert key not in str(rows)
    assert key[:12] in str(rows)


async def test_keys_are_listed_by_prefix_and_name(accounts: Accounts, clock: ManualClock) -> None:
    account, first = await accounts.create("someone@example.com", 10)
    clock.advance(1)
    key, text = await accounts.create_key(account.id, " laptop ")
    assert (await accounts.identify(text)).key_id == key.id
    await accounts.revoke_key(account.id, key.id)
    listed = await accounts.list_keys(account.id)
    assert [(k.prefix, k.name, k.revoked_at) for k in listed] == [
        (first[:12], "first key", None),
        (text[:12], "laptop", clock.now()),
    ]


async def test_keys_that_expired_long_ago_are_deleted(accounts: Accounts, clock: ManualClock) -> None:
    account, first = await accounts.create("someone@example.com", 10)
    revoked, _ = await accounts.create_key(account.id, "revoked")
    await accounts.revoke_key(account.id, revoked.id)
    await accounts.create_key(account.id, "expired", expires_at=clock.now() + timedelta(days=1))
    clock.advance(10 * 24 * 3600)
    assert not await accounts.sweep_keys(timedelta(days=10))
    assert len(await accounts.list_keys(account.id)) == 3
    clock.advance(1)
    assert not await accounts.sweep_keys(timedelta(days=10))
    assert {key.name for key in await accounts.list_keys(account.id)} == {"first key", "expired"}
    clock.advance(24 * 3600)
    assert not await accounts.sweep_keys(timedelta(days=10))
    assert [key.name for key in await accounts.list_keys(account.id)] == ["first key"]
    assert await accounts.identify(first)


async def test_an_account_cannot_start_with_more_credits_than_the_maximum(accounts: Accounts) -> None:
    for credits in (MAX_CREDITS + 1, 2**63 - 1, 2**64):
        with pytest.raises(InvalidParams, match="credits"):
            await accounts.create("someone@example.com", credits)
    account, _ = await accounts.create("someone@example.com", MAX_CREDITS)
    assert account.balance == MAX_CREDITS


async def test_keys_belong_to_an_account(accounts: Accounts) -> None:
    one, _ = await accounts.create("one@example.com", 10)
    other, _ = await accounts.create("other@example.com", 10)
    key, text = await accounts.create_key(one.id, "laptop")
    with pytest.raises(NotFound):
        await accounts.create_key("ac_none", "laptop")
    with pytest.raises(NotFound):
        await accounts.revoke_key(other.id, key.id)
    with pytest.raises(InvalidParams):
        await accounts.create_key(one.id, " ")
    assert await accounts.identify(text) == Caller(one.id, key.id)


@pytest.mark.parametrize("key", ["", "nonsense", "wq_live_" + "x" * 32])
async def test_an_unknown_key_is_refused(accounts: Accounts, key: str) -> None:
    with pytest.raises(Unauthorized, match="invalid, revoked or expired"):
        await accounts.identify(key)


async def test_a_recently_used_key_is_identified_without_the_store(
    accounts: Accounts, database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, key = await accounts.create("someone@example.com", 10)
    caller = await accounts.identify(key)
    seen = await reads(database, monkeypatch)
    clock.advance(4.9)
    assert answered_at_once(accounts, key) == caller
    assert seen == []
    clock.advance(0.2)
    assert await accounts.identify(key) == caller
    assert len(seen) == 1


async def test_a_revoked_key_stops_working_immediately_and_on_other_servers_within_five_seconds(
    store: Store, clock: ManualClock
) -> None:
    here, there = Accounts(await store.open(), clock), Accounts(await store.open(), clock)
    account, key = await here.create("someone@example.com", 10)
    caller = await here.identify(key)
    assert await there.identify(key) == caller
    await here.revoke_key(account.id, caller.key_id)
    with pytest.raises(Unauthorized):
        await here.identify(key)
    clock.advance(5)
    with pytest.raises(Unauthorized):
        await there.identify(key)


async def test_an_unknown_key_is_looked_up_once_a_second(
    accounts: Accounts, database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = await reads(database, monkeypatch)
    for expected in (1, 1, 2):
        with pytest.raises(Unauthorized):
            await accounts.identify("wq_live_" + "x" * 32)
        assert len(seen) == expected
        clock.advance(0.6)


async def test_a_flood_of_bad_keys_does_not_fill_the_memory_or_evict_valid_keys(
    accounts: Accounts, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, key = await accounts.create("someone@example.com", 10)
    await accounts.identify(key)

    async def nothing(*_: object) -> None:
        return None

    monkeypatch.setattr(database, "read", nothing)
    for number in range(REMEMBERED + 100):
        with pytest.raises(Unauthorized):
            await accounts.identify(f"wq_live_{number:032}")
    assert len(accounts._callers._unknown) == REMEMBERED
    assert answered_at_once(accounts, key)


async def test_sandbox_keys_and_live_keys_are_not_interchangeable(database: Database, clock: ManualClock) -> None:
    live, sandbox = Accounts(database, clock), Accounts(database, clock, sandbox=True)
    _, live_key = await live.create("ada@example.com", 0)
    _, sandbox_key = await sandbox.create("eve@example.com", 0)
    assert (live_key[:8], sandbox_key[:8]) == ("wq_live_", "wq_test_")
    with pytest.raises(Unauthorized, match=r"not a sandbox\. Its keys start with wq_live_"):
        await live.identify(sandbox_key)
    with pytest.raises(Unauthorized, match=r"a sandbox\. Its keys start with wq_test_"):
        await sandbox.identify(live_key)


async def test_all_accounts_are_listed_oldest_first(database: Database, clock: ManualClock) -> None:
    accounts = Accounts(database, clock)
    made = []
    for name, credits in (("b", 1), ("a", 2)):
        made.append((await accounts.create(f"{name}@example.com", credits))[0])
        clock.advance(1)
    assert [(each.email, each.balance) for each in await accounts.list_all()] == [
        (each.email, each.balance) for each in made
    ]


async def change(database: Database, statement: str, **values: object) -> None:
    await database.write(lambda: query(statement, values))


async def test_keys_of_a_disabled_account_are_refused_within_five_seconds(store: Store, clock: ManualClock) -> None:
    database = await store.open()
    accounts = Accounts(database, clock)
    account, key = await accounts.create("someone@example.com", 10)
    caller = await accounts.identify(key)
    await change(database, "UPDATE accounts SET disabled_at = 1 WHERE id = :id", id=account.id)
    clock.advance(5)
    with pytest.raises(Unauthorized):
        await accounts.identify(key)
    await change(database, "UPDATE accounts SET disabled_at = NULL WHERE id = :id", id=account.id)
    clock.advance(1)
    assert await accounts.identify(key) == caller


async def test_a_key_is_refused_after_it_expires(accounts: Accounts, database: Database, clock: ManualClock) -> None:
    _, key = await accounts.create("someone@example.com", 10)
    caller = await accounts.identify(key)
    await change(
        database,
        "UPDATE api_keys SET expires_at = :at WHERE id = :id",
        id=caller.key_id,
        at=epoch_ms(clock.now()) + 10_000,
    )
    clock.advance(9)
    assert await accounts.identify(key) == caller
    clock.advance(5)
    with pytest.raises(Unauthorized, match="revoked or expired"):
        await accounts.identify(key)


async def test_a_key_revoked_during_its_lookup_is_refused_immediately(
    accounts: Accounts, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, key = await accounts.create("someone@example.com", 0)
    (made,) = await accounts.list_keys(account.id)
    read = database.read

    async def read_and_revoke(operation: Callable[[], Operation[object]], *, snapshot: bool = False) -> object:
        answer = await read(operation, snapshot=snapshot)
        monkeypatch.undo()
        await accounts.revoke_key(account.id, made.id)
        return answer

    monkeypatch.setattr(database, "read", read_and_revoke)
    await accounts.identify(key)
    with pytest.raises(Unauthorized):
        await accounts.identify(key)


async def test_the_number_of_active_keys_per_account_is_limited(
    accounts: Accounts, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.accounts.accounts.MAX_KEYS", 3)
    account, _ = await accounts.create("someone@example.com", 0)
    await accounts.create_key(account.id, "short", expires_at=clock.now() + timedelta(seconds=1))
    last, _ = await accounts.create_key(account.id, "last")
    with pytest.raises(InvalidParams, match="at most 3 keys"):
        await accounts.create_key(account.id, "beyond")
    clock.advance(1)
    await accounts.create_key(account.id, "in the place of the expired one")
    await accounts.revoke_key(account.id, last.id)
    await accounts.create_key(account.id, "in the place of the revoked one")
    with pytest.raises(InvalidParams):
        await accounts.create_key(account.id, "beyond")


@pytest.mark.parametrize(
    ("revoked_after_s", "expires_after_s", "active"),
    [(None, None, True), (None, 1, True), (None, 0, False), (None, -1, False), (-1, None, False), (-1, 1, False)],
)
def test_key_is_active_until_it_is_revoked_or_expires(
    revoked_after_s: int | None, expires_after_s: int | None, active: bool
) -> None:
    now = datetime(2026, 11, 27, tzinfo=UTC)
    revoked_at, expires_at = (
        None if seconds is None else now + timedelta(seconds=seconds) for seconds in (revoked_after_s, expires_after_s)
    )
    key = ApiKey("key_1", "ac_1", "wq_live_abcd", "laptop", now - timedelta(days=1), revoked_at, expires_at)
    assert key.is_active(now) is active
