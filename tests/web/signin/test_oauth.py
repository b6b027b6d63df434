"""Endpoints for apps without a person: metadata, registration, tokens, revocation.

For each defect found in other servers, a test shows that it is absent here.
"""

import base64
from collections.abc import Callable
from typing import Any

import orjson
import pytest

from support.apps import HOMES, REDIRECT, RESOURCE, make_request
from support.visits import ORIGIN, Browser, Page
from webquarry.core.errors import Unauthorized
from webquarry.oauth import Client
from webquarry.oauth.grants import Issued

from .conftest import Apps

VERIFIER = "a" * 43
TOKEN, REVOKE, REGISTER = "/oauth/token", "/oauth/revoke", "/oauth/register"


def call(apps: Apps, address: str = "192.0.2.1") -> Browser:
    """Return an app's browser, without page and cookies."""
    return Browser(apps.house.app, address=address)


async def post(apps: Apps, path: str, fields: dict[str, str], **headers: str | None) -> Page:
    return await call(apps).post(path, fields, origin=None, sec_fetch_site=None, accept=None, **headers)


async def register(apps: Apps, metadata: dict[str, Any] | bytes, address: str = "192.0.2.1") -> Page:
    body = metadata if isinstance(metadata, bytes) else orjson.dumps(metadata)
    return await call(apps, address).send("POST", REGISTER, headers={"content-type": "application/json"}, body=body)


def told(page: Page) -> dict[str, Any]:
    values = orjson.loads(page.body)
    assert isinstance(values, dict)
    return values


async def make_client(apps: Apps, **metadata: Any) -> Client:
    return (await apps.clients.register({"client_name": "The App", "redirect_uris": [REDIRECT], **metadata}))[0]


async def make_account(apps: Apps) -> str:
    cookie = await apps.house.people.register("ada@example.com", "correct horse battery")
    visitor = await apps.house.people.identify_session(cookie or "")
    assert visitor is not None
    return visitor.account_id


async def make_code(apps: Apps, client: Client) -> str:
    return await apps.grants.approve(await make_account(apps), make_request(client))


async def connect(apps: Apps, client: Client) -> Issued:
    return await apps.grants.exchange(client, await make_code(apps, client), VERIFIER, REDIRECT)


def exchange_fields(client: Client, code: str, **changes: str) -> dict[str, str]:
    fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT, "client_id": client.id}
    return {**fields, "code_verifier": VERIFIER, "resource": RESOURCE, **changes}


async def is_known(apps: Apps, token: str) -> bool:
    try:
        await apps.tokens.identify_token(token, RESOURCE)
    except Unauthorized:
        return False
    return True


async def test_the_metadata_name_every_endpoint_and_what_is_supported(apps: Apps) -> None:
    page = await call(apps).get("/.well-known/oauth-authorization-server")
    server = told(page)
    assert server["issuer"] == ORIGIN
    for endpoint, path in (("authorization", "authorize"), ("token", "token"), ("registration", "register")):
        assert server[f"{endpoint}_endpoint"] == f"{ORIGIN}/oauth/{path}"
    assert server["revocation_endpoint"] == f"{ORIGIN}/oauth/revoke"
    assert server["code_challenge_methods_supported"] == ["S256"]
    assert server["response_types_supported"] == ["code"]
    assert server["client_id_metadata_document_supported"] is True
    assert server["authorization_response_iss_parameter_supported"] is True
    assert "none" in server["token_endpoint_auth_methods_supported"]
    assert "none" in server["revocation_endpoint_auth_methods_supported"]
    assert page.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("path", ["", "/mcp"])
async def test_the_resource_is_described_at_both_of_its_forms(apps: Apps, path: str) -> None:
    page = await call(apps).get(f"/.well-known/oauth-protected-resource{path}")
    assert page.status == 200
    resource = told(page)
    assert (resource["resource"], resource["authorization_servers"]) == (RESOURCE, [ORIGIN])
    assert not resource["authorization_servers"][0].endswith("/")
    assert resource["bearer_methods_supported"] == ["header"]
    assert (await call(apps).get("/.well-known/oauth-protected-resource/other")).status == 404


