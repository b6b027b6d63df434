"""Tool calls: validates the arguments as a request, runs it through the pipeline, and returns the result or error."""

import re
import time
from collections import OrderedDict
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

import orjson

from webquarry.accounts import Caller
from webquarry.core.clock import Clock
from webquarry.core.error_boundary import ErrorBoundary
from webquarry.core.errors import InvalidParams, NotFound, ServiceError
from webquarry.core.log import log
from webquarry.core.metrics import Metrics
from webquarry.core.types import Deadline
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import FORMAT, shown
from webquarry.ledger import Ledger
from webquarry.limits import Limiter
from webquarry.logs.requests import RequestLog
from webquarry.mcp.catalog import BALANCE, CALL_TOOL, FIND_TOOL, GET_JOB, GET_RESULT, START_JOB, Tool
from webquarry.mcp.errors import make_error_result
from webquarry.mcp.jobs import JobTools
from webquarry.mcp.prepared import Form
from webquarry.mcp.results import Results, ToolResult, read_result_id
from webquarry.mcp.short import ShortDoor
from webquarry.pipeline import Bill, Call, Pipeline, is_conversion_id

Arguments = Mapping[str, Any]
_FORMS: Final[Mapping[str, Form]] = {"markdown": "markdown", "json": "json"}
_READ_S: Final = 20.0
"""Maximum time in seconds to find, clean and split a stored result."""
_SEEN_CALLS: Final = 4096
_SEEN_CHARACTERS: Final = 512
_MAX_ARGUMENTS: Final = 64
_LOGGED_CHARACTERS: Final = 500
_MOST: Final = 2**63
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
"""A lone surrogate, which JSON can express as an escape but text cannot contain."""


class ToolCalls:
    """Runs tool calls through the pipeline."""

    def __init__(
        self,
        pipeline: Pipeline,
        ledger: Ledger,
        limiter: Limiter,
        results: Results,
        clock: Clock,
        metrics: Metrics,
        requests: RequestLog,
        short: ShortDoor,
        jobs: JobTools,
    ) -> None:
        self._pipeline = pipeline
        self._ledger = ledger
        self._limiter = limiter
        self._results = results
        self._clock = clock
        self._metrics = metrics
        self._requests = requests
        self._short = short
        self._jobs = jobs
        self._seen: OrderedDict[tuple[str, tuple[tuple[str, str], ...]], Call] = OrderedDict()

    async def call(self, caller: Caller, tool: Tool, arguments: Arguments, request_id: str) -> ToolResult:
        """Return the result of a tool, including errors. Never raises `ServiceError`."""
        began, status, cache, bill = time.perf_counter(), 200, "none", Bill()
        try:
            with ErrorBoundary("tool.failed", extractor=tool.name, request_id=request_id):
                (await self._limiter.take(caller.key_id, caller.account_id)).check()
                if tool.name == CALL_TOOL:
                    tool, arguments = self._short.resolve(arguments)
                if tool.extractor is not None:
                    result, cache = await self._ask(caller, tool.extractor, arguments, request_id, bill)
                else:
                    result = await self._run_own(caller, tool.name, arguments)
        except ServiceError as error:
            await bill.give_back(error)
            status, result = error.status, make_error_result(error, request_id, bill.credits)
        name = tool.extractor.name if tool.extractor else _COUNTED[tool.name]
        self._metrics.called(name, cache, result.code)
        self._requests.note(
            caller.account_id,
            caller.key_id,
            name,
            _start_of(arguments),
            status=status,
            code=result.code,
            cache=cache,
            credits=bill.credits,
            took_s=time.perf_counter() - began,
            request_id=request_id,
        )
        if cache != "hit":  # cache hits are counted but not logged
            log.info("tool", extractor=tool.name, code=result.code, cache=cache, request_id=request_id)
        return result

    async def _run_own(self, caller: Caller, name: str, arguments: Arguments) -> ToolResult:
        """Return the result of a tool that does not belong to an endpoint."""
        if name == GET_RESULT:
            return await self._get_result(caller, arguments)
        if name == FIND_TOOL:
            return await self._short.find(arguments)
        if name in (START_JOB, GET_JOB):
            form, rest = split_form(arguments)
            return await (self._jobs.start if name == START_JOB else self._jobs.get)(caller, rest, form)
        return await self._tell_balance(caller, arguments)

    async def _ask(
        self, caller: Caller, extractor: Extractor, arguments: Arguments, request_id: str, bill: Bill
    ) -> tuple[ToolResult, str]:
        """Return the result of an endpoint's tool, and its cache state.

        A charged result is not replaced by an error: if it cannot be shown, the caller gets a pointer to the stored
        result.
        """
        call, form = self._prepare(extractor, arguments)
        answer = await self._pipeline.answer(caller, call, request_id=request_id, bill=bill)
        deadline = Deadline.after(_READ_S, self._clock)
        try:
            result = await self._results.write(answer, form, caller.account_id, deadline)
        except ServiceError as error:
            if not bill.credits:
                raise
            result = self._results.write_stored(answer, caller.account_id, error, form)
        return result, answer.cache

    def _prepare(self, extractor: Extractor, arguments: Arguments) -> tuple[Call, Form]:
        """Return the validated request for the arguments, and the result's form.

        Recent results are cached, because validation is pure.
        """
        form, rest = split_form(arguments)
        query = tuple(to_query(rest))
        call = self._seen.get((extractor.name, query))
        if call is None:
            call = self._pipeline.prepare(extractor, query)
            if sum(len(name) + len(text) for name, text in query) <= _SEEN_CHARACTERS:
                self._seen[extractor.name, query] = call
                if len(self._seen) > _SEEN_CALLS:
                    self._seen.popitem(last=False)
        return call, form

    async def _get_result(self, caller: Caller, arguments: Arguments) -> ToolResult:
        form, rest = split_form(arguments)
        given = dict(to_query(rest))
        result_id, number, heading = _read_request(given)
        conversion_id = result_id if is_conversion_id(result_id) else read_result_id(result_id, caller.account_id)
        if conversion_id is None:
            raise NotFound(
                "Result not found for this account. IDs are rs_ followed by 48 hexadecimal digits (from tools) or "
                "cv_ followed by 32 (from the API)."
            )
        answer = await self._pipeline.conversion(caller, conversion_id, form)
        deadline = Deadline.after(_READ_S, self._clock)
        if heading is None:
            found = await self._results.find_part(answer, form, number, caller.account_id, deadline)
        else:
            section = await self._results.find_section(answer, heading, number, caller.account_id, deadline)
            if section is None:
                raise NotFound("This result has no such heading. Its first part lists the headings.")
            found = section
        if found.result is None:
            parts = f"{found.parts} part{'' if found.parts == 1 else 's'}"
            raise InvalidParams(f"Parameter 'part' must be from 1 to {found.parts}: this result has {parts}.")
        return found.result

    async def _tell_balance(self, caller: Caller, arguments: Arguments) -> ToolResult:
        if any(value is not None for value in arguments.values()):
            raise InvalidParams("This tool takes no arguments.")
        credits = await self._ledger.balance(caller.account_id)
        text = f"{credits} credit{'' if credits == 1 else 's'} left."
        result = {
            "content": [{"type": "text", "text": text}],
            "structuredContent": {"credits": credits},
            "isError": False,
        }
        return ToolResult(orjson.dumps(result)[:-1])


