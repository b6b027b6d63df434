"""Responses of the running sandbox: envelope, headers and errors of every kind."""

import asyncio
import html
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from support.client import Client, Reply
from support.clock import ManualClock
from support.direct import Direct
from support.made import Board
from support.sandbox import Sandbox
from webquarry.app import assemble
from webquarry.core.errors import ANSWERED, Absent, ConversionFailed, EmptyResult, ProviderError, ServiceError
from webquarry.core.settings import Settings
from webquarry.endpoints.context import Context
from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import example_path
from webquarry.service import Service

EXAMPLES = {extractor.name: example_path(extractor) for extractor in load()}
REGISTRATION = EXAMPLES["domain_registration"]
NO_CACHE = "Cache-Control: no-cache"
RATE = re.compile(r'"default";r=(\d+);t=(\d+)')


def call(path: str, **query: str) -> str:
    return f"/api/v1{path}?{urlencode(query)}"


# the envelope and its headers


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_fresh_answer_is_charged(client: Client, name: str) -> None:
    extractor = load().by_name[name]
    before = int(client.example(extractor).headers["x-credits-remaining"])
    reply = client.example(extractor, NO_CACHE)
    assert reply.status == 200
    price = extractor.credits
    if extractor.parts:  # for a dossier, the price of its successful parts
        parts = [part for part in reply.json["data"]["parts"].values() if part["ok"]]
        price = sum(load().by_name[part["endpoint"]].credits for part in parts)
        assert price > 0
    assert {"extractor", "id", "creditsCharged", "cached", "data", "markdown"} == set(reply.json)
    assert (reply.json["extractor"], reply.json["creditsCharged"], reply.json["cached"]) == (name, price, False)
    fields = {name: reply.headers[f"x-{name}"] for name in ("conversion-id", "cache", "credits-charged")}
    assert fields == {"conversion-id": reply.json["id"], "cache": "miss", "credits-charged": str(price)}
    assert reply.headers["age"] == "0"
    assert int(reply.headers["x-credits-remaining"]) == before - price


def test_a_cached_answer_is_free_and_the_same(client: Client) -> None:
    first, second = client.ask(REGISTRATION, NO_CACHE), client.ask(REGISTRATION)
    assert second.json == {**first.json, "creditsCharged": 0, "cached": True}
    assert (second.headers["x-cache"], second.headers["x-credits-charged"]) == ("hit", "0")
    assert second.headers["x-conversion-id"] == first.headers["x-conversion-id"]


@pytest.mark.parametrize(("form", "left_out"), [("json", "markdown"), ("markdown", "data")])
def test_an_artifact_that_was_not_requested_is_omitted(client: Client, form: str, left_out: str) -> None:
    for fields in ((NO_CACHE,), ()):
        reply = client.ask(f"{REGISTRATION}&format={form}", *fields)
        assert {"data", "markdown"} - set(reply.json) == {left_out}


def test_a_response_states_how_long_it_took(client: Client) -> None:
    assert re.fullmatch(r"total;dur=\d+\.\d", client.ask(REGISTRATION).headers["server-timing"])


@pytest.mark.parametrize("given", ["a", "A-b_9", "x" * 64])
def test_a_usable_request_id_is_echoed(client: Client, given: str) -> None:
    for target in (REGISTRATION, "/api/v1/nowhere"):
        assert client.ask(target, f"X-Request-Id: {given}").headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, "a\tb", "é", "<b>", "a,b", "٣"])
def test_an_unusable_request_id_is_replaced(client: Client, given: str) -> None:
    line = f"X-Request-Id: {given}".encode().decode("latin-1")
    assert re.fullmatch(r"req_[0-9a-f]{20}", client.ask(REGISTRATION, line).headers["x-request-id"])


def test_sandbox_answers_and_refusals_are_marked(client: Client) -> None:
    for target in (REGISTRATION, "/api/v1/nowhere", call("/domain/registration", domain="")):
        assert client.ask(target).headers["x-sandbox"] == "true"


