"""Two-factor authentication on its pages: set up, asked for at sign-in, for apps and for resets, and turned off."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from support.apps import CHALLENGE, REDIRECT, RESOURCE
from support.people import PASSWORD
from support.visits import Browser, Page
from webquarry.accounts import totp
from webquarry.web.session import SESSION

from .conftest import Apps, House
from .test_recovery import Town, town
from .test_security import EMAIL, SECURITY, sign_in

__all__ = ["town"]
FACTOR = f"{SECURITY}/two-factor"
STEP = "/login/code"
CODES = re.compile(r"\b(?:[a-z2-7]{4}-){3}[a-z2-7]{4}\b")


def find_secret(page: Page) -> str:
    """Return the secret that the page shows for an authenticator app."""
    address = re.search(r'href="(otpauth://[^"]+)"', page.text)
    assert address is not None
    fields = parse_qs(urlsplit(address[1].replace("&amp;", "&")).query)
    assert fields["issuer"][0] in ("Webquarry (127.0.0.1)", "Webquarry (localhost)")
    return fields["secret"][0]


async def turn_on(house: House, browser: Browser) -> tuple[str, list[str]]:
    """Set up the second factor. Return the secret and the recovery codes, and advance to the next code."""
    begun = await browser.submit(SECURITY, FACTOR)
    page = await browser.get(begun.location)
    secret = find_secret(page)
    on = f"{FACTOR}/on"
    enabled = await browser.post(on, {**page.fields(on), "code": code_of(house, secret)})
    assert (enabled.status, enabled.location) == (303, f"{SECURITY}/recovery-codes")
    codes = CODES.findall((await browser.get(enabled.location)).text)
    assert len(codes) == 10
    house.clock.advance(totp.STEP_S)
    return secret, codes


def code_of(house: House, secret: str) -> str:
    return totp.make_code(secret, totp.step_of(house.clock.now()))


async def enter_code(browser: Browser, code: str, page: str = STEP) -> Page:
    return await browser.submit(page, STEP, code=code)


async def test_second_factor_is_set_up_and_requested(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    assert "You sign in with your password only" in (await browser.get(SECURITY)).words
    secret, _ = await turn_on(house, browser)
    assert "10 recovery codes left" in (await browser.get(SECURITY)).words
    again = house.browser()
    page = await again.submit("/login?next=%2Faccount%2Fkeys", "/login", email=EMAIL, password=PASSWORD)
    assert (page.status, page.location) == (303, f"{STEP}?next=%2Faccount%2Fkeys")
    assert await house.visitor(again) is None
    assert (await again.get(SECURITY)).location == "/login?next=%2Faccount%2Fsecurity"
    assert (await again.get("/login?next=%2Faccount%2Fsecurity")).location == f"{STEP}?next=%2Faccount%2Fsecurity"
    before = again.cookies[SESSION]
    house.clock.advance(1)
    wrong = await enter_code(again, "000000", page.location)
    assert (wrong.status, 'id="code-error"' in wrong.text) == (401, True)
    entered = await again.post(STEP, {**wrong.fields(STEP), "code": code_of(house, secret)})
    assert (entered.status, entered.location) == (303, "/account/keys")
    assert again.cookies[SESSION] != before
    assert (await again.get(SECURITY)).status == 200
    assert (await again.get(STEP)).location == "/account"


async def test_the_qr_code_is_a_picture_of_the_address(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    page = await browser.get((await browser.submit(SECURITY, FACTOR)).location)
    assert 'src="data:image/svg+xml' in page.text
    assert find_secret(page) == find_secret(await browser.get(FACTOR)), "a reload shows the same secret"
    assert page.headers["cache-control"] == "private, no-store"
    assert "ada%40example.com" in page.text


async def test_recovery_codes_are_shown_once_and_sign_in_once(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    _, codes = await turn_on(house, browser)
    assert (await browser.get(f"{SECURITY}/recovery-codes")).location == SECURITY
    again = await sign_in(house)
    link = re.search(r'href="(/login/code\?with=recovery[^"]*)"', (await again.get(STEP)).text)
    assert link is not None
    page = await enter_code(again, codes[0].upper(), link[1].replace("&amp;", "&"))
    assert (page.status, page.location) == (303, "/account")
    assert "9 recovery codes left" in (await again.get(SECURITY)).words
    third = await sign_in(house)
    wrong = await enter_code(third, codes[0], f"{STEP}?with=recovery")
    assert (wrong.status, "Enter a recovery code" in wrong.words) == (401, True)
    renewed = await browser.submit(SECURITY, f"{SECURITY}/recovery-codes")
    new = CODES.findall((await browser.get(renewed.location)).text)
    assert not set(new) & set(codes)
    assert (await enter_code(third, codes[1])).status == 401
    assert (await enter_code(third, new[0])).status == 303


async def test_injected_codes_are_not_shown_as_recovery_codes(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    await turn_on(house, browser)
    browser.cookies["wq_once"] = "aaaa-aaaa-aaaa-aaaa"
    assert (await browser.get(f"{SECURITY}/recovery-codes")).location == SECURITY


async def test_wrong_codes_are_limited_per_network_and_in_total(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    secret, _ = await turn_on(house, browser)
    thieves = [house.browser(address=f"198.51.100.{number}") for number in range(11)]
    statuses = []
    for thief in thieves:
        assert (await thief.submit("/login", email=EMAIL, password=PASSWORD)).status == 303
        statuses.append([(await enter_code(thief, "000000")).status for _ in range(11)])
    assert statuses[0] == [401] * 10 + [429]
    assert statuses[10] == [429] * 11
    refused = await enter_code(thieves[0], code_of(house, secret))
    assert (refused.status, "Too many attempts" in refused.words) == (429, True)


async def test_a_pending_sign_in_can_be_cancelled(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    await turn_on(house, browser)
    again = await sign_in(house)
    assert (await again.submit(STEP, "/logout")).location == "/"
    assert SESSION not in again.cookies
    assert (await again.get(STEP)).location == "/login"
    assert (await again.post(STEP, {"csrf": (await again.get("/login")).fields("/login")["csrf"]})).location == "/login"


async def test_turning_it_off_asks_for_password_and_code(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    secret, codes = await turn_on(house, browser)
    off = f"{FACTOR}/off"
    for fields, fault in (
        ({"current": "a wrong one", "code": code_of(house, secret)}, "current-error"),
        ({"current": PASSWORD, "code": "000000"}, "code-error"),
        ({"current": PASSWORD, "code": ""}, "code-error"),
    ):
        page = await browser.submit(off, **fields)
        assert (page.status, f'id="{fault}"' in page.text) == (400, True)
    page = await browser.submit(off, current=PASSWORD, code=codes[0])
    assert page.location == f"{SECURITY}?done=factor-off"
    assert "Two-factor authentication is off." in (await browser.get(page.location)).words
    assert (await browser.get(off)).location == SECURITY
    assert (await house.browser().submit("/login", email=EMAIL, password=PASSWORD)).location == "/account"


async def test_another_signed_in_session_continues_after_a_code(house: House) -> None:
    other = await sign_in(house, signs_up=True)
    browser = await sign_in(house)
    secret, _ = await turn_on(house, browser)
    page = await other.get((await other.get(SECURITY)).location)
    assert page.location == f"{STEP}?next=%2Faccount%2Fsecurity"
    assert (await enter_code(other, code_of(house, secret), page.location)).location == SECURITY
    house.clock.advance(1)
    assert (await other.get(SECURITY)).status == 200


async def test_an_app_is_connected_only_with_a_code(build_apps: Callable[[], Apps]) -> None:
    apps = build_apps()
    house = apps.house
    browser = await sign_in(house, signs_up=True)
    secret, _ = await turn_on(house, browser)
    client, _ = await apps.clients.register({"client_name": "App", "redirect_uris": [REDIRECT]})
    asked = {"response_type": "code", "client_id": client.id, "redirect_uri": REDIRECT, "state": "s"}
    asked |= {"code_challenge": CHALLENGE, "code_challenge_method": "S256", "resource": RESOURCE}
    consent = f"/oauth/authorize?{urlencode(asked)}"
    thief = house.browser()
    login = await thief.get(consent)
    step = await thief.submit(login.location, "/login", email=EMAIL, password=PASSWORD)
    assert step.location.startswith(f"{STEP}?next=%2Foauth%2Fauthorize")
    assert (await thief.get(consent)).location.startswith("/login?next=")
    forged = await thief.post("/oauth/authorize", {"question": urlencode(asked), "decision": "allow"})
    assert forged.status == 403
    fields = {"question": urlencode(asked), "decision": "allow", "csrf": (await thief.get(STEP)).fields(STEP)["csrf"]}
    assert (await thief.post("/oauth/authorize", fields)).location == "/login"
    entered = await enter_code(thief, code_of(house, secret), step.location)
    house.clock.advance(1)
    page = await thief.get(entered.location)
    assert "Connect App?" in page.words
    answer = await thief.post("/oauth/authorize", {**page.fields("/oauth/authorize"), "decision": "allow"})
    assert answer.location.startswith(f"{REDIRECT}?code=")


async def enter(town: Town) -> Browser:
    """Sign up and confirm the address."""
    await town.sign_up()
    browser = town.house.browser()
    await browser.submit(town.postman.path(), "/confirm", password=PASSWORD)
    return browser


async def test_a_reset_does_not_bypass_the_second_factor(town: Town) -> None:
    house, outbox, postman = town.house, town.outbox, town.postman
    browser = await enter(town)
    _, codes = await turn_on(house, browser)
    await outbox.drain()
    assert postman.emails[-1]["Subject"] == "Two-factor authentication is on"
    await house.browser().submit("/forgot", email=EMAIL)
    await outbox.drain()
    link, thief = postman.path(), house.browser()
    for code in ("", "000000"):
        page = await thief.submit(link, "/reset", password="the thief's new one", factor_code=code)
        assert (page.status, 'id="factor_code-error"' in page.text) == (400, True)
    assert SESSION not in thief.cookies
    assert (await house.browser().submit("/login", email=EMAIL, password=PASSWORD)).status == 303
    page = await thief.submit(link, "/reset", password="another good one", factor_code=codes[0])
    assert (page.status, page.location) == (303, "/account")
    assert (await thief.get(SECURITY)).status == 200
    await outbox.drain()
    told = [mail["Subject"] for mail in postman.emails[-2:]]
    assert told == ["A recovery code was used", "Your password was changed"]


async def test_a_link_that_confirms_a_new_address_signs_in_only_with_a_code(town: Town) -> None:
    house, outbox, postman = town.house, town.outbox, town.postman
    browser = await enter(town)
    secret, _ = await turn_on(house, browser)
    await browser.submit(SECURITY, f"{SECURITY}/email", current=PASSWORD, email="new@example.com")
    await outbox.drain()
    thief = house.browser()
    page = await thief.submit(postman.path(), "/confirm", password=PASSWORD)
    assert page.location == f"{STEP}?next=%2Faccount"
    assert await house.visitor(thief) is None
    assert (await enter_code(thief, code_of(house, secret))).location == "/account"


async def test_guesses_at_a_reset_are_counted_with_the_account(town: Town) -> None:
    house, outbox, postman = town.house, town.outbox, town.postman
    browser = await enter(town)
    secret, _ = await turn_on(house, browser)
    await house.browser().submit("/forgot", email=EMAIL)
    await outbox.drain()
    link = postman.path()
    thieves = [house.browser(address=f"198.51.100.{number // 9}") for number in range(108)]
    fields = {"password": PASSWORD, "factor_code": "000000"}
    tries = [(await thief.submit(link, "/reset", **fields)).status for thief in thieves]
    assert tries == [400] * 100 + [429] * 8
    fields["factor_code"] = code_of(house, secret)
    assert (await house.browser().submit(link, "/reset", **fields)).status == 429


@pytest.mark.parametrize("path", [f"{FACTOR}/on", f"{FACTOR}/off", f"{SECURITY}/recovery-codes", FACTOR, STEP])
async def test_a_form_of_another_site_changes_nothing(house: House, path: str) -> None:
    browser = await sign_in(house, signs_up=True)
    secret, _ = await turn_on(house, browser)
    token = (await browser.get(SECURITY)).fields(f"{SECURITY}/password")["csrf"]
    fields = {"csrf": token, "current": PASSWORD, "code": code_of(house, secret)}
    foreign = await browser.post(path, fields, origin="https://evil.example", sec_fetch_site="cross-site")
    without = await browser.post(path, {**fields, "csrf": ""})
    assert (foreign.status, without.status) == (403, 403)
    assert "10 recovery codes left" in (await browser.get(SECURITY)).words
