"""`/api/v1/jobs` and `/api/v1/crawl`: requests for many inputs, or for the pages of a site."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, get_args

from webquarry.accounts import Caller
from webquarry.api.body import Receive, read_body, read_chunks
from webquarry.api.job_operations import (
    ARCHIVE,
    CRAWL,
    CRAWL_PATH,
    FIND,
    ITEMS,
    LIST,
    OF_JOB,
    PATH,
    PROGRESS,
    RESULTS,
    START,
    JobOperation,
    NoParams,
)
from webquarry.api.responses import JSON, Headers
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams, NotFound, UnsupportedType
from webquarry.core.shares import Shares
from webquarry.core.types import Deadline
from webquarry.endpoints.declare import Result
from webquarry.endpoints.params import parse
from webquarry.endpoints.portion import NAMES, split_surface
from webquarry.endpoints.registry import API_PREFIX, Registry
from webquarry.jobs import inputs, statements
from webquarry.jobs.crawl_request import MAX_BODY
from webquarry.jobs.crawls import Crawls
from webquarry.jobs.inputs import JobHead, Judge, Lines
from webquarry.jobs.jobs import LAST, Jobs
from webquarry.jobs.records import Job
from webquarry.jobs.results import Results
from webquarry.jobs.statements import Action, ItemsParams, ItemsStatement, JobsParams, JobsStatement, ResultsParams
from webquarry.jobs.statements import JobStatement as Statement
from webquarry.ledger import Ledger
from webquarry.pipeline.call import read_portion

_JOB_ID: Final = re.compile(r"job_[0-9a-f]{32}")
_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")
STREAMS: Final = 64
"""Streams that are open at the same time, at most half of them for one account."""
LINES: Final = (b"content-type", b"application/x-ndjson")
ZIP: Final = (b"content-type", b"application/zip")
EVENTS: Final = (b"content-type", b"text/event-stream")
NDJSON_TYPES: Final = frozenset({b"application/x-ndjson", b"application/jsonl", b"application/x-jsonlines"})
Query = Sequence[tuple[str, str]]


@dataclass(slots=True)
class Request:
    """What a job's endpoint reads of a request."""

    caller: Caller
    query: Query
    headers: Sequence[tuple[bytes, bytes]]
    receive: Receive

    def header(self, name: bytes) -> bytes | None:
        """Return the value of a header, or None. Raises InvalidParams if it is repeated."""
        values = [value for given, value in self.headers if given == name]
        if len(values) > 1:
            raise InvalidParams(f"The header {name.decode()} was sent {len(values)} times; send it once.")
        return values[0] if values else None


@dataclass(slots=True)
class JobReply:
    """A response: a whole `body`, or a `stream`."""

    status: int = 200
    headers: Headers = field(default_factory=lambda: [JSON])
    body: bytes = b""
    stream: AsyncIterator[bytes] | None = None


class JobCall(NamedTuple):
    """The endpoint for a path and method, with a function that answers a request to it."""

    operation: JobOperation
    answer: Callable[[Request], Awaitable[JobReply]]


