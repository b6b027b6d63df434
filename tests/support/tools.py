"""A client of `/mcp` for both revisions without the SDK, to a service in this process."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.service import Service

MODERN = "2026-07-28"
HANDSHAKEN = "2025-11-25"
REVISIONS = (MODERN, HANDSHAKEN)
_META = "io.modelcontextprotocol"


@dataclass(frozen=True, slots=True)
class ToolReply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def result(self) -> Any:
        """Return the result in the response to a successful request."""
        assert self.status == 200, self.body
        return self.json["result"]

    @property
    def text(self) -> str:
        """Return the text of a tool's result."""
        (block,) = self.result["content"]
        return str(block["text"])

    @property
    def structured(self) -> dict[str, Any]:
        found: dict[str, Any] = self.result["structuredContent"]
        return found


@dataclass
class ToolClient:
    """A client of `app`, the whole ASGI application.

    uses_sdk: send a header that only the SDK reads, so that the SDK handles all requests.
    """

    app: Any
    key: str | None
    revision: str = MODERN
    query: str = ""
    uses_sdk: bool = False

    async def call(self, tool: str, arguments: Mapping[str, Any] | None = None, **headers: str) -> ToolReply:
        params: dict[str, Any] = {"name": tool}
        if arguments is not None:
            params["arguments"] = dict(arguments)
        return await self.request("tools/call", params, **headers)

    async def tools(self) -> list[dict[str, Any]]:
        reply = await self.request("tools/list", {})
        tools: list[dict[str, Any]] = reply.result["tools"]
        return tools

    async def request(self, method: str, params: dict[str, Any], **headers: str) -> ToolReply:
        message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": self._with_envelope(params)}
        return await self.post(json.dumps(message).encode(), **self._routing(method, params), **headers)

    async def post(self, body: bytes, **headers: str) -> ToolReply:
        """Send a POST request. Header names have _ for -."""
        return await self.send("POST", (body,), **headers)

    async def send(self, method: str, pieces: tuple[bytes, ...], **headers: str) -> ToolReply:
        """Send any request. If `pieces` is empty, its body never arrives."""
        given = {"host": "127.0.0.1:8080", "content-type": "application/json"}
        given |= {"accept": "application/json, text/event-stream"}
        if self.key is not None:
            given["authorization"] = f"Bearer {self.key}"
        given |= {name.replace("_", "-"): text for name, text in headers.items()}
        queue = [
            {"type": "http.request", "body": piece, "more_body": n + 1 < len(pieces)} for n, piece in enumerate(pieces)
        ]
        answered: dict[str, Any] = {"body": b""}

        async def receive() -> Any:
            return queue.pop(0) if queue else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answered["status"] = int(message["status"])
                answered["headers"] = {name.decode(): value.decode() for name, value in message["headers"]}
                assert len(answered["headers"]) == len(message["headers"]), "a header is repeated"
            else:
                answered["body"] += message.get("body", b"")

        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": "/mcp",
            "raw_path": b"/mcp",
            "root_path": "",
            "query_string": self.query.encode(),
            "headers": [(name.encode(), text.encode()) for name, text in given.items() if text],
            "client": ("127.0.0.1", 40000),
            "server": ("127.0.0.1", 8080),
        }
        await self.app(scope, receive, send)
        return ToolReply(answered["status"], answered["headers"], answered["body"])

    def _with_envelope(self, params: dict[str, Any]) -> dict[str, Any]:
        client = {"name": "test", "version": "1"}
        if self.uses_sdk:
            client["websiteUrl"] = "https://client.example"
        if self.revision != MODERN:
            return {**params, "task": {}} if self.uses_sdk and "name" in params else params
        envelope = {
            f"{_META}/protocolVersion": MODERN,
            f"{_META}/clientCapabilities": {},
            f"{_META}/clientInfo": client,
        }
        return {**params, "_meta": envelope}

    def _routing(self, method: str, params: dict[str, Any]) -> dict[str, str]:
        routed = {"mcp_protocol_version": self.revision}
        if self.revision == MODERN:
            routed |= {"mcp_method": method, "mcp_name": str(params.get("name") or params.get("uri", ""))}
        return routed


@asynccontextmanager
async def tool_service(folder: Path, **settings: Any) -> AsyncIterator[tuple[Service, str]]:
    """Run a sandbox in this process. Yields it with the key of an account with enough credits."""
    given = {"rate_limit_per_minute": 100_000, **settings}
    async with assemble(Settings(data_dir=folder, **given), sandbox=True, serving=True) as service:
        _, key = await service.accounts.create("tools@example.com", 100_000)
        yield service, key