_COUNTED: Final = {
    GET_RESULT: "conversions",
    BALANCE: "balance",
    FIND_TOOL: "find_tool",
    CALL_TOOL: "call_tool",
    START_JOB: "jobs_start",
    GET_JOB: "jobs_get",
}


def _start_of(arguments: Arguments) -> tuple[tuple[str, str], ...]:
    """Return the first arguments, truncated to the length that the log can show."""
    return tuple((name[:100], str(value)[:_LOGGED_CHARACTERS]) for name, value in islice(arguments.items(), 21))


def split_form(arguments: Arguments) -> tuple[Form, dict[str, Any]]:
    """Return the requested form and the other arguments. Null counts as not given."""
    rest = {name: value for name, value in arguments.items() if value is not None}
    asked = rest.pop(FORMAT.name, "markdown")
    form = _FORMS.get(asked) if isinstance(asked, str) else None
    if form is None:
        raise InvalidParams(f"Parameter 'format' must be one of {', '.join(_FORMS)}.")
    return form, rest


def to_query(arguments: Arguments) -> list[tuple[str, str]]:
    """Return arguments as pairs of text. Raises InvalidParams unless they are text, numbers or booleans."""
    if len(arguments) > _MAX_ARGUMENTS:
        raise InvalidParams(f"The call has more than {_MAX_ARGUMENTS} arguments.")
    return [(name, _to_text(name, value)) for name, value in arguments.items()]


def _to_text(name: str, value: Any) -> str:
    match value:
        case str() if _SURROGATE.search(value) is None:
            return value
        case bool():
            return "true" if value else "false"
        case int() if abs(value) < _MOST:  # Python may refuse to convert longer numbers
            return str(value)
        case float() if value.is_integer() and abs(value) < 1e15:  # some clients send whole numbers as floats
            return str(int(value))
        case float():
            return str(value)
        case list():
            raise InvalidParams(
                f"Parameter '{shown(name)}' must be a string, not a list. Separate several values with commas."
            )
    raise InvalidParams(f"Parameter '{shown(name)}' must be a string, a number, true or false.")


def _read_request(given: dict[str, str]) -> tuple[str, int, str | None]:
    """Return the id, part and heading of a request for more of a result."""
    for name in given:
        if name not in ("id", "part", "heading"):
            raise InvalidParams(
                f"Unknown parameter '{shown(name)}'; valid parameters are 'id', 'part', 'heading' and 'format'."
            )
    if not given.get("id"):
        raise InvalidParams("Parameter 'id' is required: the ID of an earlier result.")
    part = given.get("part", "1")
    if not (part.isascii() and part.isdigit() and len(part) <= 6 and int(part) >= 1):
        raise InvalidParams("Parameter 'part' must be a whole number, 1 or more.")
    heading = given.get("heading", "").strip()
    if len(heading) > 300:
        raise InvalidParams("Parameter 'heading' must be at most 300 characters.")
    return given["id"].strip(), int(part), heading or None
