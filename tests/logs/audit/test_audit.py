"""The audit log: the record of each action of an operator, in the same transaction, on both databases."""

from datetime import timedelta
from functools import partial

import pytest

from support.apps import REDIRECT, make_request
from support.clock import ManualClock
from support.people import PASSWORD, make_people, run_writes_twice
from webquarry.accounts import Accounts, Directory
from webquarry.core.clock import Clock
from webquarry.ledger import Ledger
from webquarry.logs.audit import CLI, AuditLog, Filter, act_as_admin, act_as_owner, add, make_event, record_after
from webquarry.oauth import Clients, Grants, Tokens
from webquarry.storage import Database, Operation
from webquarry.storage.database import query

ADMIN = act_as_admin("ac_root")
DAY_S = 86_400


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def make_log(database: Database, clock: Clock, days: int = 400) -> AuditLog:
    return AuditLog(database, clock, keep=timedelta(days=days))


async def list_actions(database: Database, clock: Clock, account_id: str) -> list[str]:
    entries = await make_log(database, clock).list_of_account(account_id)
    return [entry.event.action for entry in reversed(entries)]


async def test_each_action_of_an_administrator_is_recorded_with_its_actor(
    database: Database, clock: ManualClock
) -> None:
    accounts = Accounts(database, clock)
    people = make_people(database, clock, accounts=accounts)
    account, _ = await accounts.create("ada@example.com", 5, by=ADMIN)
    key, text = await accounts.create_key(account.id, "batch", by=ADMIN)
    await accounts.set_key_cap(account.id, key.id, 3, by=ADMIN)
    await accounts.revoke_key(account.id, key.id, by=ADMIN)
    await Ledger(database, clock, "i").grant(account.id, 7, "for the trial", by=ADMIN)
    await people.set_password("ada@example.com", PASSWORD, by=ADMIN)
    await people.set_admin((await accounts.create("root@example.com", 0))[0].id, True)
    await people.set_admin(account.id, True, by=ADMIN)
    await people.set_admin(account.id, False, by=ADMIN)
    await people.set_disabled(account.id, True, by=ADMIN)
    await people.set_disabled(account.id, False, by=ADMIN)
    entries = await make_log(database, clock).list_all(Filter(account_id=account.id))
    assert {entry.event.actor for entry in entries} == {ADMIN}
    assert [(entry.event.action, dict(entry.event.details)) for entry in reversed(entries)] == [
        ("account.created", {"email": "ada@example.com", "credits": 5}),
        ("key.created", {"key": key.id, "name": "batch"}),
        ("key.cap_set", {"key": key.id, "cap": 3}),
        ("key.revoked", {"key": key.id}),
        ("credits.granted", {"credits": 7, "note": "for the trial"}),
        ("password.set", {}),
        ("account.made_admin", {}),
        ("account.ended_admin", {}),
        ("account.disabled", {}),
        ("account.enabled", {}),
    ]
    rows = str(await database.read(partial(query, "SELECT * FROM audit_events", {})))
    assert text not in rows
    assert PASSWORD not in rows


async def test_actions_of_owners_are_shown_to_owners_and_on_demand_to_administrators(
    database: Database, clock: ManualClock
) -> None:
    people = make_people(database, clock)
    cookie = await people.register("ada@example.com", PASSWORD)
    assert cookie is not None
    visitor = await people.identify_session(cookie)
    assert visitor is not None
    await people.sign_in("ada@example.com", PASSWORD, network="192.0.2.1")
    changed = await people.change_password(visitor, PASSWORD, "another good one")
    visitor = await people.identify_session(changed)
    assert visitor is not None
    await people.change_email(visitor, "another good one", "new@example.com")
    await people.sign_out_everywhere(visitor.account_id)
    tokens = Tokens(database, clock)
    grants = Grants(database, clock, tokens)

    async def fetch(_url: str) -> bytes:
        raise AssertionError("a registered client has no document")

    client, _ = await Clients(database, clock, fetch).register({"client_name": "App", "redirect_uris": [REDIRECT]})
    code = await grants.approve(visitor.account_id, make_request(client))
    await grants.exchange(client, code, "a" * 43, REDIRECT)
    (grant,) = await grants.list_grants(visitor.account_id)
    await grants.revoke_grant(visitor.account_id, grant.id, by=act_as_owner(visitor.account_id))
    assert await list_actions(database, clock, visitor.account_id) == [
        "account.created",
        "signed_in",
        "password.changed",
        "address.changed",
        "sessions.ended",
        "app.connected",
        "app.disconnected",
    ]
    log = make_log(database, clock)
    assert await log.list_all(Filter()) == []
    assert len(await log.list_all(Filter(owners=True))) == 7
    (signed_in,) = await log.list_all(Filter(owners=True, action="signed_in"))
    assert signed_in.event.details == {"network": "192.0.2.1"}
    assert (signed_in.account_email, signed_in.actor_email) == ("new@example.com", "new@example.com")


