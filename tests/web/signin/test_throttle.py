"""Attempts are counted over all replicas that share a Redis."""

from collections.abc import Iterator
from functools import partial

import pytest

from support.redis import redis_server
from webquarry.limits.redis import RedisLimiter
from webquarry.storage.redis import connect_redis
from webquarry.web.signin.throttle import tell_wait

from .conftest import Houses


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    with redis_server() as url:
        yield url


async def test_guesses_on_two_replicas_count_together(houses: Houses, redis_url: str) -> None:
    async with connect_redis(redis_url) as redis:
        here, there = (houses.build(make_limiter=partial(RedisLimiter, redis)) for _ in range(2))
        statuses = []
        for number in range(12):
            browser = (here if number % 2 else there).browser()
            statuses.append((await browser.submit("/login", email="ada@example.com", password="a guess")).status)
        assert statuses == [401] * 10 + [429] * 2
        kept = await redis.keys("*")
        assert not any(b"ada" in key or b"192.0.2" in key for key in kept)


@pytest.mark.parametrize(
    ("seconds", "given"),
    [(1, "1 second"), (59, "59 seconds"), (60, "1 minute"), (61, "2 minutes"), (900, "15 minutes")],
)
def test_a_wait_is_shown_in_words(seconds: int, given: str) -> None:
    assert tell_wait(seconds) == given
