import asyncio
from contextlib import AsyncExitStack

import pytest

from support.clock import ManualClock
from webquarry.core.errors import ProviderError
from webquarry.core.types import Deadline, Politeness
from webquarry.net.politeness import MAX_IDLE_HOSTS, Turns


class Visitors:
    """Turns on a clock that sleeping advances, and a record of visits."""

    def __init__(self, concurrency: int = 8) -> None:
        self.clock = ManualClock()
        self.turns = Turns(self.clock, concurrency, later=self.clock.later)
        self.came: list[tuple[str, float]] = []
        self.begun_s = self.clock.monotonic()

    async def visit(
        self, name: str, politeness: Politeness, seconds: float = 100, host: str = "h", account: str = ""
    ) -> None:
        async with self.turns.turn(host, politeness, Deadline.after(seconds, self.clock), account):
            self.came.append((name, self.clock.monotonic() - self.begun_s))

    async def come(self, *names: str, politeness: Politeness, seconds: float = 1000) -> None:
        """Visit concurrently, in this order.

        A name's first letter is its account. Visits that are refused as too late are skipped.
        """
        visits = (self.visit(name, politeness, seconds, account=name[0]) for name in names)
        for outcome in await asyncio.gather(*visits, return_exceptions=True):
            assert outcome is None or isinstance(outcome, ProviderError)


async def test_starts_are_spaced_in_order_of_arrival() -> None:
    visitors = Visitors()
    await asyncio.gather(*(visitors.visit(name, Politeness(2.0, 1)) for name in "abc"))
    assert visitors.came == [("a", 0.0), ("b", 2.0), ("c", 4.0)]


async def test_hosts_do_not_wait_for_each_other() -> None:
    visitors = Visitors()
    for host in ("one", "two", "three"):
        await visitors.visit(host, Politeness(60.0), host=host)
    assert [when for _, when in visitors.came] == [0.0, 0.0, 0.0]


async def test_turn_beyond_the_deadline_is_refused_immediately_and_takes_no_slot() -> None:
    visitors = Visitors()
    await visitors.visit("a", Politeness(10.0))
    with pytest.raises(ProviderError, match="Try again in 10 s") as caught:
        await visitors.visit("b", Politeness(10.0), seconds=9)
    assert caught.value.reason == "timeout"
    assert visitors.clock.monotonic() == visitors.begun_s
    await visitors.visit("c", Politeness(10.0), seconds=11)
    assert visitors.came == [("a", 0.0), ("c", 10.0)]


async def test_waiting_requests_are_counted_in_the_estimate() -> None:
    visitors = Visitors()
    async with visitors.turns.turn("h", Politeness(10.0, 1), Deadline.after(100, visitors.clock)):
        waiting = [asyncio.create_task(visitors.visit(name, Politeness(10.0, 1))) for name in "ab"]
        await asyncio.sleep(0)
        with pytest.raises(ProviderError, match="Try again in 30 s"):
            await visitors.visit("c", Politeness(10.0, 1), seconds=25)
    await asyncio.gather(*waiting)


async def test_waiting_for_a_turn_ends_at_the_deadline() -> None:
    visitors = Visitors(concurrency=1)
    async with visitors.turns.turn("h", Politeness(), Deadline.after(100, visitors.clock)):
        with pytest.raises(ProviderError, match="in progress") as caught:
            await visitors.visit("late", Politeness(), seconds=0.01)
    assert caught.value.reason == "timeout"
    await visitors.visit("next", Politeness())


async def test_cancelled_request_leaves_the_queue() -> None:
    visitors = Visitors(concurrency=1)
    async with visitors.turns.turn("h", Politeness(), Deadline.after(100, visitors.clock)):
        leaving, staying = (asyncio.create_task(visitors.visit(name, Politeness())) for name in ("leaving", "staying"))
        await asyncio.sleep(0)
        leaving.cancel()
    await staying
    assert [name for name, _ in visitors.came] == ["staying"]
    assert visitors.turns.hosts == 0


async def test_turn_granted_to_a_cancelled_request_is_passed_on() -> None:
    visitors = Visitors(concurrency=1)
    async with visitors.turns.turn("h", Politeness(), Deadline.after(100, visitors.clock)):
        leaving, staying = (asyncio.create_task(visitors.visit(name, Politeness())) for name in ("leaving", "staying"))
        await asyncio.sleep(0)
    leaving.cancel()  # its future is done, the task has not run yet
    await staying
    assert [name for name, _ in visitors.came] == ["staying"]
    assert visitors.turns.hosts == 0


async def test_failed_request_releases_its_turn() -> None:
    visitors = Visitors(concurrency=1)
    with pytest.raises(ZeroDivisionError):
        async with visitors.turns.turn("h", Politeness(), Deadline.after(100, visitors.clock)):
            raise ZeroDivisionError
    await visitors.visit("next", Politeness())
    assert visitors.turns.hosts == 0


