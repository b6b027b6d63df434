"""`/api/v1/jobs` and `/api/v1/crawl`: requests for many inputs, or for the pages of a site."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from webquarry.accounts import Caller
from webquarry.api.body import read_body, read_chunks
from webquarry.api.job_operations import ACTS, ARCHIVE, CRAWL, FIND, ITEMS, LIST, PROGRESS, RESULTS, START
from webquarry.api.operations import PATH_PARAMETERS, Handler, Operation, Reply, Request
from webquarry.api.responses import JSON
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams, UnsupportedType
from webquarry.endpoints.json_body import parse_json
from webquarry.endpoints.params import parse
from webquarry.endpoints.portion import NAMES, split_surface
from webquarry.endpoints.registry import Registry
from webquarry.jobs import inputs, statements
from webquarry.jobs.crawl_request import MAX_BODY, CrawlRequest
from webquarry.jobs.crawls import Crawls
from webquarry.jobs.inputs import JobHead, Judge, Lines
from webquarry.jobs.jobs import LAST, Jobs
from webquarry.jobs.records import Job
from webquarry.jobs.results import Results
from webquarry.jobs.statements import ItemsParams, ItemsStatement, JobsParams, JobsStatement, ResultsParams
from webquarry.jobs.statements import JobStatement as Statement
from webquarry.ledger import Ledger
from webquarry.pipeline.call import read_portion
from webquarry.webhooks import Webhooks

_JOB_ID: Final = re.compile(PATH_PARAMETERS["job_id"].pattern)
_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")
LINES: Final = (b"content-type", b"application/x-ndjson")
ZIP: Final = (b"content-type", b"application/zip")
EVENTS: Final = (b"content-type", b"text/event-stream")
NDJSON_TYPES: Final = frozenset({b"application/x-ndjson", b"application/jsonl", b"application/x-jsonlines"})


class JobsApi:
    """Answers requests about jobs.

    Raises the errors of `Jobs` and `Crawls`, and InvalidParams for an invalid request.
    """

    def __init__(
        self,
        jobs: Jobs,
        crawls: Crawls,
        results: Results,
        registry: Registry,
        ledger: Ledger,
        webhooks: Webhooks,
        clock: Clock,
    ) -> None:
        self._jobs = jobs
        self._crawls = crawls
        self._results = results
        self._registry = registry
        self._ledger = ledger
        self._webhooks = webhooks
        self._clock = clock

    @property
    def handlers(self) -> Mapping[Operation, Handler]:
        return {
            START: self._start,
            CRAWL: self._start_crawl,
            LIST: self._list,
            FIND: self._find,
            ITEMS: self._items,
            RESULTS: self._lines,
            ARCHIVE: self._archive,
            PROGRESS: self._events,
            ACTS["cancel"]: self._act(self._jobs.cancel),
            ACTS["pause"]: self._act(self._jobs.pause),
            ACTS["resume"]: self._act(self._jobs.resume),
            ACTS["retry"]: self._act(self._jobs.retry),
        }

    async def _start(self, request: Request) -> Reply:
        kind = request.media
        if kind not in ({b"application/json"} | NDJSON_TYPES):
            raise UnsupportedType("Send the inputs as application/json or application/x-ndjson.")
        key = await self._check_start(request)
        start = self._start_lines if kind in NDJSON_TYPES else self._start_json
        return await self._tell_started(request, await start(request, key))

    async def _start_crawl(self, request: Request) -> Reply:
        if request.media != b"application/json":
            raise UnsupportedType("Send the crawl as application/json.")
        key = await self._check_start(request)
        body = await read_body(request.headers, request.receive, MAX_BODY)
        asked = parse_json(CrawlRequest, body)
        await self._check_webhook(request.caller, asked.webhook)
        started = await self._crawls.start(request.caller, asked, inputs.digest_of(body), idempotency_key=key)
        return await self._tell_started(request, started)

    async def _check_webhook(self, caller: Caller, name: str | None) -> None:
        """Raise InvalidParams if the account has no webhook with this ID or address."""
        if name is None:
            return
        found = await self._webhooks.list_webhooks(caller.account_id)
        if not any(name in (webhook.id, webhook.url) for webhook in found):
            raise InvalidParams(
                "Field 'webhook' is neither the ID nor the address of one of your webhooks. Create one with "
                "POST /webhooks.",
                parameter="webhook",
            )

    async def _check_start(self, request: Request) -> str | None:
        """Check everything that can be checked before the body arrives. Return the idempotency key, or None.

        Raises InvalidParams, TooManyJobs.
        """
        key = request.header(b"idempotency-key")
        if key is None:  # a repeated request is answered even if the account may not start another job
            await self._jobs.check_limits(request.caller.account_id)
            return None
        if not _KEY.fullmatch(key.decode("latin-1")):
            raise InvalidParams("The header Idempotency-Key must have 1 to 255 printable ASCII characters, no spaces.")
        return key.decode()

    async def _tell_started(self, request: Request, job: Job) -> Reply:
        balance = await self._ledger.balance(request.caller.account_id)
        statement = statements.tell_started(job, self._price(job), self._clock.now(), balance)
        location = (b"location", statement.links.self.encode())
        return Reply(statement.model_dump_json().encode(), [JSON, location])

    async def _start_json(self, request: Request, key: str | None) -> Job:
        body = await read_body(request.headers, request.receive, inputs.MAX_JSON_BYTES)
        head, given = inputs.read_json(body)
        checked = inputs.check_all(judge := inputs.make_judge(self._registry, head), inputs.each(given))
        return await self._begin(request, head, judge, checked, key, lambda: inputs.digest_of(body))

    async def _start_lines(self, request: Request, key: str | None) -> Job:
        lines = Lines(read_chunks(request.receive))
        head = inputs.read_head(await lines.first())
        checked = inputs.check_all(judge := inputs.make_judge(self._registry, head), lines.inputs())
        return await self._begin(request, head, judge, checked, key, lambda: lines.digest)

    async def _begin(
        self,
        request: Request,
        head: JobHead,
        judge: Judge,
        checked: AsyncIterator[Sequence[Any]],
        key: str | None,
        digest: Callable[[], str],
    ) -> Job:
        await self._check_webhook(request.caller, head.webhook)
        new = inputs.make_job(head, judge, request.caller, self._clock)
        return await self._jobs.start(new, checked, idempotency_key=key, digest=digest)

    async def _list(self, request: Request) -> Reply:
        asked = parse(JobsParams, request.query)
        if asked.cursor is not None and not _JOB_ID.fullmatch(asked.cursor):
            raise InvalidParams("Parameter 'cursor' must be the next_cursor of an earlier response.")
        jobs = await self._jobs.list_jobs(
            request.caller, state=asked.state, before=asked.cursor or LAST, batch=asked.limit
        )
        now = self._clock.now()
        told = [statements.tell_job(job, self._price(job), now) for job in jobs]
        return Reply.of(JobsStatement(jobs=told, next_cursor=jobs[-1].id if len(jobs) == asked.limit else None))

    async def _find(self, request: Request) -> Reply:
        return Reply.of(self._statement(await self._jobs.find(request.caller, request.id)))

    def _act(self, act: Callable[[Caller, str], Awaitable[Job]]) -> Handler:
        async def answer(request: Request) -> Reply:
            return Reply.of(self._statement(await act(request.caller, request.id)))

        return answer

    async def _items(self, request: Request) -> Reply:
        job = await self._jobs.find(request.caller, request.id)
        asked = parse(ItemsParams, request.query)
        items = await self._jobs.list_items(job, after=asked.after, state=asked.state, batch=asked.limit)
        told = [statements.tell_item(job, item) for item in items]
        return Reply.of(ItemsStatement(items=told, next_after=items[-1].n if len(items) == asked.limit else None))

    async def _lines(self, request: Request) -> Reply:
        job = await self._jobs.find(request.caller, request.id)
        rest, form, portion = split_surface(request.query)
        asked = parse(ResultsParams, rest, NAMES)
        if not any(name == "format" for name, _ in request.query):
            form = job.options.get("format", form)
        extractor = self._registry.by_name.get(job.endpoint)
        if extractor is not None:
            read_portion(extractor, form, portion)  # raises InvalidParams before the response begins
        stream = self._results.lines(
            request.caller, job, after=asked.after, follow=asked.follow, form=form, asked=portion
        )
        return Reply(headers=[LINES], stream=self._results.bound(request.caller, stream))

    async def _archive(self, request: Request) -> Reply:
        job = await self._jobs.find(request.caller, request.id)
        stream = self._results.archive(request.caller, job, form=job.options.get("format", "both"))
        name = b'attachment; filename="%b.zip"' % job.id.encode()
        return Reply(headers=[ZIP, (b"content-disposition", name)], stream=self._results.bound(request.caller, stream))

    async def _events(self, request: Request) -> Reply:
        job = await self._jobs.find(request.caller, request.id)
        stream = self._results.events(
            request.caller, job, lambda found: self._statement(found).model_dump_json().encode()
        )
        return Reply(headers=[EVENTS], stream=self._results.bound(request.caller, stream))

    def _statement(self, job: Job) -> Statement:
        return statements.tell_job(job, self._price(job), self._clock.now())

    def _price(self, job: Job) -> int:
        extractor = self._registry.by_name.get(job.endpoint)
        return 0 if extractor is None else extractor.credits