def test_an_error_is_free_and_points_to_its_explanation(client: Client, sandbox: Sandbox) -> None:
    reply = client.ask(call("/domain/registration", domain="nothing-recorded.com"))
    assert (reply.status, reply.code) == (422, "provider_error")
    assert reply.headers["x-error-reason"] == "unavailable"
    assert reply.headers["x-credits-charged"] == "0"
    assert reply.headers["link"] == f'<{sandbox.url}/docs/errors#provider_error>; rel="help"'


@pytest.mark.parametrize("code", sorted({error.code for error in ANSWERED}))
def test_every_error_links_to_an_existing_explanation(client: Client, code: str) -> None:
    assert f'id="{code}"' in client.ask("/docs/errors").text


# the key


def test_a_key_is_taken_in_either_header(client: Client) -> None:
    for field in (
        f"Authorization: Bearer {client.key}",
        f"authorization: bearer {client.key}",
        f"X-API-Key: {client.key}",
    ):
        assert client.ask(REGISTRATION, field, key=None).status == 200


def test_the_same_key_in_both_headers_is_accepted(client: Client) -> None:
    assert client.ask(REGISTRATION, f"x-api-key: {client.key}").status == 200


@pytest.mark.parametrize("beside", ["Authorization:", "Authorization: Basic dXNlcjpwYXNz", "Authorization: Bearer"])
def test_a_key_works_next_to_an_empty_or_unrelated_authorization_header(client: Client, beside: str) -> None:
    assert client.ask(REGISTRATION, f"x-api-key: {client.key}", beside, key=None).status == 200


@pytest.mark.parametrize(
    "fields",
    [
        (),
        ("x-api-key:",),
        ("x-api-key: no-such-key",),
        (f"x-api-key: wq_live_{'0' * 32}",),
        ("Authorization: Bearer",),
        ("Authorization: Basic dXNlcjpwYXNz",),
        ("Authorization: {key}",),
        ("Authorization: Bearer {key} {key}",),
        ("Authorization: Bearer {key}", "x-api-key: another"),
        ("Authorization: Bearer {key}", "Authorization: Bearer another"),
        ("x-api-key: {key}", "x-api-key: another"),
        ("x-api-key: {key}é",),
        ("Cookie: key={key}",),
    ],
)
def test_no_key_or_a_wrong_one_is_401(client: Client, fields: tuple[str, ...]) -> None:
    reply = client.ask(REGISTRATION, *(field.replace("{key}", client.key) for field in fields), key=None)
    assert (reply.status, reply.code) == (401, "unauthorized")
    assert reply.headers["www-authenticate"] == 'Bearer realm="webquarry"'
    assert client.key not in reply.text


def test_a_key_in_the_query_is_not_accepted(client: Client) -> None:
    assert client.ask(f"{REGISTRATION}&api_key={client.key}", key=None).status == 401


def test_the_error_for_missing_credits_states_price_and_balance(client: Client, sandbox: Sandbox) -> None:
    poor = sandbox.open_account("poor@example.com", 0)
    reply = client.ask(REGISTRATION, NO_CACHE, key=poor)
    assert (reply.status, reply.code) == (402, "insufficient_credits")
    assert "1 credit" in reply.json["error"]
    assert "balance is 0" in reply.json["error"]
    client.ask(REGISTRATION)
    assert client.ask(REGISTRATION, key=poor).headers["x-cache"] == "hit"


# paths and methods


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
@pytest.mark.parametrize("target", [REGISTRATION, f"/api/v1/conversions/cv_{'0' * 32}"])
def test_another_method_is_405(client: Client, method: str, target: str) -> None:
    reply = client.ask(target, "Content-Length: 0", method=method)
    assert (reply.status, reply.headers["allow"]) == (405, "GET")
    if method != "HEAD":
        assert reply.code == "method_not_allowed"


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/",
        "/api/v1/nowhere",
        "/api/v1/domain",
        "/api/v1/domain/registration/",
        "/api/v1//domain/registration",
        "/api/v1/domain/Registration",
        "/api/v1/domain/registration%00",
        "/api/v1/domain/registration;a=b",
        "/api/v1/../v1/domain/registration",
        "/api/v1/conversions",
        "/api/v1/conversions/a/b",
        "/api/v1/%ff",
        "/api/v2/domain/registration",
        "/api/v1",
        "/api",
    ],
)
def test_an_unknown_path_is_404(client: Client, path: str) -> None:
    for method in ("GET", "POST"):
        reply = client.ask(path, "Content-Length: 0", method=method)
        assert (reply.status, reply.code) == (404, "not_found")


