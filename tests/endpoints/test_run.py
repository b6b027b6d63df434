"""One run: the chain of sources, under one deadline."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError
from structlog.testing import capture_logs

from support.clock import ManualClock
from support.made import MadeParams, MadeResult
from webquarry.core.clock import SystemClock
from webquarry.core.errors import (
    Absent,
    ConversionFailed,
    EmptyResult,
    Overloaded,
    ProviderError,
    ProviderReason,
    ServiceError,
    UnsafeTarget,
)
from webquarry.core.metrics import Metrics
from webquarry.core.settings import Settings
from webquarry.core.shares import Shares
from webquarry.core.types import Deadline, Provider, Wire
from webquarry.endpoints.context import Context, PartAnswer
from webquarry.endpoints.declare import Extractor, Result, Source, field, hours
from webquarry.endpoints.models import faults
from webquarry.endpoints.run import Run, Runner
from webquarry.net import Door, Net
from webquarry.net.player import NoTape, Player
from webquarry.read import at
from webquarry.workers.workers import Workers

CLOCK = ManualClock()


def source(name: str, outcome: Callable[[], object] = lambda: None, **provider: object) -> Source:
    """Return a source that fetches a wire, unless `outcome` raises or waits first."""

    async def fetch(_params: MadeParams, _net: Net) -> Wire:
        result = outcome()
        if asyncio.iscoroutine(result):
            await result
        return Wire(b'{"a": 1}', f"https://{name}.example/", "", 200, {}, CLOCK.now())

    def read(wire: Wire, _params: MadeParams) -> MadeResult:
        at(wire, "b", int)
        return MadeResult(key=wire.url)

    return Source(Provider(name=name, title=name.title(), **provider), fetch, read)  # type: ignore[arg-type]


def fail(error: Exception) -> Callable[[], object]:
    def outcome() -> object:
        raise error

    return outcome


def run_of(
    *sources: Source,
    settings: Settings | None = None,
    seconds: float = 5.0,
    ages: Callable[[MadeParams], timedelta] | None = None,
    own: Callable[[Any, Context], Awaitable[MadeResult]] | None = None,
) -> Run:
    extractor = Extractor(
        name="made",
        path="/made",
        version=1,
        group="web",
        title="Made",
        description="Made.",
        params=MadeParams,
        result=MadeResult,
        credits=1,
        fresh=hours(1),
        render=lambda result: f"# {result.key}\n",
        example={},
        sources=sources,
        run=own,
        ages=ages,
    )
    clock = SystemClock()
    settings = settings or Settings()
    runner = Runner(Door(settings, clock, Player([])), Workers(clock), clock, settings, Metrics())
    return Run(runner, extractor, MadeParams(key="a"), Deadline.after(seconds, clock), no_part)


async def no_part(_name: str) -> PartAnswer:
    raise AssertionError


async def test_first_source_that_answers_is_the_provider() -> None:
    run = run_of(source("one"), source("two", fail(AssertionError("not asked"))))
    output = await run.go()
    assert (output.provider, output.data, output.markdown) == (
        "one",
        b'{"key":"https://one.example/"}',
        b"# https://one.example/\n\n*Fetched 2026-01-01T00:00:00Z*\n",
    )
    assert output.wire is not None
    assert [(a.provider, a.reason) for a in run.attempts] == [("one", None)]


@pytest.mark.parametrize("reason", ["timeout", "blocked", "changed", "refused", "down"])
async def test_provider_error_moves_on_to_the_next_source(reason: str) -> None:
    run = run_of(source("one", fail(ProviderError("No.", reason=reason))), source("two"))  # type: ignore[arg-type]
    assert (await run.go()).provider == "two"
    assert [(a.provider, a.reason) for a in run.attempts] == [("one", reason), ("two", None)]


async def test_source_that_redirects_to_a_private_address_has_failed() -> None:
    run = run_of(source("one", fail(UnsafeTarget())), source("two"))
    assert (await run.go()).provider == "two"
    assert run.attempts[0].reason == "refused"


async def test_response_beyond_the_limits_moves_on_to_the_next_source() -> None:
    large = source("one", fail(ConversionFailed("Too large.", reason="limits")))
    assert (await run_of(large, source("two")).go()).provider == "two"
    with pytest.raises(ProviderError, match="Too large") as caught:
        await run_of(large).go()
    assert caught.value.reason == "changed"


@pytest.mark.parametrize("end", [Absent("Not there."), EmptyResult("Nothing.")])
async def test_absent_and_empty_end_the_chain(end: ServiceError) -> None:
    run = run_of(source("one", fail(end)), source("two", fail(AssertionError("not asked"))))
    with pytest.raises(type(end)):
        await run.go()


@pytest.mark.parametrize(
    ("reasons", "given"),
    [
        (("blocked", "down"), "blocked"),
        (("down", "blocked", "refused"), "blocked"),
        (("unavailable", "down", "timeout"), "timeout"),
        (("unavailable", "down"), "down"),
        (("timeout", "changed"), "changed"),
    ],
)
async def test_if_all_sources_fail_each_is_named_with_the_most_informative_reason(
    reasons: tuple[ProviderReason, ...], given: str
) -> None:
    keyed = source("keyed", fail(AssertionError("not configured")), needs=("metrics_token",))
    errors = [ProviderError(f"Said {n}.", reason=reason, retry_after_s=n) for n, reason in enumerate(reasons)]
    with pytest.raises(ProviderError) as caught:
        await run_of(keyed, *(source(f"s{n}", fail(error)) for n, error in enumerate(errors))).go()
    assert (caught.value.reason, caught.value.retry_after_s) == (given, reasons.index(given))
    begins = "No provider could be reached" if given == "down" else "All providers failed"
    assert caught.value.message == f"{begins}. {'; '.join(f'S{n}: Said {n}' for n in range(len(reasons)))}."


async def test_error_of_a_single_source_is_passed_on() -> None:
    with pytest.raises(ProviderError) as caught:
        await run_of(source("one", fail(ProviderError("Alone.", reason="down")))).go()
    assert caught.value.message == "Alone."


async def test_request_without_a_tape_names_requests_that_have_one() -> None:
    run = run_of(*(source(name, fail(NoTape("GET https://upstream.example/x"))) for name in ("one", "two")))
    run._runner.known_questions = lambda endpoint: (f"q=of {endpoint}",)
    with pytest.raises(NoTape) as caught:
        await run.go()
    assert caught.value.message == "The sandbox has no sample data for this request: try q=of made."
    assert caught.value.reason == "unavailable"


async def test_source_with_a_key_is_used_if_its_setting_is_set() -> None:
    run = run_of(source("keyed", needs=("metrics_token",)), source("free"), settings=Settings(metrics_token="x"))
    assert (await run.go()).provider == "keyed"


async def test_error_without_configured_sources_names_the_setting() -> None:
    run = run_of(source("keyed", needs=("metrics_token",)))
    with pytest.raises(ProviderError, match="WEBQUARRY_METRICS_TOKEN") as caught:
        await run.go()
    assert caught.value.reason == "unavailable"


async def test_skipped_source_is_not_recorded_as_an_attempt() -> None:
    unfit = replace(source("one", fail(AssertionError("not asked"))), skips=lambda params: f"No {params.key}.")
    run = run_of(unfit, source("two"))
    assert (await run.go()).provider == "two"
    assert [attempt.provider for attempt in run.attempts] == ["two"]


async def test_request_that_no_source_can_serve_states_why() -> None:
    run = run_of(replace(source("one"), skips=lambda _: "One is too short."))
    with pytest.raises(ProviderError, match="One is too short") as caught:
        await run.go()
    assert caught.value.reason == "unavailable"


async def test_reason_of_a_source_that_responded_is_preferred() -> None:
    errors = [ProviderError("First.", reason="unavailable"), ProviderError("Second.", reason="blocked")]
    with pytest.raises(ProviderError, match="Second"):
        await run_of(*(source(error.message[:5].lower(), fail(error)) for error in errors)).go()


async def test_source_can_combine_several_responses() -> None:
    async def ask(_params: MadeParams, _net: Net) -> tuple[MadeResult, Wire]:
        last = Wire(b"2", "https://two.example/", "", 200, {}, CLOCK.now())
        return MadeResult(key="both"), last

    output = await run_of(replace(source("one"), fetch=None, ask=ask)).go()
    assert output.data == b'{"key":"both"}'
    assert output.wire is not None
    assert output.wire.url == "https://two.example/"


@pytest.mark.parametrize(
    ("age", "fresh"), [(timedelta(minutes=5), timedelta(minutes=5)), (timedelta(days=9), hours(1))]
)
async def test_result_with_a_shorter_age_is_cached_for_less_time(age: timedelta, fresh: timedelta) -> None:
    def ages(params: MadeParams) -> timedelta:
        assert params.key == "a"
        return age

    output = await run_of(source("one"), ages=ages).go()
    assert output.fresh == fresh


def test_source_declares_either_fetch_or_ask() -> None:
    with pytest.raises(ValueError, match="either"):
        replace(source("one"), fetch=None)


async def test_slow_source_leaves_the_next_one_its_share_of_the_deadline() -> None:
    run = run_of(source("slow", lambda: asyncio.sleep(60)), source("quick"), seconds=1.0)
    assert (await run.go()).provider == "quick"
    assert run.attempts[0].reason == "timeout"


async def test_source_that_is_late_is_named() -> None:
    run = run_of(source("slow", lambda: asyncio.sleep(60)), seconds=0.05)
    with pytest.raises(ProviderError, match="Slow did not respond in time") as late:
        await run.go()
    assert late.value.reason == "timeout"


async def test_missing_turn_is_distinguished_from_a_late_response() -> None:
    turns = Shares(1, queue=2)
    await turns.enter("other", Deadline.after(60, SystemClock()))

    async def wait(_params: MadeParams, ctx: Context) -> MadeResult:
        await turns.enter("made", ctx.deadline)
        raise AssertionError

    with pytest.raises(Overloaded):
        await run_of(own=wait, seconds=0.05).go()


async def test_run_that_ignores_its_deadline_is_cancelled() -> None:
    async def stay(_params: MadeParams, _ctx: Context) -> MadeResult:
        await asyncio.sleep(60)
        raise AssertionError

    with pytest.raises(ProviderError, match="No response within") as late:
        await run_of(own=stay, seconds=0.05).go()
    assert late.value.reason == "timeout"


async def test_result_rejected_by_its_model_is_a_changed_response() -> None:
    def read(wire: Wire, _params: MadeParams) -> MadeResult:
        return MadeResult.model_validate({"key": at(wire, "a", int)})

    one = source("one")
    run = run_of(Source(one.provider, one.fetch, read))
    with capture_logs() as answer, pytest.raises(ProviderError) as caught:
        await run.go()
    assert caught.value.reason == "changed"
    refused = next(row for row in answer if row["event"] == "result.invalid")
    assert refused["faults"] == ["MadeResult.key: string_type"]


def test_rejected_result_is_logged_by_short_paths() -> None:
    class Rows(Result):
        rows: dict[str, list[int]] = field("Numbers by name.")

    with pytest.raises(ValidationError) as caught:
        Rows.model_validate({"rows": {"k" * 500: [1, "secret" * 100], **{str(n): ["x"] for n in range(20)}}})
    found = faults(caught.value)
    assert found[:2] == [f"Rows.rows.{'k' * 40}.1: int_parsing", "Rows.rows.0.0: int_parsing"]
    assert len(found) == 5


async def test_response_nested_too_deeply_for_json_is_refused() -> None:
    class Raw(Result):
        nodes: Any = field("Raw nodes.")

    def read(_wire: Wire, _params: MadeParams) -> Raw:
        nodes: list[Any] = []
        for _ in range(400):
            nodes = [nodes]
        return Raw(nodes=nodes)

    one = source("one")
    with pytest.raises(ProviderError) as caught:
        await run_of(Source(one.provider, one.fetch, read)).go()
    assert caught.value.reason == "changed"


async def test_losses_of_a_reader_are_counted_by_path() -> None:
    run = run_of(source("one"))
    await run.go()
    assert b'webquarry_wire_losses_total{endpoint="made",path="b"} 1.0' in run._runner.metrics.text()
