"""Reading of large wires and writing of large results in child processes, which call readers and renderers by name.

The service runs `Readers` behind `Net`. A child runs `read`, which reports the reader's result or error and its counts
of lost values, and `write`.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pkgutil import resolve_name
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_type_hints

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from webquarry.core.errors import (
    ConversionFailed,
    ConversionReason,
    ExtractionError,
    InvalidParams,
    ProviderError,
    ProviderReason,
    ServiceError,
)
from webquarry.core.log import log
from webquarry.core.types import Deadline, Wire
from webquarry.endpoints.declare import Artifacts, Params, name_of
from webquarry.endpoints.models import MAX_FAULTS_TOLD, faults
from webquarry.read import counting
from webquarry.read.losses import lose
from webquarry.workers.job import Count, Facts, Job, Line, Piece, ReplyError, Word, to_line
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import Data, Text
from webquarry.workers.workers import Workers

JOB: Final = "webquarry.endpoints.reading:read"
WRITE: Final = "webquarry.endpoints.reading:write"
MAX_RESULT: Final = 500_000
"""Maximum bytes of a result's JSON that the service parses itself, which takes 30 ms.

This is ten times the size of the largest result page.
"""
MAX_ANSWER: Final = 10_000_000
"""Maximum bytes of a result's data, and of its markdown, that the service can pass on without delaying other requests.
"""
_MAX_LOSSES: Final = 1000
"""Maximum number of reported paths. Readers have a few dozen."""
_REASONS: Final[Mapping[str, tuple[str, ...]]] = {
    ProviderError.code: get_args(ProviderReason),
    ConversionFailed.code: get_args(ConversionReason),
}


class RaisedFacts(Facts):
    """An error raised by a reader. `kind` is the name of its class, from `_kind`."""

    kind: Line
    message: Line
    reason: Word | None
    retry_after_s: Annotated[float, Field(ge=0, le=1e9)] | None


class _CountedFacts(Facts):
    """`losses` counts lost values by path. `faults` are the validation errors of the result's model."""

    losses: Annotated[dict[Line, Count], Field(max_length=_MAX_LOSSES)]
    faults: Annotated[list[Line], Field(max_length=MAX_FAULTS_TOLD)]


class ReadFacts(_CountedFacts):
    """The reader returned a result. The pieces are its JSON and, if requested, its markdown."""

    error: None = None


class FailedFacts(_CountedFacts):
    """The reader raised an error."""

    error: RaisedFacts


ReadReply = ReadFacts | FailedFacts
WRITTEN: Final[Job[None]] = Job(WRITE, None, {NoneType: (Text(MAX_ANSWER),)})


