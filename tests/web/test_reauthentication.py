"""The password is asked for again before an important action, and the action is then done unchanged."""

import re

import pytest
from selectolax.lexbor import LexborHTMLParser

from support.apps import CHALLENGE, REDIRECT, RESOURCE, make_request
from support.clock import ManualClock
from support.people import PASSWORD
from support.visits import Browser, Page
from webquarry.accounts import totp
from webquarry.service import Service

from .test_account import EMAIL, account_of, board, clock, follow, make_admin, make_key, service, shown_key, sign_up

__all__ = ["board", "clock", "service"]
ASKED = "Confirm it's you"
UNASKED = {
    "/logout",
    "/account/security/sign-out",
    # these forms ask for the password themselves
    "/account/security/password",
    "/account/security/email",
    "/account/security/two-factor/off",
}
FRESH_S = 15 * 60


async def answer(browser: Browser, page: Page, action: str, password: str = PASSWORD, **fields: str) -> Page:
    """Fill in the page that asks for the password."""
    return await browser.post(action, {**page.fields(action), "reauth_password": password, **fields})


async def connect_app(service: Service) -> str:
    """Connect an app. Return the path that disconnects it."""
    client, _ = await service.clients.register({"client_name": "The App", "redirect_uris": [REDIRECT]})
    code = await service.grants.approve(await account_of(service), make_request(client))
    await service.grants.exchange(client, code, "a" * 43, REDIRECT)
    (grant,) = await service.grants.list_grants(await account_of(service))
    return f"/account/apps/{grant.id}/revoke"


async def test_password_and_code_are_requested_only_after_fifteen_minutes(service: Service, clock: ManualClock) -> None:
    browser = await sign_up(service)
    clock.advance(FRESH_S - 1)
    assert (await browser.submit("/account/keys", name="first")).status == 303
    clock.advance(1)
    page = await browser.submit("/account/keys", name="second", cap="7")
    assert (page.status, ASKED in page.words) == (403, True)
    assert page.headers["cache-control"] == "private, no-store"
    assert [key.name for key in await service.accounts.list_keys(await account_of(service))] == ["first"]
    wrong = await answer(browser, page, "/account/keys", "a wrong one")
    assert (wrong.status, 'id="reauth_password-error"' in wrong.text) == (400, True)
    made = await answer(browser, wrong, "/account/keys")
    shown_key(await follow(browser, made))
    keys = await service.accounts.list_keys(await account_of(service))
    assert [(key.name, key.monthly_cap) for key in keys] == [("first", None), ("second", 7)]
    assert (await browser.submit("/account/keys", name="third")).status == 303


async def find_forms(browser: Browser, *paths: str) -> set[tuple[str, str]]:
    """Return page and action of all forms that change something."""
    found = set()
    for path in paths:
        page = await browser.get(path)
        assert page.status == 200, path
        for form in LexborHTMLParser(page.text).css("form[method=post]"):
            found.add((path, str(form.attributes["action"])))
    return found


async def test_every_sensitive_form_requires_reauthentication(service: Service, clock: ManualClock) -> None:
    admin, ada = await make_admin(service), await sign_up(service)
    await make_key(ada)
    await connect_app(service)
    account = await account_of(service)
    before = await service.directory.find(account)
    clock.advance(FRESH_S)
    forms = {
        (who, *form)
        for who, paths in (
            ("ada", ("/account", "/account/keys", "/account/apps", "/account/usage", "/account/security")),
            ("admin", ("/admin", "/admin/audit", f"/admin/accounts/{account}")),
        )
        for form in await find_forms({"ada": ada, "admin": admin}[who], *paths)
    }
    asked = {(who, path, action) for who, path, action in forms if action not in UNASKED}
    assert len(asked) >= 10
    for who, path, action in sorted(asked):
        fields = {"name": "x", "email": "x@example.com", "credits": "5", "password": PASSWORD, "confirm": EMAIL}
        page = await {"ada": ada, "admin": admin}[who].submit(path, action, **fields)
        assert (page.status, ASKED in page.words) == (403, True), action
    assert await service.directory.find(account) == before
    assert len(await service.accounts.list_keys(account)) == 2 - 1
    assert len(await service.grants.list_grants(account)) == 1
    assert (await service.people.factors.find(account)) is None