async def test_other_origins_can_send_requests_without_cookies(apps: Apps) -> None:
    for path in (TOKEN, REVOKE, REGISTER):
        headers = {"origin": "https://app.example", "access-control-request-method": "POST"}
        page = await call(apps).send("OPTIONS", path, headers=headers)
        assert page.status in (200, 204)
        assert page.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in page.headers
        assert "POST" in page.headers["access-control-allow-methods"]
        assert "Content-Type" in page.headers["access-control-allow-headers"]


async def test_an_app_registers_and_gets_its_effective_metadata(apps: Apps) -> None:
    page = await register(apps, {"client_name": "The App", "redirect_uris": [REDIRECT], "scope": "everything"})
    client = told(page)
    assert (page.status, client["client_name"], client["redirect_uris"]) == (201, "The App", [REDIRECT])
    assert (client["token_endpoint_auth_method"], client["scope"]) == ("none", "tools")
    assert "client_secret" not in client
    assert page.headers["cache-control"] == "no-store"
    assert await apps.clients.find(client["client_id"])


@pytest.mark.parametrize(
    "redirect_uri",
    ["javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "http://app.example/", "https://a.example/#b"],
)
async def test_registration_refuses_dangerous_redirect_uris(apps: Apps, redirect_uri: str) -> None:
    page = await register(apps, {"redirect_uris": [redirect_uri]})
    assert (page.status, told(page)["error"]) == (400, "invalid_redirect_uri")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"[" * 9000, b" " * 20_000])
async def test_registration_without_an_object_is_refused(apps: Apps, body: bytes) -> None:
    page = await register(apps, body)
    assert (page.status, told(page)["error"]) == (400, "invalid_client_metadata")


async def test_registrations_per_network_are_limited(apps: Apps) -> None:
    for _ in range(20):
        assert (await register(apps, {"redirect_uris": [REDIRECT]})).status == 201
    page = await register(apps, {"redirect_uris": [REDIRECT]})
    assert (page.status, "retry-after" in page.headers) == (429, True)
    assert (await register(apps, {"redirect_uris": [REDIRECT]}, "198.51.100.1")).status == 201


async def test_a_public_app_gets_tokens_renews_and_revokes_without_any_secret(apps: Apps) -> None:
    client = await make_client(apps)
    page = await post(apps, TOKEN, exchange_fields(client, await make_code(apps, client)))
    assert page.status == 200, page.text
    assert (page.headers["cache-control"], page.headers["content-type"]) == ("no-store", "application/json")
    tokens = told(page)
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 3600, "tools")
    assert await is_known(apps, tokens["access_token"])
    renew = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": client.id}
    renewed = told(await post(apps, TOKEN, renew))
    assert await is_known(apps, renewed["access_token"])
    page = await post(apps, REVOKE, {"token": renewed["access_token"], "client_id": client.id})
    assert page.status == 200
    assert not await is_known(apps, renewed["access_token"])
    again = {**renew, "refresh_token": renewed["refresh_token"]}
    assert told(await post(apps, TOKEN, again))["error"] == "invalid_grant"


async def test_an_app_that_cannot_renew_gets_no_refresh_token(apps: Apps) -> None:
    client = await make_client(apps, grant_types=["authorization_code"])
    page = await post(apps, TOKEN, exchange_fields(client, await make_code(apps, client)))
    assert "refresh_token" not in told(page)


async def test_an_app_with_a_document_gets_tokens_by_its_address(apps: Apps) -> None:
    apps.documents.add()
    client = await apps.clients.introduce(HOMES)
    page = await post(apps, TOKEN, exchange_fields(client, await make_code(apps, client)))
    assert page.status == 200
    assert apps.documents.fetched == [HOMES]


@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
async def test_a_confidential_app_proves_itself_either_way(apps: Apps, method: str) -> None:
    page = await register(apps, {"redirect_uris": [REDIRECT], "token_endpoint_auth_method": method})
    secret = told(page)["client_secret"]
    client = await apps.clients.find(told(page)["client_id"])
    assert client is not None
    code = await make_code(apps, client)
    fields = exchange_fields(client, code)
    basic = "Basic " + base64.b64encode(f"{client.id}:{secret}".encode()).decode()
    wrong = "Basic " + base64.b64encode(f"{client.id}:wrong".encode()).decode()
    for refused in (
        await post(apps, TOKEN, fields),
        await post(apps, TOKEN, {**fields, "client_secret": "wrong"}),
        await post(apps, TOKEN, fields, authorization=wrong),
        await post(apps, TOKEN, fields, authorization="Basic ???"),
        await post(apps, TOKEN, {**fields, "client_id": "another"}, authorization=basic),
    ):
        assert (refused.status, told(refused)["error"]) == (401, "invalid_client")
    if method == "client_secret_post":
        page = await post(apps, TOKEN, {**fields, "client_secret": secret})
    else:
        page = await post(apps, TOKEN, fields, authorization=basic)
    assert page.status == 200


