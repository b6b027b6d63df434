"""The inputs of a request for a job. All inputs are parsed and checked before the job starts."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field

from webquarry.accounts import Caller
from webquarry.core.clock import Clock
from webquarry.core.errors import FileTooLarge, InvalidParams
from webquarry.core.spelling import find_meant
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.json_body import parse_json
from webquarry.endpoints.params import FORMAT, parse, shown, split_format
from webquarry.endpoints.portion import NAMES as PORTION_NAMES
from webquarry.endpoints.registry import Registry
from webquarry.jobs.kinds import BATCH
from webquarry.jobs.lane_names import lane_of
from webquarry.jobs.records import NewItem, NewJob, new_job_id

MAX_INPUTS: Final = 10_000
"""Maximum number of inputs in a JSON body."""
MAX_LINES: Final = 100_000
"""Maximum number of inputs in a body of JSON lines."""
MAX_JSON_BYTES: Final = 4 * 1024 * 1024
MAX_LINES_BYTES: Final = 64 * 1024 * 1024
MAX_LINE_BYTES: Final = 16 * 1024
MAX_KEEP_DAYS: Final = 30
FAULTS_TOLD: Final = 20
_FAULT_CHARACTERS: Final = 300
BATCH_SIZE: Final = 200
"""Number of inputs that are checked and stored as a batch. Other requests are served between batches."""
M = TypeVar("M", bound=BaseModel)
Value = str | int | bool | None
Input = Mapping[str, Value]

WEBHOOK: Final = (
    "ID or address of the webhook that is notified when the job ends or pauses. By default, all your webhooks are "
    "notified."
)


class Fresh(BaseModel):
    """The required freshness of cached results, for all items."""

    model_config = ConfigDict(extra="forbid", strict=True)

    max_age: int | None = Field(None, ge=0, description="Maximum age in seconds of a cached result.")
    no_cache: bool = Field(False, description="Whether to run each item even if there is a cached result.")


class JobHead(BaseModel):
    """The request for a job, without its inputs."""

    model_config = ConfigDict(extra="forbid", strict=True)

    operation: str = Field(description="Name of the endpoint, such as `markdown_url`.", examples=["markdown_url"])
    shared: dict[str, Value] = Field(
        {}, description="Parameters of all items. An item's own parameters take precedence."
    )
    max_credits: int | None = Field(
        None, ge=0, description="Maximum number of credits that the job may spend. Items beyond this limit are stopped."
    )
    concurrency: int | None = Field(None, ge=1, le=32, description="Maximum number of items that run at the same time.")
    fresh: Fresh = Field(Fresh(), description="How fresh cached results must be.")
    invalid: Literal["refuse", "skip"] = Field(
        "refuse",
        description="What happens if inputs are invalid. `refuse`: the job doesn't begin. `skip`: invalid "
        "inputs fail, and the others run.",
    )
    name: str | None = Field(None, min_length=1, max_length=200, description="Name for your own use.")
    keep_days: int = Field(
        MAX_KEEP_DAYS, ge=1, le=MAX_KEEP_DAYS, description="Days after which the job and its items are deleted."
    )
    webhook: str | None = Field(None, max_length=2000, description=WEBHOOK)


class JobRequest(JobHead):
    """The request for a job as one JSON object."""

    inputs: list[dict[str, Value]] = Field(
        min_length=1,
        max_length=MAX_INPUTS,
        description="Parameters of each item. A body of JSON lines can have more.",
        examples=[[{"url": "https://example.com/"}]],
    )


@dataclass(frozen=True, slots=True)
class Judge:
    """Checks the inputs of one job. `shared` contains the parameters that all items share, as text."""

    extractor: Extractor
    shared: Mapping[str, str]
    skips: bool

    def check(self, n: int, given: Input) -> NewItem:
        """Return the item for an input. Raises InvalidParams for an invalid input, unless such inputs are skipped."""
        try:
            own = as_text(given)
            params = parse(self.extractor.params, tuple({**self.shared, **own}.items()))
        except InvalidParams:
            if not self.skips:
                raise
            return NewItem({str(name): str(value) for name, value in given.items()}, f"endpoint:{self.extractor.name}")
        return NewItem(own, lane_of(self.extractor, params, n).name)


def read_json(body: bytes) -> tuple[JobHead, list[Input]]:
    """Parse a JSON body into the job's head and inputs. Raises InvalidParams."""
    request = parse_json(JobRequest, body)
    return request, [*request.inputs]


def read_head(line: bytes) -> JobHead:
    """Parse the job's head from the first line of a body of JSON lines. Raises InvalidParams."""
    return parse_json(JobHead, line)


