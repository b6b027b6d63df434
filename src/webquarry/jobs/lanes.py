"""The work on a lane: takes items in slices, and runs each item as an ordinary request.

A slice has at most 50 items and lasts at most 60 seconds, so that lanes, jobs and accounts take turns. A lane's next
worker returns the items that an earlier worker left unfinished.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Final, TypeVar

from webquarry.accounts import Caller
from webquarry.core.clock import Clock, epoch_ms
from webquarry.core.error_boundary import ErrorBoundary
from webquarry.core.errors import (
    BudgetReached,
    CapReached,
    InsufficientCredits,
    InternalError,
    JobHalted,
    Overloaded,
    ProviderError,
    ServiceError,
)
from webquarry.core.shares import Shares
from webquarry.core.types import Deadline
from webquarry.jobs import pace, rows, table
from webquarry.jobs.claim import ItemClaim
from webquarry.jobs.kinds import Kind
from webquarry.jobs.port import Queue
from webquarry.jobs.records import LANE, Ending, EndState, PauseReason, Taken
from webquarry.ledger import Settled
from webquarry.pipeline import Pipeline
from webquarry.storage import Database, Operation

T = TypeVar("T")
SLICE_ITEMS: Final = 50
SLICE_S: Final = 60.0
MAX_WIDTH: Final = 8
"""Maximum number of a lane's items that run at the same time."""
ATTEMPTS: Final = 3
"""Maximum number of attempts at an item whose error may be temporary."""
RETRY_S: Final = 5.0
"""Seconds before the second attempt; the wait before each further attempt is four times as long."""
REFUSALS: Final = 3
"""Number of consecutive refusals after which a lane rests."""
REST: Final = timedelta(minutes=10)
BLOCKED_S: Final = 0.5
"""Seconds until a lane is checked again if its jobs already run their maximum number of items."""
SLOT_S: Final = 600.0

Told = Callable[[str], Awaitable[None]]
"""Called with the id of a job that has ended."""


class Lanes:
    """The handler of lanes.

    `slots` are the items of jobs that run in this process at the same time, shared fairly between accounts. `kinds` are
    kinds of jobs by name. `ended` is called when a job has ended with its last item. `endings` are the items that this
    process has ended, by state.
    """

    def __init__(
        self,
        database: Database,
        pipeline: Pipeline,
        queue: Queue,
        kinds: Mapping[str, Kind],
        slots: Shares,
        clock: Clock,
        *,
        width: int = MAX_WIDTH,
        ended: Told | None = None,
    ) -> None:
        self._database = database
        self._pipeline = pipeline
        self._queue = queue
        self._kinds = kinds
        self._slots = slots
        self._clock = clock
        self._width = min(width, MAX_WIDTH)
        self._ended = ended
        self._stopping = False
        self.endings: Counter[str] = Counter(done=0, failed=0, stopped=0)

    def stop(self) -> None:
        """Take no further items."""
        self._stopping = True

    @property
    def stopping(self) -> bool:
        return self._stopping or self._pipeline.closing

    async def work(self, _kind: str, lane: str) -> float | None:
        """Work on a slice of the lane. Return the seconds until the next slice, or None if no items are left."""
        if await self._database.read(partial(rows.has_left, lane)):
            await self._database.write(partial(rows.return_left, lane, self._clock.now()))
        found = await self._database.read(partial(pace.find, lane))
        if (rest_s := found.rest_s(self._clock.now())) > 0 and found.refusals >= REFUSALS:
            return rest_s
        slice = _Slice(self, found, self._clock, min(2, self._width) if found.spacing_ms else self._width)
        took = await slice.run()
        if slice.rest_s:
            return slice.rest_s
        wait_s = await self._database.read(partial(rows.find_wait, lane, self._clock.now()))
        return wait_s if wait_s is None or took else max(wait_s, BLOCKED_S)

    async def run(self, item: Taken, slice: "_Slice") -> None:
        """Run an item and record how it ended, or return it to the waiting items."""
        kind = self._kinds[item.job.kind]
        claim = ItemClaim(item, kind, self._clock)
        try:
            with ErrorBoundary("jobs.item_failed", job_id=item.job.id, n=item.n):
                await self._request(item, kind, claim, slice)
        except ServiceError as error:
            await self._record(item, error)
            return
        if claim.found.items:
            await self._queue.put(LANE, *{each.lane for each in claim.found.items})
        if claim.ended is not None:
            self.endings["done"] += 1
            if claim.ended.is_last:
                await self._tell(item.job.id)

    async def _request(self, item: Taken, kind: Kind, claim: ItemClaim, slice: "_Slice") -> None:
        """Send an item's request. Only requests that visit the upstream wait for a slot and for their turn."""
        call, freshness = await kind.prepare(item)
        caller = Caller(item.job.account_id, item.job.key_id)
        async with AsyncExitStack() as stack:
            is_visit = not await self._pipeline.is_cached(call, freshness)
            if is_visit:
                await stack.enter_async_context(slice.visit())
            slot = self._slots.slot(item.job.account_id, Deadline.after(SLOT_S, self._clock))
            await stack.enter_async_context(slot)
            if is_visit:
                await self._wait_for_turn(slice.lane.name)
            answer = await self._pipeline.answer(
                caller, call, request_id=item.request_id, freshness=freshness, claim=claim
            )
            if claim.ended is None:  # no hold was settled, because the result is cached, joined or free
                end = await claim.prepare(answer.conversion, cached=answer.cache != "miss")
                await self._write(item, lambda: end(Settled(0, 0, late=False)))

    async def _wait_for_turn(self, lane: str) -> None:
        """Wait until the lane's next visit may start, on any server.

        The time between visits is read for each visit, because robots.txt may have been read since the slice began.
        """
        if not (await self._database.read(partial(pace.find, lane))).spacing_ms:
            return
        wait_s = 1.0
        while wait_s > 0:
            wait_s = await self._database.write(partial(pace.start, lane, self._clock.now()))
            await asyncio.sleep(wait_s)

    async def _record(self, item: Taken, error: ServiceError) -> None:
        """Record an error: end the item or let it wait for another attempt, and pause its job if necessary."""
        if isinstance(error, JobHalted):
            await self._write(item, partial(rows.give_back, item))
        elif isinstance(error, InsufficientCredits | CapReached):
            await self._write(
                item, partial(_pause, item, "monthly_cap" if error.reason else "credits", self._clock.now())
            )
        elif (wait_s := self._find_wait(item, error)) is not None:
            not_before_ms = epoch_ms(self._clock.now()) + int(1000 * wait_s)
            failures = int(not isinstance(error, Overloaded | BudgetReached))
            again = partial(rows.give_back, item, not_before_ms=not_before_ms, failures=failures)
            await self._write(item, again)
        else:
            state: EndState = "stopped" if isinstance(error, BudgetReached) else "failed"
            ending = Ending(state, code=error.code, reason=error.reason, message=error.message)
            ended = await self._write(item, partial(rows.end, item, ending, 0, self._clock.now()))
            if ended is not None:
                self.endings[state] += 1
                if ended.is_last:
                    await self._tell(item.job.id)

    def _find_wait(self, item: Taken, error: ServiceError) -> float | None:
        """Return the seconds until the next attempt, or None if the error is final."""
        if isinstance(error, Overloaded):
            return error.retry_after_s + random.random()  # noqa: S311  # spreads attempts
        if isinstance(error, BudgetReached):
            return BLOCKED_S if error.may_pass else None
        passes = error.retry_helps and isinstance(error, ProviderError | InternalError)
        if not passes or item.failures + 1 >= ATTEMPTS:
            return None
        asked_s = (error.retry_after_s or 0.0) if isinstance(error, ProviderError) else 0.0
        return max(RETRY_S * float(4**item.failures), asked_s)

    async def _write(self, item: Taken, operation: Callable[[], Operation[T]]) -> T:
        return await self._database.write(operation, account=item.job.account_id, admitted=True)

    async def _tell(self, job_id: str) -> None:
        if self._ended is not None:
            await self._ended(job_id)

    async def take(self, lane: str, limit: int) -> list[Taken]:
        """Take up to `limit` items of the lane."""
        return await self._database.write(partial(rows.take, lane, limit, self._clock.now()))

    async def rest(self, lane: str, seconds: float) -> None:
        """Let the lane rest on all servers, because its host refuses requests."""
        until = self._clock.now() + timedelta(seconds=seconds)
        await self._database.write(partial(pace.rest, lane, until, REFUSALS))