# conversions


def test_a_conversion_is_fetched_again_by_its_id(client: Client) -> None:
    first = client.ask(REGISTRATION, NO_CACHE)
    again = client.ask(f"/api/v1/conversions/{first.json['id']}")
    assert again.json == {**first.json, "creditsCharged": 0, "cached": True}
    assert again.headers["x-credits-charged"] == "0"
    assert again.headers["x-conversion-id"] == first.json["id"]
    assert "ratelimit" in again.headers


@pytest.mark.parametrize(("form", "left_out"), [("json", {"markdown"}), ("markdown", {"data"}), ("both", set())])
def test_a_conversion_is_fetched_in_any_format(client: Client, form: str, left_out: set[str]) -> None:
    first = client.ask(f"{REGISTRATION}&format=json", NO_CACHE)
    again = client.ask(f"/api/v1/conversions/{first.json['id']}?format={form}")
    assert {"data", "markdown"} - set(again.json) == left_out


@pytest.mark.parametrize(
    "query", ["format=yaml", "format=", "format=json&format=json", "domain=example.com", "x", "%ff"]
)
def test_a_conversion_takes_format_only(client: Client, query: str) -> None:
    first = client.ask(REGISTRATION)
    reply = client.ask(f"/api/v1/conversions/{first.json['id']}?{query}")
    assert (reply.status, reply.code) == (400, "invalid_params")


@pytest.mark.parametrize(
    "wanted",
    [f"cv_{'0' * 32}", "none", "", "cv_", f"CV_{'0' * 32}", f"cv_{'0' * 33}", "%00", "%ff", "a%00b", "%0d%0ax"],
)
def test_an_unknown_conversion_is_404_and_counts_towards_the_limit(client: Client, wanted: str) -> None:
    reply = client.ask(f"/api/v1/conversions/{wanted}")
    assert (reply.status, reply.code) == (404, "not_found")
    assert RATE.fullmatch(reply.headers["ratelimit"])


def test_a_conversion_needs_a_key(client: Client) -> None:
    first = client.ask(REGISTRATION)
    assert client.ask(f"/api/v1/conversions/{first.json['id']}", key=None).status == 401


# requested freshness


@pytest.mark.parametrize(
    "line",
    [
        "no-cache",
        "No-Cache",
        "max-age=60, no-cache",
        "no-store",
        "max-age=0,no-cache,",
    ],
)
def test_no_cache_causes_a_new_run(client: Client, line: str) -> None:
    client.ask(REGISTRATION)
    assert client.ask(REGISTRATION, f"Cache-Control: {line}").headers["x-cache"] == "miss"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "max-age=86400",
        f"max-age={'9' * 5000}",
        "max-age=-1",
        "max-age=x",
        "max-age=",
        "public",
        "max-age=٣",
        "\xff",
    ],
)
def test_other_directives_accept_a_recent_cached_response(client: Client, line: str) -> None:
    client.ask(REGISTRATION)
    field = f"Cache-Control: {line}".encode().decode("latin-1")
    assert client.ask(REGISTRATION, field).headers["x-cache"] == "hit"


def test_cache_control_may_be_sent_in_several_lines(client: Client) -> None:
    client.ask(REGISTRATION)
    reply = client.ask(REGISTRATION, "Cache-Control: no-cache", "Cache-Control: max-age=600")
    assert reply.headers["x-cache"] == "miss"


# parameters


