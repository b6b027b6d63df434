"""The official clients with the real server: each signs in, a person agrees, and it calls every listed tool."""

import asyncio
import json
import os
import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
import pytest_asyncio
from mcp import Client
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from selectolax.lexbor import LexborHTMLParser

from support.node import LISTS, NODE, install, run_node
from support.people import PASSWORD
from support.sandbox import Sandbox
from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import write_tool_call

pytestmark = pytest.mark.asyncio(loop_scope="module")
TOOLS = {extractor.tool_name: extractor for extractor in load() if extractor.upload is None}
EXAMPLES = {name: json.loads(write_tool_call(each, each.example))["arguments"] for name, each in TOOLS.items()}
NEED_ARGUMENTS = {"get_result", "start_job", "get_job"}
"""Free tools that fail without arguments."""
FREE = NEED_ARGUMENTS | {"account_balance"}
REDIRECT = "http://127.0.0.1:39999/callback"
_WAIT_S = 120.0
SUITE = "node_modules/@modelcontextprotocol/conformance/dist/index.js"


class Person:
    """A person with a browser who signs up once and agrees to every request."""

    def __init__(self, browser: httpx2.AsyncClient) -> None:
        self._browser = browser

    async def sign_up(self, email: str) -> None:
        fields = _read_form((await self._browser.get("/signup")).text)
        answer = await self._submit("/signup", {**fields, "email": email, "password": PASSWORD})
        assert answer.status_code == 303, answer.text

    async def agree(self, address: str) -> str:
        """Agree, and return the URL of the redirect."""
        page = await self._browser.get(address)
        assert page.status_code == 200, page.text
        action = LexborHTMLParser(page.text).css_first("form:has([name=question])")
        assert action is not None
        fields = _read_form(page.text)
        answer = await self._submit(str(action.attributes["action"]), {**fields, "decision": "allow"})
        return answer.headers["location"]

    async def _submit(self, path: str, fields: dict[str, str]) -> httpx2.Response:
        origin = str(self._browser.base_url).rstrip("/")
        return await self._browser.post(path, data=fields, headers={"origin": origin})


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def person(sandbox: Sandbox) -> AsyncIterator[Person]:
    async with httpx2.AsyncClient(base_url=sandbox.url, timeout=60) as browser:
        person = Person(browser)
        await person.sign_up("clients@example.com")
        yield person


