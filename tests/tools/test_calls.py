"""Tool calls: the path, price, limit and errors of the API, in the protocol's terms, in both revisions."""

import json
from dataclasses import replace
from typing import Any

import pytest

from support.tools import HANDSHAKEN, MODERN, REVISIONS, ToolClient
from webquarry.accounts import Caller
from webquarry.core.errors import Overloaded, ProviderError
from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import write_tool_call
from webquarry.limits import InProcessLimiter
from webquarry.mcp.errors import make_error_result
from webquarry.service import Service

pytestmark = pytest.mark.asyncio(loop_scope="module")
TOOLS = [extractor for extractor in load() if extractor.upload is None]
WHOIS = {"domain": "example.com"}


@pytest.mark.parametrize("extractor", TOOLS, ids=lambda extractor: extractor.tool_name)
async def test_every_example_is_answered_as_a_tool_call(client: ToolClient, extractor: Any) -> None:
    """In the sandbox, as documented: text, and structured content with the endpoint's data."""
    example = json.loads(write_tool_call(extractor, extractor.example))
    reply = await client.call(example["name"], example["arguments"])
    assert not reply.result["isError"], reply.text
    assert reply.structured["markdown"] == reply.text
    structured = (await client.call(example["name"], {**example["arguments"], "format": "json"})).structured
    assert structured["cached"]
    if structured["parts"] == 1:
        extractor.result.model_validate(structured["data"])


@pytest.mark.parametrize("revision", REVISIONS)
async def test_the_direct_path_and_the_sdk_give_the_same_response(client: ToolClient, revision: str) -> None:
    plain = replace(client, revision=revision)
    calls: list[tuple[str, dict[str, Any] | None]] = [
        ("domain_registration", WHOIS),
        ("domain_registration", {**WHOIS, "format": "json"}),
        ("domain_registration", {"domain": 1.5}),
        ("account_balance", None),
        ("get_result", {"id": "rs_0"}),
    ]
    await plain.call(*calls[0])
    for name, arguments in calls:
        first = await plain.call(name, arguments, x_request_id="same")
        second = await replace(plain, uses_sdk=True).call(name, arguments, x_request_id="same")
        assert "cache-control" in first.headers
        assert "cache-control" not in second.headers, "this one was to be answered by the SDK"
        assert first.json == second.json


async def test_a_cached_answer_is_free_and_shared_with_the_api(
    service: tuple[Service, str], client: ToolClient
) -> None:
    started = (await client.call("account_balance")).structured["credits"]
    first = (await client.call("agent_ready", {"domain": "example.com"})).structured
    again = (await client.call("agent_ready", {"domain": "EXAMPLE.com "})).structured
    assert (first["creditsCharged"], first["cached"]) in ((1, False), (0, True))
    assert (again["creditsCharged"], again["cached"], again["id"]) == (0, True, first["id"])
    left = (await client.call("account_balance")).structured["credits"]
    assert left == started - first["creditsCharged"]
    pipeline = service[0].pipeline
    call = pipeline.prepare(service[0].registry.by_name["agent_ready"], [("domain", "example.com")])
    assert (await pipeline.answer(Caller("", "test", internal=True), call, request_id="test")).cache == "hit"


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("domain_registration", {}, "Parameter 'domain' is required: Bare domain or full URL"),
        ("domain_registration", {"domain": {"a": 1}}, "Parameter 'domain' must be a string, a number, true or false."),
        (
            "trends_interest",
            {"q": ["coffee", "tea"]},
            "Parameter 'q' must be a string, not a list. Separate several values with commas.",
        ),
        (
            "domain_registration",
            {"domain": "example.com", "format": "both"},
            "Parameter 'format' must be one of markdown",
        ),
        ("domain_registration", {"domain": "example.com", "depth": 1}, "Unknown parameter 'depth'"),
        ("account_balance", {"of": "you"}, "This tool takes no arguments."),
        ("get_result", {"id": "rs_1", "part": 0}, "Parameter 'part' must be a whole number, 1 or more."),
        ("get_result", {"part": 2}, "Parameter 'id' is required"),
    ],
)
async def test_bad_arguments_are_an_error_of_the_tool_with_a_next_step(
    client: ToolClient, revision: str, tool: str, arguments: dict[str, Any], message: str
) -> None:
    reply = await replace(client, revision=revision).call(tool, arguments)
    assert reply.result["isError"] is True
    error = reply.structured["error"]
    assert error["message"].startswith(message)
    assert (error["code"], error["retryable"]) == ("invalid_params", False)
    assert error["nextStep"] in reply.text
    assert error["message"] in reply.text


async def test_an_error_names_the_request_by_which_its_receipt_is_found(
    service: tuple[Service, str], client: ToolClient
) -> None:
    reply = await client.call("domain_registration", {"domain": "no-tape-knows-this.com"})
    request_id = reply.structured["error"]["requestId"]
    assert request_id == reply.headers["x-request-id"]
    assert reply.text.endswith(f"\nRequest: {request_id}")
    caller = await service[0].accounts.identify(service[1])
    (receipt,) = (await service[0].statements().read_receipts(caller, request_id)).receipts
    assert (receipt.endpoint, receipt.code) == ("domain_registration", "provider_error")


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("uses_sdk", [False, True])
@pytest.mark.parametrize("value", [2**70, -(2**70), "a\ud800b", 1e400])
async def test_values_beyond_json_are_invalid_arguments(
    client: ToolClient, revision: str, uses_sdk: bool, value: object
) -> None:
    asking = replace(client, revision=revision, uses_sdk=uses_sdk)
    for tool, name in (("maps", "page"), ("maps", "gl"), ("get_result", "heading")):
        others = {"id": "rs_0"} if tool == "get_result" else {"q": "coffee"}
        reply = await asking.call(tool, {**others, name: value})
        if reply.status == 200 and "result" in reply.json:
            assert reply.structured["error"]["code"] in ("invalid_params", "not_found"), reply.text
        else:
            assert reply.json["error"]["code"] in (-32700, -32600, -32602), reply.body