def explained(client: Client, target: str) -> str:
    reply = client.ask(target)
    assert (reply.status, reply.code) == (400, "invalid_params")
    assert RATE.fullmatch(reply.headers["ratelimit"])
    return str(reply.json["error"])


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("domian=example.com", "did you mean 'domain'?"),
        ("domain=example.com&fromat=json", "did you mean 'format'?"),
        ("domain=example.com&Domain=example.com", "did you mean 'domain'?"),
        ("domain=example.com&zzz=1", "valid parameters are 'domain' and 'format'"),
        ("domain=example.com&=1", "Unknown parameter ''"),
        ("domain=example.com&%3Cscript%3E=1", "Unknown parameter '<script>'"),
        ("domain=example.com&%0A%1b=1", "Unknown parameter '��'"),
        ("domain=example.com&domain=example.com", "'domain' was sent more than once"),
        ("domain=example.com&format=json&format=json", "'format' was sent 2 times"),
        ("", "'domain' is required"),
        ("format=json", "'domain' is required"),
        ("domain", "'domain' is empty"),
        ("domain=", "'domain' is empty"),
        ("domain=%20%09", "'domain' is empty"),
        ("domain=example.com&format=", "'format' must be one of json, markdown, both"),
        ("domain=example.com&format=JSON", "'format' must be one of"),
        ("domain=not+a+domain", "'domain' must be a domain name such as example.com, without spaces."),
        ("domain=localhost", "'domain'"),
        ("domain=10.0.0.1", "not an IP address"),
        ("domain=co.uk", "is a public suffix"),
        ("domain=exa%00mple.com", "control characters"),
        ("domain=%ff", "percent-encoded UTF-8"),
        ("domain=%ed%a0%80", "percent-encoded UTF-8"),
        ("domain=%c0%af", "percent-encoded UTF-8"),
        ("&".join(f"a{n}=1" for n in range(65)), "more than 64 parameters"),
    ],
)
def test_an_error_names_the_parameter_and_the_rule(client: Client, query: str, message: str) -> None:
    assert message in explained(client, f"/api/v1/domain/registration?{query}")


def test_error_for_a_raw_byte_in_the_query_explains_how_to_encode_it(client: Client) -> None:
    assert client.ask("/docs?\xff").status in (200, 400)
    reply = client.ask("/api/v1/domain/registration?domain=\xe9")
    assert (reply.status, reply.code) == (400, "invalid_params")
    assert "percent-encoded" in reply.json["error"]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("example.com", "must start with http:// or https://"),
        ("ftp://example.com/", "must be an http or https URL"),
        ("file:///etc/passwd", "must be an http or https URL"),
        ("javascript:1", "must be an http or https URL"),
        ("http://", "must have a host"),
        ("https://user:pass@example.com/", "must not contain credentials"),
        ("https://example.com:0/", "port 0"),
        ("https://example.com:99999/", "not a valid URL"),
        ("https://exa mple.com/", "percent-encode"),
        ("https://example.com/" + "a" * 4096, "at most 4096 characters"),
        ("https://[::1", "not a valid URL"),
    ],
)
def test_an_invalid_address_is_explained(client: Client, url: str, message: str) -> None:
    assert message in explained(client, call("/markdown/url", url=url))


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "[::1]",
        "[::]",
        "[fe80::1]",
        "[fc00::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[2001:0:7f00:1::]",
        "[::127.0.0.1]",
        "[ff02::1]",
    ],
)
def test_a_private_address_is_also_refused_in_the_sandbox(client: Client, host: str) -> None:
    reply = client.ask(call("/markdown/url", url=f"http://{host}/"))
    assert (reply.status, reply.code) == (400, "unsafe_target")
    assert reply.headers["x-credits-charged"] == "0"


@pytest.mark.parametrize("url", ["http://example.com:22/", "http://example.com:6379/"])
def test_an_unusual_port_is_also_refused_in_the_sandbox(client: Client, url: str) -> None:
    assert client.ask(call("/markdown/url", url=url)).code == "unsafe_target"


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(
    "value", ["\x00", "\u2028", "a" * 6000, "'\"><img src=x>", "${7*7}", "../../etc/passwd", "🦊" * 99]
)
def test_no_text_causes_an_internal_error(client: Client, name: str, value: str) -> None:
    extractor = load().by_name[name]
    for parameter in (*extractor.example, "format"):
        query = urlencode({**extractor.example, parameter: value})
        reply = client.ask(f"/api/v1{extractor.path}?{query}", method=extractor.method)
        assert reply.status in (400, 404, 422)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/api/v1/serch", "Unknown path; did you mean /api/v1/search?"),
        ("/api/v1/markdown/urls/", "Unknown path; did you mean /api/v1/markdown/url?"),
        ("/api/v1/account/usages", "Unknown path; did you mean /api/v1/account/usage?"),
        ("/api/v1/conversion/cv_1", "Unknown path; did you mean /api/v1/conversions/{id}?"),
        ("/api/v1/SEARCH", "Unknown path; did you mean /api/v1/search?"),
        ("/api/v1/", "Unknown path; all endpoints are listed at /llms.txt and /openapi.json."),
        ("/api/v1/zzzzzzzzzzzzzz", "Unknown path; all endpoints are listed at /llms.txt and /openapi.json."),
        (f"/api/v1/{'search' * 500}", "Unknown path; all endpoints are listed at /llms.txt and /openapi.json."),
    ],
)
def test_an_unknown_path_is_refused_with_a_suggestion(client: Client, path: str, message: str) -> None:
    reply = client.ask(path)
    assert (reply.status, reply.code, reply.json["error"]) == (404, "not_found", message)


