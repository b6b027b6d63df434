"""Items of jobs. Each item is an ordinary request and ends once."""

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from jobs.conftest import WAIT_S, Shop
from webquarry.core.errors import Absent, ProviderError
from webquarry.endpoints.context import Context
from webquarry.jobs import lanes, pace
from webquarry.jobs.records import Job
from webquarry.jobs.rows import share_out


async def test_each_item_ends_once_and_is_charged_once(shop: Shop) -> None:
    job = await shop.start([f"k{n}" for n in range(120)])
    ended = await shop.end(job)
    assert (ended.state, ended.counts.done, ended.charged, ended.spent) == ("done", 120, 120, 120)
    assert await shop.balance() == 1000 - 120
    items = await shop.items(ended)
    assert [item.state for item in items] == ["done"] * 120
    assert sorted(item.ending or 0 for item in items) == [*range(1, 121)]
    assert set(shop.board.runs.values()) == {1}


async def test_cached_and_repeated_inputs_are_free(shop: Shop) -> None:
    first = await shop.end(await shop.start(["a", "b"]))
    again = await shop.end(await shop.start(["a", "b", "c", "c"], digest="e"))
    assert (first.charged, again.charged, again.cached) == (2, 1, 3)
    assert await shop.balance() == 997


async def test_a_result_can_be_read_by_its_id(shop: Shop) -> None:
    [item] = await shop.items(await shop.end(await shop.start(["a"])))
    assert item.conversion_id is not None
    answer = await shop.service.pipeline.conversion(shop.caller, item.conversion_id, "markdown")
    assert answer.markdown == b"# a\n"


async def test_a_final_error_ends_its_item_with_a_receipt_and_no_charge(shop: Shop) -> None:
    shop.board.fail("gone", Absent("There is no such page."))
    job = await shop.end(await shop.start(["a", "gone"]))
    assert (job.counts.done, job.counts.failed, job.charged) == (1, 1, 1)
    item = (await shop.items(job))[1]
    assert (item.state, item.code, item.message, item.charged) == ("failed", "not_found", "There is no such page.", 0)
    [receipt] = await shop.service.ledger.receipts(shop.caller.account_id, f"{job.id}-1")
    assert (receipt.code, receipt.refunded) == ("not_found", 1)


async def test_a_temporary_error_is_retried_up_to_three_attempts(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "RETRY_S", 0.02)
    failures = Counter[str]()

    async def fail_twice(_ctx: Context) -> None:
        failures["b"] += 1
        if failures["b"] < 3:
            raise ProviderError("The upstream is down.", reason="down")

    shop.board.behaviours["b"] = fail_twice
    shop.board.fail("c")
    job = await shop.end(await shop.start(["a", "b", "c"]))
    assert [item.state for item in await shop.items(job)] == ["done", "done", "failed"]
    assert (shop.board.runs["b"], shop.board.runs["c"], job.charged) == (3, 3, 2)
    holds = await shop.service.ledger.receipts(shop.caller.account_id, f"{job.id}-2")
    assert len(holds) == 3


async def test_retry_repeats_items_with_temporary_errors(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "ATTEMPTS", 1)
    shop.board.fail("b")
    shop.board.fail("c", Absent("There is no such page."))
    job = await shop.end(await shop.start(["a", "b", "c"]))
    shop.board.heal("b")
    again = await shop.service.workshop.jobs.retry(shop.caller, job.id)
    assert again.state == "running"
    ended = await shop.end(job)
    assert [item.state for item in await shop.items(ended)] == ["done", "done", "failed"]
    assert (ended.counts.failed, ended.charged, shop.board.runs["c"]) == (1, 2, 1)


async def test_a_budget_is_exact_with_many_lanes(shop: Shop) -> None:
    job = await shop.end(
        await shop.start([f"k{n}" for n in range(100)], lane=lambda n: f"host:{n % 20}", max_credits=37)
    )
    assert (job.counts.done, job.counts.stopped, job.charged, job.spent) == (37, 63, 37, 37)
    stopped = [item for item in await shop.items(job) if item.state == "stopped"]
    assert {(item.code, item.reason) for item in stopped} == {("insufficient_credits", "max_credits")}
    assert await shop.balance() == 1000 - 37


