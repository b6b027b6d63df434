"""Instructions in /docs/tools: each snippet has the format that its client reads."""

import ast
import json
import re
import shlex
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
import pytest_asyncio

from support.tools import ToolClient
from support.visits import Browser
from webquarry.endpoints.registry import load
from webquarry.mcp.catalog import Catalog

pytestmark = pytest.mark.asyncio(loop_scope="module")
ADDRESS = "http://127.0.0.1:8080/mcp"
_FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS: Mapping[tuple[str, ...], Mapping[str, str | None]] = {
    ("claude", "mcp", "add"): {"--transport": "http", "--header": None},
    ("codex", "mcp", "add"): {"--url": ADDRESS, "--bearer-token-env-var": "WEBQUARRY_KEY"},
    ("gemini", "mcp", "add"): {"--transport": "http", "--header": None},
}
"""Commands with the flags that their programs know, and a required value."""
SHAPES = {
    "mcpServers": ({"url", "headers"}, {"serverUrl", "headers"}, {"command", "args", "env"}),
    "servers": ({"type", "url", "headers"},),
    "context_servers": ({"url", "headers"},),
}
"""The key for servers in each client's file, and their fields."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page(client: ToolClient) -> str:
    reply = await Browser(client.app).get("/docs/tools.md")
    assert reply.status == 200
    return reply.text


async def snippets(page: str, language: str) -> list[str]:
    found = [text for kind, text in _FENCE.findall(page) if kind == language]
    assert found
    return found


async def test_commands_have_flags_that_their_programs_support(page: str) -> None:
    seen = set()
    for text in await snippets(page, "shell"):
        words = shlex.split(text)
        if words[0] == "curl":
            continue
        seen.add(start := tuple(words[:3]))
        flags = {name: value for name, value in pairwise(words) if name.startswith("--")}
        assert flags.keys() <= COMMANDS[start].keys()
        assert all(COMMANDS[start][name] in (None, value) for name, value in flags.items())
        assert {"webquarry", ADDRESS} <= set(words)
    assert seen == set(COMMANDS)


async def test_files_are_json_of_the_shape_that_their_client_reads(page: str) -> None:
    for text in await snippets(page, "json"):
        ((name, servers),) = [(name, part) for name, part in json.loads(text).items() if name != "inputs"]
        (server,) = servers.values()
        assert set(server) in SHAPES[name]
        assert ADDRESS in (server.get("url"), server.get("serverUrl"), *server.get("args", ()))


async def test_the_command_line_makes_a_plain_call(page: str, client: ToolClient) -> None:
    (text,) = [each for each in await snippets(page, "shell") if each.startswith("curl")]
    words = shlex.split(text.replace("\\\n", " ").replace("$WEBQUARRY_KEY", str(client.key)))
    flags = [(words[n], words[n + 1]) for n in range(2, len(words), 2)]
    headers = dict(value.split(": ", 1) for name, value in flags if name == "-H")
    (body,) = [value for name, value in flags if name == "-d"]
    given = {name.lower().replace("-", "_"): value for name, value in headers.items()}
    reply = await client.post(body.encode(), **given)
    assert words[1] == ADDRESS
    assert not reply.result["isError"]
    assert "cache-control" in reply.headers


async def test_python_snippets_compile_and_import_existing_modules(page: str) -> None:
    (text,) = await snippets(page, "python")
    compile(text, "snippet", "exec")
    imported: dict[str, Any] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            exec(compile(ast.Module([node], []), "snippet", "exec"), imported)
    assert {"Client", "streamable_http_client", "httpx2"} <= imported.keys()


async def test_all_tools_and_groups_are_named(page: str) -> None:
    catalog = Catalog(load())
    assert all(f"`{name}`" in page for name in (*catalog.tools, *catalog.groups))
