import asyncio
from contextlib import AsyncExitStack

import pytest

from support.clock import ManualClock
from webquarry.errors import ProviderError
from webquarry.net.manners import MAX_IDLE_HOSTS, Turns
from webquarry.types import Deadline, Manners


class Visitors:
    """Turns on a clock that sleeping moves, and who came when."""

    def __init__(self, concurrency: int = 8) -> None:
        self.clock = ManualClock()
        self.turns = Turns(self.clock, concurrency, sleep=self._sleep)
        self.came: list[tuple[str, float]] = []
        self.begun_s = self.clock.monotonic()

    async def _sleep(self, seconds: float) -> None:
        self.clock.advance(seconds)
        await asyncio.sleep(0)

    async def visit(self, name: str, manners: Manners, seconds: float = 100, host: str = "h") -> None:
        async with self.turns.turn(host, manners, Deadline.after(seconds, self.clock)):
            self.came.append((name, self.clock.monotonic() - self.begun_s))


async def test_starts_are_spaced_in_the_order_of_coming() -> None:
    visitors = Visitors()
    await asyncio.gather(*(visitors.visit(name, Manners(2.0, 1)) for name in "abc"))
    assert visitors.came == [("a", 0.0), ("b", 2.0), ("c", 4.0)]


async def test_hosts_do_not_wait_for_each_other() -> None:
    visitors = Visitors()
    for host in ("one", "two", "three"):
        await visitors.visit(host, Manners(60.0), host=host)
    assert [when for _, when in visitors.came] == [0.0, 0.0, 0.0]


async def test_turn_beyond_the_deadline_is_refused_at_once_and_takes_no_slot() -> None:
    visitors = Visitors()
    await visitors.visit("a", Manners(10.0))
    with pytest.raises(ProviderError, match="try again in 10 s") as caught:
        await visitors.visit("b", Manners(10.0), seconds=9)
    assert caught.value.reason == "timeout"
    assert visitors.clock.monotonic() == visitors.begun_s
    await visitors.visit("c", Manners(10.0), seconds=11)
    assert visitors.came == [("a", 0.0), ("c", 10.0)]


async def test_those_already_waiting_are_counted() -> None:
    visitors = Visitors()
    async with visitors.turns.turn("h", Manners(10.0, 1), Deadline.after(100, visitors.clock)):
        waiting = [asyncio.create_task(visitors.visit(name, Manners(10.0, 1))) for name in "ab"]
        await asyncio.sleep(0)
        with pytest.raises(ProviderError, match="try again in 30 s"):
            await visitors.visit("c", Manners(10.0, 1), seconds=25)
    await asyncio.gather(*waiting)


async def test_waiting_for_a_place_ends_at_the_deadline() -> None:
    visitors = Visitors(concurrency=1)
    async with visitors.turns.turn("h", Manners(), Deadline.after(100, visitors.clock)):
        with pytest.raises(ProviderError, match="under way") as caught:
            await visitors.visit("late", Manners(), seconds=0.01)
    assert caught.value.reason == "timeout"
    await visitors.visit("next", Manners())


async def test_one_who_leaves_the_line_gives_up_its_place() -> None:
    visitors = Visitors(concurrency=1)
    async with visitors.turns.turn("h", Manners(), Deadline.after(100, visitors.clock)):
        leaving, staying = (asyncio.create_task(visitors.visit(name, Manners())) for name in ("leaving", "staying"))
        await asyncio.sleep(0)
        leaving.cancel()
    await staying
    assert [name for name, _ in visitors.came] == ["staying"]
    assert visitors.turns.hosts == 0


async def test_one_cancelled_as_its_place_is_granted_passes_it_on() -> None:
    visitors = Visitors(concurrency=1)
    async with visitors.turns.turn("h", Manners(), Deadline.after(100, visitors.clock)):
        leaving, staying = (asyncio.create_task(visitors.visit(name, Manners())) for name in ("leaving", "staying"))
        await asyncio.sleep(0)
    leaving.cancel()  # its future is done, the task has not run yet
    await staying
    assert [name for name, _ in visitors.came] == ["staying"]
    assert visitors.turns.hosts == 0


async def test_error_of_a_visit_frees_its_place() -> None:
    visitors = Visitors(concurrency=1)
    with pytest.raises(ZeroDivisionError):
        async with visitors.turns.turn("h", Manners(), Deadline.after(100, visitors.clock)):
            raise ZeroDivisionError
    await visitors.visit("next", Manners())
    assert visitors.turns.hosts == 0


async def test_idle_hosts_are_forgotten() -> None:
    visitors = Visitors()
    for n in range(MAX_IDLE_HOSTS):
        await visitors.visit("x", Manners(1.0), host=str(n))
    assert visitors.turns.hosts == MAX_IDLE_HOSTS
    visitors.clock.advance(2.0)
    await visitors.visit("x", Manners(1.0), host="one more")
    assert visitors.turns.hosts == 1


async def test_host_that_is_visited_is_not_forgotten() -> None:
    visitors = Visitors()
    async with AsyncExitStack() as stack:
        for n in range(MAX_IDLE_HOSTS + 5):
            deadline = Deadline.after(100, visitors.clock)
            await stack.enter_async_context(visitors.turns.turn(str(n), Manners(), deadline))
        assert visitors.turns.hosts == MAX_IDLE_HOSTS + 5
    assert visitors.turns.hosts == 0
