"""Passkeys on their pages: added, used to sign in and instead of codes, and removed."""

import html
import re

from support.authenticator import Authenticator
from support.people import PASSWORD
from support.visits import Browser, Page
from webquarry.accounts.sessions import FRESH

from .conftest import House, Houses
from .test_recovery import Town, town
from .test_security import EMAIL, SECURITY
from .test_two_factor import STEP, turn_on

__all__ = ["town"]
ORIGIN = "http://localhost:8080"
PASSKEYS, OPTIONS, BY_PASSKEY = f"{SECURITY}/passkeys", "/passkeys/options", "/login/passkey"


async def sign_up(house: House) -> Browser:
    browser = house.browser(origin=ORIGIN)
    assert (await browser.submit("/signup", email=EMAIL, password=PASSWORD)).status == 303
    return browser


async def enter_password(house: House) -> Browser:
    browser = house.browser(origin=ORIGIN)
    assert (await browser.submit("/login", email=EMAIL, password=PASSWORD)).status == 303
    return browser


def find_options(page: Page) -> str:
    found = re.search(r'data-options="([^"]*)"', page.text)
    assert found is not None
    return html.unescape(found[1])


async def add(browser: Browser, device: Authenticator | None = None, name: str = "Work laptop") -> Authenticator:
    device = device or Authenticator()
    page = await browser.get(PASSKEYS)
    answer = device.make(find_options(page), ORIGIN)
    added = await browser.post(PASSKEYS, {**page.fields(PASSKEYS), "name": name, "credential": answer})
    assert added.location == f"{SECURITY}?done=passkey-added", added.words
    return device


async def sign(browser: Browser, page: Page, form: str, device: Authenticator) -> str:
    """Request options and sign, as the script of a page does."""
    given = await browser.post(OPTIONS, {"csrf": page.fields(form)["csrf"]}, accept="*/*")
    assert (given.status, given.headers["content-type"]) == (200, "application/json")
    return device.sign(given.text, ORIGIN)


async def send(browser: Browser, path: str, form: str, device: Authenticator, **fields: str) -> Page:
    page = await browser.get(path)
    return await browser.post(form, {**page.fields(form), **fields, "code": await sign(browser, page, form, device)})


async def test_a_passkey_is_added_signs_in_and_is_removed(houses: Houses) -> None:
    house = houses.build(base_url=ORIGIN)
    browser = await sign_up(house)
    device = await add(browser)
    shown = await browser.get(SECURITY)
    assert ("Work laptop" in shown.words, "never" in shown.words) == (True, True)
    other = house.browser(origin=ORIGIN)
    page = await send(other, "/login?next=%2Faccount%2Fkeys", BY_PASSKEY, device)
    assert (page.status, page.location) == (303, "/account/keys")
    assert (await other.get(SECURITY)).status == 200
    assert "never" not in (await browser.get(SECURITY)).words
    remove = f"{PASSKEYS}/remove"
    assert (await browser.submit(SECURITY, remove)).location == f"{SECURITY}?done=passkey-removed"
    assert "Work laptop" not in (await browser.get(SECURITY)).words
    refused = await send(house.browser(origin=ORIGIN), "/login", BY_PASSKEY, device)
    assert (refused.status, "was removed" in refused.words) == (400, True)


async def test_the_password_is_requested_before_a_passkey_is_added(houses: Houses) -> None:
    house = houses.build(base_url=ORIGIN)
    browser = await sign_up(house)
    device = await add(browser)
    page = await browser.get(PASSKEYS)
    house.clock.advance(FRESH.total_seconds())
    assert "Confirm it's you" in (await browser.get(PASSKEYS)).words
    answer = Authenticator().make(find_options(page), ORIGIN)
    asked = await browser.post(PASSKEYS, {**page.fields(PASSKEYS), "credential": answer})
    assert (asked.status, "Confirm it's you" in asked.words) == (403, True)
    by_passkey = house.browser(origin=ORIGIN)
    await send(by_passkey, "/login", BY_PASSKEY, device)
    assert "Confirm it's you" in (await by_passkey.get(PASSKEYS)).words
    assert "Confirm it's you" in (await by_passkey.submit(SECURITY, f"{PASSKEYS}/remove")).words


