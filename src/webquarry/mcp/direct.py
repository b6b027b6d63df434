"""A plain `tools/call`, parsed and answered without a framework.

It accepts what clients normally send. Anything else is passed to the official SDK, which refuses it properly. A test
compares the responses of both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

import orjson

from webquarry.api.head import RequestHead
from webquarry.api.openapi import VERSION
from webquarry.mcp.access import read_media_types
from webquarry.mcp.results import ToolResult

MODERN: Final = "2026-07-28"
"""First revision in which each request names its revision and client, without a handshake."""
HANDSHAKEN: Final = frozenset({"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
NAME: Final = "webquarry"
TITLE: Final = "Webquarry"
VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY: Final = "io.modelcontextprotocol/clientInfo"
SERVER_KEY: Final = "io.modelcontextprotocol/serverInfo"
_PROGRESS_KEY: Final = "progressToken"
_META_KEYS: Final = frozenset({VERSION_KEY, CAPABILITIES_KEY, CLIENT_KEY, _PROGRESS_KEY})
_MESSAGE_KEYS: Final = frozenset({"jsonrpc", "id", "method", "params"})
_PARAMS_KEYS: Final = frozenset({"name", "arguments", "_meta"})
_ROUTING: Final = frozenset({b"mcp-protocol-version", b"mcp-method", b"mcp-name"})
_PARAM: Final = b"mcp-param-"
_CALL: Final = "tools/call"
_USUAL_ACCEPT: Final = "application/json, text/event-stream"
_JSON: Final = "application/json"
_JSON_TYPES: Final = frozenset({_JSON, "application/*", "*/*"})


class RequestHeaders(RequestHead):
    """The relevant headers of a request.

    `is_unusual` is True if a routing header is repeated, or if there are headers that only the SDK reads.
    """

    __slots__ = ("is_unusual",)
    READ = frozenset({b"host", b"origin", b"content-type", b"accept"}) | _ROUTING

    def __init__(self, fields: Sequence[tuple[bytes, bytes]]) -> None:
        super().__init__(fields)
        self.is_unusual = not _ROUTING.isdisjoint(self.repeated) or any(name.startswith(_PARAM) for name, _ in fields)

    @property
    def host(self) -> str:
        return self.texts.get(b"host", "")

    @property
    def origin(self) -> str | None:
        return self.texts.get(b"origin")

    @property
    def content_type(self) -> str:
        return self.texts.get(b"content-type", "")

    @property
    def accept(self) -> str:
        return self.texts.get(b"accept", "")

    @property
    def revision(self) -> str | None:
        return self.texts.get(b"mcp-protocol-version")

    @property
    def method(self) -> str | None:
        return self.texts.get(b"mcp-method")

    @property
    def name(self) -> str | None:
        return self.texts.get(b"mcp-name")


@dataclass(frozen=True, slots=True)
class PlainCall:
    """A plain tool call. `id` is the message's id, which the response repeats."""

    id: str | int
    tool: str
    arguments: dict[str, Any]
    is_modern: bool


def read_call(request_headers: RequestHeaders, body: bytes) -> PlainCall | None:
    """Return the call in the body, or None for anything that is not a plain call."""
    if not _has_plain_headers(request_headers):
        return None
    try:
        message = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    is_modern = request_headers.revision == MODERN
    call = _read_message(message, is_modern=is_modern)
    if call is None or not is_modern:
        return call
    is_named = request_headers.method == _CALL and request_headers.name == call.tool
    return call if is_named and _is_plain_envelope(message["params"].get("_meta", {})) else None


def _has_plain_headers(request_headers: RequestHeaders) -> bool:
    """Return whether a request sends and accepts JSON in a known revision, without unusual headers."""
    if request_headers.is_unusual or not (sends_json(request_headers) and _takes_json(request_headers)):
        return False
    return (
        request_headers.revision is None or request_headers.revision == MODERN or request_headers.revision in HANDSHAKEN
    )


def _read_message(message: Any, *, is_modern: bool) -> PlainCall | None:
    """Return the call in a JSON-RPC message, or None for any other message."""
    if type(message) is not dict or not message.keys() <= _MESSAGE_KEYS:
        return None
    id, params = message.get("id"), message.get("params")
    if message.get("jsonrpc") != "2.0" or message.get("method") != _CALL:
        return None
    if not isinstance(id, str | int) or isinstance(id, bool) or not _are_plain_params(params):
        return None
    return PlainCall(id, params["name"], params.get("arguments", {}), is_modern)


def _are_plain_params(params: Any) -> TypeGuard[dict[str, Any]]:
    if type(params) is not dict or not params.keys() <= _PARAMS_KEYS:
        return False
    meta = params.get("_meta", {})
    if type(params.get("name")) is not str or type(params.get("arguments", {})) is not dict or type(meta) is not dict:
        return False
    return type(meta.get(_PROGRESS_KEY, 0)) in (str, int)


def write_answer(call: PlainCall, result: ToolResult, extra: bytes) -> bytes:
    """Return the response to a call. `extra` contains the fields that the modern revision adds to results."""
    tail = extra if call.is_modern else b"}}"
    return b"".join((b'{"jsonrpc":"2.0","id":', orjson.dumps(call.id), b',"result":', result.text, tail))


def make_modern_tail(title: str) -> bytes:
    """Return the end of a response in the modern revision, which states completeness and the server."""
    server = {"name": NAME, "title": title, "version": VERSION}
    rest = orjson.dumps({"resultType": "complete", "_meta": {SERVER_KEY: server}})
    return b"," + rest[1:] + b"}"


def sends_json(request_headers: RequestHeaders) -> bool:
    kind = request_headers.content_type
    return kind == _JSON or kind.partition(";")[0].strip().lower() == _JSON


def _takes_json(request_headers: RequestHeaders) -> bool:
    return request_headers.accept == _USUAL_ACCEPT or not _JSON_TYPES.isdisjoint(
        read_media_types(request_headers.accept)
    )


def _is_plain_envelope(meta: dict[str, Any]) -> bool:
    if not meta.keys() <= _META_KEYS or meta.get(VERSION_KEY) != MODERN:
        return False
    capabilities, client = meta.get(CAPABILITIES_KEY), meta.get(CLIENT_KEY, {"name": "", "version": ""})
    if type(capabilities) is not dict or any(type(value) is not dict for value in capabilities.values()):
        return False
    return (
        type(client) is dict
        and {"name", "version"} <= client.keys() <= {"name", "version", "title"}
        and all(type(value) is str for value in client.values())
    )