async def test_an_action_that_changes_nothing_is_not_recorded(database: Database, clock: ManualClock) -> None:
    people, accounts = make_people(database, clock), Accounts(database, clock)
    account, _ = await accounts.create("ada@example.com", 0)
    for change in (
        people.set_disabled("ac_none", True),
        people.set_password("nobody@example.com", PASSWORD),
        accounts.revoke_key(account.id, "key_none"),
        accounts.create_key("ac_none", "batch"),
        Directory(database, clock, people).delete("ac_none"),
        accounts.create("ada@example.com", 0),
        people.sign_in("ada@example.com", PASSWORD),
    ):
        with pytest.raises(Exception, match=r"not found|No account|already|Incorrect"):
            await change
    assert [entry.event.action for entry in await make_log(database, clock).list_all(Filter(owners=True))] == [
        "account.created"
    ]


async def test_an_action_with_a_lost_confirmation_is_recorded_once(
    database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_writes_twice(database, monkeypatch)
    people, ledger = make_people(database, clock), Ledger(database, clock, "i")
    account, _ = await Accounts(database, clock).create("ada@example.com", 0)
    await people.set_password("ada@example.com", PASSWORD)
    await people.sign_in("ada@example.com", PASSWORD)
    for _ in range(2):  # a form that is sent twice
        await ledger.grant(account.id, 5, "", request_id="admin-1")
    actions = await list_actions(database, clock, account.id)
    assert actions == ["account.created", "password.set", "signed_in", "credits.granted"]


async def test_a_failed_action_leaves_no_event(database: Database, clock: ManualClock) -> None:
    account, _ = await Accounts(database, clock).create("ada@example.com", 0)

    def disable() -> Operation[bool]:
        yield "UPDATE accounts SET disabled_at = 1 WHERE id = :id", {"id": account.id}
        yield from add(make_event(CLI, account.id, "account.disabled", clock.now()))
        raise RuntimeError("the rest of the action fails")

    with pytest.raises(RuntimeError):
        await database.write(disable)
    assert await list_actions(database, clock, account.id) == ["account.created"]
    assert (await Directory(database, clock, make_people(database, clock)).find(account.id)).disabled_at is None


async def test_events_of_a_deleted_account_are_kept_without_personal_data(
    database: Database, clock: ManualClock
) -> None:
    people = make_people(database, clock)
    assert await people.register("ada@example.com", PASSWORD)
    directory, log = Directory(database, clock, people), make_log(database, clock)
    account_id = (await directory.find("ada@example.com")).id
    await people.sign_in("ada@example.com", PASSWORD, network="192.0.2.1")
    await directory.delete(account_id, by=ADMIN)
    entries = await log.list_all(Filter(owners=True))
    assert [entry.event.action for entry in entries] == ["account.deleted", "signed_in", "account.created"]
    assert [(dict(entry.event.details), entry.account_email) for entry in entries] == [({}, None)] * 3
    assert "ada@" not in str(await database.read(partial(query, "SELECT * FROM audit_events", {})))


async def test_events_are_listed_a_page_at_a_time_and_dropped_when_old(database: Database, clock: ManualClock) -> None:
    account, _ = await Accounts(database, clock).create("ada@example.com", 0)
    people, log = make_people(database, clock), make_log(database, clock, days=30)
    for number in range(5):
        clock.advance(DAY_S)
        await people.set_disabled(account.id, number % 2 == 0)
    first = await log.list_all(Filter(), batch=4)
    second = await log.list_all(Filter(), before=first[-1].seq, batch=4)
    assert [entry.event.action.partition(".")[2] for entry in (*first, *second)] == [
        *("disabled", "enabled", "disabled", "enabled", "disabled", "created"),
    ]
    clock.advance(28 * DAY_S + 1)
    assert not await log.sweep()
    assert [entry.event.action for entry in await log.list_all(Filter())] == ["account.disabled", "account.enabled"]


def test_an_action_without_a_title_raises_an_error(clock: ManualClock) -> None:
    with pytest.raises(KeyError):
        make_event(CLI, "ac_1", "account.renamed", clock.now())


async def test_an_event_is_recorded_only_if_the_action_changed_something(
    database: Database, clock: ManualClock
) -> None:
    event = make_event(CLI, "ac_1", "account.disabled", clock.now())
    for outcome in (False, None, True):

        def work(outcome: bool | None = outcome) -> Operation[bool | None]:
            yield from ()
            return outcome

        assert await list_actions(database, clock, "ac_1") == []
        assert await database.write(record_after(work, event)) is outcome
    assert await list_actions(database, clock, "ac_1") == ["account.disabled"]
