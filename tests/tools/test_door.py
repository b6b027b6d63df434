"""Access to /mcp: allowed clients, origins and bodies, and the errors for others."""

from dataclasses import replace

import pytest

from support.tools import ToolClient
from webquarry.api import body as bodies
from webquarry.limits import InProcessLimiter
from webquarry.mcp import endpoint
from webquarry.mcp.access import Access
from webquarry.service import Service

pytestmark = pytest.mark.asyncio(loop_scope="module")
CHALLENGE = 'Bearer resource_metadata="http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp", scope="tools"'


async def test_a_missing_key_is_answered_with_where_to_sign_in(client: ToolClient) -> None:
    for method in ("POST", "GET", "DELETE"):
        reply = await replace(client, key=None).send(method, (b"",))
        assert (reply.status, reply.headers["www-authenticate"]) == (401, CHALLENGE)
        assert reply.json["code"] == "unauthorized"


async def test_an_invalid_credential_is_reported(client: ToolClient) -> None:
    for key in ("wq_test_" + "A" * 32, "wq_live_" + "A" * 32, "some-token"):
        reply = await replace(client, key=key).call("account_balance")
        assert reply.status == 401
        assert reply.headers["www-authenticate"] == f'{CHALLENGE}, error="invalid_token"'


async def test_either_header_carries_the_key(client: ToolClient) -> None:
    assert client.key is not None
    assert (await client.call("account_balance")).structured["credits"] > 0
    reply = await replace(client, key=None).call("account_balance", x_api_key=client.key)
    assert reply.structured["credits"] > 0


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "", "localhost@evil.example", "[::1"]
)
async def test_another_host_name_is_refused(client: ToolClient, host: str) -> None:
    assert (await client.call("account_balance", host=host)).status == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "LOCALHOST:9", "[::1]:8080"])
async def test_loopback_is_a_name_of_the_service(client: ToolClient, host: str) -> None:
    assert (await client.call("account_balance", host=host)).status == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "http://localhost.evil.example", "null", "file://"])
async def test_pages_of_other_origins_are_refused(client: ToolClient, origin: str) -> None:
    for method in ("POST", "OPTIONS"):
        reply = await client.send(method, (b"{}",), origin=origin)
        assert reply.status == 403
        assert "access-control-allow-origin" not in reply.headers


async def test_a_page_on_loopback_can_send_requests(client: ToolClient) -> None:
    origin = "http://localhost:6274"
    asked = await replace(client, key=None).send("OPTIONS", (b"",), origin=origin)
    assert (asked.status, asked.headers["access-control-allow-origin"]) == (204, origin)
    allowed = asked.headers["access-control-allow-headers"].lower()
    assert all(name in allowed for name in ("authorization", "mcp-protocol-version", "mcp-method", "mcp-name"))
    for key in (client.key, None):
        reply = await replace(client, key=key).call("account_balance", origin=origin)
        assert reply.headers["access-control-allow-origin"] == origin
        assert "www-authenticate" in reply.headers["access-control-expose-headers"].lower()
        assert "access-control-allow-credentials" not in reply.headers


async def test_configured_origins_are_allowed(service: tuple[Service, str]) -> None:
    access = Access(service[0].accounts, None, "https://quarry.example", ("https://app.example",))
    for origin in ("https://app.example", "https://quarry.example"):
        access.check_origin(origin)
    for host in ("quarry.example", "quarry.example:443"):
        access.check_host(host)
    Access(service[0].accounts, None, "https://quarry.example", ("*",)).check_origin("https://any.example")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_streams_and_sessions_are_not_supported(client: ToolClient, method: str) -> None:
    reply = await client.send(method, (b"",))
    assert (reply.status, reply.headers["allow"]) == (405, "POST, OPTIONS")
    assert reply.json["error"]["data"]["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("serch", "did you mean 'search'?"), ("Wikipedia\n", "tools/list names the available tools.")],
)
async def test_an_unknown_tool_gets_a_suggestion(client: ToolClient, name: str, hint: str) -> None:
    error = (await client.call(name, {"q": "tea"})).json["error"]
    assert error["message"] == f"Unknown tool '{name.replace(chr(10), chr(0xFFFD))}'; {hint}"