async def test_failed_items_do_not_use_the_budget(shop: Shop) -> None:
    for n in range(5):
        shop.board.fail(f"k{n}", Absent("There is no such page."))
    job = await shop.end(await shop.start([f"k{n}" for n in range(10)], max_credits=5))
    assert (job.counts.done, job.spent) == (5, 5)


async def test_a_job_pauses_without_credits_and_continues_after_a_grant(shop: Shop) -> None:
    poor = await shop.new_caller(7)
    job = await shop.start([f"k{n}" for n in range(20)], caller=poor)
    paused = await shop.until(job, lambda found: found.state == "paused" and not found.counts.running, poor)
    assert (paused.reason, paused.counts.done, paused.counts.ready, paused.charged) == ("credits", 7, 13, 7)
    await shop.service.ledger.grant(poor.account_id, 50, "more")
    assert (await shop.service.workshop.jobs.resume(poor, job.id)).state in ("running", "done")
    ended = await shop.end(job, poor)
    assert (ended.counts.done, ended.charged, await shop.balance(poor)) == (20, 20, 37)


async def test_a_paused_job_starts_no_item_and_continues_when_resumed(shop: Shop) -> None:
    released = shop.board.hold_until("k0")
    job = await shop.start(["k0", *[f"k{n}" for n in range(1, 100)]], lane=lambda _: "host:one", concurrency=1)
    await shop.until(job, lambda _: shop.board.runs.total() == 1)
    paused = await shop.service.workshop.jobs.pause(shop.caller, job.id)
    assert (paused.state, paused.reason) == ("paused", "user")
    released.set()
    await shop.until(job, lambda found: found.counts.running == 0)
    await asyncio.sleep(0.1)
    assert shop.board.runs.total() == 1
    await shop.service.workshop.jobs.resume(shop.caller, job.id)
    assert (await shop.end(job)).charged == 100


async def test_a_cancelled_job_charges_nothing_more(shop: Shop) -> None:
    released = shop.board.hold_until("k0")
    job = await shop.start([f"k{n}" for n in range(50)], lane=lambda n: "host:slow" if n == 0 else "host:fast")
    await shop.until(job, lambda found: found.counts.done == 49)
    began = asyncio.get_running_loop().time()
    cancelled = await shop.service.workshop.jobs.cancel(shop.caller, job.id)
    assert asyncio.get_running_loop().time() - began < 2
    assert (cancelled.state, cancelled.counts.stopped, cancelled.charged) == ("cancelled", 1, 49)
    released.set()

    await shop.until_balance(1000 - 49)
    final = await shop.find(job)
    assert (final.charged, final.spent) == (49, 49)
    assert [item.state for item in await shop.items(final)] == ["stopped", *["done"] * 49]


async def test_concurrency_limits_the_number_of_running_items(shop: Shop) -> None:
    running, most = 0, 0

    async def watch(_ctx: Context) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1

    for n in range(30):
        shop.board.behaviours[f"k{n}"] = watch
    await shop.end(await shop.start([f"k{n}" for n in range(30)], lane=lambda n: f"host:{n % 10}", concurrency=3))
    assert most == 3


async def test_two_jobs_of_two_accounts_advance_together(shop: Shop) -> None:
    other = await shop.new_caller(1000)
    shop.service.workshop.slots._size = 2

    async def wait(_ctx: Context) -> None:
        await asyncio.sleep(0.005)

    for n in range(400):
        shop.board.behaviours[f"k{n}"] = wait
    long = await shop.start([f"k{n}" for n in range(300)], lane=lambda _: "host:one")
    await shop.until(long, lambda found: found.counts.done > 10)
    short = await shop.start([f"k{n}" for n in range(300, 340)], caller=other, lane=lambda _: "host:one")
    await shop.end(short, other)
    assert (await shop.find(long)).counts.done < 150
    await shop.service.workshop.jobs.cancel(shop.caller, long.id)


