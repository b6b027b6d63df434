"""Start of crawls. Once started, a crawl is handled like any other job (`Jobs`)."""

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
    """Starts crawls for interfaces."""

    def __init__(self, jobs: Jobs, crawl: Crawl, clock: Clock) -> None:
        self._jobs = jobs
        self._crawl = crawl
        self._clock = clock

    async def start(
        self, caller: Caller, request: CrawlRequest, digest: str, *, idempotency_key: str | None = None
    ) -> Job:
        """Start the crawl that a request describes. `digest` is the digest of the request's body. See `Jobs.start`.

        The robots.txt of the start URLs is read first, for at most 15 s, so that the crawl keeps the pace from the
        first page on. Raises InvalidParams, and NotFound if `since` is not the id of one of the caller's jobs.
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