@pytest.mark.parametrize(
    ("change", "status", "error"),
    [
        ({"code_verifier": "b" * 43}, 400, "invalid_grant"),
        ({"code_verifier": ""}, 400, "invalid_grant"),
        ({"code": "wqac_" + "x" * 32}, 400, "invalid_grant"),
        ({"redirect_uri": "http://127.0.0.1:3001/callback"}, 400, "invalid_grant"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"grant_type": ""}, 400, "unsupported_grant_type"),
        ({"resource": "https://elsewhere.example/mcp"}, 400, "invalid_target"),
        ({"client_id": "unknown"}, 401, "invalid_client"),
        ({"client_id": ""}, 401, "invalid_client"),
    ],
)
async def test_a_bad_exchange_is_refused_and_the_code_still_works(
    apps: Apps, change: dict[str, str], status: int, error: str
) -> None:
    client = await make_client(apps)
    fields = exchange_fields(client, await make_code(apps, client))
    page = await post(apps, TOKEN, {**fields, **change})
    assert (page.status, told(page)["error"]) == (status, error)
    assert page.headers["cache-control"] == "no-store"
    assert (await post(apps, TOKEN, fields)).status == 200


async def test_a_stolen_code_cannot_be_exchanged(apps: Apps) -> None:
    """Code injection: another app's session, or the same app with a different challenge, cannot exchange the code."""
    victim, attacker = await make_client(apps), await make_client(apps)
    code = await make_code(apps, victim)
    for client, verifier in ((attacker, VERIFIER), (victim, "b" * 43)):
        page = await post(apps, TOKEN, exchange_fields(client, code, code_verifier=verifier))
        assert told(page)["error"] == "invalid_grant"


async def test_a_replayed_code_revokes_its_grant_on_all_replicas(build_apps: Callable[[], Apps]) -> None:
    here, there = build_apps(), build_apps()
    client = await make_client(here)
    fields = exchange_fields(client, await make_code(here, client))
    token = told(await post(here, TOKEN, fields))["access_token"]
    assert await is_known(here, token)
    assert told(await post(there, TOKEN, fields))["error"] == "invalid_grant"
    here.house.clock.advance(5)
    assert not await is_known(here, token)


async def test_revoking_an_unknown_token_or_one_of_another_app_reveals_nothing(apps: Apps) -> None:
    client, other = await make_client(apps), await make_client(apps)
    issued = await connect(apps, client)
    for fields in ({"token": "nonsense"}, {"token": issued.access_token, "client_id": other.id}):
        page = await post(apps, REVOKE, {"client_id": client.id, **fields})
        assert (page.status, page.body) == (200, b"{}")
    assert await is_known(apps, issued.access_token)
    page = await post(apps, REVOKE, {"client_id": client.id})
    assert (page.status, told(page)["error"]) == (400, "invalid_request")


async def test_whoever_has_a_token_may_revoke_it(apps: Apps) -> None:
    issued = await connect(apps, await make_client(apps))
    page = await post(apps, REVOKE, {"token": issued.refresh_token or "", "token_type_hint": "refresh_token"})
    assert page.status == 200
    assert not await is_known(apps, issued.access_token)


async def test_anything_but_a_form_is_an_oauth_error(apps: Apps) -> None:
    page = await call(apps).send("POST", TOKEN, headers={"content-type": "application/json"}, body=b"{}")
    assert (page.status, told(page)["error"]) == (400, "invalid_request")
    page = await call(apps).get(TOKEN)
    assert page.status == 405


async def test_tokens_can_be_requested_three_hundred_times_in_fifteen_minutes(apps: Apps) -> None:
    client = await make_client(apps)
    for _ in range(300):
        await post(apps, TOKEN, {"client_id": client.id})
    assert (await post(apps, TOKEN, {"client_id": client.id})).status == 429
