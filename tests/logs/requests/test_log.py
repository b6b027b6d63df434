"""The request log in the store: what is stored and found, how values that are too long are shortened, and when entries
are deleted.
"""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from support.clock import ManualClock
from support.people import make_people, run_writes_twice
from webquarry.accounts import Accounts, Directory
from webquarry.core.errors import Overloaded
from webquarry.logs.requests import Filter, RequestLog
from webquarry.logs.requests import log as log_module
from webquarry.storage import Database

KEEP = timedelta(days=30)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def account(database: Database, clock: ManualClock) -> str:
    return await add_account(database, clock)


@pytest.fixture
def log(database: Database, clock: ManualClock) -> RequestLog:
    return make_log(database, clock)


def make_log(database: Database, clock: ManualClock, **changes: Any) -> RequestLog:
    return RequestLog(database, clock, **{"keep": KEEP, "params": {"search": ["q"]}, **changes})


async def add_account(database: Database, clock: ManualClock, email: str = "ada@example.com") -> str:
    return (await Accounts(database, clock).create(email, 1))[0].id


def note(log: RequestLog, account: str, number: int = 0, **changes: Any) -> None:
    usual = {
        "status": 200,
        "code": "ok",
        "cache": "miss",
        "credits": 1,
        "took_s": 0.0123,
        "request_id": f"req_{number}",
    }
    endpoint, query = changes.pop("endpoint", "search"), changes.pop("query", b"q=coffee")
    log.note(account, "key_1", endpoint, query, **{**usual, **changes})


async def ids(log: RequestLog, account: str, clock: ManualClock, **chosen: Any) -> list[str]:
    before, batch = chosen.pop("before", None), chosen.pop("batch", 100)
    bounds = {"begins": clock.now() - timedelta(days=400), "ends": clock.now() + timedelta(days=1)}
    found = await log.find(account, Filter(**{**bounds, **chosen}), before=before, batch=batch)
    return [each.request_id for each in found.requests]


async def missed(log: RequestLog, account: str, clock: ManualClock) -> int:
    return await log.count_missed(account, Filter(clock.now() - KEEP, clock.now() + KEEP))


async def test_a_request_is_found_as_it_was_noted(log: RequestLog, account: str, clock: ManualClock) -> None:
    at = clock.now()
    note(log, account, query=b"q=coffee&api_key=secret", status=429, code="rate_limited", cache="none", credits=0)
    clock.advance(3)
    await log.store()
    (found,) = (await log.find(account, Filter(at, clock.now()), batch=10)).requests
    assert (found.at, found.endpoint, found.params) == (at, "search", "q=coffee&api_key=…")
    assert (found.status, found.code, found.cache, found.credits) == (429, "rate_limited", "none", 0)
    assert (found.took_ms, found.request_id, found.key_id) == (12, "req_0", "key_1")


async def test_requests_of_an_account_are_found_by_filter_and_in_pages(
    log: RequestLog, database: Database, account: str, clock: ManualClock
) -> None:
    eve = await add_account(database, clock, "eve@example.com")
    for number in range(5):
        note(log, account, number)
        clock.advance(1)
    middle = clock.now()
    note(log, account, 5, endpoint="account", cache="none")
    note(log, account, 6, status=503, code="overloaded")
    note(log, account, 7, status=404, code="not_found")
    note(log, account, 8, cache="hit")
    note(log, eve, 9)
    await log.store()
    assert await ids(log, account, clock) == [f"req_{n}" for n in range(8, -1, -1)]
    assert await ids(log, eve, clock) == ["req_9"]
    assert await ids(log, account, clock, ends=middle) == [f"req_{n}" for n in range(4, -1, -1)]
    assert await ids(log, account, clock, begins=middle) == [f"req_{n}" for n in range(8, 4, -1)]
    assert await ids(log, account, clock, endpoint="account") == ["req_5"]
    assert await ids(log, account, clock, status="5xx") == ["req_6"]
    assert await ids(log, account, clock, status="4xx") == ["req_7"]
    assert await ids(log, account, clock, cache="hit") == ["req_8"]
    assert await ids(log, account, clock, request_id="req_3") == ["req_3"]
    page = await log.find(account, Filter(clock.now() - KEEP, clock.now() + KEEP), batch=3)
    assert page.next == page.requests[-1].id
    assert await ids(log, account, clock, before=page.next, batch=2) == ["req_5", "req_4"]


