"""The request log on its page, as CSV and over the API: what each surface logs, and for whom."""

import csv
import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.clock import ManualClock
from support.direct import Direct
from support.made import Board
from support.people import PASSWORD, QuickHasher
from support.tools import ToolClient
from support.visits import Browser
from webquarry.accounts import Passwords
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.logs.requests import log as log_module
from webquarry.service import Service

REQUESTS = "/account/requests"


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def service(
    board: Board, clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Service]:
    monkeypatch.setattr("webquarry.app.Passwords", lambda: Passwords(QuickHasher()))
    settings = Settings(data_dir=tmp_path, rate_limit_per_minute=6)
    async with assemble(settings, registry=board.registry(), clock=clock) as service:
        yield service


async def sign_up(service: Service, email: str = "ada@example.com") -> tuple[Browser, str]:
    """Return the browser of a new account, and a key."""
    browser = Browser(service.asgi())
    await browser.submit("/signup", email=email, password=PASSWORD)
    account = await service.directory.find(email)
    return browser, (await service.accounts.create_key(account.id, "batch"))[1]


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


async def test_every_response_is_logged(service: Service, board: Board) -> None:
    browser, key = await sign_up(service)
    direct = Direct(service, key)
    board.fail("bad")
    targets = ("made?key=a", "made?key=a", "made?key=bad", "made?kye=a", "made?key=a&token=hunter2", "account")
    for number, target in enumerate((*targets, "made?key=refused")):
        await direct.ask(f"/api/v1/{target}", x_request_id=f"r{number}")
    found = rows_of((await browser.get(f"{REQUESTS}.csv")).text)[::-1]
    told = [(each["request_id"], each["status"], each["code"], each["cache"], each["credits"]) for each in found]
    assert told == [
        ("r0", "200", "ok", "miss", "1"),
        ("r1", "200", "ok", "hit", "0"),
        ("r2", "422", "provider_error", "none", "0"),
        ("r3", "400", "invalid_params", "none", "0"),
        ("r4", "400", "invalid_params", "none", "0"),
        ("r5", "200", "ok", "none", "0"),
        ("r6", "429", "rate_limited", "none", "0"),
    ]
    assert [each["params"] for each in found[2:5]] == ["key=bad", "kye=…", "key=a&token=…"]
    assert {each["called_by"] for each in found} == {"batch"}
    page = await browser.get(REQUESTS)
    for word in ("made", "key=bad", "rate_limited", "hit", "batch", "r6"):
        assert word in page.words, word
    assert "hunter2" not in page.text
    assert key not in page.text
    assert 'href="/account/receipts/r2"' in page.text


async def test_tools_and_the_playground_are_logged_too(service: Service) -> None:
    browser, key = await sign_up(service)
    client = ToolClient(service.asgi(), key)
    await client.call("made", {"key": "a"})
    await client.call("made", {"key": ["a"], "secret": "hunter2"})
    page = await browser.submit("/playground/made", key="a")
    assert page.status in (200, 303), page.words
    found = rows_of((await browser.get(f"{REQUESTS}.csv")).text)[::-1]
    told = [(each["endpoint"], each["params"], each["status"], each["cache"], each["called_by"]) for each in found]
    assert told == [
        ("made", "key=a", "200", "miss", "batch"),
        ("made", "key=['a']&secret=…", "400", "none", "batch"),
        ("made", "key=a", "200", "hit", "this session"),
    ]


async def test_page_filters_and_links_to_the_next_page(service: Service, clock: ManualClock) -> None:
    browser, key = await sign_up(service)
    direct = Direct(service, key)
    for number in range(60):
        await direct.ask(f"/api/v1/made?key={number % 3}", x_request_id=f"r{number:02}")
        clock.advance(11)
    page = await browser.get(REQUESTS)
    assert ("r59" in page.words, "r09" in page.words) == (True, False)
    older = page.text.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    last = await browser.get(older)
    assert ("r09" in last.words, "r10" in last.words) == (True, False)
    assert 'rel="prev"' in last.text
    missed = await browser.get(f"{REQUESTS}?cache=miss")
    assert ("r02" in missed.words, "r03" in missed.words) == (True, False)
    timed = await browser.get(f"{REQUESTS}?since=2026-01-01T00:01&until=2026-01-01T00:01")
    assert [f"r{n:02}" for n in range(60) if f"r{n:02}" in timed.words] == [f"r{n:02}" for n in range(6, 11)]
    one = rows_of((await browser.get(f"{REQUESTS}.csv?request_id=r30")).text)
    assert [each["request_id"] for each in one] == ["r30"]
    assert "No requests match this filter" in (await browser.get(f"{REQUESTS}?status=5xx")).words
    for wrong in ("since=never", "status=200", "cache=warm", "endpoint=nothing", "request_id=a%20b", "cursor=x"):
        page = await browser.get(f"{REQUESTS}?{wrong}")
        assert (page.status, "This filter is invalid" in page.words) == (400, True), wrong
    assert (await browser.get(f"{REQUESTS}.csv?since=never")).status == 400


