"""The tools `start_job` and `get_job`: one endpoint for many inputs, or a crawl, with results in portions."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from webquarry.accounts import Caller
from webquarry.api.operations import PATH_PARAMETERS
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams, NotFound, ServiceError
from webquarry.core.types import Deadline
from webquarry.endpoints.json_body import parse_json
from webquarry.endpoints.params import parse
from webquarry.endpoints.portion import Portion
from webquarry.endpoints.registry import Registry
from webquarry.jobs import inputs
from webquarry.jobs.crawl import CRAWL
from webquarry.jobs.crawl_request import CrawlRequest
from webquarry.jobs.crawls import Crawls
from webquarry.jobs.inputs import JobRequest
from webquarry.jobs.jobs import Jobs
from webquarry.jobs.records import Item, Job
from webquarry.jobs.statements import JobStatement, tell_job, tell_page
from webquarry.mcp.clean import make_line
from webquarry.mcp.prepared import PART_CHARACTERS, Form
from webquarry.mcp.results import Results, ToolResult, make_result_id
from webquarry.pipeline import Pipeline, tell_charge

WAIT_S: Final = 25.0
"""Seconds that a call waits for the job. Clients often give up after a minute."""
POLL_S: Final = 0.5
ITEMS: Final = 50
"""Maximum number of results in a call."""
ITEM_CHARACTERS: Final = 8000
"""Maximum characters of a result within a job. The rest is free with `get_result`."""
_READ_S: Final = 20.0
_MESSAGE_CHARACTERS: Final = 500
_JOB_ID: Final = re.compile(PATH_PARAMETERS["job_id"].pattern)
_STARTS: Final = ("operation", "inputs", "shared", "max_credits", "name")
_GETS: Final = ("id", "after", "query", "max_tokens")


class JobTools:
    """Answers calls of the tools of jobs."""

    def __init__(
        self, jobs: Jobs, crawls: Crawls, registry: Registry, pipeline: Pipeline, results: Results, clock: Clock
    ) -> None:
        self._jobs = jobs
        self._crawls = crawls
        self._registry = registry
        self._pipeline = pipeline
        self._results = results
        self._clock = clock
        self._operations = {each.tool_name: each.name for each in registry}

    async def start(self, caller: Caller, arguments: Mapping[str, Any], form: Form) -> ToolResult:
        """Start a job, wait for it for some seconds, and return what has ended.

        Raises InvalidParams, TooManyJobs, and what `Crawls.start` raises.
        """
        _check_names(arguments, _STARTS)
        if arguments.get("max_credits") is None:
            raise InvalidParams("Parameter 'max_credits' is required: the most that the job may cost.")
        await self._jobs.check_limits(caller.account_id)
        if arguments.get("operation") == CRAWL:
            job = await self._start_crawl(caller, arguments)
        else:
            job = await self._start_batch(caller, arguments)
        return await self._answer(caller, await self._wait_for(caller, job, None), 0, form, ())

    async def get(self, caller: Caller, arguments: Mapping[str, Any], form: Form) -> ToolResult:
        """Return the state of a job and the results after an ending; wait for some seconds if there are no new ones.

        Raises NotFound for a job of another account, InvalidParams.
        """
        _check_names(arguments, _GETS)
        job_id, after = arguments.get("id"), arguments.get("after", 0)
        if not isinstance(job_id, str) or not _JOB_ID.fullmatch(job_id):
            raise NotFound(PATH_PARAMETERS["job_id"].unknown)
        if not isinstance(after, int) or isinstance(after, bool) or not 0 <= after < 2**31:
            raise InvalidParams("Parameter 'after' must be a whole number, 0 or more.")
        asked = [(name, _read_text(name, arguments[name])) for name in ("query", "max_tokens") if name in arguments]
        if asked:
            parse(Portion, asked)  # raises InvalidParams before anything is read
        job = await self._wait_for(caller, await self._jobs.find(caller, job_id), after)
        return await self._answer(caller, job, after, form, asked)

    async def _start_batch(self, caller: Caller, arguments: Mapping[str, Any]) -> Job:
        given = dict(arguments)
        name = given.get("operation")
        if isinstance(name, str):
            given["operation"] = self._operations.get(name, name)
        request = parse_json(JobRequest, _encode(given))
        judge = inputs.make_judge(self._registry, request)
        new = inputs.make_job(request, judge, caller, self._clock)
        return await self._jobs.start(new, inputs.check_all(judge, inputs.each(request.inputs)))

    async def _start_crawl(self, caller: Caller, arguments: Mapping[str, Any]) -> Job:
        given = arguments.get("inputs")
        if not isinstance(given, list) or len(given) != 1 or not isinstance(given[0], dict):
            raise InvalidParams("A crawl has one input: an object with `url` and, for example, `limit` and `include`.")
        if arguments.get("shared"):
            raise InvalidParams("A crawl has no shared parameters: put all of them into its input.")
        common = {name: arguments[name] for name in ("max_credits", "name") if name in arguments}
        body = _encode({**given[0], **common})
        return await self._crawls.start(caller, parse_json(CrawlRequest, body), inputs.digest_of(body))

    async def _answer(
        self, caller: Caller, job: Job, after: int, form: Form, asked: Sequence[tuple[str, str]]
    ) -> ToolResult:
        items = await self._jobs.list_ended(job, after=after, batch=ITEMS)
        deadline = Deadline.after(_READ_S, self._clock)
        entries: list[dict[str, Any]] = []
        texts: list[str] = []
        size = 0
        for item in items:
            entry, text = await self._show(caller, job, item, form, asked, deadline)
            size += len(text)
            if entries and size > PART_CHARACTERS:
                break
            entries.append(entry)
            texts.append(text)
            after = item.ending or after
        is_complete = job.is_over and after >= job.endings
        lead = _tell_state(self._describe(job)) + " " + _tell_next(job, after, form, is_complete=is_complete)
        structured = {
            "job": _list_facts(self._describe(job)),
            "results": entries,
            "after": after,
            "complete": is_complete,
        }
        result = {
            "content": [{"type": "text", "text": "\n\n".join([lead, *texts])}],
            "structuredContent": structured,
            "isError": False,
        }
        return ToolResult(orjson.dumps(result)[:-1])

    async def _wait_for(self, caller: Caller, job: Job, after: int | None) -> Job:
        """Return the job once it does not run, has results after `after`, or the time is over."""
        deadline = Deadline.after(WAIT_S, self._clock)
        while job.state == "running" and not deadline.passed and not self._pipeline.closing:
            if after is not None and job.endings > after:
                break
            await asyncio.sleep(POLL_S)
            job = await self._jobs.find(caller, job.id)
        return job

    async def _show(
        self,
        caller: Caller,
        job: Job,
        item: Item,
        form: Form,
        asked: Sequence[tuple[str, str]],
        deadline: Deadline,
    ) -> tuple[dict[str, Any], str]:
        """Return an ended item as structured content and as text."""
        entry: dict[str, Any] = {
            "n": item.n,
            "state": item.state,
            "input": dict(item.input),
            "creditsCharged": item.charged,
            "cached": item.cached,
            **{name: value for name, value in tell_page(job, item).items() if value is not None and name != "skipped"},
        }
        if item.conversion_id is None:
            message = make_line(item.message or "The item did not run.", _MESSAGE_CHARACTERS)
            entry["error"] = {"code": item.code, "reason": item.reason, "message": message}
            return entry, f"Item {item.n}: {item.state}{f' ({item.code})' if item.code else ''}. {message}"
        entry["id"] = make_result_id(item.conversion_id, caller.account_id)
        try:
            answer = await self._pipeline.conversion(caller, item.conversion_id, form, asked)
            excerpt = await self._results.excerpt(answer, form, ITEM_CHARACTERS, caller.account_id, deadline)
        except ServiceError as error:
            message = make_line(error.message, _MESSAGE_CHARACTERS)
            entry["error"] = {"code": error.code, "reason": error.reason, "message": message}
            return entry, f"Item {item.n}: {message}"
        rest = "" if excerpt.is_whole else f' For the rest, call get_result with id "{entry["id"]}".'
        entry["whole"] = excerpt.is_whole
        if form == "json" and excerpt.is_whole:
            entry["data"] = orjson.loads(excerpt.content)
        elif form == "markdown":
            entry["markdown"] = excerpt.framed
        return entry, f"Item {item.n}: {item.state}.{rest}\n{excerpt.framed}"

    def _describe(self, job: Job) -> JobStatement:
        extractor = self._registry.by_name.get(job.endpoint)
        return tell_job(job, 0 if extractor is None else extractor.credits, self._clock.now())


def _list_facts(told: JobStatement) -> dict[str, Any]:
    return {
        "id": told.id,
        "operation": told.operation,
        "kind": told.kind,
        "state": told.state,
        "reason": told.reason,
        "items": told.items,
        "counts": told.counts.model_dump(),
        "creditsCharged": told.charged,
        "cached": told.cached,
        "maxCredits": told.max_credits,
        "secondsLeft": told.eta_s,
    }


def _tell_state(told: JobStatement) -> str:
    counts = told.counts
    state = f"{told.state} ({told.reason})" if told.reason else told.state
    return (
        f"Job {told.id}: {state}. Items: {told.items} in all, {counts.done} done, {counts.failed} failed, "
        f"{counts.stopped} stopped, {counts.ready + counts.running} left. {tell_charge(told.charged)}"
    )


def _tell_next(job: Job, after: int, form: Form, *, is_complete: bool) -> str:
    if is_complete:
        return "These are the last results."
    if job.state == "paused" and after >= job.endings:
        return "The job is paused. Tell the user; it can be resumed in the API or on the command line."
    asked = f'id "{job.id}", after {after}' + (', format "json"' if form == "json" else "")
    return f"For further results, call get_job with {asked}."


def _encode(given: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(given)
    except orjson.JSONEncodeError as exc:  # a lone surrogate, or a number of more than 64 bits
        raise InvalidParams("The arguments have a text or number that JSON in UTF-8 can't contain.") from exc


def _read_text(name: str, value: Any) -> str:
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    raise InvalidParams(f"Parameter '{name}' must be a string or a number.")


def _check_names(arguments: Mapping[str, Any], known: Sequence[str]) -> None:
    for name in arguments:
        if name not in known:
            raise InvalidParams(
                f"Unknown parameter '{make_line(name, 60)}'; valid parameters are {', '.join(known)} and format."
            )