def read_input(line: bytes) -> Input:
    """Parse the input on a line. Raises InvalidParams."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as exc:
        raise InvalidParams("The line is not a JSON object.") from exc
    if not isinstance(value, dict):
        raise InvalidParams("The line is not a JSON object.")
    return value


def make_judge(registry: Registry, head: JobHead) -> Judge:
    """Return the judge of a job's inputs. Raises InvalidParams for an unknown endpoint or parameter."""
    extractor = registry.by_name.get(head.operation)
    if extractor is None:
        meant = find_meant(head.operation, [*registry.by_name])
        hint = f"did you mean '{meant}'?" if meant else "the endpoints are listed at /docs."
        raise InvalidParams(f"Unknown operation '{shown(head.operation)}'; {hint}", parameter="operation")
    if extractor.upload is not None:
        raise InvalidParams(f"'{extractor.name}' takes files: send them as multipart/form-data.", parameter="operation")
    shared = as_text(head.shared)
    for name in shared:
        if name in PORTION_NAMES:
            raise InvalidParams(f"'{name}' belongs to responses: send it with results.ndjson.", parameter=name)
        if name not in extractor.fields and name != FORMAT.name:
            meant = find_meant(name, [*extractor.fields, FORMAT.name])
            raise InvalidParams(f"Unknown parameter '{shown(name)}' in 'shared'" + _guess(meant), parameter=name)
    split_format([*shared.items()])
    shared.pop(FORMAT.name, None)
    return Judge(extractor, shared, head.invalid == "skip")


def make_job(head: JobHead, judge: Judge, caller: Caller, clock: Clock) -> NewJob:
    """Return the job that a request describes."""
    now = clock.now()
    options = {
        "max_age": head.fresh.max_age,
        "no_cache": head.fresh.no_cache or None,
        "format": head.shared.get(FORMAT.name) or FORMAT.default,
    }
    return NewJob(
        id=new_job_id(now),
        account_id=caller.account_id,
        key_id=caller.key_id,
        kind=BATCH,
        endpoint=judge.extractor.name,
        shared=judge.shared,
        options={name: value for name, value in options.items() if value is not None},
        created_at=now,
        expires_at=now + timedelta(days=head.keep_days),
        name=head.name,
        webhook=head.webhook,
        max_credits=head.max_credits,
        concurrency=head.concurrency,
    )


async def check_all(judge: Judge, inputs: AsyncIterator[Input | InvalidParams]) -> AsyncIterator[Sequence[NewItem]]:
    """Yield the items of all inputs in batches.

    Raises InvalidParams, which lists the first errors. After the first error, no more items are yielded, but the
    remaining inputs are still checked.
    """
    faults: list[str] = []
    batch: list[NewItem] = []
    n = -1
    async for given in inputs:
        n += 1
        try:
            if isinstance(given, InvalidParams):
                raise given
            batch.append(judge.check(n, given))
        except InvalidParams as fault:
            faults.append(f"input {n}: {fault.message[:_FAULT_CHARACTERS]}")
            if len(faults) == FAULTS_TOLD:
                break
        if len(batch) == BATCH_SIZE:
            if not faults:
                yield batch
            batch = []
            await asyncio.sleep(0)
    if faults:
        more = " Further inputs were not checked." if len(faults) == FAULTS_TOLD else ""
        raise InvalidParams(f"The job was not started because inputs are invalid: {' '.join(faults)}{more}")
    if n < 0:
        raise InvalidParams("A job needs at least one input.")
    if batch:
        yield batch


async def each(inputs: Iterable[Input]) -> AsyncIterator[Input]:
    """Yield inputs that are in memory."""
    for given in inputs:
        yield given


class Lines:
    """A body of JSON lines, read as it arrives. `digest` is complete after the last line.

    `max_lines` limits the number of lines after the first line.
    """

    def __init__(self, chunks: AsyncIterator[bytes], max_lines: int = MAX_LINES) -> None:
        self._chunks = chunks
        self._max_lines = max_lines
        self._digest = hashlib.sha256()
        self._lines = self._split()

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()

    async def first(self) -> bytes:
        """Return the first line that is not empty. Raises InvalidParams if all lines are empty."""
        async for line in self._lines:
            return line
        raise InvalidParams("The body is empty. Its first line must be a JSON object with `operation`.")

    async def inputs(self) -> AsyncIterator[Input | InvalidParams]:
        """Yield the input on each further line, or its error. Raises InvalidParams if there are too many lines."""
        count = 0
        async for line in self._lines:
            count += 1
            if count > self._max_lines:
                raise InvalidParams(f"The body has more than {self._max_lines:,} inputs.")
            try:
                yield read_input(line)
            except InvalidParams as fault:
                yield fault

    async def _split(self) -> AsyncIterator[bytes]:
        rest, size = b"", 0
        async for chunk in self._chunks:
            size += len(chunk)
            if size > MAX_LINES_BYTES:
                raise FileTooLarge(f"The body is larger than {MAX_LINES_BYTES:,} bytes.")
            self._digest.update(chunk)
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if text := _check_length(line):
                    yield text
            _check_length(rest)
        if text := _check_length(rest):
            yield text


def digest_of(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def as_text(given: Input) -> dict[str, str]:
    """Return parameters as text, in the form that a query has.

    Null values are left out. Raises InvalidParams for other types.
    """
    found: dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, bool):
            found[name] = "true" if value else "false"
        elif isinstance(value, str | int):
            found[name] = str(value)
        elif value is not None:
            raise InvalidParams(f"Parameter '{shown(name)}' must be a string, a whole number, true or false.")
    return found


def _check_length(line: bytes) -> bytes:
    """Return a line without surrounding whitespace. Raises InvalidParams if the line is too long."""
    if len(line) > MAX_LINE_BYTES:
        raise InvalidParams(f"A line of the body has more than {MAX_LINE_BYTES:,} bytes.")
    return line.strip()


def _guess(meant: str | None) -> str:
    return f"; did you mean '{meant}'?" if meant else "."