# the documents


def curl_lines(text: str) -> list[tuple[str, str, str]]:
    """Return header, target and uploaded text ("" for none) of every `curl` line in a document."""
    found = re.findall(r"(?:printf '(.+)' \| )?curl -H \"([^\"\n]+)\" (?:\\\n +)?\"([^\"\n]+)\"", html.unescape(text))
    targets = [(header, urlsplit(url), sent) for sent, header, url in found]
    return [(header, f"{url.path}?{url.query}".rstrip("?"), sent) for header, url, sent in targets]


@pytest.mark.parametrize("page", ["/llms.txt", "/agents.md", "/docs.md"])
def test_every_example_for_agents_runs(client: Client, page: str) -> None:
    lines = curl_lines(client.ask(page).text)
    assert lines
    for header, target, sent in lines:
        assert header.startswith("Authorization: Bearer ")
        key = header.removeprefix("Authorization: Bearer ").replace("$WEBQUARRY_KEY", client.key)
        reply = client.upload(sent.replace(r"\n", "\n").encode(), key=key) if sent else client.ask(target, key=key)
        assert reply.status == 200, target


def test_the_host_header_never_appears_in_a_response(client: Client) -> None:
    pages = [
        "/",
        "/docs",
        "/docs/",
        "/docs/errors",
        "/llms.txt",
        "/agents.md",
        "/openapi.json",
        "/nowhere",
        "/metrics/",
    ]
    for target in [*pages, REGISTRATION, "/api/v1/nowhere", "/api/v1/domain/registration/"]:
        reply = client.ask(target, "X-Forwarded-Host: elsewhere.example", "Forwarded: host=elsewhere.example")
        found = reply.text + str(dict(reply.headers))
        assert "somewhere.example" not in found
        assert "elsewhere.example" not in found
        assert "location" not in reply.headers


# a key's window, and identical requests in flight: in this process, with a manual clock


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def service(board: Board, clock: ManualClock, tmp_path: Path) -> AsyncIterator[Service]:
    settings = Settings(data_dir=tmp_path, rate_limit_per_minute=3)
    async with assemble(settings, serving=True, registry=board.registry(), clock=clock) as service:
        yield service


@pytest.fixture
async def direct(service: Service) -> Direct:
    _, key = await service.accounts.create("someone@example.com", 1000)
    return Direct(service, key)


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/api/v1/made?key=a", 200),
        ("/api/v1/made?key=bad", 422),
        ("/api/v1/made?kye=a", 400),
        ("/api/v1/made", 400),
        (f"/api/v1/conversions/cv_{'0' * 32}", 404),
    ],
)
async def test_every_request_with_a_key_counts_and_states_the_remaining_limit(
    board: Board, clock: ManualClock, direct: Direct, target: str, status: int
) -> None:
    board.fail("bad")
    for left in (2, 1, 0):
        reply = await direct.ask(target)
        assert reply.status == status
        assert reply.headers["ratelimit-policy"] == '"default";q=3;w=60'
        assert reply.headers["ratelimit"] == f'"default";r={left};t=60'
        assert (reply.headers["x-ratelimit-limit"], reply.headers["x-ratelimit-remaining"]) == ("3", str(left))
        assert int(reply.headers["x-ratelimit-reset"]) == int(clock.now().timestamp()) + 60
    refused = await direct.ask(target)
    assert (refused.status, refused.code, refused.headers["retry-after"]) == (429, "rate_limited", "60")
    assert refused.headers["ratelimit"] == '"default";r=0;t=60'