async def test_the_same_idempotency_key_gives_the_same_job(shop: Shop) -> None:
    one = await shop.start(["a"], idempotency_key="k")
    two = await shop.start(["a"], idempotency_key="k")
    assert one.id == two.id
    other = await shop.new_caller(10)
    assert (await shop.start(["a"], idempotency_key="k", caller=other)).id != one.id


@pytest.mark.parametrize(
    ("candidates", "limit", "shares"),
    [
        ([("j1", "a", 5, 0)], 4, {"j1": 4}),
        ([("j1", "a", 5, 0), ("j2", "b", 1, 0)], 4, {"j1": 2, "j2": 2}),
        ([("j1", "a", 5, 0), ("j2", "b", 1, 0)], 1, {"j2": 1}),
        ([("j1", "a", 5, 3), ("j2", "b", 9, 0)], 3, {"j2": 3}),
        ([("j1", "a", 1, 0), ("j2", "a", 2, 0), ("j3", "b", 3, 0)], 4, {"j1": 1, "j2": 1, "j3": 2}),
        ([], 4, {}),
    ],
)
def test_items_are_shared_between_accounts_then_jobs(
    candidates: list[tuple[Any, ...]], limit: int, shares: dict[str, int]
) -> None:
    assert share_out(candidates, limit) == shares


async def test_items_of_a_dead_worker_run_again_and_their_holds_are_refunded(shop: Shop) -> None:
    released = shop.board.hold_until("k0")
    job: Job = await shop.start(["k0"])
    await shop.until(job, lambda _: shop.board.runs.total() == 1)
    shop.board.heal("k0")
    # another worker takes the lane over: the first one's attempt can neither settle nor end the item
    second = asyncio.create_task(shop.service.workshop.lanes.work("lane", "host:h0.example"))
    async with asyncio.timeout(WAIT_S):
        while (await shop.items(job))[0].attempt < 2:  # noqa: ASYNC110  # rows have no event
            await asyncio.sleep(0.01)
    released.set()
    await second
    ended = await shop.end(job)
    [item] = await shop.items(ended)
    assert (item.state, item.attempt > 1, ended.charged, ended.spent) == ("done", True, 1, 1)
    await shop.until_balance(999)


async def test_endings_repairs_and_open_jobs_are_metrics(shop: Shop) -> None:
    workshop = shop.service.workshop
    shop.board.fail("gone", Absent("There is no such page."))
    await shop.end(await shop.start(["a", "b", "gone"]))
    shop.board.hold_until("slow")
    paused = await shop.start(["slow", "c"], lane=lambda _: "host:slow.example", concurrency=1)
    await workshop.jobs.pause(shop.caller, paused.id)
    await shop.service.database.write(
        lambda: pace.rest("host:slow.example", shop.service.clock.now() + timedelta(minutes=1), 3)
    )
    before = workshop.repairs.counts["lanes"]
    await workshop.repairs.round()
    text = shop.service.metrics.text().decode()
    for line in (
        'webquarry_job_items_ended_total{state="done"} 2.0',
        'webquarry_job_items_ended_total{state="failed"} 1.0',
        'webquarry_jobs{state="paused"} 1.0',
        'webquarry_jobs{state="running"} 0.0',
        'webquarry_job_items_open{state="paused"} 2.0',
        "webquarry_job_lanes_resting 1.0",
        'webquarry_job_repairs_total{kind="cancelled"} 0.0',
    ):
        assert f"{line}\n" in text
    assert workshop.repairs.counts["lanes"] == before, "a paused job needs no worker"
    await workshop.jobs.cancel(shop.caller, paused.id)


async def test_a_queue_counts_keys_that_it_did_not_know(shop: Shop) -> None:
    queue = shop.service.workshop.queue
    assert await queue.put("lane", "new.example", "newer.example", after_s=60) == 2
    assert await queue.put("lane", "new.example", "newest.example", after_s=60) == 1
