"""Events of jobs: written in the transaction of the event, and sent by the queue of a running server."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Store
from jobs.conftest import WAIT_S, Shop
from support.made import Board
from support.origin import Asked, Origin, answer
from webhooks.conftest import verify
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core.clock import SystemClock
from webquarry.core.errors import Absent
from webquarry.jobs import table
from webquarry.jobs.records import Ending, Taken
from webquarry.jobs.rows import end
from webquarry.storage import Operation
from webquarry.storage.database import query
from webquarry.webhooks.records import EVENTS

MAX_BYTES = 64 * 1024
TESTS = Path(__file__).parents[1]


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not condition():  # noqa: ASYNC110  # the receiver has no event
            await asyncio.sleep(0.01)


@pytest.fixture
async def origin() -> AsyncIterator[Origin]:
    async with Origin() as origin:
        origin.on("/hook", answer(204))
        yield origin


@pytest.fixture
async def hooked(store: Store, origin: Origin) -> AsyncIterator[Shop]:
    """A service that works on jobs and may notify the receiver, and an account of 1000 credits."""
    board = Board()
    settings = store.settings.model_copy(update={"egress_allow": (origin.target,)})
    async with assemble(settings, serving=True, registry=board.registry(), clock=SystemClock()) as service:
        account, _ = await service.accounts.create("owner@example.com", 1000)
        yield Shop(service, board, Caller(account.id, "key_test"))
        assert await service.ledger.verify() == []


async def open_hook(shop: Shop, origin: Origin, caller: Caller | None = None) -> str:
    """Return the secret of a webhook for all events."""
    account_id = (caller or shop.caller).account_id
    _, secret = await shop.service.webhooks.create(account_id, origin.url("/hook"), EVENTS)
    return secret


async def test_a_job_that_ends_notifies_its_account(hooked: Shop, origin: Origin) -> None:
    secret = await open_hook(hooked, origin)
    hooked.board.fail("gone", Absent("There is no such page."))
    job = await hooked.end(await hooked.start(["a", "b", "gone"], name="My job"))
    await until(lambda: origin.requests)
    event = verify(secret, origin.requests[0])
    assert event["type"] == "job.done"
    data = event["data"]
    assert (data["id"], data["name"], data["state"], data["items"]) == (job.id, "My job", "done", 3)
    assert data["counts"] == {"ready": 0, "running": 0, "done": 2, "failed": 1, "stopped": 0}
    assert (data["charged"], data["cached"]) == (2, 0)
    path = f"{hooked.service.settings.base_url}/api/v1/jobs/{job.id}"
    assert data["links"] == {"job": path, "items": f"{path}/items", "results": f"{path}/results.ndjson"}
    assert "# a" not in json.dumps(event)


async def test_a_job_without_a_result_has_failed(hooked: Shop, origin: Origin) -> None:
    secret = await open_hook(hooked, origin)
    hooked.board.fail("gone", Absent("There is no such page."))
    await hooked.end(await hooked.start(["gone"]))
    await until(lambda: origin.requests)
    assert verify(secret, origin.requests[0])["type"] == "job.failed"


async def test_a_job_without_credits_notifies_of_its_pause_and_its_end(hooked: Shop, origin: Origin) -> None:
    poor = await hooked.new_caller(2)
    secret = await open_hook(hooked, origin, poor)
    job = await hooked.start([f"k{n}" for n in range(5)], caller=poor)
    await until(lambda: origin.requests)
    paused = verify(secret, origin.requests[0])
    assert (paused["type"], paused["data"]["reason"]) == ("job.paused", "credits")
    await hooked.until(job, lambda found: not found.counts.running, poor)
    await hooked.service.ledger.grant(poor.account_id, 50, "more")
    await hooked.service.workshop.jobs.resume(poor, job.id)
    await until(lambda: len(origin.requests) > 1)
    assert [verify(secret, asked)["type"] for asked in origin.requests] == ["job.paused", "job.done"]


async def test_a_cancellation_is_an_event_and_a_pause_by_the_owner_is_not(hooked: Shop, origin: Origin) -> None:
    secret = await open_hook(hooked, origin)
    held = hooked.board.hold_until("a")
    job = await hooked.start(["a"])
    await hooked.service.workshop.jobs.pause(hooked.caller, job.id)
    await hooked.service.workshop.jobs.cancel(hooked.caller, job.id)
    await hooked.service.workshop.jobs.cancel(hooked.caller, job.id)
    held.set()
    await until(lambda: origin.requests)
    assert [verify(secret, asked)["type"] for asked in origin.requests] == ["job.cancelled"]


async def test_an_event_is_small_however_large_the_job_is(hooked: Shop, origin: Origin) -> None:
    await open_hook(hooked, origin)
    await hooked.end(await hooked.start([f"{n}" * 200 for n in range(500)], name="\u6f22" * 200))
    await until(lambda: origin.requests)
    assert len(origin.requests[0].body) < MAX_BYTES // 16


async def test_all_webhooks_are_notified_unless_the_job_names_one(hooked: Shop, origin: Origin) -> None:
    origin.on("/other", answer(200))
    await open_hook(hooked, origin)
    other, _ = await hooked.service.webhooks.create(hooked.caller.account_id, origin.url("/other"), ["job.done"])
    await hooked.end(await hooked.start(["a"], webhook=other.id))
    await until(lambda: origin.requests)
    await hooked.end(await hooked.start(["b"], digest="e"))
    await until(lambda: len(origin.requests) == 3)
    assert sorted(asked.target for asked in origin.requests) == ["/hook", "/other", "/other"]


async def test_an_end_that_is_rolled_back_leaves_no_event(hooked: Shop, origin: Origin) -> None:
    """The transaction that ends the job fails at its last step: neither the end nor the event is stored."""
    await open_hook(hooked, origin)
    held = hooked.board.hold_until("a")
    job = await hooked.start(["a"])
    await hooked.until(job, lambda found: found.counts.running == 1)
    now = hooked.service.clock.now()

    def end_and_fail() -> Operation[None]:
        running = yield from table.serve(job.id, 0)
        assert running is not None
        ended = yield from end(Taken(running, 0, {"key": "a"}, 1, 0, None), Ending("failed"), 0, now)
        assert ended is not None
        assert ended.is_last
        [(count,)] = yield "SELECT COUNT(*) FROM webhook_deliveries", {}
        assert count == 1
        raise Absent("No.")

    with pytest.raises(Absent):
        await hooked.service.database.write(end_and_fail)
    [[count]] = await hooked.service.database.read(lambda: query("SELECT COUNT(*) FROM webhook_deliveries", {}))
    assert (count, (await hooked.find(job)).state) == (0, "running")
    held.set()
    await hooked.end(job)


async def test_deleting_an_account_deletes_its_webhooks(hooked: Shop, origin: Origin) -> None:
    await open_hook(hooked, origin)
    await hooked.end(await hooked.start(["a"]))
    await until(lambda: origin.requests)
    await hooked.service.directory.delete(hooked.caller.account_id)
    for name in ("webhooks", "webhook_deliveries"):
        [[count]] = await hooked.service.database.read(lambda name=name: query(f"SELECT COUNT(*) FROM {name}", {}))  # type: ignore[misc]
        assert count == 0


async def test_a_server_killed_during_an_attempt_loses_no_event(store: Store, origin: Origin) -> None:
    """Another server sends the event again, with the same id."""

    async def hang(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        await origin.left(writer)

    origin.on("/hook", hang)
    url = store.settings.database_url or ""
    command = [sys.executable, "-m", "support.webhook_worker", str(store.settings.data_dir), url, origin.target]
    paths = os.pathsep.join((str(TESTS), str(TESTS.parent / "packages/convert/tests")))
    worker = await asyncio.create_subprocess_exec(*command, env={**os.environ, "PYTHONPATH": paths})
    try:
        await until(lambda: origin.requests)
    finally:
        worker.kill()
        await worker.wait()
    origin.on("/hook", answer(200))
    settings = store.settings.model_copy(update={"egress_allow": (origin.target,)})
    async with assemble(settings, serving=True, registry=Board().registry()):
        async with asyncio.timeout(2 * WAIT_S + 30):  # the lease of the dead server has to pass
            while len(origin.requests) < 2:  # noqa: ASYNC110  # the receiver has no event
                await asyncio.sleep(0.05)
    first, second = origin.requests[:2]
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert (first.body, json.loads(second.body)["type"]) == (second.body, "job.done")
