"""The endpoint of `/mcp`. It checks Host, Origin, caller, tools and body, then uses the direct path or the SDK."""

from collections import deque
from collections.abc import Mapping, MutableMapping
from typing import Any, Final

import orjson

from webquarry.api.body import Receive, read_body
from webquarry.api.responses import JSON, Headers, Send, error_body, error_headers, send
from webquarry.core.error_boundary import ErrorBoundary
from webquarry.core.errors import InvalidParams, MethodNotAllowed, ServiceError, Unauthorized
from webquarry.limits import Limiter
from webquarry.mcp.access import Access, ForeignPage, Misdirected
from webquarry.mcp.calls import ToolCalls
from webquarry.mcp.catalog import Catalog
from webquarry.mcp.direct import RequestHeaders, make_modern_tail, read_call, sends_json, write_answer
from webquarry.mcp.messages import NoMessage, check_message
from webquarry.mcp.official import OfficialServer
from webquarry.mcp.visit import VISIT, Visit

Message = MutableMapping[str, Any]

MAX_BODY_BYTES: Final = 256 * 1024
MESSAGES_PER_MINUTE: Final = 600
"""Maximum number of messages per minute and account, not counting tool calls: handshakes, lists and pings, which are
free.
"""
_METHODS: Final = ("POST", "OPTIONS")
_ALLOWED: Headers = [
    (b"access-control-allow-methods", b"POST"),
    (
        b"access-control-allow-headers",
        b"Authorization, X-Api-Key, Content-Type, Accept, X-Request-Id, Last-Event-Id, Mcp-Protocol-Version, "
        b"Mcp-Session-Id, Mcp-Method, Mcp-Name",
    ),
    (b"access-control-max-age", b"600"),
]
_SHOWN: Final = (b"access-control-expose-headers", b"WWW-Authenticate, X-Request-Id, Retry-After, Mcp-Session-Id")
_INVALID_REQUEST: Final = -32600
_INVALID_PARAMS: Final = -32602
_INTERNAL_ERROR: Final = -32603


class ToolEndpoint:
    """ASGI application for `/mcp`.

    `messages` limits messages that are not tool calls. `sandbox` adds a note that responses are sample data.
    """

    def __init__(
        self,
        access: Access,
        catalog: Catalog,
        calls: ToolCalls,
        official: OfficialServer,
        messages: Limiter,
        *,
        title: str,
        sandbox: bool,
    ) -> None:
        self._access = access
        self._catalog = catalog
        self._calls = calls
        self._official = official
        self._messages = messages
        self._tail = make_modern_tail(title)
        self._marks: Headers = [(b"x-sandbox", b"true")] if sandbox else []

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, to: Send) -> None:
        request_headers = RequestHeaders(scope["headers"])
        headers: Headers = [(b"x-request-id", request_headers.request_id.encode()), *self._marks]
        try:
            with ErrorBoundary("mcp.failed", request_id=request_headers.request_id):
                self._admit(request_headers, headers)
                if scope["method"] == "OPTIONS":
                    await send(scope, 204, [*headers, *_ALLOWED], b"", to)
                    return
                await self._serve(scope, receive, request_headers, headers, to)
        except (Misdirected, ForeignPage) as error:
            await send(scope, error.status, [*headers, JSON], error_body(error), to)
        except ServiceError as error:
            await self._refuse(scope, error, request_headers, headers, to)

    def _admit(self, request_headers: RequestHeaders, headers: Headers) -> None:
        """Raise Misdirected or ForeignPage unless the request is allowed. An allowed page may read the response."""
        self._access.check_host(request_headers.host)
        if request_headers.origin is not None:
            self._access.check_origin(request_headers.origin)
            headers += ((b"access-control-allow-origin", request_headers.origin.encode("latin-1")), _SHOWN)

    async def _serve(
        self, scope: Mapping[str, Any], receive: Receive, request_headers: RequestHeaders, headers: Headers, to: Send
    ) -> None:
        caller = await self._access.identify(request_headers.authorization, request_headers.api_keys)
        if scope["method"] != "POST":
            raise MethodNotAllowed("Use POST. This endpoint does not offer a stream.", _METHODS)
        if not sends_json(request_headers):
            raise InvalidParams("Messages must be JSON. Send them with `Content-Type: application/json`.")
        selection = self._catalog.select(scope["query_string"])
        message = await read_body(scope["headers"], receive, MAX_BODY_BYTES)
        call = read_call(request_headers, message)
        tool = None if call is None else selection.tools.get(call.tool)
        if call is None or tool is None:
            await self._pass_on(
                scope, receive, to, headers, message, Visit(caller, selection, request_headers.request_id)
            )
            return
        result = await self._calls.call(caller, tool, call.arguments, request_headers.request_id)
        await send(scope, 200, [*headers, JSON], write_answer(call, result, self._tail), to)

    async def _pass_on(
        self, scope: Mapping[str, Any], receive: Receive, to: Send, headers: Headers, body: bytes, visit: Visit
    ) -> None:
        """Let the SDK respond to the request, whose body was already read."""
        (await self._messages.take(visit.caller.key_id, visit.caller.account_id)).check()
        check_message(body)
        read: deque[Message] = deque([{"type": "http.request", "body": body, "more_body": False}])

        async def replay() -> Message:
            return read.popleft() if read else await receive()

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *headers]
            await to(message)

        await self._official.handle({**scope, VISIT: visit}, replay, answer)

    async def _refuse(
        self, scope: Mapping[str, Any], error: ServiceError, request_headers: RequestHeaders, headers: Headers, to: Send
    ) -> None:
        """Respond with an error, in the form of JSON-RPC where possible."""
        own = [field for field in error_headers(error, "") if field[0] not in (b"www-authenticate", b"link")]
        if isinstance(error, Unauthorized):
            was_tried = bool(request_headers.authorization or request_headers.api_keys)
            own.append((b"www-authenticate", self._access.make_challenge(was_tried=was_tried).encode()))
            body = error_body(error)
        else:
            data = {"code": error.code, "requestId": request_headers.request_id}
            fault = {"code": _number(error), "message": error.message, "data": data}
            body = orjson.dumps({"jsonrpc": "2.0", "id": None, "error": fault})
        await send(scope, error.status, [*headers, *own], body, to)


def _number(error: ServiceError) -> int:
    """Return the JSON-RPC code for an error."""
    if isinstance(error, NoMessage):
        return _INVALID_REQUEST
    return _INTERNAL_ERROR if error.status >= 500 else _INVALID_PARAMS