async def test_seventy_slow_requests_of_one_key_do_not_delay_another_account(board: Board, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, rate_limit_per_minute=1000, max_runs=64)
    async with assemble(settings, serving=True, registry=board.registry()) as service:
        hoarding, other = [
            Direct(service, (await service.accounts.create(f"{name}@example.com", 100))[1])
            for name in ("slow", "other")
        ]
        gates = [board.hold_until(f"slow-{n}") for n in range(70)]
        calls = [asyncio.create_task(hoarding.ask(f"/api/v1/made?key=slow-{n}")) for n in range(70)]
        while sum(call.done() for call in calls) < 6:  # noqa: ASYNC110  # the last six are refused
            await asyncio.sleep(0.01)
        replies = await asyncio.gather(*(other.ask(f"/api/v1/made?key=other-{n}") for n in range(10)))
        assert [reply.status for reply in replies] == [200] * 10
        for gate in gates:
            gate.set()
        statuses = [reply.status for reply in await asyncio.gather(*calls)]
        assert (statuses.count(200), statuses.count(503)) == (64, 6)


async def test_keys_of_one_account_share_its_limit(service: Service, clock: ManualClock) -> None:
    account, first = await service.accounts.create("many@example.com", 100)
    _, second = await service.accounts.create_key(account.id, "another")
    _, stranger = await service.accounts.create("stranger@example.com", 100)
    keys = [Direct(service, key) for key in (first, second, first)]
    replies = [await key.ask("/api/v1/made?key=a") for key in keys]
    assert [reply.headers["ratelimit"] for reply in replies] == [f'"default";r={left};t=60' for left in (2, 1, 0)]
    clock.advance(20)
    refused = await keys[1].ask("/api/v1/made?key=a")
    assert (refused.status, refused.headers["retry-after"]) == (429, "40")
    assert refused.headers["ratelimit-policy"] == '"default";q=3;w=60'
    assert "from all keys and apps of this account" in refused.json["error"]
    assert (await Direct(service, stranger).ask("/api/v1/made?key=a")).status == 200


async def test_the_limit_of_an_account_can_be_higher_than_that_of_a_key(board: Board, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, rate_limit_per_minute=2, account_rate_limit_per_minute=3)
    async with assemble(settings, serving=True, registry=board.registry()) as service:
        account, first = await service.accounts.create("many@example.com", 100)
        _, second = await service.accounts.create_key(account.id, "another")
        asked = [await Direct(service, key).ask("/api/v1/made?key=a") for key in (first, first, first, second, second)]
        assert [reply.status for reply in asked] == [200, 200, 429, 200, 429]
        assert [reply.headers["x-ratelimit-limit"] for reply in asked] == ["2", "2", "2", "3", "3"]


async def test_a_refused_request_gets_one_time_to_retry(clock: ManualClock, direct: Direct) -> None:
    for _ in range(3):
        await direct.ask("/api/v1/made?key=a")
        clock.advance(10)
    refused = await direct.ask("/api/v1/made?key=a")
    assert (refused.status, refused.headers["retry-after"]) == (429, "30")
    assert refused.headers["ratelimit"] == '"default";r=0;t=30'
    assert int(refused.headers["x-ratelimit-reset"]) == int(clock.now().timestamp()) + 30
    clock.advance(30)
    assert (await direct.ask("/api/v1/made?key=a")).status == 200


@pytest.mark.parametrize(
    ("error", "helps"),
    [
        *((ProviderError("So it is.", reason=reason), "true") for reason in ("timeout", "refused", "down")),
        *((ProviderError("So it is.", reason=reason), "false") for reason in ("blocked", "changed", "unavailable")),
        (ConversionFailed("So it is.", reason="timeout"), "false"),
        (EmptyResult("So it is."), "true"),
        (Absent("So it is."), "false"),
        (RuntimeError("so it is"), "true"),
    ],
    ids=lambda value: f"{type(value).__name__} {getattr(value, 'reason', '')}" if isinstance(value, Exception) else "",
)
async def test_an_error_states_whether_a_retry_helps(
    board: Board, direct: Direct, error: Exception, helps: str
) -> None:
    board.fail("bad", error)
    assert (await direct.ask("/api/v1/made?key=bad")).headers["x-retryable"] == helps


