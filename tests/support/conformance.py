"""The real service with `/mcp` fixtures for the official conformance suite.

`python -m support.conformance FOLDER` prints its URL and serves until it receives a signal. The authentication, the
plain calls and the SDK's server are the service's; added here are tools, prompts and resources by fixed names, sessions
and streams (which the service does not have, and the suite of the older revision needs), and a key for each request,
because the suite sends none.
"""

import socket
import sys
from pathlib import Path
from typing import Any

import mcp_types as types
import uvloop
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from support import conformance_rounds, conformance_tools
from support.conformance_tools import PIXEL, Context
from webquarry.api.server import server
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.mcp import sdk
from webquarry.mcp.calls import ToolCalls

PROMPTS = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
    conformance_rounds.PROMPT: [],
}
RESOURCES = {
    "test://static-text": "text/plain",
    "test://static-binary": "image/png",
    "test://watched-resource": "text/plain",
}
TEMPLATE = "test://template/{id}/data"


def add_fixtures(found: Server[Any]) -> Server[Any]:
    """Add the fixtures to the service's server."""
    list_ours = found.get_request_handler("tools/list")
    call_ours = found.get_request_handler("tools/call")
    assert list_ours is not None
    assert call_ours is not None

    async def list_tools(context: Context, params: Any) -> Any:
        ours: Any = await list_ours.handler(context, params)
        names = [*conformance_tools.TOOLS, *conformance_rounds.TOOLS]
        return {**ours, "tools": [*ours["tools"], *map(conformance_tools.describe, names)]}

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> Any:
        if params.name in conformance_rounds.TOOLS:
            return conformance_rounds.TOOLS[params.name](context, params)
        if params.name in conformance_tools.TOOLS:
            return await conformance_tools.TOOLS[params.name](context, params.arguments or {})
        return await call_ours.handler(context, params)

    found.add_request_handler("tools/list", types.PaginatedRequestParams, list_tools)
    found.add_request_handler("tools/call", types.CallToolRequestParams, call_tool)
    found.add_request_handler("prompts/list", types.PaginatedRequestParams, list_prompts)
    found.add_request_handler("prompts/get", types.GetPromptRequestParams, get_prompt)
    found.add_request_handler("resources/list", types.PaginatedRequestParams, list_resources)
    found.add_request_handler("resources/templates/list", types.PaginatedRequestParams, list_templates)
    found.add_request_handler("resources/read", types.ReadResourceRequestParams, read_resource)
    found.add_request_handler("resources/subscribe", types.SubscribeRequestParams, acknowledge)
    found.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, acknowledge)
    found.add_request_handler("logging/setLevel", types.SetLevelRequestParams, acknowledge)
    found.add_request_handler("completion/complete", types.CompleteRequestParams, complete)
    for method in ("prompts/list", "resources/list", "resources/templates/list", "resources/read"):
        found.cache_hints = {**found.cache_hints, method: CacheHint(ttl_ms=1000)}
    return found


async def acknowledge(_context: Context, _params: Any) -> types.EmptyResult:
    return types.EmptyResult()


async def complete(_context: Context, _params: Any) -> types.CompleteResult:
    return types.CompleteResult(completion=types.Completion(values=["one"], total=1, has_more=False))


async def list_prompts(_context: Context, _params: Any) -> types.ListPromptsResult:
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=name,
                description="A fixture.",
                arguments=[types.PromptArgument(name=each, required=True) for each in arguments],
            )
            for name, arguments in PROMPTS.items()
        ]
    )


async def get_prompt(context: Context, params: types.GetPromptRequestParams) -> Any:
    if params.name == conformance_rounds.PROMPT:
        return conformance_rounds.get_prompt(context, params)
    given = params.arguments or {}
    content: list[types.ContentBlock] = []
    if params.name == "test_prompt_with_embedded_resource":
        uri = given.get("resourceUri", "")
        content.append(conformance_tools.embed(uri, "text/plain", "Embedded for the test."))
    if params.name == "test_prompt_with_image":
        content.append(types.ImageContent(type="image", data=PIXEL, mime_type="image/png"))
    shown = ", ".join(f"{name}='{text}'" for name, text in given.items())
    content.append(types.TextContent(type="text", text=f"The prompt {params.name}: {shown}"))
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=block) for block in content])


async def list_resources(_context: Context, _params: Any) -> types.ListResourcesResult:
    return types.ListResourcesResult(
        resources=[types.Resource(uri=uri, name=uri, mime_type=kind) for uri, kind in RESOURCES.items()]
    )


async def list_templates(_context: Context, _params: Any) -> types.ListResourceTemplatesResult:
    template = types.ResourceTemplate(uri_template=TEMPLATE, name="data", mime_type="application/json")
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def read_resource(_context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    uri = str(params.uri)
    if uri == "test://static-binary":
        blob = types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PIXEL)
        return types.ReadResourceResult(contents=[blob])
    before, _, behind = TEMPLATE.partition("{id}")
    if uri in RESOURCES:
        text = f"The text of {uri}."
    elif uri.startswith(before) and uri.endswith(behind):
        text = f'{{"id": "{uri.removeprefix(before).removesuffix(behind)}", "templateTest": true}}'
    else:
        raise conformance_tools.make_error(types.INVALID_PARAMS, "Resource not found", {"uri": uri})
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)])


def make_manager(calls: ToolCalls, title: str) -> StreamableHTTPSessionManager:
    return StreamableHTTPSessionManager(add_fixtures(sdk.make_server(calls, title)))


async def serve(folder: Path) -> None:
    settings = Settings(data_dir=folder, rate_limit_per_minute=100_000)
    async with assemble(settings, sandbox=True, serving=True) as service:
        _, key = await service.accounts.create("conformance@example.com", 100_000)
        service.tools.official._build = lambda _: make_manager(service.tools.calls, "Webquarry")
        app = service.asgi()

        async def with_key(scope: Any, receive: Any, send: Any) -> None:
            headers = [(name, value) for name, value in scope["headers"] if name != b"authorization"]
            await app({**scope, "headers": [*headers, (b"x-api-key", key.encode())]}, receive, send)

        with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen(128)
            port = listener.getsockname()[1]
            sys.stdout.write(f"http://127.0.0.1:{port}\n")
            sys.stdout.flush()
            serving = server(with_key, host="127.0.0.1", port=port, drain=service.pipeline.close)
            await serving.serve(sockets=[listener])


if __name__ == "__main__":
    uvloop.run(serve(Path(sys.argv[1])))