async def test_long_search_links_to_older_requests_and_csv_has_all(
    service: Service, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.logs.requests.records.LOOKED_AT", 2)
    monkeypatch.setattr(log_module, "MAX_LOOKS", 2)
    monkeypatch.setattr("webquarry.web.account.export.BATCH", 1)
    browser, key = await sign_up(service)
    direct = Direct(service, key)
    for number in range(8):
        await direct.ask(f"/api/v1/made?key={number if number < 2 else 1}", x_request_id=f"r{number}")
        clock.advance(11)
    page = await browser.get(f"{REQUESTS}?cache=miss")
    assert "No match so far" in page.words
    older = page.text.partition('href="/account/requests?cache=miss&amp;cursor')[2].partition('"')[0]
    last = await browser.get(f"{REQUESTS}?cache=miss&cursor{older}")
    assert ("r0" in last.words, "r1" in last.words, "r2" in last.words) == (True, True, False)
    rows = rows_of((await browser.get(f"{REQUESTS}.csv?cache=miss")).text)
    assert [each["request_id"] for each in rows] == ["r1", "r0"]


async def test_requests_are_visible_only_to_their_account(service: Service) -> None:
    ada, key = await sign_up(service)
    eve, _ = await sign_up(service, "eve@example.com")
    await Direct(service, key).ask("/api/v1/made?key=a", x_request_id="adas")
    assert "adas" in (await ada.get(REQUESTS)).words
    assert "No requests yet" in (await eve.get(REQUESTS)).words
    assert "No requests match" in (await eve.get(f"{REQUESTS}?request_id=adas")).words
    assert rows_of((await eve.get(f"{REQUESTS}.csv")).text) == []


async def test_requests_that_did_not_fit_are_counted(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    browser, key = await sign_up(service)
    monkeypatch.setattr(log_module, "MAX_WAITING_OF_ACCOUNT", 2)
    for _ in range(3):
        await Direct(service, key).ask("/api/v1/made?key=a")
    assert "1 request was not logged in this period" in (await browser.get(REQUESTS)).words


async def test_the_api_reads_the_log_in_pages(service: Service, clock: ManualClock) -> None:
    _, key = await sign_up(service)
    direct = Direct(service, key)
    for number in range(3):
        await direct.ask(f"/api/v1/made?key={number}", x_request_id=f"r{number}")
    await service.requests.store()
    clock.advance(60)
    first = (await direct.ask("/api/v1/account/requests?limit=2")).json
    assert [each["request_id"] for each in first["requests"]] == ["r2", "r1"]
    assert first["requests"][0]["params"] == "key=2"
    rest = (await direct.ask(f"/api/v1/account/requests?limit=2&cursor={first['next_cursor']}")).json
    assert [each["request_id"] for each in rest["requests"]] == ["r0"]
    assert (rest["next_cursor"], rest["not_logged"]) == (None, 0)
    for wrong in ("cursor=x", "since=2026-02-30", "since=2026-01-02&until=2026-01-01", "limit=101"):
        assert (await direct.ask(f"/api/v1/account/requests?{wrong}")).status == 400, wrong
        clock.advance(60)


async def test_disabled_log_is_reported(tmp_path: Path, board: Board, clock: ManualClock) -> None:
    settings = Settings(data_dir=tmp_path, request_log_days=0)
    async with assemble(settings, registry=board.registry(), clock=clock) as service:
        browser, key = await sign_up(service)
        assert (await Direct(service, key).ask("/api/v1/made?key=a")).status == 200
        page = await browser.get(REQUESTS)
        assert "The request log is off." in page.words
        assert "key=a" not in page.words
