"""The operations on jobs that interfaces offer."""

import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Final

from webquarry.accounts import Caller
from webquarry.core.clock import Clock
from webquarry.core.errors import KeyReused, NotFound, TooManyJobs
from webquarry.jobs import rows, table
from webquarry.jobs.port import Queue
from webquarry.jobs.records import LANE, Item, ItemState, Job, JobState, NewItem, NewJob
from webquarry.jobs.standing import QueueStanding, read_standing
from webquarry.jobs.table import Limits, Refusal
from webquarry.storage import Database

LAST: Final = "job_~"
"""A text that sorts after every job id."""
PAGE: Final = 1000


class Jobs:
    """The jobs of all accounts. For a job of another account, NotFound is raised, as for a job that does not exist."""

    def __init__(self, database: Database, queue: Queue, clock: Clock, limits: Limits) -> None:
        self._database = database
        self._queue = queue
        self._clock = clock
        self.limits = limits

    async def check_limits(self, account_id: str) -> None:
        """Raise TooManyJobs if the account can't start another job.

        This can be called before a request's inputs have arrived.
        """
        jobs, items = await self._database.read(partial(table.read_load, account_id))
        if jobs >= self.limits.jobs:
            raise self._make_error(Refusal("jobs", jobs))
        if items >= self.limits.items:
            raise self._make_error(Refusal("items", items))

    async def start(
        self,
        new: NewJob,
        inputs: AsyncIterator[Sequence[NewItem]],
        *,
        idempotency_key: str | None = None,
        digest: Callable[[], str] = lambda: secrets.token_hex(16),
    ) -> Job:
        """Store a job with its items, start it and return it.

        If `inputs` raises, the job is deleted. `digest` returns a digest of the request after all inputs have been
        read. If an earlier request had the same idempotency key, the job of that request is returned. Raises KeyReused
        if the earlier request was different, and TooManyJobs.
        """
        account = new.account_id
        await self._database.write(partial(table.create, new), account=account)
        count, begun = 0, None
        try:
            async for batch in inputs:
                await self._database.write(partial(rows.add, new.id, count, batch), account=account)
                count += len(batch)
            begin = partial(table.begin, new, count, self.limits, self._clock.now(), idempotency_key, digest())
            begun = await self._database.write(begin, account=account)
        finally:
            if begun is None or begun.refusal is not None or begun.job_id != new.id:
                await self._drop(new.id)
        if begun.refusal is not None:
            raise self._make_error(begun.refusal)
        await self._put_lanes(begun.job_id)
        return await self._read(begun.job_id, account)

    async def find(self, caller: Caller, job_id: str) -> Job:
        """Return the caller's job. Raises NotFound."""
        return await self._read(job_id, caller.account_id)

    async def list_jobs(
        self, caller: Caller, *, state: JobState | None = None, before: str = LAST, batch: int = 50
    ) -> list[Job]:
        """Return the caller's jobs with ids before `before`, newest first."""
        find = partial(table.list_jobs, caller.account_id, state=state, before=before, batch=batch)
        return await self._database.read(find)

    async def list_items(
        self, job: Job, *, after: int = -1, state: ItemState | None = None, batch: int = PAGE
    ) -> list[Item]:
        """Return the job's items with numbers above `after`."""
        return await self._database.read(partial(table.list_items, job, after=after, state=state, batch=batch))

    async def list_ended(self, job: Job, *, after: int = 0, batch: int = PAGE) -> list[Item]:
        """Return the job's ended items in the order in which they ended, starting after ending number `after`."""
        return await self._database.read(partial(table.list_ended, job, after=after, batch=batch))

    async def pause(self, caller: Caller, job_id: str) -> Job:
        """Pause a job: running items continue, but no further items start. A job that is not running is not changed."""
        job = await self.find(caller, job_id)
        await self._database.write(partial(table.pause, job.id, "user", self._clock.now()), account=job.account_id)
        return await self.find(caller, job_id)

    async def resume(self, caller: Caller, job_id: str) -> Job:
        """Resume a paused job with the key of this request."""
        job = await self.find(caller, job_id)
        if await self._database.write(partial(table.resume, job.id, caller.key_id), account=job.account_id):
            await self._put_lanes(job.id)
        return await self.find(caller, job_id)

    async def cancel(self, caller: Caller, job_id: str) -> Job:
        """Cancel a job: its items are no longer charged. A job that has ended is not changed."""
        job, now = await self.find(caller, job_id), self._clock.now()
        if await self._database.write(partial(table.cancel, job.id, now), account=job.account_id):
            while await self._database.write(partial(table.stop_rows, job.id, now), account=job.account_id):
                pass
        return await self.find(caller, job_id)

    async def retry(self, caller: Caller, job_id: str) -> Job:
        """Retry the failed items whose error may be temporary. A canceled job is not changed."""
        job = await self.find(caller, job_id)
        if await self._database.write(partial(table.retry, job.id), account=job.account_id):
            await self._put_lanes(job.id)
        return await self.find(caller, job_id)

    async def read_standing(self) -> QueueStanding:
        """Return how well running jobs of all accounts are served."""
        return await self._database.read(partial(read_standing, self._clock.now()))

    async def _read(self, job_id: str, account_id: str) -> Job:
        job = await self._database.read(partial(table.find, job_id, account_id))
        if job is None:
            raise NotFound("Job not found: it does not exist, has expired, or belongs to another account.")
        return job

    async def _put_lanes(self, job_id: str) -> None:
        await self._queue.put(LANE, *await self._database.read(partial(table.list_lanes, job_id)))

    async def _drop(self, job_id: str) -> None:
        while await self._database.write(partial(table.drop, job_id), admitted=True):
            pass

    def _make_error(self, refusal: Refusal) -> KeyReused | TooManyJobs:
        if refusal.reason == "key":
            return KeyReused()
        if refusal.reason == "jobs":
            return TooManyJobs(
                f"Your account has {refusal.used} open jobs and may have {self.limits.jobs}. Wait until one ends, or "
                "cancel one."
            )
        return TooManyJobs(
            f"Your account has {refusal.used:,} items in open jobs, and may have {self.limits.items:,} together with "
            "this job. Send fewer items, or wait until some items have ended."
        )