async def test_errors_in_the_request_itself_advise_against_a_retry(direct: Direct) -> None:
    for target in ("/api/v1/made", "/api/v1/nowhere"):
        assert (await direct.ask(target)).headers["x-retryable"] == "false"
    for _ in range(3):
        refused = await direct.ask("/api/v1/made?key=a")
    assert (refused.status, refused.headers["x-retryable"]) == (429, "true")


async def test_refused_calls_do_not_count(clock: ManualClock, direct: Direct) -> None:
    for _ in range(3):
        await direct.ask("/api/v1/made?key=a")
        clock.advance(10)
    assert [(await direct.ask("/api/v1/made?key=a")).headers["retry-after"] for _ in range(5)] == ["30"] * 5
    clock.advance(29)
    assert (await direct.ask("/api/v1/made?key=a")).headers["retry-after"] == "1"
    clock.advance(1)
    assert (await direct.ask("/api/v1/made?key=a")).status == 200


async def test_unknown_paths_and_keys_do_not_count(direct: Direct) -> None:
    for _ in range(5):
        assert (await direct.ask("/api/v1/nowhere")).status == 404
        assert (await direct.ask("/api/v1/made?key=a", x_api_key="none")).status == 401
    assert (await direct.ask("/api/v1/made?key=a")).headers["x-ratelimit-remaining"] == "2"


async def led_and_joined(board: Board, direct: Direct, *, error: ServiceError | None = None) -> list[Reply]:
    """Return the responses of a request and of an identical one sent while the first was in flight."""
    runs, goes_on = asyncio.Event(), asyncio.Event()

    async def behave(_ctx: Context) -> None:
        runs.set()
        await goes_on.wait()
        if error is not None:
            raise error

    board.behaviours["slow"] = behave
    first = asyncio.create_task(direct.ask("/api/v1/made?key=slow"))
    await runs.wait()
    second = asyncio.create_task(direct.ask("/api/v1/made?key=slow&format=json"))
    await asyncio.sleep(0)  # the second request joins the flight without suspending
    goes_on.set()
    replies = [await first, await second]
    assert board.runs["slow"] == 1
    return replies


async def test_joining_a_request_in_progress_is_free(board: Board, direct: Direct) -> None:
    led, joined = await led_and_joined(board, direct)
    assert (led.headers["x-cache"], led.headers["x-credits-charged"]) == ("miss", "1")
    assert (joined.headers["x-cache"], joined.headers["x-credits-charged"]) == ("joined", "0")
    shown = {"extractor": "made", "id": led.json["id"], "creditsCharged": 0, "cached": True, "data": {"key": "slow"}}
    assert joined.json == shown


async def test_a_joiner_gets_the_error_of_the_failed_request(board: Board, direct: Direct) -> None:
    led, joined = await led_and_joined(board, direct, error=ProviderError("It is down.", reason="down"))
    assert (led.status, led.code, led.headers["x-error-reason"]) == (422, "provider_error", "down")
    assert (joined.json, joined.headers["x-error-reason"]) == (led.json, "down")


async def test_a_cached_response_states_its_age_and_can_be_too_old(clock: ManualClock, direct: Direct) -> None:
    await direct.ask("/api/v1/made?key=a")
    clock.advance(100)
    hit = await direct.ask("/api/v1/made?key=a", cache_control="max-age=100")
    assert (hit.headers["x-cache"], hit.headers["age"]) == ("hit", "100")
    miss = await direct.ask("/api/v1/made?key=a", cache_control="max-age=99")
    assert (miss.headers["x-cache"], miss.headers["age"]) == ("miss", "0")


async def test_an_internal_error_is_reported_without_details(board: Board, direct: Direct) -> None:
    board.fail("broken", RuntimeError("secret"))
    reply = await direct.ask("/api/v1/made?key=broken")
    assert (reply.status, reply.code) == (500, "internal_error")
    assert "secret" not in reply.text


async def test_an_internal_error_of_the_interface_is_reported_without_details(service: Service, direct: Direct) -> None:
    await service.database.close()
    reply = await direct.ask("/api/v1/made?key=a")
    assert reply.status in (500, 503)
    assert set(reply.json) == {"error", "code"}
