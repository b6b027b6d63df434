"""The sessions of an account: which sessions are listed, the details of their last use, and how each session ends."""

import pytest

from support.clock import ManualClock
from support.people import PASSWORD, make_people
from webquarry.accounts import People, Use
from webquarry.accounts.user_agents import MAX_NAME, name_device
from webquarry.core.errors import NotFound
from webquarry.logs.audit import records
from webquarry.storage import Database
from webquarry.storage.database import query

EMAIL = "ada@example.com"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def people(database: Database, clock: ManualClock) -> People:
    return make_people(database, clock)


async def register(people: People, email: str = EMAIL) -> str:
    cookie = await people.register(email, PASSWORD)
    assert cookie is not None
    return cookie


async def test_last_use_of_a_session_is_listed(people: People, clock: ManualClock) -> None:
    visitor = await people.identify_session(await register(people))
    assert visitor is not None
    (new,) = await people.session_list.read(visitor.account_id)
    assert (new.id, new.created_at, new.seen_at, new.device) == (visitor.session_id, clock.now(), None, "")
    earlier = Use(clock.now(), "curl/8.5.0", "192.0.2.1")
    clock.advance(90)
    people.session_uses.note(visitor.session_id, Use(clock.now(), FIREFOX, "192.0.2.7"))
    await people.session_uses.keep()
    people.session_uses.note(visitor.session_id, earlier)  # another server may store an earlier use late
    await people.session_uses.keep()
    (listed,) = await people.session_list.read(visitor.account_id)
    assert (listed.seen_at, listed.device, listed.network) == (clock.now(), "Firefox on Linux", "192.0.2.7")


async def test_ending_one_session_keeps_the_others(people: People, database: Database, clock: ManualClock) -> None:
    cookies = [await register(people), *[await people.sign_in(EMAIL, PASSWORD) for _ in range(2)]]
    eve = await people.identify_session(await register(people, "eve@example.com"))
    visitors = [await people.identify_session(cookie) for cookie in cookies]
    assert eve is not None
    assert visitors[0] is not None
    assert visitors[1] is not None
    account = visitors[0].account_id
    with pytest.raises(NotFound):
        await people.session_list.end(account, eve.session_id)
    await people.session_list.end(account, visitors[1].session_id)
    found = [await people.identify_session(cookie) is not None for cookie in cookies]
    assert found == [True, False, True]
    with pytest.raises(NotFound):
        await people.session_list.end(account, visitors[1].session_id)

    await people.session_list.end_others(visitors[0])
    assert [await people.identify_session(cookie) is not None for cookie in cookies] == [True, False, False]
    assert await people.identify_session(cookies[0]) == visitors[0]
    assert len(await people.session_list.read(eve.account_id)) == 1
    events = await database.read(lambda: records.list_of_account(account, 2**62, 10))
    actions = [each.event.action for each in events]
    assert actions[:2] == ["sessions.others_ended", "session.ended"]


async def test_sign_in_that_waits_for_a_code_is_not_listed(people: People, database: Database) -> None:
    visitor = await people.identify_session(await register(people))
    assert visitor is not None
    await database.write(
        lambda: query(
            "INSERT INTO second_factors (account_id, secret, created_at, confirmed_at) VALUES (:id, 'x', 0, 0)",
            {"id": visitor.account_id},
        )
    )
    await people.sign_in(EMAIL, PASSWORD)
    assert await people.session_list.read(visitor.account_id) == []


async def test_expired_session_is_not_listed(people: People, clock: ManualClock) -> None:
    visitor = await people.identify_session(await register(people))
    assert visitor is not None
    clock.advance(30 * 86_400)
    assert await people.session_list.read(visitor.account_id) == []


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36",
            "Chrome on Windows",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0", "Edge on Windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15", "Safari on macOS"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/141.0 Mobile Safari/537.36", "Chrome on Android"),
        ("curl/8.5.0", "curl"),
        ("", ""),
        ("<script>alert(1)</script>", ""),
        ("x" * 10_000, "x" * MAX_NAME),
    ],
)
def test_device_is_named_from_the_header(agent: str, name: str) -> None:
    assert name_device(agent) == name
