import asyncio

import pytest

from support.clock import ManualClock
from webquarry.core.errors import ProviderError
from webquarry.net import Kept


class Source:
    """Returns consecutive numbers, each when it is released."""

    def __init__(self) -> None:
        self.asked = 0
        self.gate = asyncio.Event()
        self.faults: list[Exception] = []

    async def fetch(self) -> int:
        self.asked += 1
        number = self.asked
        await self.gate.wait()
        if self.faults:
            raise self.faults.pop()
        return number


def opened() -> Source:
    source = Source()
    source.gate.set()
    return source


async def test_value_is_fetched_once_and_cached_for_its_lifetime() -> None:
    clock, source = ManualClock(), opened()
    kept: Kept[str, int] = Kept(clock)
    assert [await kept.get("a", source.fetch, lasts_s=60) for _ in range(3)] == [1, 1, 1]
    clock.advance(59.9)
    assert kept.held("a") == 1
    clock.advance(0.1)
    assert kept.held("a") is None
    assert await kept.get("a", source.fetch, lasts_s=60) == 2


async def test_each_key_has_a_separate_value() -> None:
    source = opened()
    kept: Kept[str, int] = Kept(ManualClock())
    assert [await kept.get(key, source.fetch, lasts_s=60) for key in "aba"] == [1, 2, 1]


async def test_one_fetch_serves_all_waiting_callers() -> None:
    source = Source()
    kept: Kept[str, int] = Kept(ManualClock())
    tasks = [asyncio.create_task(kept.get("a", source.fetch, lasts_s=60)) for _ in range(5)]
    await asyncio.sleep(0)
    source.gate.set()
    assert await asyncio.gather(*tasks) == [1] * 5
    assert source.asked == 1


async def test_fetches_of_different_keys_do_not_wait_for_each_other() -> None:
    slow, quick = Source(), opened()
    kept: Kept[str, int] = Kept(ManualClock())
    task = asyncio.create_task(kept.get("slow", slow.fetch, lasts_s=60))
    await asyncio.sleep(0)
    assert await kept.get("quick", quick.fetch, lasts_s=60) == 1
    slow.gate.set()
    await task


async def test_next_caller_fetches_if_the_first_is_cancelled() -> None:
    source = Source()
    kept: Kept[str, int] = Kept(ManualClock())
    first, *others = [asyncio.create_task(kept.get("a", source.fetch, lasts_s=60)) for _ in range(4)]
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    await asyncio.sleep(0)
    source.gate.set()
    assert await asyncio.gather(*others) == [2, 2, 2]
    assert source.asked == 2


async def test_cancelled_waiter_does_not_affect_others() -> None:
    source = Source()
    kept: Kept[str, int] = Kept(ManualClock())
    first, second, third = [asyncio.create_task(kept.get("a", source.fetch, lasts_s=60)) for _ in range(3)]
    await asyncio.sleep(0)
    second.cancel()
    source.gate.set()
    assert [await first, await third] == [1, 1]


@pytest.mark.parametrize("fault", [TimeoutError(), ProviderError("It is down.", reason="down"), ZeroDivisionError()])
async def test_failure_is_raised_only_to_its_caller_and_not_cached(fault: Exception) -> None:
    source = Source()
    source.faults = [fault]
    kept: Kept[str, int] = Kept(ManualClock())
    first, *others = [asyncio.create_task(kept.get("a", source.fetch, lasts_s=60)) for _ in range(4)]
    await asyncio.sleep(0)
    source.gate.set()
    with pytest.raises(type(fault)):
        await first
    assert [await other for other in others] == [2, 2, 2]
    assert source.asked == 2


async def test_next_caller_fetches_after_a_failure() -> None:
    source = opened()
    source.faults = [ProviderError("It is down.", reason="down")]
    kept: Kept[str, int] = Kept(ManualClock())
    with pytest.raises(ProviderError):
        await kept.get("a", source.fetch, lasts_s=60)
    assert await kept.get("a", source.fetch, lasts_s=60) == 2


async def test_lifetime_can_depend_on_the_value() -> None:
    source, clock = Source(), ManualClock()
    kept: Kept[str, int] = Kept(clock)
    fetches = [kept.get("a", source.fetch, lasts_s=lambda value: 60 * (value - 1)) for _ in range(2)]
    tasks = [asyncio.create_task(fetch) for fetch in fetches]
    await asyncio.sleep(0)
    source.gate.set()
    assert await asyncio.gather(*tasks) == [1, 1]
    assert len(kept) == 0
    assert await kept.get("a", source.fetch, lasts_s=lambda _: 60) == 2
    assert kept.held("a") == 2


async def test_only_the_refused_value_is_forgotten() -> None:
    source = opened()
    kept: Kept[str, int] = Kept(ManualClock())
    old = await kept.get("a", source.fetch, lasts_s=60)
    kept.forget("a", old)
    new = await kept.get("a", source.fetch, lasts_s=60)
    kept.forget("a", old)
    assert kept.held("a") == new == 2
    kept.forget("a")
    kept.forget("a")
    assert kept.held("a") is None


async def test_anew_ignores_a_cached_value() -> None:
    source = opened()
    kept: Kept[str, int] = Kept(ManualClock())
    assert await kept.get("a", source.fetch, lasts_s=60) == 1
    assert await kept.get("a", source.fetch, lasts_s=60, anew=True) == 2
    assert kept.held("a") == 2


async def test_least_recently_used_value_is_dropped_first() -> None:
    kept: Kept[int, int] = Kept(ManualClock(), most=3)
    for key in range(3):
        kept.keep(key, key, 60)
    assert kept.held(0) == 0
    kept.keep(3, 3, 60)
    assert [kept.held(key) for key in range(4)] == [0, None, 2, 3]