async def test_idle_hosts_are_forgotten() -> None:
    visitors = Visitors()
    for n in range(MAX_IDLE_HOSTS):
        await visitors.visit("x", Politeness(1.0), host=str(n))
    assert visitors.turns.hosts == MAX_IDLE_HOSTS
    visitors.clock.advance(2.0)
    await visitors.visit("x", Politeness(1.0), host="one more")
    assert visitors.turns.hosts == 1


async def test_host_that_is_visited_is_not_forgotten() -> None:
    visitors = Visitors()
    async with AsyncExitStack() as stack:
        for n in range(MAX_IDLE_HOSTS + 5):
            deadline = Deadline.after(100, visitors.clock)
            await stack.enter_async_context(visitors.turns.turn(str(n), Politeness(), deadline))
        assert visitors.turns.hosts == MAX_IDLE_HOSTS + 5
    assert visitors.turns.hosts == 0


class TestFairness:
    async def test_account_that_fills_a_queue_delays_only_itself(self) -> None:
        visitors = Visitors()
        await visitors.come(*(f"a{n}" for n in range(9)), "b0", "c0", "b1", politeness=Politeness(2.0, 1))
        assert [name for name, _ in visitors.came][:7] == ["a0", "b0", "c0", "a1", "b1", "a2", "a3"]
        assert [when for _, when in visitors.came] == [2.0 * n for n in range(12)]

    async def test_spaced_turns_are_granted_on_time(self) -> None:
        visitors = Visitors()
        many = asyncio.create_task(visitors.come(*(f"a{n}" for n in range(20)), politeness=Politeness(5.0, 8)))
        await asyncio.sleep(0)
        await visitors.come("b0", politeness=Politeness(5.0, 8), seconds=6)
        assert visitors.came[:2] == [("a0", 0.0), ("b0", 5.0)]
        await many

    async def test_next_turn_goes_to_the_account_with_the_fewest(self) -> None:
        visitors = Visitors(concurrency=3)
        held = [asyncio.Event() for _ in range(5)]

        async def stay(number: int, account: str) -> None:
            async with visitors.turns.turn("h", Politeness(), Deadline.after(100, visitors.clock), account):
                visitors.came.append((account, 0.0))
                await held[number].wait()

        tasks = [asyncio.create_task(stay(number, account)) for number, account in enumerate("aabab")]
        await asyncio.sleep(0)
        held[2].set()  # b leaves: a holds two, b none
        await asyncio.sleep(0.01)
        assert [account for account, _ in visitors.came] == ["a", "a", "b", "b"]
        for event in held:
            event.set()
        await asyncio.gather(*tasks)
        assert visitors.turns.hosts == 0

    async def test_estimate_counts_only_preceding_requests(self) -> None:
        visitors = Visitors()
        spaced = Politeness(10.0, 1)
        async with visitors.turns.turn("h", spaced, Deadline.after(100, visitors.clock), "a"):
            waiting = [
                asyncio.create_task(visitors.visit(name, spaced, 1000, account=name[0])) for name in ("a1", "a2", "b1")
            ]
            await asyncio.sleep(0)
            with pytest.raises(ProviderError, match="Try again in 40 s"):  # a1, a2 and b1 before it
                await visitors.visit("a3", spaced, seconds=39, account="a")
            with pytest.raises(ProviderError, match="Try again in 30 s"):  # b1 and a1
                await visitors.visit("b2", spaced, seconds=29, account="b")
            with pytest.raises(ProviderError, match="Try again in 20 s"):  # b1
                await visitors.visit("c1", spaced, seconds=19, account="c")
            waiting.append(asyncio.create_task(visitors.visit("c1", spaced, seconds=20, account="c")))
            await asyncio.sleep(0)
        await asyncio.gather(*waiting)
        assert visitors.came == [("b1", 10.0), ("c1", 20.0), ("a1", 30.0), ("a2", 40.0)]

    async def test_overtaken_request_fails_as_soon_as_its_turn_is_too_late(self) -> None:
        visitors = Visitors()
        spaced = Politeness(10.0, 1)
        async with visitors.turns.turn("h", spaced, Deadline.after(100, visitors.clock), "a"):
            late = asyncio.create_task(visitors.visit("a1", spaced, seconds=15, account="a"))
            await asyncio.sleep(0)
            first = asyncio.create_task(visitors.visit("b1", spaced, seconds=15, account="b"))
            await asyncio.sleep(0)
        with pytest.raises(ProviderError, match="rate-limited by this service"):
            await late
        await first
        assert visitors.came == [("b1", 10.0)]
