"""`/api/v1`: one ASGI endpoint for every endpoint of the API, which calls the pipeline.

No framework runs between a request and a cached response. The steps are: route, identify the key, check the limit,
validate the query, look in the cache, write headers. A query that was seen recently is not parsed again.
"""

import math
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from webquarry.accounts import Accounts, Caller, credentials_from
from webquarry.api.body import Receive
from webquarry.api.head import RequestHead
from webquarry.api.negotiation import COMPRESSED_FROM, choose_coding, compress, prefers_markdown
from webquarry.api.operations import Handler, Match, Operation, Request, Routes
from webquarry.api.query import read_freshness, read_pairs, with_format
from webquarry.api.responses import JSON, PLAIN_MARKDOWN, Headers, Send, error_body, error_headers, send, send_stream
from webquarry.api.upload import Announced, Uploads
from webquarry.core.clock import Clock
from webquarry.core.error_boundary import ErrorBoundary
from webquarry.core.errors import (
    InvalidParams,
    MethodNotAllowed,
    NotFound,
    ServiceError,
)
from webquarry.core.log import log
from webquarry.core.metrics import Metrics
from webquarry.core.spelling import find_meant
from webquarry.endpoints.declare import Extractor, Format, Upload
from webquarry.endpoints.params import parse
from webquarry.endpoints.portion import NAMES, BlockParams, split_surface
from webquarry.endpoints.registry import API_PREFIX, Registry
from webquarry.ledger import Ledger
from webquarry.limits import WINDOW_S, Allowance, Limiter
from webquarry.logs.requests import RequestLog
from webquarry.pipeline import ANY_FRESH, Answer, Bill, Call, Freshness, Pipeline, is_conversion_id

_CONVERSIONS = f"{API_PREFIX}/conversions/"
_SEEN_QUERIES = 4096
_SEEN_QUERY_BYTES = 512


class _Head(RequestHead):
    """The relevant headers of a request."""

    __slots__ = ()
    READ = frozenset({b"accept", b"accept-encoding", b"cache-control"})

    @property
    def accept(self) -> str:
        return self.texts.get(b"accept", "")

    @property
    def accept_encoding(self) -> str:
        return self.texts.get(b"accept-encoding", "")

    @property
    def freshness(self) -> Freshness:
        directives = self.texts.get(b"cache-control")
        return read_freshness(directives.lower()) if directives else ANY_FRESH


@dataclass(slots=True)
class _Reply:
    """The response being built.

    `headers` are always sent, whatever the outcome. `outcome` contains the headers of the result or error. `bill` is
    the charge for the request. `caller` is None until the caller is identified.
    """

    headers: Headers
    caller: Caller | None = None
    outcome: Headers = field(default_factory=list)
    bill: Bill = field(default_factory=Bill)
    status: int = 200
    body: bytes = b""
    stream: AsyncGenerator[bytes, None] | None = None
    endpoint: str = "none"
    code: str = "internal_error"
    cache: str = "none"


