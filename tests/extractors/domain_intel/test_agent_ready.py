"""Profiles of every generation, hostile profiles, and whole probes played from tapes."""

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.contexts import RunContext
from webquarry.core.errors import ProviderError, ServiceError, UnsafeTarget
from webquarry.core.types import Deadline, Domain, Wire
from webquarry.endpoints.params import parse
from webquarry.extractors.domain_intel.agent_ready import (
    AgentReady,
    AgentReadyParams,
    assess,
    extractor,
    read_text,
    run,
)
from webquarry.extractors.domain_intel.sources.agent_files import MAX_BYTES, Probe, Probes
from webquarry.extractors.domain_intel.sources.commerce_profile import CommerceProfile, read_profile
from webquarry.net.player import Player
from webquarry.net.tape import Exchange
from webquarry.net.transport import Limits, Request, Response
from webquarry.read import counting
from webquarry.sandbox import Case, cases
from webquarry.sandbox.cases import expected_error

SAMPLES = KIT / "upstreams/samples/agent-ready"
T = TypeVar("T")
URL = "https://example.com/file"
JSON = "application/json"
DOWN = ProviderError("The host name is not known.", reason="down")
TIMEOUT = ProviderError("The host did not respond in time.", reason="timeout")

anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
known = st.sampled_from(
    ["version", "transport", "endpoint", "mcp", "rest", "name", "id", "extends", "handlers", "dev.ucp.shopping"]
)
near_profile = st.recursive(
    anything,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(known, inner, max_size=4),
    max_leaves=12,
)


def wire(body: bytes, content_type: str = "text/plain", status: int = 200, truncated: bool = False) -> Wire:
    return Wire(
        body=body,
        url=URL,
        requested_url=URL,
        status=status,
        headers={"content-type": content_type},
        fetched_at=datetime(2026, 11, 1, tzinfo=UTC),
        truncated=truncated,
    )


def probe(body: bytes, content_type: str = "text/plain", status: int = 200, truncated: bool = False) -> Probe:
    return Probe(URL, wire(body, content_type, status, truncated))


def read(body: bytes, content_type: str = JSON, *, truncated: bool = False) -> CommerceProfile:
    return read_profile(wire(body, content_type, truncated=truncated), URL)


def profile(document: Any) -> CommerceProfile:
    return read(json.dumps(document).encode())


def sample(name: str) -> CommerceProfile:
    if not SAMPLES.is_dir():
        pytest.skip("samples are not beside the checkout")
    return read((SAMPLES / name).read_bytes())


def services(found: CommerceProfile) -> list[tuple[str, str | None, str | None]]:
    return [(one.name, one.transport, one.endpoint) for one in found.services]


SHOPPING = [
    ("dev.ucp.shopping", "rest", "https://business.example.com/ucp/v1"),
    ("dev.ucp.shopping", "mcp", "https://business.example.com/ucp/mcp"),
    ("dev.ucp.shopping", "a2a", "https://business.example.com/.well-known/agent-card.json"),
    ("dev.ucp.shopping", "embedded", None),
]
CHECKOUT = [
    ("dev.ucp.shopping.checkout", []),
    ("dev.ucp.shopping.fulfillment", ["dev.ucp.shopping.checkout"]),
    ("dev.ucp.shopping.discount", ["dev.ucp.shopping.checkout"]),
]


def test_live_profile_is_read_as_recorded() -> None:
    found = sample("ucp_live_malkorganics.com_2026-08-25.json")
    assert found.present is True
    assert found.version == "2026-04-08"
    assert found.supported_versions == ["2026-04-08", "2026-01-23"]
    assert len(found.capabilities) == 8
    assert [one.name for one in found.capabilities].count("dev.shopify.catalog") == 1
    assert [(one.name, one.id) for one in found.payment_handlers] == [
        ("com.google.pay", "gpay"),
        ("dev.shopify.card", "shopify.card"),
    ]
    assert [one.transport for one in found.services] == ["mcp", "embedded"]
    assert found.tool_endpoint == "https://malkorganics.myshopify.com/api/ucp/mcp"


def test_live_capability_extends_several_others() -> None:
    found = sample("ucp_live_malkorganics.com_2026-08-25.json")
    extends = {one.name: one.extends for one in found.capabilities}
    assert extends["dev.shopify.catalog"] == ["dev.ucp.shopping.catalog.search", "dev.ucp.shopping.catalog.lookup"]
    assert extends["dev.ucp.shopping.cart"] == []


@pytest.mark.parametrize(
    ("name", "handler", "more"),
    [
        ("ucp_profile_example_spec_2026-01-11.json", ("com.example.business_tokenizer", "business_tokenizer"), []),
        ("ucp_profile_example_spec_2026-01-23.json", ("com.example.processor_tokenizer", "processor_tokenizer"), []),
        (
            "ucp_profile_example_spec_2026-04-08.json",
            ("com.example.processor_tokenizer", "processor_tokenizer"),
            [("dev.ucp.common.identity_linking", [])],
        ),
    ],
)
def test_all_versions_of_the_specification_are_read_alike(
    name: str, handler: tuple[str, str], more: list[tuple[str, list[str]]]
) -> None:
    found = sample(name)
    assert services(found) == SHOPPING
    assert [(one.name, one.extends) for one in found.capabilities] == CHECKOUT + more
    assert [(one.name, one.id) for one in found.payment_handlers] == [handler]
    assert found.tool_endpoint == "https://business.example.com/ucp/mcp"
    assert found.supported_versions == []


