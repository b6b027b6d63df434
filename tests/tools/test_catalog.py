"""The list of tools: concise, generated from the registry, and without references to other tools."""

import json
import re
from dataclasses import replace

import jsonschema_rs
import pytest

from support.tools import REVISIONS, ToolClient
from webquarry.core.errors import ANSWERED
from webquarry.endpoints.registry import load
from webquarry.endpoints.variants import list_specs
from webquarry.extractors.brand.model.parts import KINDS
from webquarry.mcp.catalog import Catalog
from webquarry.mcp.errors import _STEPS

pytestmark = pytest.mark.asyncio(loop_scope="module")
CATALOG = Catalog(load())
TOKENS = {
    "account": 220,
    "ads": 920,
    "brand": 450,
    "domain_intel": 1060,
    "extension_store": 430,
    "jobs": 520,
    "maps": 560,
    "search": 560,
    "shortvideo_shop": 1200,
    "social": 1520,
    "storefront": 220,
    "trends": 1340,
    "videoplatform": 1170,
    "web": 480,
}
"""Maximum number of tokens per group.

Counted are a tool's name, description and input schema as compact JSON, at four characters per token, which is slightly
more than current tokenizers produce."""


def count_tokens(tool: dict[str, object]) -> int:
    seen = {name: tool[name] for name in ("name", "description", "inputSchema")}
    return len(json.dumps(seen, separators=(",", ":"), ensure_ascii=False)) // 4


@pytest.mark.parametrize("revision", REVISIONS)
async def test_all_endpoints_except_uploads_are_tools(client: ToolClient, revision: str) -> None:
    tools = {tool["name"]: tool for tool in await replace(client, revision=revision).tools()}
    expected = {extractor.tool_name: extractor for extractor in load() if extractor.upload is None}
    assert set(tools) == {*expected, "start_job", "get_job", "get_result", "account_balance"}
    assert {"brand_dossier", "get_result"} <= set(tools)
    for name, extractor in expected.items():
        tool = tools[name]
        assert tool["_meta"] == {"group": extractor.group, "credits": extractor.credits}
        assert f"{extractor.credits} credit" in tool["description"]
        assert "responses are" in tool["description"]
        assert tool["annotations"] == {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": True}
        assert set(tool["inputSchema"]["properties"]) == {
            *(spec.name for spec in list_specs(extractor)),
            "query",
            "max_tokens",
            *(["pages"] if any("pages" in result.model_fields for result in extractor.results.values()) else []),
            "format",
        }


async def test_schemas_are_accepted_by_every_model_provider() -> None:
    for tool in CATALOG.tools.values():
        for schema in (tool.definition["inputSchema"], tool.definition["outputSchema"]):
            jsonschema_rs.validator_for(schema)
            assert schema["type"] == "object"
            assert not {"oneOf", "anyOf", "allOf", "$ref", "not"} & schema.keys()
        assert re.fullmatch(r"[a-z][a-z0-9_]{1,47}", tool.name)


async def test_a_group_takes_few_tokens(client: ToolClient) -> None:
    taken: dict[str, int] = {}
    for tool in await client.tools():
        group = tool["_meta"]["group"]
        taken[group] = taken.get(group, 0) + count_tokens(tool)
    assert set(taken) == set(TOKENS)
    too_many = {group: count for group, count in taken.items() if count > TOKENS[group]}
    assert not too_many


async def test_a_client_can_select_groups_and_tools(client: ToolClient) -> None:
    chosen = await replace(client, query="groups=ads,maps&tools=search").tools()
    names = [tool["name"] for tool in chosen]
    assert names == [
        *("ads_searchengine", "ads_searchengine_advertiser", "ads_searchengine_creative", "ads_socialnet"),
        *("maps", "maps_place", "search", "get_result"),
    ]


@pytest.mark.parametrize("tool", CATALOG.tools.values(), ids=lambda tool: tool.name)
async def test_no_description_names_an_unselected_tool(tool: object) -> None:
    """Each tool may be the only one given. Names without `_` are ignored, because they are also ordinary words."""
    name = getattr(tool, "name")  # noqa: B009
    text = json.dumps(getattr(tool, "definition"))  # noqa: B009
    for other in CATALOG.tools:
        is_part = name == "brand_dossier" and other in KINDS
        if "_" in other and other not in (name, "get_result") and not is_part:
            assert not re.search(rf"\b{other}\b", text), other


async def test_every_error_has_a_next_step_that_names_no_tool() -> None:
    assert set(_STEPS) >= {error.code for error in ANSWERED}
    assert not any(re.search(rf"\b{name}\b", step) for name in CATALOG.tools if "_" in name for step in _STEPS.values())


async def test_every_result_matches_its_output_schema(client: ToolClient) -> None:
    tools = {tool["name"]: tool for tool in await client.tools()}
    for name, arguments in (
        ("domain_registration", {"domain": "example.com"}),
        ("domain_registration", {"domain": "example.com", "format": "json"}),
        ("domain_registration", {}),
        ("account_balance", {}),
        ("get_result", {"id": "rs_1"}),
    ):
        structured = (await client.call(name, arguments)).structured
        jsonschema_rs.validator_for(tools[name]["outputSchema"]).validate(structured)
