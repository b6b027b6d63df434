"""`/api/v1/webhooks`: create, list, rotate, test and delete webhooks, and read their deliveries."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from support.clock import ManualClock
from support.direct import Direct
from support.made import Board
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.service import Service
from webquarry.webhooks import announce
from webquarry.webhooks.records import EVENTS

ROOT = "/api/v1/webhooks"
URL = "https://example.com/hook"


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    settings = Settings(data_dir=tmp_path, rate_limit_per_minute=1000)
    async with assemble(settings, registry=Board().registry(), clock=ManualClock()) as service:
        yield service


async def new_account(service: Service, email: str) -> tuple[str, Direct]:
    account, key = await service.accounts.create(email, 100)
    return account.id, Direct(service, key)


@pytest.fixture
async def account(service: Service) -> tuple[str, Direct]:
    return await new_account(service, "someone@example.com")


@pytest.fixture
def direct(account: tuple[str, Direct]) -> Direct:
    return account[1]


async def create(direct: Direct, **fields: Any) -> Any:
    reply = await direct.ask(ROOT, method="POST", json={"url": URL, **fields})
    assert (reply.status, reply.headers["x-credits-charged"]) == (201, "0")
    return reply.json


async def test_the_secret_is_shown_once(direct: Direct) -> None:
    made = await create(direct, description="Ours")
    assert made["secret"].startswith("whsec_")
    assert (made["events"], made["enabled"], made["description"]) == (sorted(EVENTS), True, "Ours")
    for path in (ROOT, f"{ROOT}/{made['id']}"):
        reply = await direct.ask(path)
        assert made["id"] in reply.text
        assert "whsec_" not in reply.text


async def test_a_rotation_returns_another_secret(direct: Direct) -> None:
    made = await create(direct)
    rotated = (await direct.ask(f"{ROOT}/{made['id']}/rotate", method="POST")).json
    assert rotated["secret"] != made["secret"]
    assert rotated["old_secret_until"] == "2026-01-02T00:00:00Z"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({}, "Field 'url' is required."),
        ({"url": URL, "event": []}, "Unknown field 'event'; did you mean 'events'?"),
        ({"url": URL, "events": ["job.won"]}, "Field 'events.0' is not valid"),
        ({"url": URL, "events": []}, "Field 'events' is not valid"),
        ({"url": 5}, "Field 'url' is not valid"),
        ({"url": "http://example.com/"}, "url: must start with https://."),
        ({"url": "https://example.com/" + "a" * 2000}, "url: must have at most"),
        ([], "The body is not valid"),
    ],
)
async def test_an_invalid_body_is_refused_with_an_explanation(direct: Direct, body: Any, says: str) -> None:
    reply = await direct.ask(ROOT, method="POST", json=body)
    assert (reply.status, reply.json["code"]) == (400, "invalid_params")
    assert says in reply.json["error"]


async def test_a_private_target_is_refused(direct: Direct) -> None:
    reply = await direct.ask(ROOT, method="POST", json={"url": "https://169.254.169.254/latest"})
    assert (reply.status, reply.json["code"]) == (400, "unsafe_target")


async def test_a_body_of_another_type_or_size_is_refused(direct: Direct) -> None:
    assert (await direct.ask(ROOT, method="POST", json={}, content_type="text/plain")).status == 415
    assert (await direct.ask(ROOT, method="POST", json={"url": "a" * 20_000})).status == 413


async def test_deliveries_are_listed_in_pages_and_sent_again(service: Service, account: tuple[str, Direct]) -> None:
    account_id, direct = account
    made = await create(direct)
    for _ in range(3):
        await service.database.write(lambda: announce(account_id, "job.done", {"id": "job_1"}, service.clock.now()))
        service.clock.advance(1)  # type: ignore[attr-defined]
    path = f"{ROOT}/{made['id']}/deliveries"
    first = (await direct.ask(f"{path}?limit=2")).json
    second = (await direct.ask(f"{path}?limit=2&cursor={first['next_cursor']}")).json
    listed = [*first["deliveries"], *second["deliveries"]]
    assert (len(listed), second["next_cursor"]) == (3, None)
    assert [each["created_at"] for each in listed] == sorted((each["created_at"] for each in listed), reverse=True)
    assert (await direct.ask(f"{path}?state=failed")).json["deliveries"] == []
    assert (await direct.ask(f"{path}?cursor=x")).status == 400
    again = await direct.ask(f"{ROOT}/deliveries/{listed[0]['id']}/redeliver", method="POST")
    assert (again.status, again.json["id"], again.json["state"]) == (202, listed[0]["id"], "waiting")


async def test_a_test_event_is_a_delivery(direct: Direct) -> None:
    made = await create(direct)
    reply = await direct.ask(f"{ROOT}/{made['id']}/test", method="POST")
    assert (reply.status, reply.json["type"], reply.json["webhook_id"]) == (202, "webhook.test", made["id"])
    assert (await direct.ask(f"{ROOT}/{made['id']}/enable", method="POST")).json["enabled"] is True


async def test_a_deleted_webhook_is_gone(direct: Direct) -> None:
    made = await create(direct)
    assert (await direct.ask(f"{ROOT}/{made['id']}", method="DELETE")).json == {"id": made["id"], "deleted": True}
    assert (await direct.ask(f"{ROOT}/{made['id']}", method="DELETE")).status == 404
    assert (await direct.ask(ROOT)).json == {"webhooks": []}


async def test_other_accounts_find_nothing(service: Service, direct: Direct) -> None:
    made = await create(direct)
    delivery = (await direct.ask(f"{ROOT}/{made['id']}/test", method="POST")).json
    _, other = await new_account(service, "other@example.com")
    requests = [
        ("GET", f"{ROOT}/{made['id']}"),
        ("DELETE", f"{ROOT}/{made['id']}"),
        ("POST", f"{ROOT}/{made['id']}/rotate"),
        ("POST", f"{ROOT}/{made['id']}/enable"),
        ("POST", f"{ROOT}/{made['id']}/test"),
        ("GET", f"{ROOT}/{made['id']}/deliveries"),
        ("POST", f"{ROOT}/deliveries/{delivery['id']}/redeliver"),
        ("GET", f"{ROOT}/wh_x"),
        ("POST", f"{ROOT}/deliveries/x/redeliver"),
    ]
    for method, path in requests:
        reply = await other.ask(path, method=method)
        assert (reply.status, reply.json["code"]) == (404, "not_found"), path


async def test_a_405_lists_the_allowed_methods(direct: Direct) -> None:
    reply = await direct.ask(ROOT, method="PUT")
    assert (reply.status, reply.headers["allow"]) == (405, "GET, POST")
    assert (await direct.ask(f"{ROOT}/wh_x/rotate")).headers["allow"] == "POST"


async def test_a_request_needs_a_key(service: Service) -> None:
    assert (await Direct(service, "wq_live_wrong").ask(ROOT)).status == 401
