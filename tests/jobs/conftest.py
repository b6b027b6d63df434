"""A service with test endpoints whose jobs a test runs."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from conftest import Store
from support.made import Board
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core.clock import SystemClock
from webquarry.jobs.kinds import BATCH
from webquarry.jobs.records import Item, Job, NewItem, NewJob, new_job_id
from webquarry.service import Service
from webquarry.workers.workers import Workers

WAIT_S = 30.0


@dataclass
class Shop:
    """A service that works on jobs, and an account with 1000 credits."""

    service: Service
    board: Board
    caller: Caller
    callers: list[Caller] = field(default_factory=list)

    async def start(
        self,
        keys: Sequence[str],
        *,
        caller: Caller | None = None,
        lane: Callable[[int], str] = lambda n: f"host:h{n % 3}.example",
        idempotency_key: str | None = None,
        digest: str = "d",
        shared: Mapping[str, str] | None = None,
        **changes: Any,
    ) -> Job:
        """Start a job with one item for each key."""
        now, by = self.service.clock.now(), caller or self.caller
        new = NewJob(
            new_job_id(now),
            by.account_id,
            by.key_id,
            BATCH,
            changes.pop("endpoint", "made"),
            shared or {},
            now,
            now + timedelta(days=1),
            **changes,
        )

        async def inputs() -> AsyncIterator[Sequence[NewItem]]:
            yield [NewItem({"key": key}, lane(n)) for n, key in enumerate(keys)]

        return await self.service.workshop.jobs.start(
            new, inputs(), idempotency_key=idempotency_key, digest=lambda: digest
        )

    async def find(self, job: Job, caller: Caller | None = None) -> Job:
        return await self.service.workshop.jobs.find(caller or self.caller, job.id)

    async def items(self, job: Job) -> list[Item]:
        return await self.service.workshop.jobs.list_items(job)

    async def until(self, job: Job, condition: Callable[[Job], bool], caller: Caller | None = None) -> Job:
        async with asyncio.timeout(WAIT_S):
            while not condition(found := await self.find(job, caller)):  # noqa: ASYNC110  # rows have no event
                await asyncio.sleep(0.01)
        return found

    async def end(self, job: Job, caller: Caller | None = None) -> Job:
        return await self.until(job, lambda found: found.is_over, caller)

    async def new_caller(self, credits: int) -> Caller:
        account, _ = await self.service.accounts.create(f"other{len(self.callers)}@example.com", credits)
        self.callers.append(Caller(account.id, f"key_{len(self.callers)}"))
        return self.callers[-1]

    async def balance(self, caller: Caller | None = None) -> int:
        return await self.service.ledger.balance((caller or self.caller).account_id)

    async def until_balance(self, credits: int) -> None:
        async with asyncio.timeout(WAIT_S):
            while await self.balance() != credits:  # noqa: ASYNC110  # rows have no event
                await asyncio.sleep(0.01)


@pytest.fixture
async def shop(store: Store) -> AsyncIterator[Shop]:
    board, clock = Board(), SystemClock()
    workers = Workers(clock, size=1, spares=0)
    try:
        async with assemble(
            store.settings, serving=True, registry=board.registry(), clock=clock, workers=workers
        ) as service:
            account, _ = await service.accounts.create("owner@example.com", 1000)
            shop = Shop(service, board, Caller(account.id, "key_test"))
            yield shop
            assert await service.ledger.verify() == []
    finally:
        await workers.close()