async def test_null_and_whole_floats_are_accepted(client: ToolClient) -> None:
    first = await client.call("maps", {"q": "coffee", "page": 1.0, "gl": None})
    assert "must be" not in first.text


async def test_an_unknown_tool_is_an_error_of_the_protocol(client: ToolClient) -> None:
    for revision, status in ((MODERN, 400), (HANDSHAKEN, 200)):
        reply = await replace(client, revision=revision).call("markdown_file", {})
        assert (reply.status, reply.json["error"]["code"]) == (status, -32602)


async def test_an_unselected_tool_cannot_be_called(client: ToolClient) -> None:
    chosen = replace(client, query="groups=domain_intel&tools=search")
    assert (await chosen.call("maps", {"q": "x"})).json["error"]["code"] == -32602
    assert not (await chosen.call("domain_registration", WHOIS)).result["isError"]


async def test_calls_count_in_the_limit_of_the_key(
    service: tuple[Service, str], client: ToolClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = InProcessLimiter(2, service[0].clock)
    monkeypatch.setattr(service[0].tools.calls, "_limiter", few)
    errors = [(await client.call("account_balance")).result["isError"] for _ in range(3)]
    assert errors == [False, False, True]
    error = (await client.call("account_balance")).structured["error"]
    assert (error["code"], error["retryable"]) == ("rate_limited", True)
    assert 0 < error["retryAfterSeconds"] <= 60
    key_id = (await service[0].accounts.identify(service[1])).key_id
    assert not (await few.take(key_id)).allowed, "the API counts by the same name"


async def test_an_account_without_credits_is_told_the_price(service: tuple[Service, str], client: ToolClient) -> None:
    _, key = await service[0].accounts.create("poor@example.com", 0)
    reply = await replace(client, key=key).call("domain_registration", {"domain": "nobody-has-asked.com"})
    assert reply.structured["error"]["code"] == "insufficient_credits"
    assert "costs 1 credit" in reply.text


async def test_the_sandbox_identifies_itself(client: ToolClient) -> None:
    reply = await client.call("account_balance")
    assert reply.headers["x-sandbox"] == "true"
    assert "sandbox" in reply.result["_meta"]["io.modelcontextprotocol/serverInfo"]["title"]


async def test_errors_say_when_a_retry_helps() -> None:
    passing = json.loads(
        make_error_result(ProviderError("Late.", reason="timeout", retry_after_s=2.4), "req_1").text + b"}"
    )
    lasting = json.loads(make_error_result(ProviderError("A wall.\u202e\n", reason="blocked"), "req_2").text + b"}")
    missing = json.loads(make_error_result(ProviderError("Set KEY.", reason="unavailable"), "req_4").text + b"}")
    assert missing["structuredContent"]["error"]["nextStep"].startswith("Do what the message says")
    busy = json.loads(make_error_result(Overloaded(retry_after_s=3), "req_3").text + b"}")
    errors = [found["structuredContent"]["error"] for found in (passing, lasting, busy)]
    assert [error["retryable"] for error in errors] == [True, False, True]
    assert [error.get("retryAfterSeconds") for error in errors] == [2, None, 3]
    assert [error.get("reason") for error in errors] == ["timeout", "blocked", None]
    assert errors[1]["message"] == "A wall."
    assert all(error["nextStep"].endswith(".") for error in errors)


async def test_a_query_shortens_a_result_and_refers_to_the_whole(client: ToolClient) -> None:
    page = load().by_name["markdown_url"]
    whole = await client.call(page.tool_name, dict(page.example))
    small = await client.call(page.tool_name, {**page.example, "query": "hydration", "max_tokens": 200})
    assert "hydration" in small.text
    assert len(small.text) < len(whole.text)
    assert small.structured["id"] == whole.structured["id"]
    assert f'For the whole result, call get_result with id "{small.structured["id"]}"' in small.text
    again = await client.call("get_result", {"id": small.structured["id"]})
    assert "Address: https://example.com/" in again.text
    assert whole.text.split("\n\n")[1:] == again.text.split("\n\n")[1:-1] + whole.text.split("\n\n")[-1:]
    other = await client.call(page.tool_name, {**page.example, "query": "salt", "max_tokens": 200})
    assert other.text.partition("\n")[2] != small.text.partition("\n")[2]


async def test_a_result_names_its_page_or_provider_but_no_api_url(client: ToolClient) -> None:
    page = (await client.call("markdown_url", {"url": "https://example.com/"})).structured
    assert (page["origin"], page["address"]) == ("example.com", "https://example.com/")
    extractor = load().by_name["domain_registration"]
    reply = await client.call("domain_registration", WHOIS)
    assert reply.structured["origin"] in {provider.title for provider in extractor.all_providers}
    assert "address" not in reply.structured
    assert f"content fetched from {reply.structured['origin']}. " in reply.text
    assert "Address:" not in reply.text