def test_development_head_has_no_tool_endpoint() -> None:
    found = sample("ucp_profile_scaffold_HEAD_2026-08-22.json")
    assert found.version == "2026-01-01"
    assert services(found) == SHOPPING[:1]
    assert found.capabilities == []
    assert [one.id for one in found.payment_handlers] == ["gpay", "shop_pay"]
    assert found.tool_endpoint is None


@pytest.mark.parametrize("keys", ["keys", "signing_keys"])
def test_profile_is_given_without_keys(keys: str) -> None:
    rest = {"ucp": {"version": "2026-04-08"}, "custom": [1]}
    assert profile({**rest, keys: [{"kid": "a"}]}).profile == rest


def test_format_is_detected_whatever_the_stated_version() -> None:
    found = profile(
        {
            "ucp": {
                "version": "2030-01-01",
                "services": {"a.b": {"version": "1", "mcp": {"endpoint": "https://example.com/m"}}},
                "capabilities": [{"name": "a.b.c", "extends": "a.b"}, {"version": "nameless"}],
                "payment_handlers": {"a.pay": {"id": "one"}},
            },
            "payment": {"handlers": [{"name": "b.pay", "id": "two"}]},
        }
    )
    assert services(found) == [("a.b", "mcp", "https://example.com/m")]
    assert [(one.name, one.extends) for one in found.capabilities] == [("a.b.c", ["a.b"])]
    assert [one.id for one in found.payment_handlers] == ["one", "two"]
    assert found.tool_endpoint == "https://example.com/m"


def test_dropped_entries_are_counted() -> None:
    ucp = {
        "version": "2026-01-11",
        "services": {"a": [{"transport": "rest"}, 7], "b": None},
        "capabilities": [{"name": "c", "extends": ["d", 7]}, {"version": "1"}],
        "payment_handlers": [{}],
    }
    with counting() as losses:
        found = profile({"ucp": ucp})
    assert (len(found.services), len(found.capabilities), found.payment_handlers) == (1, 1, [])
    assert found.capabilities[0].extends == ["d"]
    assert losses["ucp"] == 4
    assert losses["[]"] == 1


def test_profile_is_recognized_with_any_media_type() -> None:
    assert read(b'{"ucp": {"version": "2026-04-08"}}', "text/html").present is True


@pytest.mark.parametrize(
    ("body", "content_type", "reason"),
    [
        (b"<!doctype html><html>", "text/html", "html_page"),
        (b"Not found", "text/html", "html_page"),
        (b"Not found", "text/plain", "not_json"),
        (b" ", JSON, "empty"),
        (b"{}", JSON, "not_profile"),
        (b"[]", JSON, "not_profile"),
        (b'{"ucp": []}', JSON, "not_profile"),
        (b'{"ucp": {"version": 1}}', JSON, "not_profile"),
        (b'{"ucp": {"services": {}}}', JSON, "not_profile"),
    ],
)
def test_other_document_is_not_a_profile(body: bytes, content_type: str, reason: str) -> None:
    found = read(body, content_type)
    assert (found.present, found.reason) == (False, reason)


def test_profile_beyond_the_cap_is_unknown() -> None:
    found = read(b'{"ucp": {"version": "2026', truncated=True)
    assert (found.present, found.reason) == (None, "truncated")


def test_text_beyond_the_cap_is_present() -> None:
    found = read_text(probe(b"# Title\n".ljust(MAX_BYTES, b"x"), truncated=True))
    assert (found.present, found.reason, found.bytes, found.title) == (True, "truncated", MAX_BYTES, "Title")


@pytest.mark.parametrize("depth", [200, 900, 20_000])
def test_deep_profile_can_be_answered(depth: int) -> None:
    body = b'{"ucp": {"version": "1"}, "x": ' + b"[" * depth + b"]" * depth + b"}"
    found = read(body)
    assert found.profile is None
    assert found.model_dump_json()


@given(anything)
def test_any_json_has_a_result(document: Any) -> None:
    assert profile(document).model_dump_json()


@given(services=near_profile, capabilities=near_profile, handlers=near_profile, payment=near_profile, versions=anything)
def test_any_profile_has_a_result_and_is_rendered(
    services: Any, capabilities: Any, handlers: Any, payment: Any, versions: Any
) -> None:
    document = {
        "ucp": {
            "version": "2026-04-08",
            "supported_versions": versions,
            "services": services,
            "capabilities": capabilities,
            "payment_handlers": handlers,
        },
        "payment": payment,
    }
    missing = probe(b"", status=404)
    asked = probe(json.dumps(document).encode(), JSON)
    answer = assess(Domain.parse("example.com"), Probes(missing, missing, asked), profile(document))
    assert answer.ucp.present is True
    assert answer.model_dump_json()
    assert extractor.render(answer).startswith("# example.com: agent readiness\n")


