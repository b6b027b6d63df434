"""Connecting an app: the consent page, and attacks on it."""

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from support.apps import CHALLENGE, HOMES, REDIRECT, RESOURCE
from support.people import PASSWORD
from support.visits import Browser, Page
from webquarry.oauth import Client

from .conftest import Apps

EMAIL = "ada@example.com"
AUTHORIZE = "/oauth/authorize"


async def sign_in(apps: Apps) -> Browser:
    browser = apps.house.browser()
    page = await browser.submit("/signup", email=EMAIL, password=PASSWORD)
    assert page.status == 303
    return browser


async def register(apps: Apps, **metadata: object) -> Client:
    fields = {"client_name": "The App", "redirect_uris": [REDIRECT], **metadata}
    return (await apps.clients.register(fields))[0]


def question(client_id: str, **changes: str | None) -> str:
    asked = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": REDIRECT,
        "state": "a state & more",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "resource": RESOURCE,
        "scope": "tools",
        **changes,
    }
    return f"{AUTHORIZE}?{urlencode({name: value for name, value in asked.items() if value is not None})}"


def answer_of(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.location).query).items()}


async def test_sign_in_returns_to_the_consent_page(apps: Apps) -> None:
    client = await register(apps)
    await sign_in(apps)
    browser = apps.house.browser()
    page = await browser.get(question(client.id))
    assert page.location.startswith("/login?next=")
    page = await browser.submit(page.location, email=EMAIL, password=PASSWORD)
    assert page.location == question(client.id)
    assert "Connect The App?" in (await browser.get(page.location)).words


async def test_nothing_is_fetched_before_sign_in(apps: Apps) -> None:
    apps.documents.add()
    assert (await apps.house.browser().get(question(HOMES))).status == 303
    assert apps.documents.fetched == []


async def test_the_page_shows_the_app_its_redirect_target_and_access(apps: Apps) -> None:
    browser = await sign_in(apps)
    apps.documents.add(redirect_uris=["https://app.example/callback"])
    page = await browser.get(question(HOMES, redirect_uri="https://app.example/callback"))
    assert page.status == 200
    for found in ("The App", "app.example", EMAIL, "spend your credits", "https://app.example/callback"):
        assert found in page.words
    assert "not verified" not in page.words
    policy = page.headers["content-security-policy"]
    assert "form-action 'self' https://app.example;" in policy
    assert "frame-ancestors 'none'" in policy
    assert "no-store" in page.headers["cache-control"]


async def test_claims_of_an_app_are_marked_as_claims_and_run_nothing(apps: Apps) -> None:
    browser = await sign_in(apps)
    client = await register(apps, client_name="<script>alert(1)</script>", client_uri="https://bank.example/")
    page = await browser.get(question(client.id))
    assert "<script>alert" not in page.text
    assert "bank.example not verified" in page.words
    assert "a program on this device" in page.words


async def test_agreeing_sends_the_app_code_state_and_issuer(apps: Apps) -> None:
    browser = await sign_in(apps)
    client = await register(apps)
    page = await browser.submit(question(client.id), AUTHORIZE, decision="allow")
    assert page.status == 303
    assert page.location.startswith(f"{REDIRECT}?")
    answer = answer_of(page)
    assert (answer["state"], answer["iss"]) == ("a state & more", "http://127.0.0.1:8080")
    assert await apps.grants.exchange(client, answer["code"], "a" * 43, REDIRECT)
    assert page.headers["cache-control"] == "no-store"


async def test_refusing_sends_the_app_an_error(apps: Apps) -> None:
    browser = await sign_in(apps)
    client = await register(apps)
    for decision in ("refuse", "", "ALLOW"):
        answer = answer_of(await browser.submit(question(client.id), AUTHORIZE, decision=decision))
        assert (answer["error"], answer["state"]) == ("access_denied", "a state & more")
        assert answer["iss"] == "http://127.0.0.1:8080"
        assert "code" not in answer


async def test_a_loopback_app_gets_the_response_at_its_port(apps: Apps) -> None:
    browser = await sign_in(apps)
    client = await register(apps)
    elsewhere = "http://127.0.0.1:49152/callback"
    page = await browser.submit(question(client.id, redirect_uri=elsewhere), AUTHORIZE, decision="allow")
    assert page.location.startswith(f"{elsewhere}?code=")


async def test_the_policy_allows_the_scheme_of_an_app(apps: Apps) -> None:
    browser = await sign_in(apps)
    address = "cursor://anysphere.cursor-retrieval/oauth/callback"
    client = await register(apps, redirect_uris=[address])
    asked = question(client.id, redirect_uri=address)
    assert "form-action 'self' cursor:;" in (await browser.get(asked)).headers["content-security-policy"]
    page = await browser.submit(asked, AUTHORIZE, decision="allow")
    assert page.location.startswith(f"{address}?code=")