class Readers:
    """Reads and writes in the service's child processes."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def __call__(
        self, reader: Callable[..., Any], wire: Wire, params: tuple[Params, ...], deadline: Deadline, account: str
    ) -> Any:
        """Return `reader(wire, *params)`, and count the values that the reader did not find.

        Raises the errors that readers may raise, and ConversionFailed if the child process exceeds a limit or crashes.
        """
        shape = await asyncio.to_thread(_shape, reader)  # the first call may hold the interpreter for 0.2 s
        pieces = (Data(reader, MAX_RESULT, is_exact=False),)
        given = await self._read(reader, None, pieces, wire, params, deadline, account)
        return shape.validate_json(given[0])

    async def answer(
        self,
        reader: Callable[..., Any],
        render: Callable[[Any], str],
        wire: Wire,
        params: tuple[Params, ...],
        deadline: Deadline,
        account: str,
    ) -> Artifacts:
        """Return the result of a reader as JSON and markdown. See `__call__`."""
        await asyncio.to_thread(_shape, reader)
        pieces = (Data(reader, MAX_ANSWER), Text(MAX_ANSWER))
        data, markdown = await self._read(reader, render, pieces, wire, params, deadline, account)
        return Artifacts(data, markdown)

    async def write(
        self, render: Callable[[Any], str], model: type[BaseModel], data: bytes, deadline: Deadline, account: str
    ) -> bytes:
        """Return the markdown for a result's JSON.

        Raises ConversionFailed if the child process exceeds a limit or crashes.
        """
        options = {"render": name_of(render), "model": name_of(model)}
        given = await self._workers.run(WRITTEN, data, options, deadline=deadline, account=account, subject="answer")
        return given.pieces[0]

    async def _read(
        self,
        reader: Callable[..., Any],
        render: Callable[[Any], str] | None,
        pieces: tuple[Piece, ...],
        wire: Wire,
        params: tuple[Params, ...],
        deadline: Deadline,
        account: str,
    ) -> tuple[bytes, ...]:
        options = {
            "reader": name_of(reader),
            "render": None if render is None else name_of(render),
            "wire": wire.about(),
            "params": [[name_of(type(each)), _adapt(type(each)).dump_python(each, mode="json")] for each in params],
        }
        job: Job[ReadReply] = Job(JOB, ReadReply, {ReadFacts: pieces}, rule=_check_error)
        given = await self._workers.run(
            job, wire.body, options, deadline=deadline, account=account, origin=wire.origin, subject="answer"
        )
        facts = given.facts
        for path, count in facts.losses.items():
            lose(path, count)
        if facts.faults:
            log.warning("result.invalid", reader=options["reader"], faults=facts.faults)
        if isinstance(facts, FailedFacts):
            raise _error(facts.error)
        return given.pieces


def read(
    body: bytes, *, reader: str, render: str | None, wire: Mapping[str, Any], params: list[tuple[str, Any]]
) -> Parcel[ReadReply]:
    """Run a reader on a wire. The pieces are its result as JSON and, if `render` is given, as markdown."""
    function: Callable[..., Any] = resolve_name(reader)
    given = [_adapt(resolve_name(name)).validate_python(value) for name, value in params]
    pieces: tuple[bytes, ...] = ()
    error: RaisedFacts | None = None
    refused: list[str] = []
    with counting() as losses:
        try:
            result = function(Wire.of(wire, body), *given)
            if render is None:
                pieces = _bounded(MAX_RESULT, _shape(function).dump_json(result))
            else:
                markdown: str = resolve_name(render)(result)
                pieces = _bounded(MAX_ANSWER, _shape(function).dump_json(result), markdown.encode())
        except ServiceError as exc:
            wait_s = getattr(exc, "retry_after_s", None)
            message = to_line(exc.message)
            error = RaisedFacts(kind=_kind(exc), message=message, reason=exc.reason, retry_after_s=wait_s)
        except ValidationError as exc:
            refused = faults(exc)
            message = "The provider's response has changed its format."
            error = RaisedFacts(kind=_kind(ProviderError), message=message, reason="changed", retry_after_s=None)
    counted = {to_line(path): count for path, count in losses.most_common(_MAX_LOSSES)}
    if error is None:
        return Parcel(ReadFacts(losses=counted, faults=refused), pieces)
    return Parcel(FailedFacts(losses=counted, faults=[to_line(fault) for fault in refused], error=error))


def write(body: bytes, *, render: str, model: str) -> Parcel[None]:
    """Return the markdown of a result as the only piece. `body` is the result as JSON."""
    result = resolve_name(model).model_validate_json(body)
    return Parcel(None, _bounded(MAX_ANSWER, resolve_name(render)(result).encode()))


def _bounded(most: int, *pieces: bytes) -> tuple[bytes, ...]:
    if max(map(len, pieces)) > most:
        raise ConversionFailed("The provider's response is larger than expected.", reason="limits")
    return pieces


@cache
def _adapt(kind: type) -> TypeAdapter[Any]:
    """Return an adapter that serializes a reader's arguments for a child process."""
    return TypeAdapter(kind)


@cache
def _shape(reader: Callable[..., Any]) -> TypeAdapter[Any]:
    """Return an adapter for the return annotation of a reader."""
    return TypeAdapter(get_type_hints(reader)["return"])


def _kind(error: ServiceError | type[ServiceError]) -> str:
    kind = error if isinstance(error, type) else type(error)
    return f"{kind.__module__}:{kind.__qualname__}"


def _check_error(made: Parcel[ReadReply], _known: Mapping[str, Any]) -> None:
    """Raise ReplyError for an error that readers never raise, such as an error about keys, balances or this service."""
    if not isinstance(made.facts, FailedFacts):
        return
    error = made.facts.error
    kind = _find_kind(error.kind)
    if kind is None or (error.reason not in _REASONS.get(kind.code, (error.reason,))):
        raise ReplyError("it raised an unexpected error")


def _error(raised: RaisedFacts) -> ServiceError:
    """Return the error that a reader raised."""
    kind = _find_kind(raised.kind)
    if kind is None:
        raise LookupError(raised.kind)  # `_check_error` rejects such a reply
    # don't call the constructor, because constructors differ and only the resulting attributes were sent
    error = kind.__new__(kind)
    Exception.__init__(error, raised.message)
    error.message, error.reason = raised.message, raised.reason
    if isinstance(error, ProviderError):
        error.retry_after_s = raised.retry_after_s
    if isinstance(error, InvalidParams):
        error.parameter = None
    return error


def _find_kind(name: str) -> type[ServiceError] | None:
    """Return the error class with this name that a reader may raise, including classes of readers, or None."""
    return next(
        (kind for base in (ExtractionError, InvalidParams) for kind in _kinds(base) if _kind(kind) == name), None
    )


def _kinds(kind: type[ServiceError]) -> Iterator[type[ServiceError]]:
    yield kind
    for further in kind.__subclasses__():
        yield from _kinds(further)
