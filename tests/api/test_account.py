"""An account's requests about itself: free, limited, documented, and without access to other accounts."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.clock import ManualClock
from support.direct import Direct
from support.made import Board
from webquarry.api.statements import make_cursor
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.ledger import Ledger
from webquarry.service import Service

DAY_S = 86_400


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def service(board: Board, clock: ManualClock, tmp_path: Path) -> AsyncIterator[Service]:
    settings = Settings(data_dir=tmp_path, rate_limit_per_minute=60)
    async with assemble(settings, registry=board.registry(), clock=clock) as service:
        yield service


@pytest.fixture
async def direct(service: Service) -> Direct:
    account, _ = await service.accounts.create("someone@example.com", 100)
    _, key = await service.accounts.create_key(account.id, "batch", monthly_cap=5)
    return Direct(service, key)


async def test_account_has_balance_cap_and_the_requesting_key(direct: Direct, board: Board) -> None:
    board.fail("bad")
    await direct.ask("/api/v1/made?key=a")
    await direct.ask("/api/v1/made?key=a")  # free
    await direct.ask("/api/v1/made?key=bad")
    reply = await direct.ask("/api/v1/account")
    assert (reply.status, reply.headers["x-credits-charged"]) == (200, "0")
    found = reply.json
    assert (found["email"], found["credits"], found["credits_this_month"]) == ("someone@example.com", 99, 1)
    assert (found["renews_at"], found["requests_per_minute"]) == ("2026-02-01T00:00:00Z", 60)
    assert found["account_requests_per_minute"] == 60
    assert (found["key"]["name"], found["key"]["monthly_cap"], found["key"]["spent_this_month"]) == ("batch", 5, 1)
    assert found["key"]["prefix"].startswith("wq_live_")


async def test_reading_the_account_is_free_and_counts_towards_the_limit(direct: Direct) -> None:
    left = [
        int((await direct.ask(path)).headers["x-ratelimit-remaining"])
        for path in ("/api/v1/account", "/api/v1/account/usage", "/api/v1/account/receipts/none")
    ]
    assert left == [59, 58, 57]
    assert (await direct.ask("/api/v1/account")).json["credits"] == 100


async def test_usage_is_grouped_by_day_endpoint_and_entry(direct: Direct, board: Board, clock: ManualClock) -> None:
    board.fail("bad")
    await direct.ask("/api/v1/made?key=a", x_request_id="first")
    clock.advance(DAY_S)
    await direct.ask("/api/v1/made?key=bad", x_request_id="second")
    clock.advance(1)
    await direct.ask("/api/v1/made?key=b", x_request_id="third")
    found = (await direct.ask("/api/v1/account/usage")).json
    assert (found["since"], found["until"]) == ("2025-12-04", "2026-01-02")
    assert (found["credits"], found["calls"], found["refunded"]) == (2, 3, 1)
    assert found["days"] == [
        {"day": "2026-01-01", "endpoint": "made", "credits": 1, "calls": 1, "refunded": 0},
        {"day": "2026-01-02", "endpoint": "made", "credits": 1, "calls": 2, "refunded": 1},
    ]
    assert [(entry["request_id"], entry["status"], entry["credits"]) for entry in found["entries"]] == [
        ("third", "charged", -1),
        ("second", "refunded", 0),
        ("first", "charged", -1),
        (None, "granted", 100),
    ]
    assert sum(entry["credits"] for entry in found["entries"]) == (await direct.ask("/api/v1/account")).json["credits"]


async def test_request_across_midnight_belongs_to_the_day_on_which_it_began(
    service: Service, direct: Direct, clock: ManualClock
) -> None:
    account = await service.accounts.by_email("someone@example.com")
    assert account is not None
    clock.advance(DAY_S - 1)
    hold = await service.ledger.hold(account.id, 3, request_id="late", endpoint="made", key_id="session:x")
    running = (await direct.ask("/api/v1/account/usage")).json
    assert (running["credits"], running["entries"][0]["status"], running["entries"][0]["credits"]) == (0, "open", -3)
    clock.advance(2)
    await service.ledger.settle(hold, 2, None)
    found = (await direct.ask("/api/v1/account/usage")).json
    assert [(day["day"], day["credits"]) for day in found["days"]] == [("2026-01-01", 2)]


async def test_entries_are_filtered_and_paged_without_gaps_or_duplicates(direct: Direct, board: Board) -> None:
    board.fail("bad")
    for n in range(5):
        await direct.ask(f"/api/v1/made?key={'bad' if n == 2 else n}", x_request_id=f"r{n}")
    seen, cursor = [], ""
    for _ in range(3):
        found = (await direct.ask(f"/api/v1/account/usage?limit=2{cursor}")).json
        seen += [entry["request_id"] for entry in found["entries"]]
        cursor = f"&cursor={found['next_cursor']}"
    assert seen == ["r4", "r3", "r2", "r1", "r0", None]
    assert found["next_cursor"] is None
    for query, expected in (
        ("status=refunded", ["r2"]),
        ("status=granted", [None]),
        ("status=open", []),
        ("endpoint=made&status=charged", ["r4", "r3", "r1", "r0"]),
        ("key_id=session:ses_other", []),
        ("until=2025-12-31", []),
    ):
        found = (await direct.ask(f"/api/v1/account/usage?{query}")).json
        assert [entry["request_id"] for entry in found["entries"]] == expected, query


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("since=yesterday", "since"),
        ("since=2026-02-30", "since"),
        ("since=0001-01-01&until=0001-01-02", "until"),
        ("until=9999-12-31", "until"),
        ("since=2026-01-02&until=2026-01-01", "since"),
        ("since=2024-01-01&until=2026-01-01", "span at most 366 days"),
        ("endpoint=nothing", "endpoint"),
        ("key_id=me", "'key_id' must be the ID of a key"),
        ("key_id=key_unknown", "'key_id' must be the ID of a key"),
        ("status=lost", "status"),
        ("limit=101", "limit"),
        ("cursor=abc", "cursor"),
        (f"cursor={make_cursor((2**63, 1))}", "cursor"),
        ("cursor=-1.5", "cursor"),
        ("form=json", "Unknown parameter 'form'"),
    ],
)
async def test_invalid_query_is_reported(direct: Direct, query: str, named: str) -> None:
    reply = await direct.ask(f"/api/v1/account/usage?{query}")
    assert (reply.status, reply.code) == (400, "invalid_params")
    assert named in reply.json["error"]


async def test_receipt_states_why_a_request_failed_and_what_was_refunded(direct: Direct, board: Board) -> None:
    board.fail("bad")
    failed = await direct.ask("/api/v1/made?key=bad")
    found = (await direct.ask(f"/api/v1/account/receipts/{failed.headers['x-request-id']}")).json
    assert found["request_id"] == failed.headers["x-request-id"]
    (receipt,) = found["receipts"]
    assert (receipt["endpoint"], receipt["code"], receipt["reason"]) == ("made", "provider_error", "down")
    assert (receipt["message"], receipt["refunded"]) == (failed.json["error"], 1)


async def test_receipts_and_usage_of_others_are_not_visible(service: Service, direct: Direct, board: Board) -> None:
    board.fail("bad")
    await direct.ask("/api/v1/made?key=bad", x_request_id="mine")
    _, key = await service.accounts.create("other@example.com", 1)
    other = Direct(service, key)
    assert (await other.ask("/api/v1/account/receipts/mine")).status == 404
    found = (await other.ask("/api/v1/account/usage")).json
    assert [entry["status"] for entry in found["entries"]] == ["granted"]
    mine = (await direct.ask("/api/v1/account")).json["key"]["id"]
    assert (await other.ask(f"/api/v1/account/usage?key_id={mine}")).status == 400
    assert len((await direct.ask(f"/api/v1/account/usage?key_id={mine}")).json["entries"]) == 1


@pytest.mark.parametrize(
    "path", ["/api/v1/account/", "/api/v1/account/receipts", "/api/v1/account/receipts/a/b", "/api/v1/accounts"]
)
async def test_unknown_path_below_account_is_not_found(direct: Direct, path: str) -> None:
    assert (await direct.ask(path)).status == 404


async def test_malformed_request_id_is_not_looked_up(
    service: Service, direct: Direct, monkeypatch: pytest.MonkeyPatch
) -> None:
    await direct.ask("/api/v1/account")
    monkeypatch.setattr(Ledger, "receipts", None)
    assert (await direct.ask(f"/api/v1/account/receipts/{'x' * 65}")).status == 404
    assert (await direct.ask("/api/v1/account/receipts/a%20b")).status == 404


async def test_error_for_a_cap_names_the_key_and_the_renewal_date(direct: Direct) -> None:
    for n in range(5):
        assert (await direct.ask(f"/api/v1/made?key={n}")).status == 200
    refused = await direct.ask("/api/v1/made?key=6")
    assert (refused.status, refused.code) == (402, "insufficient_credits")
    assert (refused.headers["x-error-reason"], refused.headers["x-retryable"]) == ("monthly_cap", "false")
    assert "'batch' has 0 left of its monthly cap of 5" in refused.json["error"]
    assert "2026-02-01" in refused.json["error"]
    assert (await direct.ask("/api/v1/made?key=1")).status == 200  # cached results are free
