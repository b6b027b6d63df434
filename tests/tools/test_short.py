"""Lists of tools: few by default, all on request, or three tools that find and call the others."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from support.tools import REVISIONS, ToolClient
from webquarry.excerpts.tokens import estimate
from webquarry.logs.requests import Filter
from webquarry.service import Service

pytestmark = pytest.mark.asyncio(loop_scope="module")


def count_tokens(tools: object) -> int:
    return estimate(json.dumps(tools, separators=(",", ":"), ensure_ascii=False))


@pytest.mark.parametrize("revision", REVISIONS)
async def test_few_tools_are_listed_by_default(client: ToolClient, revision: str) -> None:
    tools = await replace(client, query="", revision=revision).tools()
    assert [tool["name"] for tool in tools] == [
        *("search", "markdown_url", "maps_place", "get_result", "account_balance"),
    ]
    assert count_tokens(tools) < 3000


async def test_unlisted_tools_can_be_called(client: ToolClient) -> None:
    reply = await replace(client, query="").call("domain_registration", {"domain": "example.com"})
    assert not reply.result["isError"]


@pytest.mark.parametrize("revision", REVISIONS)
async def test_the_short_list_has_three_tools_in_few_tokens(client: ToolClient, revision: str) -> None:
    tools = await replace(client, query="short=1", revision=revision).tools()
    assert [tool["name"] for tool in tools] == ["find_tool", "call_tool", "get_result"]
    assert count_tokens(tools) < 700


NEEDS = {
    "read a web page as markdown": "markdown_url",
    "who registered this domain name and when does it expire": "domain_registration",
    "coffee shops near me on a map": "maps",
    "how many visits does a website get": "traffic",
    "ads that a company runs on the social network": "ads_socialnet",
    "transcript of a video": "videoplatform_transcript",
    "reviews of a browser extension": "extension_store_reviews",
    "how many credits are left": "account_balance",
}


@pytest.mark.parametrize(("need", "name"), NEEDS.items())
async def test_a_tool_is_found_by_a_need(client: ToolClient, need: str, name: str) -> None:
    reply = await replace(client, query="short=1").call("find_tool", {"need": need})
    assert name in [tool["name"] for tool in reply.structured["tools"]]
    assert name in reply.text


async def test_a_found_tool_is_called_at_its_price(client: ToolClient) -> None:
    short = replace(client, query="short=1")
    direct = await client.call("agent_ready", {"domain": "example.com"})
    reply = await short.call("call_tool", {"name": "agent_ready", "arguments": {"domain": "example.com"}})
    assert reply.structured["id"] == direct.structured["id"]
    assert reply.structured["creditsCharged"] == 0
    more = await short.call("get_result", {"id": reply.structured["id"]})
    assert not more.result["isError"]


async def test_a_found_tool_is_logged_as_its_endpoint(service: tuple[Service, str], client: ToolClient) -> None:
    served, key = service
    owner = await served.accounts.identify(key)
    began = datetime.now(UTC)
    inner = {"name": "agent_ready", "arguments": {"domain": "example.com"}}
    assert not (await replace(client, query="short=1").call("call_tool", inner)).result["isError"]
    await served.requests.store()
    period = Filter(began - timedelta(minutes=1), began + timedelta(minutes=1))
    (row,) = (await served.requests.find(owner.account_id, period, batch=1)).requests
    assert (row.endpoint, row.status, row.params) == ("agent_ready", 200, "domain=example.com")


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("find_tool", {}, "what you are looking for"),
        ("find_tool", {"need": "x" * 301}, "1 to 300 characters"),
        ("find_tool", {"need": 5}, "what you are looking for"),
        ("call_tool", {}, "a tool's name"),
        ("call_tool", {"name": "serch"}, "did you mean 'search'?"),
        ("call_tool", {"name": "call_tool"}, "Unknown tool"),
        ("call_tool", {"name": "search", "arguments": []}, "an object"),
        ("call_tool", {"name": "search", "arguments": {"q": ""}}, "'q' is empty"),
    ],
)
async def test_a_wrong_call_is_explained(client: ToolClient, tool: str, arguments: object, words: str) -> None:
    reply = await replace(client, query="short=1").call(tool, arguments)  # type: ignore[arg-type]
    assert reply.result["isError"]
    assert words in reply.text


@pytest.mark.parametrize("query", ["short=0", "short=1&groups=ads", "short="])
async def test_a_wrong_address_is_refused(client: ToolClient, query: str) -> None:
    assert (await replace(client, query=query).request("tools/list", {})).status == 400


@pytest.mark.parametrize("revision", REVISIONS)
async def test_the_docs_are_resources(client: ToolClient, revision: str) -> None:
    reader = replace(client, revision=revision)
    found = {each["name"]: each for each in (await reader.request("resources/list", {})).result["resources"]}
    assert {"quickstart", "smaller-answers", "errors"} <= found.keys()
    assert "settings" not in found
    page = found["smaller-answers"]
    (content,) = (await reader.request("resources/read", {"uri": page["uri"]})).result["contents"]
    assert content["mimeType"] == "text/markdown"
    assert content["text"].startswith("# Smaller answers")
    unknown = await reader.request("resources/read", {"uri": "https://example.com/other.md"})
    assert "Unknown resource" in unknown.json["error"]["message"]
