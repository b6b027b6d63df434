"""Guarantees of every limiter, tested with each backend."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from redis.asyncio import Redis

from support.clock import ManualClock
from support.redis import redis_server
from webquarry.core.errors import Overloaded
from webquarry.limits import InProcessLimiter, Limiter, MakeLimiter
from webquarry.limits.redis import RedisLimiter
from webquarry.storage.redis import connect_redis

WINDOW_S = 60.0


@dataclass(frozen=True)
class Backend:
    """make(limit, window_s): a new limiter with separate keys; pass_time(seconds) advances its clock."""

    make: MakeLimiter
    pass_time: Callable[[float], Awaitable[None]]


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    with redis_server() as url:
        yield url


@pytest.fixture(params=["in_process", "redis"])
async def backend(request: pytest.FixtureRequest) -> AsyncIterator[Backend]:
    if request.param == "in_process":
        clock = ManualClock()

        async def advance(seconds: float) -> None:
            clock.advance(seconds)

        def make(limit: int, window_s: float, *, account_limit: int | None = None) -> Limiter:
            return InProcessLimiter(limit, clock, window_s, account_limit=account_limit)

        yield Backend(make, advance)
    else:
        url: str = request.getfixturevalue("redis_url")
        async with connect_redis(url) as redis:
            await redis.flushall()
            yield Backend(partial(RedisLimiter, redis), partial(age, redis))


async def age(redis: Redis, seconds: float) -> None:
    """Move the stored times into the past, because the server's clock cannot be set."""
    for name in await redis.keys("wq:limit:*"):
        moments = [int(us) - round(seconds * 1_000_000) for us in await redis.lrange(name, 0, -1)]
        left_ms = await redis.pttl(name) - round(seconds * 1000)
        await redis.delete(name)
        if left_ms > 0:
            await redis.rpush(name, *moments)
            await redis.pexpire(name, left_ms)


async def test_calls_up_to_the_limit_are_allowed_and_the_next_is_not(backend: Backend) -> None:
    limiter = backend.make(3, 60.0)
    answers = [await limiter.take("a") for _ in range(4)]
    assert [a.allowed for a in answers] == [True, True, True, False]
    assert [a.remaining for a in answers] == [2, 1, 0, 0]
    assert {a.limit for a in answers} == {3}


async def test_simultaneous_calls_never_pass_the_limit(backend: Backend) -> None:
    limiter = backend.make(60, 60.0)
    answers = await asyncio.gather(*(limiter.take("a") for _ in range(200)))
    assert sum(a.allowed for a in answers) == 60


async def test_keys_do_not_share_a_window(backend: Backend) -> None:
    limiter = backend.make(1, 60.0)
    assert (await limiter.take("a")).allowed
    assert (await limiter.take("b")).allowed


async def test_an_allowed_request_does_not_wait(backend: Backend) -> None:
    answer = await backend.make(2, 60.0).take("a")
    assert answer.retry_after_s == 0
    assert answer.reset_s == pytest.approx(60.0, abs=0.01)


async def test_a_refused_request_is_told_when_to_retry(backend: Backend) -> None:
    limiter = backend.make(2, WINDOW_S)
    await limiter.take("a")
    await backend.pass_time(WINDOW_S / 2)
    await limiter.take("a")
    refused = await limiter.take("a")
    assert not refused.allowed
    assert 0 < refused.retry_after_s <= WINDOW_S / 2 + 1e-9
    assert refused.retry_after_s < refused.reset_s <= WINDOW_S + 1e-9
    await backend.pass_time(refused.retry_after_s + 0.001)
    assert (await limiter.take("a")).allowed


async def test_refused_calls_do_not_count(backend: Backend) -> None:
    limiter = backend.make(1, WINDOW_S)
    await limiter.take("a")
    await backend.pass_time(WINDOW_S / 2)
    assert not (await limiter.take("a")).allowed
    await backend.pass_time(WINDOW_S / 2 + 0.001)
    assert (await limiter.take("a")).allowed


async def test_the_window_slides(backend: Backend) -> None:
    limiter = backend.make(2, WINDOW_S)
    await limiter.take("a")
    await backend.pass_time(WINDOW_S * 0.6)
    await limiter.take("a")
    await backend.pass_time(WINDOW_S * 0.5)
    # the first request has left the window and the second has not; a fixed window would allow two requests here
    assert [(await limiter.take("a")).allowed for _ in range(2)] == [True, False]


