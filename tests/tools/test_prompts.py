"""Prompts: tasks of several calls, offered to clients that can call their tools."""

from dataclasses import replace

import pytest

from support.tools import REVISIONS, ToolClient
from webquarry.core.errors import InvalidParams
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import load
from webquarry.mcp.prompts import PROMPTS

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("query", ["", "groups=all", "short=1"])
async def test_prompts_name_tools_that_can_be_called(client: ToolClient, revision: str, query: str) -> None:
    reader = replace(client, revision=revision, query=query)
    listed = (await reader.request("prompts/list", {})).result["prompts"]
    assert {"research", "read_document", "compare_products"} <= {each["name"] for each in listed}
    for each in listed:
        given = {argument["name"]: "a value" for argument in each["arguments"] if argument["required"]}
        found = (await reader.request("prompts/get", {"name": each["name"], "arguments": given})).result
        (message,) = found["messages"]
        assert message["role"] == "user"
        assert "a value" in message["content"]["text"]
        assert ("call_tool" in message["content"]["text"]) == (query == "short=1")


async def test_prompts_without_their_tools_are_not_offered(client: ToolClient) -> None:
    reader = replace(client, query="tools=search")
    assert (await reader.request("prompts/list", {})).result["prompts"] == []
    refused = await reader.request("prompts/get", {"name": "research", "arguments": {"question": "a"}})
    assert "Unknown prompt" in refused.json["error"]["message"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "'question' is required"),
        ({"question": " "}, "'question' is required"),
        ({"question": "x" * 2001}, "at most 2000 characters"),
        ({"question": "a", "other": "b"}, "no argument 'other'"),
    ],
)
async def test_wrong_arguments_of_a_prompt_are_refused(
    client: ToolClient, arguments: dict[str, str], words: str
) -> None:
    reply = await client.request("prompts/get", {"name": "research", "arguments": arguments})
    assert words in reply.json["error"]["message"]


async def test_each_prompt_names_known_tools_and_its_arguments() -> None:
    tools = {extractor.tool_name: extractor for extractor in load()}
    for prompt in PROMPTS:
        assert set(prompt.tools) <= {*tools, "get_result"}
        assert all(f"{{{argument.name}}}" in prompt.text for argument in prompt.arguments)
        examples = {argument.name: argument.example for argument in prompt.arguments}
        assert all(example in prompt.write(examples, has_short_list=False) for example in examples.values())
    parts = "logo,traffic,authority,homepage,registration"
    assert f"with parts: {parts.replace(',', ', ')}." in PROMPTS[3].text
    parse(tools["brand_dossier"].params, [("domain", "example.com"), ("parts", parts)])


async def test_an_optional_argument_may_be_left_out() -> None:
    (prompt,) = [each for each in PROMPTS if each.name == "read_document"]
    assert "give me this: a summary" in prompt.write({"url": "https://example.com/"}, has_short_list=False)
    with pytest.raises(InvalidParams):
        prompt.write({"question": "why"}, has_short_list=False)