class JobsApi:
    """Finds the endpoint for a path and method."""

    def __init__(
        self, jobs: Jobs, crawls: Crawls, results: Results, registry: Registry, ledger: Ledger, clock: Clock
    ) -> None:
        self._jobs = jobs
        self._crawls = crawls
        self._results = results
        self._registry = registry
        self._ledger = ledger
        self._clock = clock
        self._streams = Shares(STREAMS, most=STREAMS // 2)
        self._root = API_PREFIX + PATH

    def find(self, path: str, method: str) -> JobCall | tuple[str, ...] | None:
        """Return the endpoint, or the methods that the path has if it lacks this one, or None for another path."""
        if path == self._root:
            calls = {"POST": JobCall(START, self._start), "GET": JobCall(LIST, self._list)}
            return calls.get(method) or ("GET", "POST")
        if path == API_PREFIX + CRAWL_PATH:
            return JobCall(CRAWL, self._start_crawl) if method == CRAWL.method else (CRAWL.method,)
        if not path.startswith(self._root + "/"):
            return None
        job_id, slash, step = path[len(self._root) + 1 :].partition("/")
        operation = OF_JOB.get(step) if slash else FIND
        if operation is None or not job_id:
            return None
        return JobCall(operation, self._of(operation, job_id)) if method == operation.method else (operation.method,)

    def _of(self, operation: JobOperation, job_id: str) -> Callable[[Request], Awaitable[JobReply]]:
        """Return the function that answers requests to an endpoint of one job."""
        action = operation.path.rpartition("/")[2]
        answers: dict[str, Callable[[Request, Job], Awaitable[JobReply]]] = {
            ITEMS.name: self._items,
            RESULTS.name: self._lines,
            ARCHIVE.name: self._archive,
            PROGRESS.name: self._events,
            FIND.name: self._tell,
        }

        async def answer(request: Request) -> JobReply:
            if not _JOB_ID.fullmatch(job_id):  # an invalid ID can't exist
                raise NotFound("Job not found. An ID is `job_` followed by 32 hexadecimal digits.")
            job = await self._jobs.find(request.caller, job_id)
            if action in get_args(Action):
                parse(NoParams, request.query)
                act = {"cancel": self._jobs.cancel, "pause": self._jobs.pause}
                act |= {"resume": self._jobs.resume, "retry": self._jobs.retry}
                return await self._tell(request, await act[action](request.caller, job_id))
            return await answers[operation.name](request, job)

        return answer

    async def _start(self, request: Request) -> JobReply:
        kind = _read_type(request)
        if kind not in ({b"application/json"} | NDJSON_TYPES):
            raise UnsupportedType("Send the inputs as application/json or application/x-ndjson.")
        key = await self._check_start(request)
        start = self._start_lines if kind in NDJSON_TYPES else self._start_json
        return await self._tell_started(request, await start(request, key))

    async def _start_crawl(self, request: Request) -> JobReply:
        if _read_type(request) != b"application/json":
            raise UnsupportedType("Send the crawl as application/json.")
        key = await self._check_start(request)
        body = await read_body(request.headers, request.receive, MAX_BODY)
        return await self._tell_started(request, await self._crawls.start(request.caller, body, idempotency_key=key))

    async def _check_start(self, request: Request) -> str | None:
        """Check what is known before the body arrives. Return the idempotency key, or None.

        Raises InvalidParams, TooManyJobs.
        """
        parse(NoParams, request.query)
        key = request.header(b"idempotency-key")
        if key is None:  # a repeated request is answered even by an account that may start no further job
            await self._jobs.check_limits(request.caller.account_id)
            return None
        if not _KEY.fullmatch(key.decode("latin-1")):
            raise InvalidParams("The header Idempotency-Key must have 1 to 255 printable ASCII characters, no spaces.")
        return key.decode()

    async def _tell_started(self, request: Request, job: Job) -> JobReply:
        balance = await self._ledger.balance(request.caller.account_id)
        statement = statements.tell_started(job, self._price(job), self._clock.now(), balance)
        return JobReply(202, [JSON, (b"location", statement.links.self.encode())], statement.model_dump_json().encode())

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
        new = inputs.make_job(head, judge, request.caller, self._clock)
        return await self._jobs.start(new, checked, idempotency_key=key, digest=digest)

    async def _list(self, request: Request) -> JobReply:
        asked = parse(JobsParams, request.query)
        if asked.cursor is not None and not _JOB_ID.fullmatch(asked.cursor):
            raise InvalidParams("Parameter 'cursor' must be the next_cursor of an earlier response.")
        jobs = await self._jobs.list_jobs(
            request.caller, state=asked.state, before=asked.cursor or LAST, batch=asked.limit
        )
        now = self._clock.now()
        told = [statements.tell_job(job, self._price(job), now) for job in jobs]
        return _reply(JobsStatement(jobs=told, next_cursor=jobs[-1].id if len(jobs) == asked.limit else None))

    async def _tell(self, request: Request, job: Job) -> JobReply:
        parse(NoParams, request.query)
        return _reply(self._statement(job))

    async def _items(self, request: Request, job: Job) -> JobReply:
        asked = parse(ItemsParams, request.query)
        items = await self._jobs.list_items(job, after=asked.after, state=asked.state, batch=asked.limit)
        told = [statements.tell_item(job, item) for item in items]
        return _reply(ItemsStatement(items=told, next_after=items[-1].n if len(items) == asked.limit else None))

    async def _lines(self, request: Request, job: Job) -> JobReply:
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
        return JobReply(headers=[LINES], stream=self._bound(request.caller, stream))

    async def _archive(self, request: Request, job: Job) -> JobReply:
        parse(NoParams, request.query)
        stream = self._results.archive(request.caller, job, form=job.options.get("format", "both"))
        name = b'attachment; filename="%b.zip"' % job.id.encode()
        return JobReply(headers=[ZIP, (b"content-disposition", name)], stream=self._bound(request.caller, stream))

    async def _events(self, request: Request, job: Job) -> JobReply:
        parse(NoParams, request.query)
        stream = self._results.events(
            request.caller, job, lambda found: self._statement(found).model_dump_json().encode()
        )
        return JobReply(headers=[EVENTS], stream=self._bound(request.caller, stream))

    async def _bound(self, caller: Caller, stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Yield a stream while it holds a slot. Raises Overloaded before its first piece if there are too many."""
        async with self._streams.slot(caller.account_id, Deadline.after(1.0, self._clock)):
            async for piece in stream:
                yield piece

    def _statement(self, job: Job) -> Statement:
        return statements.tell_job(job, self._price(job), self._clock.now())

    def _price(self, job: Job) -> int:
        extractor = self._registry.by_name.get(job.endpoint)
        return 0 if extractor is None else extractor.credits


def _read_type(request: Request) -> bytes:
    """Return the media type of the body, without parameters."""
    return (request.header(b"content-type") or b"").partition(b";")[0].strip().lower()


def _reply(result: Result) -> JobReply:
    return JobReply(body=result.model_dump_json().encode())