async def test_a_message_of_another_type_is_reported(client: ToolClient) -> None:
    reply = await client.post(b"jsonrpc=2.0", content_type="application/x-www-form-urlencoded")
    assert (reply.status, reply.json["error"]["data"]["code"]) == (400, "invalid_params")
    assert "`Content-Type: application/json`" in reply.json["error"]["message"]


async def test_the_size_of_a_body_is_limited(client: ToolClient) -> None:
    assert (await client.post(b" " * (endpoint.MAX_BODY_BYTES + 1))).status == 413
    assert (await client.post(b"{}", content_length="99999999999")).status == 413
    half = b" " * (endpoint.MAX_BODY_BYTES // 2 + 1)
    assert (await client.send("POST", (half, half))).status == 413


async def test_a_missing_body_is_not_waited_for(client: ToolClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "GRACE_S", 0.05)
    reply = await client.send("POST", ())
    message = "The body was sent at less than 8,192 bytes a second."
    assert (reply.status, reply.json["error"]["message"]) == (400, message)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("groups=adz", "Unknown group 'adz'; did you mean 'ads'?"),
        ("groups=social_media", "Unknown group 'social_media'; did you mean 'social'?"),
        ("groups=scrape", "Unknown group 'scrape'; groups are ads, "),
        ("tools=serch", "Unknown tool 'serch'; did you mean 'search'?"),
        ("tools=markdown_file", "Unknown tool 'markdown_file'; did you mean 'markdown_url'?"),
        ("group=ads", "Unknown parameter 'group'; valid parameters are 'groups', 'tools' and 'short'."),
        ("groups=", "Parameter 'groups' is empty; omit it or list some, separated by commas."),
        ("groups=%ff", "The query must be percent-encoded UTF-8."),
    ],
)
async def test_an_invalid_selection_is_reported(client: ToolClient, query: str, message: str) -> None:
    reply = await replace(client, query=query).call("search", {"q": "tea"})
    assert reply.status == 400
    assert reply.json["error"]["message"].startswith(message)


async def test_an_internal_error_is_a_protocol_error(
    service: tuple[Service, str], client: ToolClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service[0].tools.endpoint, "_catalog", None)
    reply = await client.call("account_balance")
    assert (reply.status, reply.json["error"]["code"]) == (500, -32603)
    assert reply.json["error"]["data"]["code"] == "internal_error"


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 5000])
async def test_invalid_json_is_a_protocol_error(client: ToolClient, body: bytes) -> None:
    for revision in ("2026-07-28", "2025-11-25", ""):
        reply = await client.post(body, mcp_protocol_version=revision)
        assert (reply.status, reply.json["error"]["code"]) == (400, -32700)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"[]", "Send one message per request"),
        (b' [{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', "Send one message per request"),
        (b"null", "The body must be a JSON-RPC 2.0 message"),
        (b"1", "The body must be a JSON-RPC 2.0 message"),
        (b'{"jsonrpc": "2.0"}', "The body must be a JSON-RPC 2.0 message"),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', "The body must be a JSON-RPC 2.0 message"),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', "The body must be a JSON-RPC 2.0 message"),
        (b'{"jsonrpc": "2.0", "id": [], "method": "ping"}', "The body must be a JSON-RPC 2.0 message"),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": 3}', "The body must be a JSON-RPC 2.0 message"),
    ],
)
async def test_json_that_is_not_a_message_is_an_invalid_request(client: ToolClient, body: bytes, message: str) -> None:
    for revision in ("2026-07-28", "2025-11-25", ""):
        reply = await client.post(body, mcp_protocol_version=revision)
        assert (reply.status, reply.json["error"]["code"]) == (400, -32600)
        assert reply.json["error"]["message"].startswith(message)


@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b'{"jsonrpc": "2.0", "id": 1, "result": {}}',
        b'{"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no"}}',
    ],
)
async def test_notifications_and_responses_are_accepted(client: ToolClient, body: bytes) -> None:
    assert (await client.post(body, mcp_protocol_version="2025-11-25")).status == 202


async def test_messages_other_than_calls_are_limited(
    service: tuple[Service, str], client: ToolClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = InProcessLimiter(2, service[0].clock)
    monkeypatch.setattr(service[0].tools.endpoint, "_messages", few)
    replies = [await client.request("server/discover", {}) for _ in range(3)]
    assert [reply.status for reply in replies] == [200, 200, 429]
    assert int(replies[2].headers["retry-after"]) > 0
