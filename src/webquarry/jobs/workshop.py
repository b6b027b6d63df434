"""Assembly of the parts that run jobs: the queue, its handlers, and the repairs."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

from webquarry.core.background import run_background
from webquarry.core.clock import Clock
from webquarry.core.settings import Settings
from webquarry.core.shares import Shares
from webquarry.jobs.crawl import Crawl
from webquarry.jobs.crawls import Crawls
from webquarry.jobs.in_process import InProcessQueue
from webquarry.jobs.jobs import Jobs
from webquarry.jobs.kinds import Batch, Kind
from webquarry.jobs.lanes import Lanes, Told
from webquarry.jobs.port import Handler, Queue
from webquarry.jobs.records import LANE
from webquarry.jobs.sweep import Repairs
from webquarry.jobs.table import Limits
from webquarry.pipeline import Pipeline
from webquarry.storage import Database
from webquarry.storage.conversions import Conversions

QUEUE: Final = 100_000
"""Maximum number of items that wait for a slot. Lanes take few items in advance, so this limit is never reached."""


class Workshop:
    """The parts of jobs.

    `handlers` maps further kinds of queue keys to their handlers. `ended` is called with the id of a job when its last
    item has ended.
    """

    def __init__(
        self,
        database: Database,
        pipeline: Pipeline,
        clock: Clock,
        settings: Settings,
        *,
        queue: Queue | None = None,
        kinds: Mapping[str, Kind] | None = None,
        handlers: Mapping[str, Handler] | None = None,
        ended: Told | None = None,
    ) -> None:
        self.queue = queue or make_queue(settings)
        batch = Batch(pipeline.registry)
        crawl = Crawl(database, Conversions(database), pipeline, clock)
        self.kinds: dict[str, Kind] = {batch.name: batch, crawl.name: crawl, **(kinds or {})}
        self.slots = Shares(settings.jobs_at_once, queue=QUEUE)
        self.lanes = Lanes(
            database, pipeline, self.queue, self.kinds, self.slots, clock, width=settings.host_concurrency, ended=ended
        )
        self.repairs = Repairs(database, self.queue, clock)
        self.jobs = Jobs(database, self.queue, clock, Limits(settings.jobs_per_account, settings.job_items_per_account))
        self.crawls = Crawls(self.jobs, crawl, clock)
        self.handlers: dict[str, Handler] = {LANE: self.lanes.work, **(handlers or {})}

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Work on jobs until the context exits.

        Items that do not end within a few seconds after that are run again later.
        """
        async with run_background(self.queue.serve(self.handlers, self._handle)), run_background(self.repairs.run()):
            try:
                yield
            finally:
                self.lanes.stop()
                await self.queue.stop()

    async def _handle(self, kind: str, key: str) -> float | None:
        return await self.handlers[kind](kind, key)


def make_queue(settings: Settings) -> Queue:
    """Return the queue for the store in the settings."""
    if settings.database_url is None:
        return InProcessQueue()
    # imported only if needed, because the import takes a tenth of the startup time
    from webquarry.jobs.postgres import PostgresQueue

    return PostgresQueue(settings.database_url)
