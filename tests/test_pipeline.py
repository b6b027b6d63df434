"""The pipeline: cache, flight, hold, run, settle or refund, on both backends."""

import asyncio
import itertools
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

import orjson
import pytest

from conftest import Store
from support.clock import ManualClock
from support.made import PART_CREDITS, PARTS, PROVIDER, Board, query
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core.errors import (
    Absent,
    InsufficientCredits,
    InternalError,
    InvalidParams,
    NotFound,
    Overloaded,
    ProviderError,
    ServiceError,
    UnsupportedType,
)
from webquarry.core.types import File
from webquarry.endpoints.context import Context
from webquarry.endpoints.declare import Params
from webquarry.endpoints.registry import Registry
from webquarry.engine import INTERNAL
from webquarry.ledger import Receipt, booking
from webquarry.pipeline import ANY_FRESH, Answer, Freshness, Quote
from webquarry.pipeline.cache import OFF_LOOP_BYTES, Ready, ReadyCache, json_text
from webquarry.pipeline.flights import Lead
from webquarry.service import Service
from webquarry.storage.database import query as statement
from webquarry.workers.workers import Workers


@dataclass
class Desk:
    """A service of test endpoints and an account of 100 credits."""

    service: Service
    board: Board
    clock: ManualClock
    caller: Caller

    async def ask(
        self,
        endpoint: str = "made",
        *,
        caller: Caller | None = None,
        freshness: Freshness = ANY_FRESH,
        request_id: str = "req_1",
        file: File | None = None,
        **params: str,
    ) -> Answer:
        call = self.service.pipeline.prepare(self.service.registry.by_name[endpoint], query(params), file)
        return await self.service.pipeline.answer(
            caller or self.caller, call, request_id=request_id, freshness=freshness
        )

    async def new_caller(self, credits: int) -> Caller:
        name = f"caller{self.board.runs.total()}-{credits}-{id(self.board)}"
        account, _ = await self.service.accounts.create(f"{name}@example.com", credits)
        return Caller(account.id, "key_test")

    async def balance(self, caller: Caller | None = None) -> int:
        return await self.service.ledger.balance((caller or self.caller).account_id)

    async def receipts(self, request_id: str) -> list[Receipt]:
        return await self.service.ledger.receipts(self.caller.account_id, request_id)

    async def fits(self) -> bool:
        return not await self.service.ledger.verify()


@pytest.fixture
async def desk(store: Store) -> AsyncIterator[Desk]:
    board, clock = Board(), ManualClock()
    workers = Workers(clock, size=1, spares=0)  # without preloaded modules, because the only job belongs to the tests
    try:
        async with assemble(
            store.settings, serving=True, registry=board.registry(), clock=clock, workers=workers
        ) as service:
            account, _ = await service.accounts.create("owner@example.com", 100)
            yield Desk(service, board, clock, Caller(account.id, "key_test"))
    finally:
        await workers.close()