async def test_an_account_with_many_keys_gets_no_more_than_its_own_limit(backend: Backend) -> None:
    limiter = backend.make(3, WINDOW_S, account_limit=5)
    answers = [await limiter.take(f"key {n % 3}", "one") for n in range(9)]
    assert [a.allowed for a in answers] == [True] * 5 + [False] * 4
    assert {(a.limit, a.counted) for a in answers if not a.allowed} == {(5, "account")}
    assert (await limiter.take("key 9", "another")).allowed


async def test_a_key_gets_no_more_than_its_limit_within_the_account(backend: Backend) -> None:
    limiter = backend.make(2, WINDOW_S, account_limit=3)
    answers = [await limiter.take("a", "one") for _ in range(3)]
    assert [(a.allowed, a.counted) for a in answers] == [(True, "key"), (True, "key"), (False, "key")]
    assert (await limiter.take("b", "one")).allowed, "a call that the key was refused is not the account's"
    assert not (await limiter.take("b", "one")).allowed


async def test_a_request_refused_for_the_account_does_not_count_for_the_key(backend: Backend) -> None:
    limiter = backend.make(2, WINDOW_S, account_limit=2)
    await limiter.take("a", "one")
    await backend.pass_time(WINDOW_S / 2)
    await limiter.take("a", "one")
    assert not (await limiter.take("b", "one")).allowed
    await backend.pass_time(WINDOW_S / 2 + 0.001)  # the first request has left both windows
    answer = await limiter.take("b", "one")
    assert (answer.allowed, answer.counted, answer.remaining) == (True, "account", 0)
    await backend.pass_time(WINDOW_S / 2)
    assert (await limiter.take("b", "one")).allowed


async def test_the_allowance_is_from_the_stricter_window(backend: Backend) -> None:
    limiter = backend.make(3, WINDOW_S, account_limit=4)
    told = [await limiter.take(key, "one") for key in "aabb"]
    assert [(a.limit, a.remaining, a.counted) for a in told] == [
        (3, 2, "key"),
        (3, 1, "key"),
        (4, 1, "account"),
        (4, 0, "account"),
    ]
    await backend.pass_time(WINDOW_S / 4)
    refused = await limiter.take("b", "one")
    assert refused.retry_after_s == pytest.approx(WINDOW_S * 3 / 4, abs=2)


async def test_simultaneous_calls_of_many_keys_never_pass_the_limit_of_the_account(backend: Backend) -> None:
    limiter = backend.make(60, WINDOW_S, account_limit=60)
    answers = await asyncio.gather(*(limiter.take(f"key {n % 10}", "one") for n in range(200)))
    assert sum(a.allowed for a in answers) == 60


async def test_without_an_account_limit_only_keys_are_counted(backend: Backend) -> None:
    limiter = backend.make(1, WINDOW_S)
    assert all([(await limiter.take(key, "one")).allowed for key in "abc"])


async def test_a_persistent_caller_gets_exactly_the_limit_in_each_window() -> None:
    clock = ManualClock()
    limiter = InProcessLimiter(60, clock)
    allowed = 0
    for _ in range(600):
        allowed += (await limiter.take("a")).allowed
        clock.advance(0.5)
    assert allowed == 60 * 5


async def test_redis_window_is_measured_on_the_server_clock(redis_url: str) -> None:
    async with connect_redis(redis_url) as redis:
        await redis.flushall()
        replicas = [RedisLimiter(redis, 5, 0.05) for _ in range(3)]
        started = asyncio.get_running_loop().time()
        while asyncio.get_running_loop().time() < started + 0.3:
            await asyncio.gather(*(replica.take("a") for replica in replicas))
            window = [int(us) for us in await redis.lrange("wq:limit:a", 0, -1)]
            assert len(window) <= 5
            assert all(a <= b for a, b in pairwise(window))
            assert not window or window[-1] - window[0] < 50_000  # on a busy machine it has expired by now


async def test_redis_forgets_idle_keys(redis_url: str) -> None:
    async with connect_redis(redis_url) as redis:
        await redis.flushall()
        await RedisLimiter(redis, 5, 0.02).take("a")
        await asyncio.sleep(0.04)
        assert await redis.exists("wq:limit:a") == 0


async def test_an_unreachable_redis_is_overloaded(tmp_path: Path) -> None:
    async with connect_redis(f"unix://{tmp_path}/nothing.sock") as redis:
        with pytest.raises(Overloaded):
            await RedisLimiter(redis, 5, 1.0).take("a")
