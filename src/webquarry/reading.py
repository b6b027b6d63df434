"""Large wires of sources are read in children, and large answers are written there: a reader and a renderer are kept as
they are, and called there by their names.

The service runs `Readers` behind `Net`; the child runs `read`, which tells everything that a reader can do: give a
result, raise, and count losses; and `write`.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pkgutil import resolve_name
from typing import Any, Final, get_type_hints

from pydantic import BaseModel, TypeAdapter, ValidationError

from webquarry.declare import Artifacts, Params, faults, name_of
from webquarry.errors import ConversionFailed, ProviderError, ServiceError
from webquarry.log import log
from webquarry.read import counting
from webquarry.read.losses import lose
from webquarry.types import Deadline, Wire
from webquarry.workers.parcel import Parcel
from webquarry.workers.workers import Workers

JOB: Final = "webquarry.reading:read"
WRITE: Final = "webquarry.reading:write"
MAX_RESULT: Final = 500_000
"""Bytes as JSON of a result that becomes objects of the service again, which takes 30 ms: ten times what a page of any
source gives."""
MAX_ANSWER: Final = 10_000_000
"""Bytes of an answer's data, and of its markdown: what the service moves at once without holding up others."""
_MAX_LOSSES: Final = 1000
"""Paths told; readers have some dozens."""


class Readers:
    """Reads and writes in the children of a service."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def __call__(
        self, reader: Callable[..., Any], wire: Wire, params: tuple[Params, ...], deadline: Deadline, account: str
    ) -> Any:
        """What `reader(wire, *params)` gives, and the losses that it counted. Raises what it raises of the errors that
        readers may raise; ConversionFailed when it takes too much, or breaks."""
        given = await self._read(reader, None, wire, params, deadline, account)
        shape = await asyncio.to_thread(_shape, reader)  # the first time it takes up to 0.2 s of the interpreter
        return shape.validate_json(given.pieces[0])

    async def answer(
        self,
        reader: Callable[..., Any],
        render: Callable[[Any], str],
        wire: Wire,
        params: tuple[Params, ...],
        deadline: Deadline,
        account: str,
    ) -> Artifacts:
        """The same as the two forms of an answer."""
        given = await self._read(reader, render, wire, params, deadline, account)
        return Artifacts(*given.pieces)

    async def write(
        self, render: Callable[[Any], str], model: type[BaseModel], data: bytes, deadline: Deadline, account: str
    ) -> bytes:
        """The markdown of a result, by its JSON. ConversionFailed when it takes too much, or breaks."""
        options = {"render": name_of(render), "model": name_of(model)}
        given: Parcel = await self._workers.run(
            WRITE, data, options, deadline=deadline, account=account, subject="answer"
        )
        return given.pieces[0]

    async def _read(
        self,
        reader: Callable[..., Any],
        render: Callable[[Any], str] | None,
        wire: Wire,
        params: tuple[Params, ...],
        deadline: Deadline,
        account: str,
    ) -> Parcel:
        options = {
            "reader": name_of(reader),
            "render": None if render is None else name_of(render),
            "wire": wire.about(),
            "params": [[name_of(type(each)), _adapt(type(each)).dump_python(each, mode="json")] for each in params],
        }
        given: Parcel = await self._workers.run(
            JOB, wire.body, options, deadline=deadline, account=account, subject="answer"
        )
        for path, count in given.facts["losses"].items():
            lose(path, count)
        if given.facts["faults"]:
            log.warning("result.invalid", reader=options["reader"], faults=given.facts["faults"])
        if error := given.facts["error"]:
            raise _error(error)
        return given


def read(
    body: bytes, *, reader: str, render: str | None, wire: Mapping[str, Any], params: list[tuple[str, Any]]
) -> Parcel:
    """What a reader does with a wire.

    facts: {"losses": {path: number}, "error": what it raised, or None, "faults": what its model refused}; the pieces
    are its result as JSON and, where `render` is named, as markdown.
    """
    function: Callable[..., Any] = resolve_name(reader)
    given = [_adapt(resolve_name(name)).validate_python(value) for name, value in params]
    pieces: tuple[bytes, ...] = ()
    error, refused = None, list[str]()
    with counting() as losses:
        try:
            result = function(Wire.of(wire, body), *given)
            if render is None:
                pieces = _bounded(MAX_RESULT, _shape(function).dump_json(result))
            else:
                markdown: str = resolve_name(render)(result)
                pieces = _bounded(MAX_ANSWER, result.model_dump_json().encode(), markdown.encode())
        except ServiceError as exc:
            wait_s = getattr(exc, "retry_after_s", None)
            error = {"is": _kind(exc), "message": exc.message, "reason": exc.reason, "retry_after_s": wait_s}
        except ValidationError as exc:
            refused = faults(exc)
            message = "The upstream's answer has changed its form."
            error = {"is": _kind(ProviderError), "message": message, "reason": "changed", "retry_after_s": None}
    outcome = {"losses": dict(losses.most_common(_MAX_LOSSES)), "error": error, "faults": refused}
    return Parcel(outcome, pieces)


def write(body: bytes, *, render: str, model: str) -> Parcel:
    """The one piece is the markdown of a result. body: the result as JSON."""
    result = resolve_name(model).model_validate_json(body)
    return Parcel(None, _bounded(MAX_ANSWER, resolve_name(render)(result).encode()))


def _bounded(most: int, *pieces: bytes) -> tuple[bytes, ...]:
    if max(map(len, pieces)) > most:
        raise ConversionFailed("The source's answer holds more than any that is known of it.", reason="limits")
    return pieces


@cache
def _adapt(kind: type) -> TypeAdapter[Any]:
    """How what a reader is given goes to a child: parameters, and single values of them."""
    return TypeAdapter(kind)


@cache
def _shape(reader: Callable[..., Any]) -> TypeAdapter[Any]:
    """The form of what a reader gives, by its annotation."""
    return TypeAdapter(get_type_hints(reader)["return"])


def _kind(error: ServiceError | type[ServiceError]) -> str:
    kind = error if isinstance(error, type) else type(error)
    return f"{kind.__module__}:{kind.__qualname__}"


def _error(fields: Mapping[str, Any]) -> ServiceError:
    """What a reader raised: one of the kinds of error that this process knows too, readers' own among them."""
    kind = next((kind for kind in _kinds(ServiceError) if _kind(kind) == fields["is"]), ProviderError)
    error = kind.__new__(kind)  # each kind is made of other things; what they come to is told
    Exception.__init__(error, fields["message"])
    error.message, error.reason = fields["message"], fields["reason"]
    if isinstance(error, ProviderError):
        error.retry_after_s = fields["retry_after_s"]
    return error


def _kinds(kind: type[ServiceError]) -> Iterator[type[ServiceError]]:
    yield kind
    for further in kind.__subclasses__():
        yield from _kinds(further)