async def until(condition: Callable[[], bool]) -> None:
    """Let other tasks run until `condition()` is true."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110  # the condition has no event
            await asyncio.sleep(0.001)


async def test_fresh_call_is_charged_its_price(desk: Desk) -> None:
    answer = await desk.ask(key="a")
    assert (answer.cache, answer.charged, await desk.balance()) == ("miss", 1, 99)
    body = orjson.loads(answer.body)
    assert body == {
        "extractor": "made",
        "id": answer.conversion_id,
        "creditsCharged": 1,
        "cached": False,
        "data": {"key": "a"},
        "markdown": "# a\n",
    }


async def test_cache_hit_is_free(desk: Desk) -> None:
    first = await desk.ask(key="a")
    again = await desk.ask(key="a")
    body = orjson.loads(again.body)
    assert (again.cache, body["creditsCharged"], body["cached"], body["id"]) == ("hit", 0, True, first.conversion_id)
    assert (await desk.balance(), desk.board.runs["a"]) == (99, 1)


async def test_hit_needs_no_balance(desk: Desk) -> None:
    await desk.ask(key="a")
    poor = await desk.new_caller(0)
    assert (await desk.ask(key="a", caller=poor)).cache == "hit"


async def test_format_is_not_part_of_the_cache_key(desk: Desk) -> None:
    await desk.ask(key="a", format="json")
    answer = await desk.ask(key="a", format="markdown")
    assert answer.cache == "hit"
    assert orjson.loads(answer.body).keys() == {"extractor", "id", "creditsCharged", "cached", "markdown"}


async def test_parameters_are_part_of_the_cache_key(desk: Desk) -> None:
    await desk.ask(key="a")
    assert (await desk.ask(key="a", other="b")).cache == "miss"


async def test_entry_outlives_the_process_until_it_is_stale(desk: Desk, store: Store) -> None:
    await desk.ask(key="a")
    async with assemble(store.settings, registry=desk.board.registry(), clock=desk.clock) as other:
        call = other.pipeline.prepare(other.registry.by_name["made"], query({"key": "a"}))
        assert (await other.pipeline.answer(desk.caller, call, request_id="r")).cache == "hit"
        desk.clock.advance(3601)
        assert (await other.pipeline.answer(desk.caller, call, request_id="r")).cache == "miss"


async def test_result_stored_with_a_fast_clock_is_not_fresh(desk: Desk, store: Store) -> None:
    right, decade = desk.clock.now(), timedelta(days=3650)
    desk.clock.jump(decade)
    await desk.ask(key="a")
    assert (await desk.ask(key="a")).cache == "hit"
    desk.clock.jump(-decade)
    assert (await desk.ask(key="a")).cache == "miss"  # cached in memory
    async with assemble(store.settings, registry=desk.board.registry(), clock=desk.clock) as other:
        call = other.pipeline.prepare(other.registry.by_name["made"], query({"key": "a"}))
        again = await other.pipeline.answer(desk.caller, call, request_id="r")
    assert (again.cache, again.conversion.created_at) == ("hit", right)


async def test_no_cache_causes_a_charged_run_that_replaces_the_entry(desk: Desk) -> None:
    old = await desk.ask(key="a")
    new = await desk.ask(key="a", freshness=Freshness(no_cache=True))
    after = await desk.ask(key="a")
    assert (new.cache, after.cache) == ("miss", "hit")
    assert old.conversion_id != new.conversion_id == after.conversion_id
    assert await desk.balance() == 98


async def test_incomplete_result_is_cached_for_less_time(desk: Desk) -> None:
    async def second_best(ctx: Context) -> None:
        ctx.shorten_freshness(timedelta(seconds=60))

    desk.board.behaviours["a"] = second_best
    await desk.ask(key="a")
    assert (await desk.ask(key="a")).cache == "hit"
    desk.clock.advance(61)
    assert (await desk.ask(key="a")).cache == "miss"


async def test_max_age_tightens_freshness(desk: Desk) -> None:
    await desk.ask(key="a")
    desk.clock.advance(100)
    hit = await desk.ask(key="a", freshness=Freshness(max_age_s=100))
    assert (hit.cache, hit.age_s) == ("hit", 100)
    assert (await desk.ask(key="a", freshness=Freshness(max_age_s=99))).cache == "miss"


@pytest.mark.parametrize(
    "error", [ProviderError("Down.", reason="down"), Absent("Not there."), ProviderError("Wall.", reason="blocked")]
)
async def test_error_is_refunded_with_a_receipt_and_not_cached(desk: Desk, error: ServiceError) -> None:
    desk.board.fail("a", error)
    with pytest.raises(type(error)):
        await desk.ask(key="a", request_id="req_failed")
    assert await desk.balance() == 100
    (receipt,) = await desk.service.ledger.receipts(desk.caller.account_id, "req_failed")
    assert (receipt.code, receipt.reason, receipt.message) == (error.code, error.reason, error.message)
    assert [attempt.reason for attempt in receipt.attempts] == [error.reason or error.code]
    desk.board.heal("a")
    assert (await desk.ask(key="a")).cache == "miss"


async def test_internal_error_is_refunded_and_reported_without_details(desk: Desk) -> None:
    desk.board.fail("a", ZeroDivisionError("secret detail"))
    with pytest.raises(InternalError) as caught:
        await desk.ask(key="a")
    assert "secret" not in caught.value.message
    assert await desk.balance() == 100


async def test_deadline_ends_the_run_and_refunds(desk: Desk) -> None:
    desk.board.hold_until("slow")
    with pytest.raises(ProviderError) as caught:
        await desk.ask("quick", key="slow")
    assert caught.value.reason == "timeout"
    assert await desk.balance() == 100


async def test_without_credits_nothing_runs(desk: Desk) -> None:
    poor = await desk.new_caller(0)
    with pytest.raises(InsufficientCredits) as caught:
        await desk.ask(key="a", caller=poor)
    assert (caught.value.price, caught.value.balance, desk.board.runs["a"]) == (1, 0, 0)


async def test_identical_calls_in_flight_share_one_run_and_one_price(desk: Desk) -> None:
    released = desk.board.hold_until("a")
    other = await desk.new_caller(5)
    calls = [asyncio.create_task(desk.ask(key="a", caller=c)) for c in (desk.caller, other, other, other)]
    await until(lambda: desk.board.runs["a"] == 1)
    await asyncio.sleep(0)
    released.set()
    answers = await asyncio.gather(*calls)
    assert sorted(answer.cache for answer in answers) == ["joined", "joined", "joined", "miss"]
    assert {answer.charged for answer in answers if answer.cache == "joined"} == {0}
    assert (desk.board.runs["a"], await desk.balance(), await desk.balance(other)) == (1, 99, 5)


async def test_joiner_that_needs_a_fresher_result_does_not_get_an_old_one(desk: Desk) -> None:
    old = await desk.ask(key="a")
    desk.clock.advance(600)
    asked = [ANY_FRESH, Freshness(max_age_s=1), Freshness(max_age_s=0)]
    first, *fresher = await asyncio.gather(*(desk.ask(key="a", freshness=freshness) for freshness in asked))
    assert first.conversion_id == old.conversion_id
    assert {answer.age_s for answer in fresher} == {0}
    assert (desk.board.runs["a"], await desk.balance()) == (2, 98)


async def test_joiners_get_the_error_of_the_leader(desk: Desk) -> None:
    gate = asyncio.Event()

    async def behave(_ctx: object) -> None:
        await gate.wait()
        raise ProviderError("A wall.", reason="blocked", retry_after_s=7)

    desk.board.behaviours["a"] = behave
    calls = [asyncio.create_task(desk.ask(key="a")) for _ in range(3)]
    await until(lambda: desk.board.runs["a"] == 1)
    gate.set()
    errors = await asyncio.gather(*calls, return_exceptions=True)
    assert [(type(e), str(e), e.reason, e.retry_after_s) for e in errors if isinstance(e, ProviderError)] == [
        (ProviderError, "A wall.", "blocked", 7)
    ] * 3
    assert (desk.board.runs["a"], await desk.balance()) == (1, 100)


async def test_next_joiner_leads_if_the_leader_lacks_credits(desk: Desk) -> None:
    poor = await desk.new_caller(0)
    calls = [asyncio.create_task(desk.ask(key="a", caller=c)) for c in (poor, desk.caller, desk.caller)]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(outcomes[0], InsufficientCredits)
    assert sorted(o.cache for o in outcomes if isinstance(o, Answer)) in (["joined", "miss"], ["hit", "miss"])
    assert (desk.board.runs["a"], await desk.balance()) == (1, 99)


async def test_timeout_of_a_late_leader_is_not_shared(desk: Desk) -> None:
    lost = await _board(desk, "a")
    late = asyncio.create_task(desk.ask(key="a", request_id="req_late"))
    await asyncio.sleep(0)
    desk.clock.advance(29.9)  # just before the deadline of 30 seconds
    early = asyncio.create_task(desk.ask(key="a"))
    await asyncio.sleep(0)
    released = desk.board.hold_until("a")
    await lost.abandon()
    with pytest.raises(ProviderError) as caught:
        await late
    assert caught.value.reason == "timeout"
    assert [receipt.reason for receipt in await desk.receipts("req_late")] == ["timeout"]
    await until(lambda: desk.board.runs["a"] == 2)
    released.set()
    assert ((await early).cache, await desk.balance()) == ("miss", 99)


async def test_timeout_of_a_leader_with_full_time_is_shared(desk: Desk) -> None:
    desk.board.hold_until("slow")
    calls = [asyncio.create_task(desk.ask("quick", key="slow")) for _ in range(2)]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert [o.reason for o in outcomes if isinstance(o, ProviderError)] == ["timeout", "timeout"]
    assert (desk.board.runs["slow"], await desk.balance()) == (1, 100)


async def _board(desk: Desk, key: str) -> Lead:
    """Lead the flight of `made` as a request that is about to be lost."""
    call = desk.service.pipeline.prepare(desk.service.registry.by_name["made"], query({"key": key}))
    lead = await desk.service.pipeline._flights.board(call.key)
    assert isinstance(lead, Lead)
    return lead


async def test_request_settles_if_the_caller_disconnects(desk: Desk) -> None:
    released = desk.board.hold_until("a")
    call = asyncio.create_task(desk.ask(key="a"))
    await until(lambda: desk.board.runs["a"] == 1)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    released.set()
    await until(lambda: desk.service.pipeline.open_runs == 0)
    assert (await desk.balance(), (await desk.ask(key="a")).cache) == (99, "hit")
    assert await desk.fits()


async def test_cancelled_joiner_does_not_end_the_flight(desk: Desk) -> None:
    released = desk.board.hold_until("a")
    leader, joiner = (asyncio.create_task(desk.ask(key="a")) for _ in range(2))
    await until(lambda: desk.board.runs["a"] == 1)
    joiner.cancel()
    released.set()
    assert (await leader).cache == "miss"


async def test_more_runs_than_allowed_are_refused_and_nothing_is_held(store: Store) -> None:
    board = Board()
    settings = store.settings.model_copy(update={"max_runs": 2})
    async with assemble(settings, serving=True, registry=board.registry(), clock=ManualClock()) as service:
        account, _ = await service.accounts.create("owner@example.com", 10)
        desk = Desk(service, board, ManualClock(), Caller(account.id, "k"))
        gates = [board.hold_until(key) for key in "ab"]
        calls = [asyncio.create_task(desk.ask(key=key)) for key in "ab"]
        await until(lambda: board.runs.total() == 2)
        with pytest.raises(Overloaded):
            await desk.ask(key="c")
        assert await desk.balance() == 8
        for gate in gates:
            gate.set()
        await asyncio.gather(*calls)


async def test_many_slow_runs_of_an_account_do_not_block_others(store: Store) -> None:
    board = Board()
    settings = store.settings.model_copy(update={"max_runs": 64})
    async with assemble(settings, serving=True, registry=board.registry(), clock=ManualClock()) as service:
        desk = Desk(service, board, ManualClock(), Caller("", "k"))
        slow, other, third = [await desk.new_caller(100 + n) for n in range(3)]
        gates = [board.hold_until(f"slow {n}") for n in range(70)]
        calls = [asyncio.create_task(desk.ask(key=f"slow {n}", caller=slow)) for n in range(70)]
        await until(lambda: board.runs.total() == 64)
        await until(lambda: sum(call.done() for call in calls) == 6)
        for caller in (other, third):
            answers = [desk.ask(key=f"{caller.account_id} {n}", caller=caller) for n in range(20)]
            assert [answer.charged for answer in await asyncio.gather(*answers)] == [1] * 20
        assert (await desk.balance(other), await desk.balance(third)) == (81, 82)
        for gate in gates:
            gate.set()
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert sum(isinstance(outcome, Overloaded) for outcome in outcomes) == 6
        assert (await desk.balance(slow), await desk.fits()) == (36, True)


async def test_stopping_refunds_runs_that_did_not_end_in_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry.pipeline.path.DRAIN_S", 0.05)
    board = Board()
    board.hold_until("a")
    async with assemble(store.settings, serving=True, registry=board.registry(), clock=ManualClock()) as service:
        account, _ = await service.accounts.create("owner@example.com", 10)
        desk = Desk(service, board, ManualClock(), Caller(account.id, "k"))
        call = asyncio.create_task(desk.ask(key="a", request_id="req_stopped"))
        await until(lambda: board.runs["a"] == 1)
        await service.pipeline.close()
        with pytest.raises(Overloaded):
            await call
        (receipt,) = await service.ledger.receipts(account.id, "req_stopped")
        assert (await desk.balance(), receipt.reason, await desk.fits()) == (10, "stopped", True)


async def test_stopping_while_an_answer_is_written_charges_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.pipeline.path.DRAIN_S", 0.05)
    began, may_end = threading.Event(), threading.Event()

    def write_slowly(text: bytes) -> bytes:
        began.set()
        may_end.wait(10)
        return json_text(text)

    monkeypatch.setattr("webquarry.pipeline.cache.json_text", write_slowly)
    board = Board()
    registry = Registry((board.extractor("long", render=lambda _: "a" * (OFF_LOOP_BYTES + 1)),))
    async with assemble(store.settings, serving=True, registry=registry, clock=ManualClock()) as service:
        account, _ = await service.accounts.create("owner@example.com", 10)
        desk = Desk(service, board, ManualClock(), Caller(account.id, "k"))
        call = asyncio.create_task(desk.ask("long", key="a"))
        await until(began.is_set)
        await service.pipeline.close()
        may_end.set()
        with pytest.raises(Overloaded):
            await call
        assert (await desk.balance(), await desk.fits()) == (10, True)


async def test_declaration_that_fails_before_the_run_holds_nothing(store: Store) -> None:
    def fail(_params: Params) -> timedelta:
        raise ZeroDivisionError

    board = Board()
    registry = Registry((board.extractor("odd", ages=fail),))
    async with assemble(store.settings, serving=True, registry=registry, clock=ManualClock()) as service:
        account, _ = await service.accounts.create("owner@example.com", 10)
        desk = Desk(service, board, ManualClock(), Caller(account.id, "k"))
        with pytest.raises(ZeroDivisionError):
            await desk.ask("odd", key="a")
        assert await desk.balance() == 10


async def test_run_that_ends_after_its_hold_was_refunded_is_stored_and_free(desk: Desk, store: Store) -> None:
    released = desk.board.hold_until("a")
    call = asyncio.create_task(desk.ask(key="a"))
    await until(lambda: desk.board.runs["a"] == 1)
    await _refund_open_holds(desk)
    released.set()
    answer = await call
    assert (answer.charged, await desk.balance()) == (0, 100)
    assert (await desk.ask(key="a")).cache == "hit"
    assert await desk.fits()


async def _refund_open_holds(desk: Desk) -> None:
    """Refund the open holds, as another instance does after this one was silent for too long."""
    rows = await desk.service.database.read(lambda: statement("SELECT hold_id FROM open_holds", {}))
    for (hold_id,) in rows:
        refund = partial(booking.release, hold_id, desk.clock.now())
        await desk.service.database.write(refund, account=desk.caller.account_id)


async def test_conversion_is_fetched_again_free(desk: Desk) -> None:
    made = await desk.ask(key="a")
    again = await desk.service.pipeline.conversion(desk.caller, made.conversion_id, "json")
    body = orjson.loads(again.body)
    assert (body["cached"], body["creditsCharged"], body["data"]) == (True, 0, {"key": "a"})
    assert "markdown" not in body
    assert await desk.balance() == 99


async def test_unknown_expired_and_other_accounts_conversions_are_not_found(desk: Desk) -> None:
    made = await desk.ask(key="a")
    with pytest.raises(NotFound):
        await desk.service.pipeline.conversion(desk.caller, "cv_unknown", "both")
    desk.clock.advance(timedelta(days=31).total_seconds())
    with pytest.raises(NotFound):
        await desk.service.pipeline.conversion(desk.caller, made.conversion_id, "both")


async def test_run_can_use_only_declared_sources_and_settings(desk: Desk) -> None:
    seen = []

    async def ask(ctx: Context) -> None:
        seen.append([name for name in dir(ctx) if "settings" in name])
        ctx.net(replace(PROVIDER, needs=("brave_key",)))

    desk.board.behaviours["a"] = ask
    with pytest.raises(InternalError):
        await desk.ask(key="a")
    assert seen == [[]]


async def test_memory_is_checked_once_on_a_miss(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[str] = Counter()
    get = ReadyCache.get

    def counted(self: ReadyCache, key: str) -> Ready | None:
        asked[key] += 1
        return get(self, key)

    monkeypatch.setattr(ReadyCache, "get", counted)
    assert (await desk.ask(key="a")).cache == "miss"
    assert list(asked.values()) == [1]


async def test_a_run_fetches_for_the_account_that_made_the_request(desk: Desk) -> None:
    seen = []

    async def fetch(ctx: Context) -> None:
        seen.append(ctx.net(PROVIDER).account)

    desk.board.behaviours["a"] = desk.board.behaviours["logo-x"] = fetch
    await desk.ask(key="a")
    await desk.ask("dossier", key="x")
    await desk.ask(key="a", caller=INTERNAL, freshness=Freshness(no_cache=True))
    assert seen == [desk.caller.account_id, desk.caller.account_id, ""]


async def test_internal_caller_is_not_charged(desk: Desk) -> None:
    answer = await desk.ask(key="a", caller=INTERNAL)
    assert (answer.cache, answer.charged) == ("miss", 0)
    assert (await desk.ask(key="a")).cache == "hit"


MIXES = list(itertools.product(("success", "failure", "hit"), repeat=len(PARTS)))


@pytest.mark.parametrize("mix", MIXES, ids="-".join)
async def test_dossier_is_charged_for_parts_that_ran_and_succeeded(desk: Desk, mix: tuple[str, ...]) -> None:
    for name, kind in zip(PARTS, mix, strict=True):
        if kind == "failure":
            desk.board.fail(f"{name}-x")
        elif kind == "hit":
            await desk.ask(f"part_{name}", key=f"{name}-x")
    before = await desk.balance()
    due = sum(PART_CREDITS[name] for name, kind in zip(PARTS, mix, strict=True) if kind == "success")
    held = sum(PART_CREDITS[name] for name, kind in zip(PARTS, mix, strict=True) if kind != "hit")
    poor = await desk.new_caller(held - 1) if held else None
    if poor:  # 402 contains the price of the parts that are not cached
        with pytest.raises(InsufficientCredits) as caught:
            await desk.ask("dossier", key="x", caller=poor)
        assert (caught.value.price, await desk.balance(poor)) == (held, held - 1)
    if set(mix) == {"failure"}:
        with pytest.raises(ProviderError):
            await desk.ask("dossier", key="x")
    else:
        answer = await desk.ask("dossier", key="x")
        body = orjson.loads(answer.body)
        assert body["data"]["parts"] == {name: kind != "failure" for name, kind in zip(PARTS, mix, strict=True)}
        assert (body["creditsCharged"], body["cached"]) == (due, held == 0)
    assert await desk.balance() == before - due
    assert await desk.fits()


async def test_exact_balance_is_enough_for_a_dossier(desk: Desk) -> None:
    exact = await desk.new_caller(sum(PART_CREDITS.values()))
    assert (await desk.ask("dossier", key="x", caller=exact)).charged == 6
    assert await desk.balance(exact) == 0


async def test_part_is_a_free_cache_hit_for_later_requests(desk: Desk) -> None:
    await desk.ask("dossier", key="x")
    assert (await desk.ask("part_logo", key="logo-x")).cache == "hit"


async def test_part_joins_a_request_in_progress_and_is_free(desk: Desk) -> None:
    released = desk.board.hold_until("logo-x")
    direct = asyncio.create_task(desk.ask("part_logo", key="logo-x"))
    await until(lambda: desk.board.runs["logo-x"] == 1)
    dossier = asyncio.create_task(desk.ask("dossier", key="x"))
    await until(lambda: desk.board.runs["homepage-x"] == 1)
    released.set()
    assert ((await direct).charged, (await dossier).charged) == (1, 5)
    assert (await desk.balance(), desk.board.runs["logo-x"]) == (94, 1)


async def test_uncached_dossier_pays_for_every_part(desk: Desk) -> None:
    await desk.ask("dossier", key="x")
    assert (await desk.ask("dossier", key="x", freshness=Freshness(no_cache=True))).charged == 6


async def test_hold_of_a_dossier_covers_a_part_whose_entry_expires_meanwhile(desk: Desk) -> None:
    await desk.ask("part_logo", key="logo-x")
    desk.clock.advance(3599.9)
    released = desk.board.hold_until("homepage-x")
    call = asyncio.create_task(desk.ask("dossier", key="x"))
    await until(lambda: desk.board.runs["homepage-x"] == 1)
    desk.clock.advance(10)
    released.set()
    answer = await call
    assert (answer.charged, desk.board.runs["logo-x"]) == (5, 1)


# uploads

FILE = File("a.txt", b"text")


async def test_a_quote_has_the_price_of_an_uncached_response_and_runs_nothing(desk: Desk) -> None:
    call = desk.service.pipeline.prepare(desk.service.registry.by_name["made"], query({"key": "a"}))
    assert await desk.service.pipeline.quote(call) == Quote(1)
    assert (desk.board.runs.total(), await desk.balance()) == (0, 100)


async def test_a_quote_has_the_age_of_a_cached_response(desk: Desk, store: Store) -> None:
    await desk.ask(key="a")
    desk.clock.advance(90)
    call = desk.service.pipeline.prepare(desk.service.registry.by_name["made"], query({"key": "a"}))
    assert await desk.service.pipeline.quote(call) == Quote(0, 90)
    assert await desk.service.pipeline.quote(call, Freshness(no_cache=True)) == Quote(1)
    assert (desk.board.runs["a"], await desk.balance()) == (1, 99)


async def test_a_quote_of_a_dossier_excludes_cached_parts(desk: Desk) -> None:
    name = PARTS[0]
    await desk.ask(f"part_{name}", key=f"{name}-x")
    call = desk.service.pipeline.prepare(desk.service.registry.by_name["dossier"], query({"key": "x"}))
    assert await desk.service.pipeline.quote(call) == Quote(sum(PART_CREDITS.values()) - PART_CREDITS[name])


async def test_equal_uploads_run_separately(desk: Desk) -> None:
    released = desk.board.hold_until("a")
    calls = [asyncio.create_task(desk.ask("uploads", key="a", file=FILE)) for _ in range(3)]
    await until(lambda: desk.board.runs["a"] == 3)
    released.set()
    answers = [*await asyncio.gather(*calls), await desk.ask("uploads", key="a", file=FILE)]
    assert {(answer.cache, answer.charged) for answer in answers} == {("miss", 1)}
    assert await desk.balance() == 96


async def test_the_result_of_an_upload_belongs_to_its_owner(desk: Desk) -> None:
    made = await desk.ask("uploads", key="a", file=FILE)
    again = await desk.service.pipeline.conversion(desk.caller, made.conversion_id, "json")
    assert orjson.loads(again.body)["data"] == {"key": "a"}
    with pytest.raises(NotFound):
        await desk.service.pipeline.conversion(await desk.new_caller(5), made.conversion_id, "json")


async def test_upload_is_checked_before_the_hold(desk: Desk) -> None:
    with pytest.raises(UnsupportedType):
        await desk.ask("uploads", key="a", file=File("a.txt", b"refused"))
    with pytest.raises(InvalidParams, match="file is required"):
        await desk.ask("uploads", key="a")
    assert desk.board.runs["a"] == 0
    rows = await desk.service.database.read(lambda: statement("SELECT COUNT(*) FROM ledger WHERE amount < 0", {}))
    assert rows == [(0,)]


async def test_failed_upload_is_refunded(desk: Desk) -> None:
    desk.board.fail("a")
    with pytest.raises(ProviderError):
        await desk.ask("uploads", key="a", file=FILE)
    assert (await desk.balance(), await desk.fits()) == (100, True)


async def test_file_of_the_operator_is_not_stored(desk: Desk) -> None:
    made = await desk.ask("uploads", caller=INTERNAL, key="a", file=FILE)
    with pytest.raises(NotFound):
        await desk.service.pipeline.conversion(desk.caller, made.conversion_id, "json")
