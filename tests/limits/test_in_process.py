import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from support.clock import ManualClock
from webquarry.limits import InProcessLimiter

WINDOW = 16
# quarters of a second: exact as floats, so that the limits of windows are tested exactly
arrivals = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 80)), max_size=120)


@given(arrivals, st.integers(1, 6))
async def test_every_window_allows_exactly_the_limit(calls: list[tuple[str, int]], limit: int) -> None:
    clock = ManualClock()
    limiter = InProcessLimiter(limit, clock, float(WINDOW))
    allowed: dict[str, list[float]] = {"a": [], "b": [], "c": []}
    for key, quarters in calls:
        clock.advance(quarters / 4)
        now = clock.monotonic()
        in_window = sum(instant > now - WINDOW for instant in allowed[key])
        answer = await limiter.take(key)
        assert answer.allowed == (in_window < limit)
        if answer.allowed:
            allowed[key].append(now)
            assert answer.remaining == limit - in_window - 1
    for instants in allowed.values():
        assert all(sum(start <= i < start + WINDOW for i in instants) <= limit for start in instants)


async def test_keys_without_a_request_in_the_window_use_no_memory() -> None:
    clock = ManualClock()
    limiter = InProcessLimiter(3, clock, float(WINDOW))

    async def waves(count: int) -> int:
        """Return the memory in use after `count` waves of a thousand new keys each, a window apart."""
        for _ in range(count):
            clock.advance(WINDOW)
            for number in range(1000):
                await limiter.take(f"{clock.monotonic()} {number}")
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    one = await waves(1)
    more = await waves(5)
    tracemalloc.stop()
    assert more < 2 * one
