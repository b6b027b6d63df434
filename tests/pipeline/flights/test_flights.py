"""Guarantees of flights, tested with each backend: one process, and two replicas that share a Redis."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from support.redis import redis_server
from webquarry.core.clock import SystemClock
from webquarry.core.errors import Absent, Overloaded, ProviderError
from webquarry.core.types import Deadline
from webquarry.pipeline.flights import Failed, Flights, InProcessFlights, Join, Landed, Lead
from webquarry.pipeline.flights.redis import RedisFlights, redis_flights
from webquarry.storage.redis import connect_redis

LEASE_S = 1.0
LONGEST_S = 1.5
"""Duration of flights that must expire. All other flights last longer than any test on a busy machine."""
LASTS_S = 60.0
BUSY_S = 20.0
"""Allowance for immediate events on a busy machine, in seconds."""
CLOCK = SystemClock()


@dataclass(frozen=True)
class Backend:
    """here, there: two views of the same flights (two replicas if the backend supports it).

    doomed(key): lead and end without landing; returns the function that ends it. overtaken(key): lead with a lease that
    is never renewed.
    """

    here: Flights
    there: Flights
    doomed: Callable[[str], Awaitable[Callable[[], Awaitable[None]]]]
    overtaken: Callable[[str], Awaitable[Lead]]
    held: Callable[[], Awaitable[int]]


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    with redis_server() as url:
        yield url


@asynccontextmanager
async def in_process(*, longest_s: float = LASTS_S) -> AsyncIterator[Backend]:
    flights = InProcessFlights(CLOCK, longest_s=longest_s)

    async def doomed(key: str) -> Callable[[], Awaitable[None]]:
        leading = asyncio.Event()

        async def run() -> None:
            boarded = await flights.board(key)
            assert isinstance(boarded, Lead)
            async with boarded:
                leading.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(run())
        await leading.wait()

        async def die() -> None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

        return die

    async def overtaken(key: str) -> Lead:
        return leads(await flights.board(key))

    async def held() -> int:
        return len(flights)

    yield Backend(flights, flights, doomed, overtaken, held)


@asynccontextmanager
async def shared(url: str, *, lease_s: float = LASTS_S, longest_s: float = LASTS_S) -> AsyncIterator[Backend]:
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(connect_redis(url)) for _ in range(2)]
        await clients[0].flushall()
        here, there = [
            await stack.enter_async_context(redis_flights(redis, CLOCK, lease_s=lease_s, longest_s=longest_s))
            for redis in clients
        ]

        async def doomed(key: str) -> Callable[[], Awaitable[None]]:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                str(Path(__file__).with_name("leader.py")),
                url,
                key,
                str(lease_s),
                stdout=asyncio.subprocess.PIPE,
            )
            assert process.stdout is not None
            assert await process.stdout.readline() == b"leading\n"

            async def die() -> None:
                process.kill()
                await process.wait()

            return die

        async def overtaken(key: str) -> Lead:
            return leads(await RedisFlights(clients[0], CLOCK, lease_s=lease_s).board(key))

        async def held() -> int:
            return len(here) + len(there) + len(await clients[0].keys("wq:flight:*"))

        yield Backend(here, there, doomed, overtaken, held)


@dataclass(frozen=True)
class Lasting:
    """Durations of a lease and a flight."""

    lease_s: float = LASTS_S
    longest_s: float = LASTS_S


@pytest.fixture
def lasting() -> Lasting:
    return Lasting()


@pytest.fixture(params=["in_process", "redis"])
async def backend(request: pytest.FixtureRequest, lasting: Lasting) -> AsyncIterator[Backend]:
    if request.param == "in_process":
        make = in_process(longest_s=lasting.longest_s)
    else:
        url = request.getfixturevalue("redis_url")
        make = shared(url, lease_s=lasting.lease_s, longest_s=lasting.longest_s)
    async with make as backend:
        yield backend


leases_run_out = pytest.mark.parametrize("lasting", [Lasting(lease_s=LEASE_S)], ids=[""])
flights_run_out = pytest.mark.parametrize("lasting", [Lasting(LEASE_S, LONGEST_S)], ids=[""])


real_time = pytest.mark.flaky(reruns=2, reruns_delay=1)
"""Mark for tests in which another process renews a lease in time. On a busy machine, they get two more attempts."""


def leads(boarded: Lead | Join) -> Lead:
    assert isinstance(boarded, Lead)
    return boarded


def joins(boarded: Lead | Join) -> Join:
    assert isinstance(boarded, Join)
    return boarded


def soon(seconds: float = LASTS_S) -> Deadline:
    return Deadline.after(seconds, CLOCK)


async def test_joiners_get_the_leaders_outcome(backend: Backend) -> None:
    lead = leads(await backend.here.board("k"))
    joiners = [joins(await flights.board("k")) for flights in (backend.here, backend.there)]
    waiting = [asyncio.create_task(join.wait(soon())) for join in joiners]
    await lead.land(Landed("cv_1"))
    assert await asyncio.gather(*waiting) == [Landed("cv_1")] * 2


async def test_joiners_are_woken_promptly(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry.pipeline.flights.redis.LOOK_AGAIN_S", LASTS_S)  # otherwise, joiners would poll
    lead = leads(await backend.here.board("k"))
    waiting = asyncio.create_task(joins(await backend.there.board("k")).wait(soon()))
    await asyncio.sleep(0.05)
    landed_at = CLOCK.monotonic()
    await lead.land(Landed("cv_1"))
    await waiting
    assert CLOCK.monotonic() - landed_at < BUSY_S


async def test_a_hundred_callers_make_one_run(backend: Backend) -> None:
    runs = aboard = 0
    all_aboard = asyncio.Event()

    async def call(flights: Flights) -> object:
        nonlocal runs, aboard
        boarded = await flights.board("k")
        aboard += 1
        if aboard == 100:
            all_aboard.set()
        if isinstance(boarded, Join):
            return await boarded.wait(soon())
        async with boarded as lead:
            runs += 1
            await all_aboard.wait()
            await lead.land(Landed("cv_1"))
            return Landed("cv_1")

    outcomes = await asyncio.gather(*(call(side) for _ in range(50) for side in (backend.here, backend.there)))
    assert runs == 1
    assert outcomes == [Landed("cv_1")] * 100


async def test_a_crowd_never_has_two_leaders_or_stuck_waiters(backend: Backend) -> None:
    random = Random(1)
    leading = 0
    landed: set[str] = set()

    async def call(name: str, flights: Flights) -> None:
        nonlocal leading
        await asyncio.sleep(random.random() * 0.2)
        while isinstance(boarded := await flights.board("k"), Join):
            outcome = await boarded.wait(soon())
            if outcome is not None:
                assert isinstance(outcome, Landed)
                assert outcome.conversion_id in landed
                return
        async with boarded as lead:
            leading += 1
            assert leading == 1
            await asyncio.sleep(random.random() * 0.02)
            leading -= 1
            if random.random() < 0.5:
                landed.add(name)
                await lead.land(Landed(name))

    await asyncio.gather(*(call(f"cv_{n}", (backend.here, backend.there)[n % 2]) for n in range(200)))
    assert landed
    assert await backend.held() == 0


async def test_a_late_joiner_still_gets_the_outcome(backend: Backend) -> None:
    lead = leads(await backend.here.board("k"))
    join = joins(await backend.there.board("k"))
    await lead.land(Landed("cv_1"))
    assert await join.wait(soon()) == Landed("cv_1")


async def test_joiners_get_the_error_of_the_leader(backend: Backend) -> None:
    lead = leads(await backend.here.board("k"))
    join = joins(await backend.there.board("k"))
    await lead.land(Failed.of(ProviderError("the source is down", reason="refused", retry_after_s=7)))
    outcome = await join.wait(soon())
    assert isinstance(outcome, Failed)
    error = outcome.error()
    assert type(error) is ProviderError
    assert error.message == "the source is down"
    assert error.headers() == {"X-Retryable": "true", "X-Error-Reason": "refused", "Retry-After": "7"}


async def test_keys_do_not_share_a_flight(backend: Backend) -> None:
    leads(await backend.here.board("a"))
    leads(await backend.there.board("b"))


async def test_a_request_after_the_landing_leads_a_new_flight(backend: Backend) -> None:
    lead = leads(await backend.here.board("k"))
    await lead.land(Failed.of(Absent("gone")))
    leads(await backend.there.board("k"))


async def test_one_of_the_waiters_leads_after_an_abandoned_flight(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.pipeline.flights.redis.LOOK_AGAIN_S", LASTS_S)
    lead = leads(await backend.here.board("k"))
    waiting = [
        asyncio.create_task(joins(await side.board("k")).wait(soon()))
        for _ in range(10)
        for side in (backend.here, backend.there)
    ]
    await asyncio.sleep(0)
    abandoned_at = CLOCK.monotonic()
    await lead.abandon()
    assert await asyncio.gather(*waiting) == [None] * 20
    assert CLOCK.monotonic() - abandoned_at < BUSY_S
    boarded = [await side.board("k") for _ in range(10) for side in (backend.here, backend.there)]
    assert sum(isinstance(b, Lead) for b in boarded) == 1


@pytest.mark.parametrize("fault", [ValueError, asyncio.CancelledError])
async def test_a_leader_that_exits_without_landing_abandons_the_flight(
    backend: Backend, fault: type[BaseException]
) -> None:
    lead = leads(await backend.here.board("k"))
    join = joins(await backend.there.board("k"))
    with pytest.raises(fault):
        async with lead:
            raise fault
    assert await join.wait(soon()) is None
    leads(await backend.there.board("k"))


async def test_a_cancelled_leader_abandons_the_flight(backend: Backend) -> None:
    started = asyncio.Event()

    async def run() -> None:
        async with leads(await backend.here.board("k")):
            started.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(run())
    await started.wait()
    join = joins(await backend.there.board("k"))
    task.cancel()
    assert await join.wait(soon()) is None


async def test_landing_inside_the_context_is_not_abandoned(backend: Backend) -> None:
    async with leads(await backend.here.board("k")) as lead:
        join = joins(await backend.there.board("k"))
        await lead.land(Landed("cv_1"))
    assert await join.wait(soon()) == Landed("cv_1")


@real_time
@leases_run_out
async def test_a_dead_leader_is_followed_by_a_waiter_within_its_lease(backend: Backend) -> None:
    die = await backend.doomed("k")
    join = joins(await backend.here.board("k"))
    waiting = asyncio.create_task(join.wait(soon()))
    await asyncio.sleep(LEASE_S * 1.5)
    assert not waiting.done(), "the lease is renewed while the leader lives"
    died_at = CLOCK.monotonic()
    await die()
    assert await waiting is None
    leads(await backend.here.board("k"))
    assert CLOCK.monotonic() - died_at < LEASE_S + BUSY_S


@real_time
@flights_run_out
async def test_an_endless_leader_is_followed_when_its_time_is_up(backend: Backend) -> None:
    lead = leads(await backend.here.board("k"))
    started_at = CLOCK.monotonic()
    assert await joins(await backend.there.board("k")).wait(soon()) is None
    assert CLOCK.monotonic() - started_at < LONGEST_S + LEASE_S + BUSY_S
    leads(await backend.there.board("k"))
    await lead.abandon()


@real_time
@flights_run_out
async def test_a_late_landing_is_ignored(backend: Backend) -> None:
    late = await backend.overtaken("k")
    assert await joins(await backend.there.board("k")).wait(soon()) is None
    lead = leads(await backend.there.board("k"))
    join = joins(await backend.here.board("k"))
    await late.land(Landed("cv_late"))
    await lead.land(Landed("cv_1"))
    assert await join.wait(soon()) == Landed("cv_1")


@real_time
@flights_run_out
async def test_a_late_abandoning_is_ignored(backend: Backend) -> None:
    late = await backend.overtaken("k")
    assert await joins(await backend.there.board("k")).wait(soon()) is None
    leads(await backend.there.board("k"))
    await late.abandon()
    joins(await backend.here.board("k"))


async def test_waiting_ends_at_the_deadline(backend: Backend) -> None:
    leads(await backend.here.board("k"))
    join = joins(await backend.there.board("k"))
    with pytest.raises(TimeoutError):
        await join.wait(soon(0.05))


async def test_a_cancelled_joiner_does_not_affect_others(backend: Backend) -> None:
    lead = leads(await backend.here.board("k"))
    leaving, staying = [asyncio.create_task(joins(await backend.there.board("k")).wait(soon())) for _ in range(2)]
    await asyncio.sleep(0.01)
    leaving.cancel()
    await lead.land(Landed("cv_1"))
    assert await staying == Landed("cv_1")


async def test_no_state_is_kept_after_the_landing(backend: Backend) -> None:
    for n in range(50):
        lead = leads(await backend.here.board(f"k{n}"))
        await (lead.land(Landed("cv_1")) if n % 2 else lead.abandon())
    assert await backend.held() == 0


@real_time
@flights_run_out
async def test_a_taken_over_flight_wakes_its_joiners(backend: Backend) -> None:
    await backend.overtaken("k")
    waiting = [asyncio.create_task(joins(await backend.here.board("k")).wait(soon())) for _ in range(3)]
    assert await asyncio.gather(*waiting) == [None] * 3
    boarded = [await backend.here.board("k") for _ in range(3)]
    assert [type(b) for b in boarded] == [Lead, Join, Join]


async def test_outcomes_in_redis_expire(redis_url: str) -> None:
    async with shared(redis_url) as backend, connect_redis(redis_url) as redis:
        await leads(await backend.here.board("k")).land(Landed("cv_1"))
        [key] = await redis.keys("wq:*")
        assert 0 < await redis.pttl(key) <= 15_000


async def test_joiners_get_the_outcome_even_if_the_channel_is_lost(redis_url: str) -> None:
    async with shared(redis_url) as backend, connect_redis(redis_url) as redis:
        lead = leads(await backend.here.board("k"))
        waiting = asyncio.create_task(joins(await backend.there.board("k")).wait(soon()))
        assert await redis.client_kill_filter(_type="pubsub") == 2
        await lead.land(Landed("cv_1"))
        assert await waiting == Landed("cv_1")


async def test_an_unreachable_redis_is_overloaded(tmp_path: Path) -> None:
    async with connect_redis(f"unix://{tmp_path}/nothing.sock") as redis:
        with pytest.raises(Overloaded):
            await RedisFlights(redis, CLOCK).board("k")


async def test_landing_without_redis_does_not_fail_the_leader(redis_url: str, tmp_path: Path) -> None:
    with redis_server() as url:
        redis = connect_redis(url)
        lead = leads(await RedisFlights(redis, CLOCK).board("k"))
    async with redis:
        await lead.land(Landed("cv_1"))


@asynccontextmanager
async def hanging(url: str) -> AsyncIterator[Callable[[], Awaitable[None]]]:
    """A Redis that accepts commands and responds to no writes. Yields a function that waits for such a command."""
    async with connect_redis(url) as redis:
        await redis.client_pause(600_000, all=False)

        async def taken() -> None:
            while not any("b" in one["flags"] for one in await redis.client_list()):  # noqa: ASYNC110  # Redis sets no event here
                await asyncio.sleep(0.005)

        try:
            yield taken
        finally:
            await redis.client_unpause()


async def test_leader_gets_its_result_while_redis_hangs(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry.storage.redis.ANSWER_WITHIN_S", 600.0)
    monkeypatch.setattr("webquarry.pipeline.flights.redis.TELL_WITHIN_S", 0.0)
    async with shared(redis_url) as backend:
        lead = leads(await backend.here.board("k"))
        waiting = asyncio.create_task(joins(await backend.there.board("k")).wait(soon()))
        async with hanging(redis_url), asyncio.timeout(BUSY_S):
            await lead.land(Landed("cv_1"))
        assert await waiting == Landed("cv_1")  # reported after Redis had come back


async def test_leader_that_has_landed_is_no_longer_cancelled(redis_url: str) -> None:
    async with shared(redis_url) as backend:
        lead = leads(await backend.here.board("k"))
        async with hanging(redis_url) as taken:
            landing = asyncio.create_task(lead.land(Landed("cv_1")))
            await taken()
            landing.cancel()
            async with asyncio.timeout(BUSY_S):
                await landing