class Memory(TokenStorage):
    """Tokens and client of one test."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@asynccontextmanager
async def python_client(sandbox: Sandbox, person: Person, memory: Memory) -> AsyncIterator[Client]:
    sent_to = ""

    async def go(address: str) -> None:
        nonlocal sent_to
        sent_to = await person.agree(address)

    async def come_back() -> AuthorizationCodeResult:
        answer = {name: values[0] for name, values in parse_qs(urlsplit(sent_to).query).items()}
        return AuthorizationCodeResult(code=answer["code"], state=answer["state"], iss=answer.get("iss"))

    metadata = OAuthClientMetadata.model_validate(
        {
            "client_name": "Python client",
            "redirect_uris": [REDIRECT],
            "grant_types": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_method": "none",
        }
    )
    url = f"{sandbox.url}/mcp?groups=all"
    sign_in = OAuthClientProvider(url, metadata, memory, go, come_back)
    async with (
        httpx2.AsyncClient(auth=sign_in, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


async def test_the_python_client_signs_in_and_calls_every_tool(sandbox: Sandbox, person: Person) -> None:
    memory = Memory()
    async with python_client(sandbox, person, memory) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert set(names) == set(EXAMPLES) | FREE
        for name in names:
            result = await client.call_tool(name, EXAMPLES.get(name, {}))
            assert result.is_error is (name in NEED_ARGUMENTS), (name, result.content)
    assert memory.tokens is not None
    assert memory.tokens.refresh_token


@pytest.mark.long
async def test_the_typescript_client_signs_in_and_calls_every_tool(sandbox: Sandbox, person: Person) -> None:
    packages = await install()
    process = await asyncio.create_subprocess_exec(
        *(str(NODE), "--input-type=module", "--eval", (LISTS / "client.mjs").read_text()),
        cwd=packages,
        env={**os.environ, "TOOLS_URL": f"{sandbox.url}/mcp?groups=all", "TOOLS_EXAMPLES": json.dumps(EXAMPLES)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(_WAIT_S):
            asked = (await process.stdout.readline()).decode().strip()
            assert asked.startswith(sandbox.url), asked
            back = await person.agree(asked)
            async with httpx2.AsyncClient() as browser:
                await browser.get(back)
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, err.decode()
    found = json.loads(out)
    assert set(found["tools"]) == set(EXAMPLES) | FREE
    assert set(found["failed"]) == NEED_ARGUMENTS


@pytest.mark.long
async def test_the_inspector_lists_and_calls_tools(sandbox: Sandbox, tmp_path: Path) -> None:
    packages = await install()

    async def inspect(*options: str) -> str:
        ended = await run_node(
            str(packages / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"),
            *("--cli", f"{sandbox.url}/mcp?groups=all", "--transport", "http"),
            *("--header", f"Authorization: Bearer {sandbox.key}", *options),
            seconds=_WAIT_S,
            folder=tmp_path,
        )
        assert ended.code == 0, ended.errors[-2000:]
        return ended.out

    assert {tool["name"] for tool in json.loads(await inspect("--method", "tools/list"))["tools"]} == set(
        EXAMPLES
    ) | FREE
    answer = await inspect(
        *("--method", "tools/call", "--tool-name", "domain_registration", "--tool-arg", "domain=example.com")
    )
    assert json.loads(answer)["isError"] is False


@pytest.mark.long
async def test_the_conformance_suite_passes_for_the_sign_in(sandbox: Sandbox, person: Person, tmp_path: Path) -> None:
    """Its two scenarios of an authorization server: the metadata, and a grant that a person agrees to."""
    port = _find_port()
    async with httpx2.AsyncClient(base_url=sandbox.url, timeout=60) as http:
        metadata = (await http.get("/.well-known/oauth-authorization-server")).json()
        asked = {"client_name": "Suite", "redirect_uris": [f"http://127.0.0.1:{port}/callback"]}
        asked |= {"token_endpoint_auth_method": "none", "grant_types": ["authorization_code", "refresh_token"]}
        client = (await http.post(metadata["registration_endpoint"], json=asked)).json()
    packages = await install()
    process = await asyncio.create_subprocess_exec(
        *(str(NODE), str(packages / SUITE), "authorization", "--url", metadata["issuer"], "--port", str(port)),
        *("--client-id", client["client_id"], "--resource", f"{sandbox.url}/mcp", "--output-dir", str(tmp_path)),
        cwd=tmp_path,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert process.stdout is not None
    report = ""
    try:
        async with asyncio.timeout(_WAIT_S):
            async for line in process.stdout:
                report += line.decode()
                if found := re.search(rf"{re.escape(metadata['authorization_endpoint'])}\S+", line.decode()):
                    back = await person.agree(found[0])
                    async with httpx2.AsyncClient() as browser:
                        await browser.get(back)
            assert await process.wait() == 0, report
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    for scenario in ("authorization-server-metadata-endpoint", "authorization-code-grant"):
        assert re.search(rf"✓ {scenario}: [1-9]\d* passed, 0 failed", report), report


def _find_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


async def test_the_documented_python_runs_unchanged(sandbox: Sandbox) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", await read_snippet(sandbox, "python")),
        env={**os.environ, "WEBQUARRY_KEY": sandbox.key},
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(_WAIT_S):
        out, _ = await process.communicate()
    assert "# example.com: registration" in out.decode()


@pytest.mark.long
async def test_the_documented_javascript_runs_unchanged(sandbox: Sandbox) -> None:
    ended = await run_node(
        *("--input-type=module", "--eval", await read_snippet(sandbox, "javascript")),
        seconds=_WAIT_S,
        folder=await install(),
        environment={"WEBQUARRY_KEY": sandbox.key},
    )
    assert "# example.com: registration" in ended.out, ended.errors


async def read_snippet(sandbox: Sandbox, language: str) -> str:
    """Return the snippet of /docs/tools in this language."""
    async with httpx2.AsyncClient(base_url=sandbox.url, timeout=60) as browser:
        page = (await browser.get("/docs/tools.md")).text
    return page.partition(f"```{language}")[2].partition("\n")[2].partition("```")[0]


def _read_form(html: str) -> dict[str, str]:
    """Return the hidden fields of a page's forms."""
    found = LexborHTMLParser(html).css("form input[type=hidden]")
    return {str(field.attributes["name"]): field.attributes.get("value") or "" for field in found}