async def test_an_interrupted_form_is_submitted_with_its_fields(service: Service, clock: ManualClock) -> None:
    admin, _ = await make_admin(service), await sign_up(service)
    target = f"/admin/accounts/{await account_of(service)}"
    clock.advance(FRESH_S)
    page = await admin.submit(target, f"{target}/grant", credits="1,000", note='for "the" <trial>')
    assert (await answer(admin, page, f"{target}/grant")).location == target
    assert (await service.directory.find(EMAIL)).balance == 1010
    assert 'for "the" <trial>' in (await admin.get(target)).words


async def test_reauthentication_returns_to_the_consent_request(service: Service, clock: ManualClock) -> None:
    browser = await sign_up(service)
    client, _ = await service.clients.register({"client_name": "The App", "redirect_uris": [REDIRECT]})
    question = (
        f"response_type=code&client_id={client.id}&redirect_uri={REDIRECT}&state=s&code_challenge={CHALLENGE}"
        f"&code_challenge_method=S256&resource={RESOURCE}"
    )
    consent = f"/oauth/authorize?{question}"
    shown = await browser.get(consent)
    assert "Connect The App?" in shown.words
    clock.advance(FRESH_S)
    late = await browser.post("/oauth/authorize", {**shown.fields("/oauth/authorize"), "decision": "allow"})
    assert late.location == consent
    page = await browser.get(late.location)
    assert (page.status, ASKED in page.words) == (403, True)
    back = await answer(browser, page, "/reauthenticate")
    assert back.location == consent
    again = await browser.get(back.location)
    allowed = await browser.post("/oauth/authorize", {**again.fields("/oauth/authorize"), "decision": "allow"})
    assert allowed.location.startswith(f"{REDIRECT}?code=")
    clock.advance(FRESH_S)
    refused = {**again.fields("/oauth/authorize"), "decision": "refuse"}
    assert "error=access_denied" in (await browser.post("/oauth/authorize", refused)).location


async def test_a_code_is_requested_if_the_last_one_is_old(service: Service, clock: ManualClock) -> None:
    browser = await sign_up(service)
    account = await account_of(service)
    secret = await turn_on(service, browser, clock)
    clock.advance(FRESH_S)
    page = await browser.submit("/account/keys", name="batch")
    assert 'name="reauth_code"' in page.text
    wrong = await answer(browser, page, "/account/keys", reauth_code="000000")
    assert (wrong.status, 'id="reauth_code-error"' in wrong.text) == (400, True)
    assert await service.accounts.list_keys(account) == []
    made = await answer(browser, wrong, "/account/keys", reauth_code=totp.make_code(secret, totp.step_of(clock.now())))
    assert made.status == 303
    assert len(await service.accounts.list_keys(account)) == 1


async def turn_on(service: Service, browser: Browser, clock: ManualClock) -> str:
    begun = await browser.submit("/account/security", "/account/security/two-factor")
    page = await browser.get(begun.location)
    found = re.search(r"secret=([A-Z2-7]{32})", page.text)
    assert found is not None
    code = totp.make_code(found[1], totp.step_of(clock.now()))
    on = "/account/security/two-factor/on"
    await browser.post(on, {**page.fields(on), "code": code})
    clock.advance(totp.STEP_S)
    return found[1]


async def test_an_administrator_resets_the_second_factor(service: Service, clock: ManualClock) -> None:
    admin, ada = await make_admin(service), await sign_up(service)
    await turn_on(service, ada, clock)
    page = f"/admin/accounts/{await account_of(service)}"
    assert "password and code" in (await admin.get(page)).words
    assert (await admin.submit(page, f"{page}/second-factor")).location == page
    assert "Reset two-factor" not in (await admin.get(page)).words
    assert (await ada.get("/account")).location.startswith("/login")
    entered = await Browser(service.asgi()).submit("/login", email=EMAIL, password=PASSWORD)
    assert entered.location == "/account"


@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example/", "/\\evil.example", "x"])
async def test_reauthentication_redirects_only_within_the_site(
    service: Service, clock: ManualClock, wanted: str
) -> None:
    browser = await sign_up(service)
    token = (await browser.get("/account/keys")).fields("/account/keys")["csrf"]
    page = await browser.post("/reauthenticate", {"csrf": token, "next": wanted})
    assert (page.status, page.location) == (303, "/account")


async def test_reauthentication_attempts_are_limited(service: Service, clock: ManualClock) -> None:
    browser = await sign_up(service)
    clock.advance(FRESH_S)
    page = await browser.submit("/account/keys", name="batch")
    tries = [(await answer(browser, page, "/account/keys", "a guess")).status for _ in range(11)]
    assert tries == [400] * 10 + [429]
    assert (await answer(browser, page, "/account/keys")).status == 429
