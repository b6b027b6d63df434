"""Operations: free endpoints about accounts, jobs and webhooks, as opposed to the registry's endpoints."""

import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, Self

from pydantic import BaseModel

from webquarry.accounts import Caller
from webquarry.api.body import Receive
from webquarry.api.responses import JSON, Headers
from webquarry.core.errors import InvalidParams, MethodNotAllowed, NotFound
from webquarry.endpoints.declare import Params, Result
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import API_PREFIX

Query = Sequence[tuple[str, str]]


class NoParams(Params):
    """Parameters of an endpoint without a query."""


class PathParameter(NamedTuple):
    """A parameter in a path. `pattern` has no anchors. `unknown` is the error for a value that does not match."""

    description: str
    pattern: str
    unknown: str


PATH_PARAMETERS: Final[Mapping[str, PathParameter]] = {
    "request_id": PathParameter(
        "`X-Request-Id` of the request.",
        "[A-Za-z0-9_-]{1,64}",
        "No receipt found. A request ID has 1 to 64 letters, digits, _ and -.",
    ),
    "job_id": PathParameter(
        "ID of the job.", "job_[0-9a-f]{32}", "Job not found. An ID is `job_` followed by 32 hexadecimal digits."
    ),
    "webhook_id": PathParameter(
        "ID of the webhook.", "wh_[0-9a-f]{24}", "Webhook not found. An ID is `wh_` followed by 24 hexadecimal digits."
    ),
    "delivery_id": PathParameter(
        "ID of the delivery.",
        "msg_[0-9a-f]{32}",
        "Delivery not found. An ID is `msg_` followed by 32 hexadecimal digits.",
    ),
}


@dataclass(frozen=True, slots=True)
class Operation:
    """One endpoint, as documented. `path` has at most one parameter of `PATH_PARAMETERS`.

    tag: its group in the documentation. result: the model of the response, or None for a stream of type `media`. body:
    the model of the JSON body. takes_lines: the body can also be JSON lines. takes_key: it reads `Idempotency-Key`.
    takes_portion: it has the parameters of a response's portion and `format`.
    """

    name: str
    method: Literal["GET", "POST", "DELETE"]
    path: str
    title: str
    description: str
    tag: Literal["account", "jobs", "webhooks"]
    params: type[Params] = NoParams
    result: type[Result] | None = None
    media: str = "application/json"
    status: int = 200
    body: type[BaseModel] | None = None
    takes_lines: bool = False
    takes_key: bool = False
    takes_portion: bool = False

    @property
    def parameter(self) -> str | None:
        """The name of the parameter in the path, or None."""
        found = re.search(r"\{(\w+)\}", self.path)
        return found[1] if found else None


@dataclass(slots=True)
class Request:
    """The parts of a request that an operation reads. `id` is the parameter in the path, or ""."""

    caller: Caller
    query: Query
    headers: Sequence[tuple[bytes, bytes]]
    receive: Receive
    id: str = ""

    def header(self, name: bytes) -> bytes | None:
        """Return the value of a header, or None. Raises InvalidParams if it is repeated."""
        values = [value for given, value in self.headers if given == name]
        if len(values) > 1:
            raise InvalidParams(f"The header {name.decode()} was sent {len(values)} times; send it once.")
        return values[0] if values else None

    @property
    def media(self) -> bytes:
        """The media type of the body, without parameters."""
        return (self.header(b"content-type") or b"").partition(b";")[0].strip().lower()


@dataclass(slots=True)
class Reply:
    """A response: a whole `body`, or a `stream`."""

    body: bytes = b""
    headers: Headers = field(default_factory=lambda: [JSON])
    stream: AsyncGenerator[bytes, None] | None = None

    @classmethod
    def of(cls, result: Result) -> Self:
        return cls(result.model_dump_json().encode())


Handler = Callable[[Request], Awaitable[Reply]]


class Match(NamedTuple):
    """The operation for a path and method, with its handler and the parameter in the path, or ""."""

    operation: Operation
    handler: Handler
    id: str = ""

    async def answer(self, request: Request) -> Reply:
        """Answer a request. Raises NotFound for a malformed id, and the handler's errors."""
        if (name := self.operation.parameter) is not None:
            rule = PATH_PARAMETERS[name]
            if not re.fullmatch(rule.pattern, request.id):
                raise NotFound(rule.unknown)
        if self.operation.params is NoParams:
            parse(NoParams, request.query)
        return await self.handler(request)


class Routes:
    """Operations by path and method."""

    def __init__(self, handlers: Mapping[Operation, Handler]) -> None:
        self._matches: dict[tuple[str, ...], dict[str, Match]] = {}
        for operation, handler in handlers.items():
            key = tuple("" if part.startswith("{") else part for part in operation.path.split("/"))
            self._matches.setdefault(key, {})[operation.method] = Match(operation, handler)

    def find(self, path: str, method: str) -> Match | None:
        """Return the operation, or None if no operation has the path. Raises MethodNotAllowed."""
        parts = tuple(path.removeprefix(API_PREFIX).split("/"))
        if (found := self._matches.get(parts)) is not None:
            return _choose(found, method)
        for at in range(1, len(parts)):
            if parts[at] and (found := self._matches.get((*parts[:at], "", *parts[at + 1 :]))) is not None:
                return _choose(found, method)._replace(id=parts[at])
        return None


def _choose(found: Mapping[str, Match], method: str) -> Match:
    if method not in found:
        allowed = tuple(sorted(found))
        raise MethodNotAllowed(f"This path supports {' and '.join(allowed)} only.", allowed)
    return found[method]