async def test_search_examines_requests_in_limited_steps(
    log: RequestLog, account: str, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.logs.requests.records.LOOKED_AT", 5)
    monkeypatch.setattr(log_module, "MAX_LOOKS", 2)
    for number in range(23):
        note(log, account, number, status=404 if number in (0, 3, 4, 20, 22) else 200)
        clock.advance(1)
    await log.store()
    chosen = Filter(clock.now() - KEEP, clock.now(), status="4xx")
    pages, before = [], None
    while True:
        page = await log.find(account, chosen, before=before, batch=2)
        pages.append([each.request_id for each in page.requests])
        before = page.next
        if before is None:
            break
    assert [each for found in pages for each in found] == ["req_22", "req_20", "req_4", "req_3", "req_0"]
    assert [] in pages  # nothing among those that one search looks at
    everything = await log.find(account, Filter(clock.now() - KEEP, clock.now()), batch=100)
    assert (len(everything.requests), everything.next) == (23, None)


async def test_storing_twice_stores_a_request_once(
    log: RequestLog, database: Database, account: str, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_writes_twice(database, monkeypatch)
    monkeypatch.setattr(log_module, "MAX_WAITING", 150)
    for number in range(160):
        note(log, account, number)
    await log.store()
    assert len(await ids(log, account, clock, batch=1000)) == 150
    assert await missed(log, account, clock) == 10


async def test_two_servers_log_to_one_store(database: Database, account: str, clock: ManualClock) -> None:
    first, second = make_log(database, clock), make_log(database, clock)
    for number in range(10):
        note((first, second)[number % 2], account, number)
    await asyncio.gather(first.store(), second.store())
    assert len(await ids(first, account, clock)) == 10


async def test_requests_that_do_not_fit_are_counted_for_their_account(
    log: RequestLog, database: Database, account: str, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve = await add_account(database, clock, "eve@example.com")
    monkeypatch.setattr(log_module, "MAX_WAITING_OF_ACCOUNT", 5)
    for number in range(20):
        note(log, account, number)
    note(log, eve)
    await log.store()
    assert (len(await ids(log, account, clock)), await missed(log, account, clock)) == (5, 15)
    assert (len(await ids(log, eve, clock)), await missed(log, eve, clock)) == (1, 0)
    assert log.missed == 15


async def test_an_unreachable_store_loses_no_request_that_fits(
    log: RequestLog, database: Database, account: str, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: Any, **__: Any) -> None:
        raise Overloaded

    note(log, account, 1)
    with monkeypatch.context() as patch:
        patch.setattr(database, "write", refuse)
        await log.store()
    note(log, account, 2)
    await log.store()
    assert await ids(log, account, clock) == ["req_1"]
    await log.store()
    assert await ids(log, account, clock) == ["req_2", "req_1"]


async def test_noted_requests_are_stored_at_the_end(database: Database, account: str, clock: ManualClock) -> None:
    log = make_log(database, clock)
    running = asyncio.create_task(log.run())
    await asyncio.sleep(0)
    note(log, account)
    running.cancel()
    await asyncio.wait({running})
    assert await ids(log, account, clock) == ["req_0"]


async def test_requests_are_stored_in_the_background(database: Database, account: str, clock: ManualClock) -> None:
    woken = asyncio.Event()

    async def sleep(_seconds: float) -> None:
        await woken.wait()
        woken.clear()

    log = make_log(database, clock, sleep=sleep)
    running = asyncio.create_task(log.run())
    note(log, account)
    woken.set()
    while not await ids(log, account, clock):  # noqa: ASYNC110  # the log tells nobody
        await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.wait({running})


async def test_old_requests_are_deleted_in_batches(
    log: RequestLog, account: str, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.logs.requests.records.SWEEP_BATCH", 2)
    monkeypatch.setattr(log_module, "MAX_WAITING", 3)
    for number in range(4):
        note(log, account, number)
    await log.store()
    clock.advance(KEEP.total_seconds())
    assert not await log.sweep()
    clock.advance(1)
    note(log, account, 5)
    await log.store()
    assert [await log.sweep(), await log.sweep()] == [True, False]
    assert await ids(log, account, clock) == ["req_5"]
    assert await missed(log, account, clock) == 0


async def test_requests_of_a_deleted_account_are_deleted(
    log: RequestLog, database: Database, account: str, clock: ManualClock
) -> None:
    eve = await add_account(database, clock, "eve@example.com")
    for each in (account, eve):
        note(log, each)
    await log.store()
    await Directory(database, clock, make_people(database, clock)).delete(account)
    note(log, account, 1)  # the request that was running
    await log.store()
    await log.sweep()
    assert await ids(log, account, clock) == []
    assert await ids(log, eve, clock) == ["req_0"]


async def test_disabled_log_notes_nothing(database: Database, account: str, clock: ManualClock) -> None:
    log = make_log(database, clock, keep=None)
    note(log, account)
    await log.store()
    assert await ids(log, account, clock) == []
    assert log.missed == 0


async def test_noting_a_request_is_fast(log: RequestLog, account: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Logging a long query takes as little time as logging a short one, because it is shortened when it is stored."""
    shortened: list[bytes] = []

    def shorten(query: bytes, _known: object) -> str:
        shortened.append(query)
        return ""

    monkeypatch.setattr(log_module, "shorten_raw_query", shorten)
    note(log, account, query=b"q=a")
    assert shortened == []
    await log.store()
    assert shortened == [b"q=a"]
