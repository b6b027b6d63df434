"""Crawls as interfaces begin them. What follows is the same as for other jobs (`Jobs`)."""

from collections.abc import AsyncIterator, Sequence
from typing import Final

from webquarry.accounts import Caller
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams
from webquarry.jobs.crawl import CRAWL, Crawl
from webquarry.jobs.crawl_request import CrawlRequest, make_crawl
from webquarry.jobs.jobs import Jobs
from webquarry.jobs.records import Item, Job, NewItem

_PAGE: Final = 1000
_BATCH: Final = 200


class Crawls:
    """Begins crawls."""

    def __init__(self, jobs: Jobs, crawl: Crawl, clock: Clock) -> None:
        self._jobs = jobs
        self._crawl = crawl
        self._clock = clock

    async def start(
        self, caller: Caller, request: CrawlRequest, digest: str, *, idempotency_key: str | None = None
    ) -> Job:
        """Begin the crawl that a request describes. `digest` is that of its body. See `Jobs.start`.

        robots.txt of the starts is read first, for at most 15 s, so that the first page already keeps the pace.
        Raises InvalidParams, and NotFound if `since` names no job of the caller.
        """
        earlier = [] if request.since is None else await self._list_pages(caller, request.since)
        new, items = make_crawl(request, caller, self._clock, earlier)
        await self._crawl.open_lanes((item.input["url"] for item in items), caller.account_id)

        async def inputs() -> AsyncIterator[Sequence[NewItem]]:
            for at in range(0, len(items), _BATCH):
                yield items[at : at + _BATCH]

        return await self._jobs.start(new, inputs(), idempotency_key=idempotency_key, digest=lambda: digest)

    async def _list_pages(self, caller: Caller, job_id: str) -> list[Item]:
        """Return the pages of an earlier crawl, without copies."""
        job = await self._jobs.find(caller, job_id)
        if job.kind != CRAWL:
            raise InvalidParams(
                "Field 'since' must be the ID of a crawl, not of another kind of job.", parameter="since"
            )
        found: list[Item] = []
        after = -1
        while batch := await self._jobs.list_items(job, after=after, batch=_PAGE):
            after = batch[-1].n
            found += (each for each in batch if each.state == "done" and "copy_of" not in (each.details or {}))
        return found