class ApiEndpoint:
    """ASGI application for everything below `/api/v1`."""

    def __init__(
        self,
        registry: Registry,
        pipeline: Pipeline,
        accounts: Accounts,
        ledger: Ledger,
        limiter: Limiter,
        clock: Clock,
        metrics: Metrics,
        requests: RequestLog,
        handlers: Mapping[Operation, Handler],
        *,
        base_url: str,
        sandbox: bool,
    ) -> None:
        self._routes = registry.by_path
        self._operations = Routes(handlers)
        self._paths = [
            *(extractor.path for extractor in registry),
            *(operation.path for operation in handlers),
            "/conversions/{id}",
        ]
        self._pipeline = pipeline
        self._accounts = accounts
        self._ledger = ledger
        self._limiter = limiter
        self._clock = clock
        self._metrics = metrics
        self._requests = requests
        self._help_url = f"{base_url}/docs/errors"
        self._marks: Headers = [(b"x-sandbox", b"true")] if sandbox else []
        self._uploads = Uploads(clock)
        self._seen: OrderedDict[tuple[str, bytes], Call] = OrderedDict()

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, to: Send) -> None:
        began = time.perf_counter()
        head = _Head(scope["headers"])
        reply = _Reply([(b"x-request-id", head.request_id.encode()), *self._marks])
        try:
            with ErrorBoundary("request.failed", request_id=head.request_id):
                await self._answer(scope, receive, head, reply)
                await _compress(head, reply)
        except ServiceError as error:
            await reply.bill.give_back(error)
            self._refuse(error, reply)
        took_s = time.perf_counter() - began
        timing = (b"server-timing", b"total;dur=%.1f" % (1000 * took_s))
        headers = [*reply.headers, *reply.outcome, timing]
        if reply.stream is None:
            await send(scope, reply.status, headers, reply.body, to)
        else:
            await send_stream(reply.status, headers, reply.body, reply.stream, receive, to)
        self._metrics.called(reply.endpoint, reply.cache, reply.code)
        if reply.caller is not None:
            self._requests.note(
                reply.caller.account_id,
                reply.caller.key_id,
                reply.endpoint,
                _query_of(scope),
                status=reply.status,
                code=reply.code,
                cache=reply.cache,
                credits=reply.bill.credits,
                took_s=took_s,
                request_id=head.request_id,
            )
        if reply.cache != "hit":  # hits are counted in a metric, not logged
            log.info(
                "request",
                extractor=reply.endpoint,
                status=reply.status,
                code=reply.code,
                cache=reply.cache,
                ms=round(1000 * took_s, 1),
                request_id=head.request_id,
            )

    async def _answer(self, scope: Mapping[str, Any], receive: Receive, head: _Head, reply: _Reply) -> None:
        extractor, match = self._route(scope["path"], scope["method"])
        reply.endpoint = extractor.name if extractor else match.operation.name if match else "conversions"
        reply.caller = caller = await self._accounts.identify(credentials_from(head.authorization, head.api_keys))
        await self._take(caller, reply)
        if match is not None:
            request = Request(caller, read_pairs(scope["query_string"]), scope["headers"], receive, match.id)
            await _answer_free(match, request, reply)
            return
        if extractor is None:
            answer, form = await self._conversion(caller, scope["path"], scope["query_string"])
        else:
            upload = extractor.upload
            call = (
                self._call(extractor, scope["query_string"])
                if upload is None
                else await self._sent(caller, extractor, upload, scope, receive)
            )
            answer = await self._pipeline.answer(
                caller, call, request_id=head.request_id, freshness=head.freshness, bill=reply.bill
            )
            form = call.format
        remaining = self._ledger.recent_balance(caller.account_id)
        if remaining is None:  # nothing may fail after the charge
            remaining = reply.bill.balance
        if remaining is None:
            remaining = await self._ledger.balance(caller.account_id)
        is_markdown = form != "json" and prefers_markdown(head.accept)
        reply.body = answer.markdown if is_markdown else answer.body
        reply.code, reply.cache = "ok", answer.cache
        reply.outcome = [
            PLAIN_MARKDOWN if is_markdown else JSON,
            (b"x-conversion-id", answer.conversion_id.encode()),
            (b"x-credits-charged", b"%d" % reply.bill.credits),
            (b"x-credits-remaining", b"%d" % remaining),
            (b"x-cache", answer.cache.encode()),
            (b"age", b"%d" % answer.age_s),
            (b"x-fetched-at", answer.ready.asked_at),
        ]

    def _refuse(self, error: ServiceError, reply: _Reply) -> None:
        reply.status, reply.body, reply.code, reply.cache = error.status, error_body(error), error.code, "none"
        reply.stream = None
        charged = (b"x-credits-charged", b"%d" % reply.bill.credits)
        reply.outcome = [*error_headers(error, self._help_url), charged]

    def _route(self, path: str, method: str) -> tuple[Extractor | None, Match | None]:
        """Return the endpoint or the operation at a path. Both are None for a stored conversion."""
        extractor = self._routes.get(path)
        if extractor is None:
            match = self._operations.find(path, method)
            if match is not None:
                return None, match
            if not _is_conversion(path):
                raise NotFound(f"Unknown path; {self._name_closest(path)}")
        allowed = "GET" if extractor is None else extractor.method
        if method != allowed:
            raise MethodNotAllowed(f"This path supports {allowed} only.", (allowed,))
        return extractor, None

    def _name_closest(self, path: str) -> str:
        meant = find_meant(path.removeprefix(API_PREFIX), self._paths)
        return (
            f"did you mean {API_PREFIX}{meant}?"
            if meant
            else "all endpoints are listed at /llms.txt and /openapi.json."
        )

    async def _take(self, caller: Caller, reply: _Reply) -> None:
        allowance = await self._limiter.take(caller.key_id, caller.account_id)
        reply.headers += self._rate_headers(allowance)
        allowance.check()

    def _rate_headers(self, allowance: Allowance) -> Headers:
        """Return the two rate limit fields of the current IETF draft, and their older equivalents.

        For a refused request, they give the time of the next allowed one, like Retry-After.
        """
        reset_s = math.ceil(allowance.reset_s if allowance.allowed else allowance.retry_after_s)
        reset_at = int(self._clock.now().timestamp()) + reset_s
        policy, most = _name_limit(allowance.limit)
        return [
            policy,
            (b"ratelimit", b'"default";r=%d;t=%d' % (allowance.remaining, reset_s)),
            most,
            (b"x-ratelimit-remaining", b"%d" % allowance.remaining),
            (b"x-ratelimit-reset", b"%d" % reset_at),
        ]

    async def _sent(
        self, caller: Caller, extractor: Extractor, upload: Upload, scope: Mapping[str, Any], receive: Receive
    ) -> Call:
        """Return the validated request for an uploaded file.

        The request's headers are checked before its body is read, so that callers who cannot pay or who send too much
        data do not block others.
        """
        query = read_pairs(scope["query_string"])
        announced = Announced(scope["headers"], upload.max_bytes)
        self._pipeline.check_query(extractor, query)
        await self._pipeline.check_balance(caller, extractor)
        received = await self._uploads.receive(announced, receive, caller.account_id)
        return self._pipeline.prepare(extractor, with_format(query, received.format), received.file)

    def _call(self, extractor: Extractor, raw: bytes) -> Call:
        """Return the validated request for a raw query. Recent results are cached, because validation is pure."""
        seen = self._seen.get((extractor.name, raw))
        if seen is not None:
            return seen
        call = self._pipeline.prepare(extractor, read_pairs(raw))
        if len(raw) <= _SEEN_QUERY_BYTES:
            self._seen[extractor.name, raw] = call
            if len(self._seen) > _SEEN_QUERIES:
                self._seen.popitem(last=False)
        return call

    async def _conversion(self, caller: Caller, path: str, raw: bytes) -> tuple[Answer, Format]:
        rest, form, asked = split_surface(read_pairs(raw))
        block = parse(BlockParams, rest, NAMES).block
        if block is not None and asked:
            raise InvalidParams(f"Parameter 'block' can't be combined with '{asked[0][0]}'. Remove one of them.")
        conversion_id = path[len(_CONVERSIONS) :]
        if not is_conversion_id(conversion_id):  # no such id was ever issued
            raise NotFound("Conversion not found. An ID is `cv_` followed by 32 hexadecimal digits.")
        return await self._pipeline.conversion(caller, conversion_id, form, asked, block), form