async def test_a_passkey_replaces_a_code_wherever_a_code_is_requested(houses: Houses) -> None:
    house = houses.build(base_url=ORIGIN)
    browser = await sign_up(house)
    await turn_on(house, browser)
    other = await enter_password(house)
    assert "Use a passkey" not in (await other.get(STEP)).text
    device = await add(browser)
    assert "Use a passkey" in (await other.get(STEP)).text
    assert (await send(other, STEP, STEP, device)).location == "/account"
    house.clock.advance(FRESH.total_seconds())
    page = await browser.get(PASSKEYS)
    answer = await sign(browser, page, "/reauthenticate", device)
    fields = {**page.fields("/reauthenticate"), "reauth_password": PASSWORD, "reauth_code": answer}
    assert (await browser.post("/reauthenticate", fields)).location == PASSKEYS
    assert (await browser.get(PASSKEYS)).status == 200
    house.clock.advance(FRESH.total_seconds())
    email = await send(browser, SECURITY, f"{SECURITY}/email", device, current=PASSWORD, email="new@example.com")
    assert email.location == f"{SECURITY}?done=email"
    off = f"{SECURITY}/two-factor/off"
    assert (await send(browser, off, off, device, current=PASSWORD)).location == f"{SECURITY}?done=factor-off"


async def test_a_signature_is_accepted_once_and_in_one_browser(houses: Houses) -> None:
    house = houses.build(base_url=ORIGIN)
    device = await add(await sign_up(house))
    first, second = house.browser(origin=ORIGIN), house.browser(origin=ORIGIN)
    page, foreign = await first.get("/login"), await second.get("/login")
    answer = await sign(first, page, BY_PASSKEY, device)
    refused = await second.post(BY_PASSKEY, {**foreign.fields(BY_PASSKEY), "code": answer})
    assert (refused.status, "has expired" in refused.words) == (400, True)
    fields = {**page.fields(BY_PASSKEY), "code": answer}
    assert (await first.post(BY_PASSKEY, fields)).status == 303
    again = house.browser(origin=ORIGIN)
    page = await again.get("/login")
    await sign(again, page, BY_PASSKEY, device)
    assert (await again.post(BY_PASSKEY, {**page.fields(BY_PASSKEY), "code": answer})).status == 400
    for text in ("", "{}", "123456", "{" * 1000):
        assert (await again.post(BY_PASSKEY, {**page.fields(BY_PASSKEY), "code": text})).status == 400


async def test_challenges_are_limited_to_pages_of_the_site(houses: Houses) -> None:
    house = houses.build(base_url=ORIGIN)
    browser = house.browser(origin=ORIGIN)
    assert (await browser.post(OPTIONS, {"csrf": "x"})).status == 403
    csrf = (await browser.get("/login")).fields("/login")["csrf"]
    assert (await browser.post(OPTIONS, {"csrf": csrf}, sec_fetch_site="cross-site")).status == 403
    statuses = [(await browser.post(OPTIONS, {"csrf": csrf}, accept="*/*")).status for _ in range(101)]
    assert statuses == [200] * 100 + [429]


async def test_passkeys_are_not_offered_without_a_host_name(house: House) -> None:
    browser = house.browser()
    page = await browser.submit("/signup", email=EMAIL, password=PASSWORD)
    assert page.status == 303
    assert "To add a passkey, open this service with https" in (await browser.get(SECURITY)).words
    assert (await browser.get(PASSKEYS)).status == 404
    csrf = (await browser.get(SECURITY)).fields(f"{SECURITY}/sign-out")["csrf"]
    assert (await browser.post(OPTIONS, {"csrf": csrf}, accept="*/*")).status == 404
    assert "passkey" not in (await house.browser().get("/login")).text


async def test_a_reset_accepts_a_passkey_and_can_remove_all(town: Town, houses: Houses) -> None:
    house = houses.build(base_url=ORIGIN, post=town.outbox)
    await town.sign_up()
    browser = house.browser(origin=ORIGIN)
    assert (await browser.submit(town.postman.path(), "/confirm", password=PASSWORD)).status == 303
    await turn_on(house, browser)
    device = await add(browser)
    await town.outbox.drain()
    stranger = house.browser(origin=ORIGIN)
    await stranger.submit("/forgot", email=EMAIL)
    await town.outbox.drain()
    page = await stranger.get(town.postman.path())
    answer = await sign(stranger, page, "/reset", device)
    fields = {**page.fields("/reset"), "password": "another good one", "factor_code": answer, "end_passkeys": "true"}
    assert (await stranger.post("/reset", fields)).location == "/account"
    visitor = await house.visitor(stranger)
    assert visitor is not None
    assert await house.people.passkeys.list(visitor.account_id) == []