@pytest.mark.parametrize(
    "redirect_uri",
    [
        "https://evil.example/callback",
        "http://127.0.0.1:3000/other",
        "http://127.0.0.1:3000/callback/",
        "http://127.0.0.1.evil.example:3000/callback",
        "http://127.0.0.1:3000/callback#x",
        "http://127.0.0.1:3000@evil.example/callback",
        "javascript:alert(1)",
        "",
    ],
)
async def test_an_unregistered_redirect_uri_is_neither_used_nor_linked(apps: Apps, redirect_uri: str) -> None:
    browser = await sign_in(apps)
    client = await register(apps)
    page = await browser.get(question(client.id, redirect_uri=redirect_uri))
    assert page.status == 400
    assert "redirect_uri: must be one of the client's registered URIs" in page.words
    assert "evil" not in page.text
    assert "javascript:" not in page.text


async def test_request_must_choose_between_two_registered_addresses(apps: Apps) -> None:
    browser = await sign_in(apps)
    two = await register(apps, redirect_uris=[REDIRECT, "https://app.example/callback"])
    assert (await browser.get(question(two.id, redirect_uri=None))).status == 400
    one = await register(apps)
    assert (await browser.get(question(one.id, redirect_uri=None))).status == 200


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": None}, "unsupported_response_type"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"resource": "https://elsewhere.example/mcp"}, "invalid_target"),
        ({"request": "eyJ"}, "request_not_supported"),
        ({"request_uri": "https://app.example/request"}, "request_uri_not_supported"),
    ],
)
async def test_an_invalid_request_is_shown_to_the_person_with_a_link_back(
    apps: Apps, change: dict[str, str | None], code: str
) -> None:
    browser = await sign_in(apps)
    client = await register(apps)
    page = await browser.get(question(client.id, **change))
    assert page.status == 400
    assert "location" not in page.headers
    assert f"error={code}" in page.text
    assert "iss=http%3A%2F%2F127.0.0.1%3A8080" in page.text
    assert "state=a+state+%26+more" in page.text


@pytest.mark.parametrize(
    "given", [None, RESOURCE, f"{RESOURCE}/", f"{RESOURCE}?groups=ads", "HTTP://127.0.0.1:8080/mcp"]
)
async def test_the_resource_may_be_written_in_several_ways(apps: Apps, given: str | None) -> None:
    browser = await sign_in(apps)
    client = await register(apps)
    assert (await browser.get(question(client.id, resource=given))).status == 200


@pytest.mark.parametrize("name", ["client_id", "redirect_uri", "state", "code_challenge", "response_type"])
async def test_a_parameter_given_twice_is_refused(apps: Apps, name: str) -> None:
    browser = await sign_in(apps)
    client = await register(apps)
    assert (await browser.get(f"{question(client.id)}&{name}=another")).status == 400


async def test_an_unknown_app_is_told_to_register(apps: Apps) -> None:
    browser = await sign_in(apps)
    for client_id in ("unknown", "", "http://app.example/client.json"):
        page = await browser.get(question(client_id))
        assert page.status == 400
    assert (await browser.get(f"{AUTHORIZE}?{'a=1&' * 300}")).status == 400
    assert (await browser.get(f"{AUTHORIZE}?client_id=%ff")).status == 400


async def test_a_consent_from_another_site_or_session_connects_nothing(apps: Apps) -> None:
    victim, attacker = await sign_in(apps), apps.house.browser()
    await attacker.submit("/signup", email="eve@example.com", password=PASSWORD)
    client = await register(apps)
    asked = question(client.id)
    own = (await victim.get(asked)).fields(AUTHORIZE)
    foreign = (await attacker.get(asked)).fields(AUTHORIZE)["csrf"]
    allow = {**own, "decision": "allow"}
    tries = [
        await victim.post(AUTHORIZE, {**allow, "csrf": foreign}),
        await victim.post(AUTHORIZE, {**allow, "csrf": ""}),
        await victim.post(AUTHORIZE, allow, origin="https://evil.example", sec_fetch_site="cross-site"),
        await apps.house.browser().post(AUTHORIZE, allow),
    ]
    assert [page.status for page in tries] == [403] * 4
    assert (await victim.post(AUTHORIZE, allow)).status == 303


async def test_a_modified_request_is_validated_again(apps: Apps) -> None:
    browser = await sign_in(apps)
    client = await register(apps)
    fields = (await browser.get(question(client.id))).fields(AUTHORIZE)
    changed = question(client.id, redirect_uri="https://evil.example/").partition("?")[2]
    page = await browser.post(AUTHORIZE, {**fields, "question": changed, "decision": "allow"})
    assert (page.status, "location" in page.headers) == (400, False)


async def test_document_fetches_per_account_are_limited(apps: Apps) -> None:
    browser = await sign_in(apps)
    for number in range(60):
        await browser.get(question(f"https://app.example/{number}.json"))
    page = await browser.get(question(HOMES))
    assert (page.status, len(apps.documents.fetched)) == (429, 60)