@cache
def _name_limit(limit: int) -> Headers:
    """Return the headers that depend only on the limit."""
    return [
        (b"ratelimit-policy", b'"default";q=%d;w=%d' % (limit, WINDOW_S)),
        (b"x-ratelimit-limit", b"%d" % limit),
    ]


def _is_conversion(path: str) -> bool:
    return path.startswith(_CONVERSIONS) and "/" not in path[len(_CONVERSIONS) :]


def _query_of(scope: Mapping[str, Any]) -> bytes:
    """Return the raw query as it is logged. The log shows a conversion's id as an ordinary parameter."""
    query: bytes = scope["query_string"]
    if not scope["path"].startswith(_CONVERSIONS):
        return query
    return b"id=%b&%b" % (scope["path"][len(_CONVERSIONS) :].encode(), query)


async def _answer_free(match: Match, request: Request, reply: _Reply) -> None:
    found = await match.answer(request)
    reply.status, reply.outcome = match.operation.status, found.headers
    reply.body, reply.stream = found.body, found.stream
    if reply.stream is not None:
        reply.body = await anext(reply.stream, b"")  # an error before the first piece is sent as an ordinary response
    reply.code = "ok"
    reply.outcome.append((b"x-credits-charged", b"0"))


async def _compress(head: _Head, reply: _Reply) -> None:
    """Compress the body if it is complete and large and the client accepts compression."""
    if reply.stream is not None or len(reply.body) < COMPRESSED_FROM:
        return
    if (coding := choose_coding(head.accept_encoding)) is not None:
        reply.body = await compress(reply.body, coding)
        reply.outcome.append((b"content-encoding", coding.encode()))