class Unwell:
    """The tapes, with faults at some URLs. A URL whose fault is None never responds."""

    def __init__(self, faults: Mapping[str, ServiceError | None], *more: Exchange) -> None:
        self.asked: list[str] = []
        self._faults = faults
        self._player = Player([*more, *(exchange for case in cases("agent_ready") for exchange in case.exchanges)])

    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        self.asked.append(request.url)
        if request.url not in self._faults:
            return await self._player.send(request, deadline, limits)
        fault = self._faults[request.url]
        if fault is None:
            await asyncio.Event().wait()
        raise fault or AssertionError("waited for ever")

    async def close(self) -> None:
        await self._player.close()


def at_all(host: str, fault: ServiceError | None) -> dict[str, ServiceError | None]:
    return {f"https://{host}{path}": fault for path in ("/llms.txt", "/agents.md", "/.well-known/ucp")}


async def answer_of(domain: str, outside: Unwell, deadline_s: float = 30.0) -> tuple[AgentReady, Wire]:
    """Return the result of a run, and the stored wire."""
    context = RunContext(outside, deadline_s)
    answer = await run(parse(AgentReadyParams, [("domain", domain)]), context)
    return answer, context.kept[-1]


@pytest.mark.parametrize("case", [one for one in cases("agent_ready") if one.error is None], ids=lambda one: one.name)
async def test_tape_gives_the_expected_result(case: Case) -> None:
    answer, _ = await answer_of(case.params["domain"], Unwell({}))
    assert answer.model_dump(mode="json") == case.data
    assert extractor.render(answer) == case.rendering


@pytest.mark.parametrize("case", [one for one in cases("agent_ready") if one.error], ids=lambda one: one.name)
async def test_tape_fails_as_expected(case: Case) -> None:
    with pytest.raises(ProviderError) as caught:
        await answer_of(case.params["domain"], Unwell({}))
    assert expected_error(caught.value) == case.expected()


async def test_first_file_present_is_the_wire_that_is_kept() -> None:
    _, wire = await answer_of("business.example.com", Unwell({}))
    assert wire.url == "https://business.example.com/.well-known/ucp"


async def test_three_requests_are_enough_when_two_answers_differ() -> None:
    outside = Unwell({})
    await answer_of("example.com", outside)
    assert sorted(outside.asked) == sorted(at_all("example.com", None))


async def test_address_that_does_not_answer_is_unknown_and_holds_up_no_other() -> None:
    outside = Unwell({"https://docs.example.com/.well-known/ucp": None})
    answer, _ = await answer_of("docs.example.com", outside, deadline_s=0.05)
    assert answer.llms_txt.present is True
    assert answer.ucp.present is None
    assert (answer.ucp.reason or "").startswith("timeout: ")


async def test_long_file_is_read_to_the_cap() -> None:
    url, body = "https://docs.example.com/llms.txt", b"# Long\n".ljust(MAX_BYTES + 1, b"x")
    found = Response(200, {"content-type": "text/plain"}, body, datetime(2026, 11, 1, tzinfo=UTC), len(body))
    answer, _ = await answer_of("docs.example.com", Unwell({}, Exchange(Request("GET", url), found)))
    assert (answer.llms_txt.present, answer.llms_txt.reason) == (True, "truncated")
    assert answer.llms_txt.bytes == MAX_BYTES


async def test_failed_control_request_keeps_the_file() -> None:
    outside = Unwell({"https://docs.example.com/agents.md": DOWN})
    answer, _ = await answer_of("docs.example.com", outside)
    assert "/no-such-file-" in outside.asked[-1]
    assert answer.llms_txt.present is True
    assert answer.agents_md.present is None
    assert answer.agents_md.reason == f"down: {DOWN.message}"


async def test_host_that_cannot_be_reached_is_tried_with_or_without_www() -> None:
    answer, _ = await answer_of("www.example.com", Unwell(at_all("www.example.com", DOWN)))
    assert (answer.domain, answer.base_url, answer.score) == ("www.example.com", "https://example.com", 3)


@pytest.mark.parametrize(
    ("first", "twin", "reason"), [(DOWN, DOWN, "down"), (TIMEOUT, None, "timeout"), (DOWN, TIMEOUT, "down")]
)
async def test_host_that_does_not_answer_is_an_error(
    first: ServiceError, twin: ServiceError | None, reason: str
) -> None:
    outside = Unwell(at_all("gone.example.com", first) | at_all("www.gone.example.com", twin))
    with pytest.raises(ProviderError) as caught:
        await answer_of("gone.example.com", outside)
    assert caught.value.reason == reason
    assert len(outside.asked) == (6 if first is DOWN else 3)


async def test_host_that_may_not_be_visited_is_unsafe() -> None:
    outside = Unwell(at_all("inside.example.com", UnsafeTarget()))
    with pytest.raises(UnsafeTarget):
        await answer_of("inside.example.com", outside)
    assert len(outside.asked) == 3