class _Slice:
    """One slice of a lane.

    `rest_s` is set when the host has refused several consecutive visits, or one visit with a time to wait. After a
    rest, one visit runs alone, because a circuit lets one request pass and rejects others until that request has ended.
    """

    def __init__(self, lanes: Lanes, lane: pace.Pace, clock: Clock, width: int) -> None:
        self._lanes = lanes
        self._deadline = Deadline.after(SLICE_S, clock)
        self._refusals = 0
        self._narrow = width - 1 if lane.refusals else 0
        self._room = asyncio.Semaphore(width - self._narrow)
        self.lane = lane
        self.rest_s = 0.0

    @property
    def is_over(self) -> bool:
        """Whether no further item of the slice may visit the upstream. Waiting items are taken again later."""
        return self._deadline.passed or self.rest_s > 0 or self._lanes.stopping

    async def run(self) -> int:
        """Run items until the slice is over or no item is ready. Return the number of items."""
        took, running = 0, set[asyncio.Task[None]]()
        try:
            while True:
                if took < SLICE_ITEMS and not self.is_over:
                    items = await self._lanes.take(self.lane.name, SLICE_ITEMS - took)
                    took += len(items)
                    running |= {asyncio.create_task(self._lanes.run(item, self)) for item in items}
                if not running:
                    break
                ended, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in ended:
                    task.result()
        finally:
            for task in running:
                task.cancel()
        if self.rest_s:
            await self._lanes.rest(self.lane.name, self.rest_s)
        return took

    @asynccontextmanager
    async def visit(self) -> AsyncIterator[None]:
        """Hold a slot for a visit to the upstream. Raises JobHalted if the slice is over."""
        async with self._room:
            if self.is_over:
                raise JobHalted
            try:
                yield
            except ServiceError as error:
                self._note(error)
                raise
            self._note(None)

    def _note(self, error: ServiceError | None) -> None:
        if not isinstance(error, ProviderError) or error.reason not in ("refused", "blocked"):
            self._refusals = 0
            while self._narrow:
                self._narrow -= 1
                self._room.release()
        elif error.retry_after_s:
            self.rest_s = max(self.rest_s, min(error.retry_after_s, REST.total_seconds()))
        else:
            self._refusals += 1
            if self._refusals >= REFUSALS:
                self.rest_s = REST.total_seconds()


def _pause(item: Taken, reason: PauseReason, now: datetime) -> Operation[None]:
    yield from table.pause(item.job.id, reason, now)
    yield from rows.give_back(item)
