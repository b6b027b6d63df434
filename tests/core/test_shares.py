"""Slots that accounts share."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from webquarry.core.clock import SystemClock
from webquarry.core.errors import Overloaded
from webquarry.core.shares import Shares
from webquarry.core.types import Deadline


def within(seconds: float = 5.0) -> Deadline:
    return Deadline.after(seconds, SystemClock())


async def hold(stack: AsyncExitStack, shares: Shares, account: str) -> None:
    await stack.enter_async_context(shares.slot(account, within()))


class Visitors:
    """Accounts that ask for a slot and hold it until told to leave. came: the accounts, in order of admission."""

    def __init__(self, shares: Shares) -> None:
        self.shares = shares
        self.came: list[str] = []
        self.leave = asyncio.Semaphore(0)

    async def ask(self, *accounts: str) -> list[asyncio.Task[None]]:
        tasks = []
        for account in accounts:
            tasks.append(asyncio.create_task(self._visit(account)))
            await asyncio.sleep(0)
        return tasks

    async def _visit(self, account: str) -> None:
        async with self.shares.slot(account, within()):
            self.came.append(account)
            await self.leave.acquire()


async def test_an_account_without_competition_gets_every_slot() -> None:
    async with AsyncExitStack() as stack:
        shares = Shares(3)
        for _ in range(3):
            await hold(stack, shares, "a")
        assert shares.busy == 3
    assert shares.busy == 0


async def test_a_free_slot_goes_to_the_account_that_holds_the_fewest() -> None:
    visitors = Visitors(Shares(2, queue=10))
    tasks = await visitors.ask("a", "a", "a", "a", "b", "b")
    for _ in tasks:
        visitors.leave.release()
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert visitors.came == ["a", "a", "b", "a", "b", "a"]


async def test_accounts_with_equal_shares_take_turns() -> None:
    visitors = Visitors(Shares(1, queue=10))
    tasks = await visitors.ask("c", "a", "a", "b", "b")
    for _ in tasks:
        visitors.leave.release()
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert visitors.came == ["c", "a", "b", "a", "b"]


async def test_an_account_served_immediately_has_used_its_turn() -> None:
    visitors = Visitors(Shares(1, queue=10))
    tasks = await visitors.ask("a", "a", "b")
    for _ in tasks:
        visitors.leave.release()
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert visitors.came == ["a", "b", "a"]


async def test_a_spare_slot_goes_to_an_account_without_slots() -> None:
    shares = Shares(1, spare=1)
    async with AsyncExitStack() as stack:
        await hold(stack, shares, "a")
        with pytest.raises(Overloaded):
            await hold(stack, shares, "a")
        await hold(stack, shares, "b")
        with pytest.raises(Overloaded):
            await hold(stack, shares, "c")


async def test_spare_slots_are_for_accounts_with_less_than_an_equal_part() -> None:
    shares = Shares(6, spare=6)
    async with AsyncExitStack() as stack:
        for account, part in (("a", 6), ("b", 3), ("c", 2)):
            for _ in range(part):
                await hold(stack, shares, account)
            with pytest.raises(Overloaded):
                await hold(stack, shares, account)
        await hold(stack, shares, "d")
        assert shares.busy == 12
        with pytest.raises(Overloaded):
            await hold(stack, shares, "e")


async def test_no_account_holds_more_than_the_most() -> None:
    shares = Shares(4, most=2, queue=4)
    visitors = Visitors(shares)
    tasks = await visitors.ask("a", "a", "a", "b")
    assert visitors.came == ["a", "a", "b"]
    for _ in tasks:
        visitors.leave.release()
    await asyncio.gather(*tasks)
    assert visitors.came == ["a", "a", "b", "a"]


async def test_one_account_fills_at_most_half_of_the_queue() -> None:
    visitors = Visitors(Shares(1, queue=4))
    tasks = await visitors.ask("a", "a", "a")
    with pytest.raises(Overloaded):
        async with visitors.shares.slot("a", within()):
            pass
    tasks += await visitors.ask("b", "b")
    assert visitors.shares.waiting == 4
    with pytest.raises(Overloaded):
        async with visitors.shares.slot("c", within()):
            pass
    for _ in tasks:
        visitors.leave.release()
    await asyncio.gather(*tasks)


async def test_waiting_beyond_the_deadline_raises_and_leaves_the_queue() -> None:
    shares = Shares(1, queue=4)
    async with AsyncExitStack() as stack:
        await hold(stack, shares, "a")
        with pytest.raises(Overloaded):
            async with shares.slot("b", within(0.01)):
                pass
        assert shares.waiting == 0
    assert shares.busy == 0


async def test_a_slot_granted_to_a_cancelled_waiter_is_passed_on() -> None:
    shares = Shares(1, queue=4)
    visitors = Visitors(shares)
    (first,) = await visitors.ask("a")
    second, third = await visitors.ask("b", "c")
    first.cancel()
    await asyncio.sleep(0)  # the slot is granted to b, which has not resumed yet
    second.cancel()
    await asyncio.sleep(0.01)
    assert visitors.came == ["a", "c"]
    visitors.leave.release()
    await third
    assert shares.busy == 0
