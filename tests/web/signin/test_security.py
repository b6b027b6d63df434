"""Changes of a person's sign-in settings."""

from support.people import PASSWORD
from support.visits import Browser, Page
from webquarry.accounts import Accounts
from webquarry.web.session import SESSION

from .conftest import House, Houses

EMAIL, NEW = "ada@example.com", "another good one"
SECURITY = "/account/security"


async def sign_in(house: House, *, signs_up: bool = False) -> Browser:
    browser = house.browser()
    page = await browser.submit("/signup" if signs_up else "/login", email=EMAIL, password=PASSWORD)
    assert page.status == 303
    return browser


async def send(browser: Browser, name: str, **fields: str) -> Page:
    page = await browser.get(SECURITY)
    return await browser.post(f"{SECURITY}/{name}", {**page.fields(f"{SECURITY}/{name}"), **fields})


async def test_a_stranger_signs_in_first(house: House) -> None:
    page = await house.browser().get(SECURITY)
    assert page.location == "/login?next=%2Faccount%2Fsecurity"


async def test_a_password_is_changed_and_only_this_session_is_left(house: House) -> None:
    first, second = await sign_in(house, signs_up=True), await sign_in(house)
    before = first.cookies[SESSION]
    page = await send(first, "password", current=PASSWORD, password=NEW)
    assert page.location == f"{SECURITY}?done=password"
    assert "Your password was changed" in (await first.get(page.location)).words
    assert first.cookies[SESSION] != before
    assert (await second.get(SECURITY)).status == 303
    assert await house.people.identify_session(before) is None


async def test_keys_and_apps_are_revoked_with_the_password_if_selected(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    visitor = await house.visitor(browser)
    assert visitor is not None
    accounts = Accounts(house.database, house.clock)
    for fields, is_active in (({}, True), ({"end_keys": "true"}, False)):
        key, _ = await accounts.create_key(visitor.account_id, "batch")
        page = await send(browser, "password", current=PASSWORD, password=PASSWORD, **fields)
        assert page.location == f"{SECURITY}?done=password"
        found = await accounts.find_key(key.id)
        assert found is not None
        assert found.is_active(house.clock.now()) is is_active
    wrong = await send(browser, "password", current="wrong", password=NEW, end_apps="true")
    assert 'id="end_apps" name="end_apps" type="checkbox" value="true" checked' in wrong.text
    assert 'id="end_keys" name="end_keys" type="checkbox" value="true">' in wrong.text


async def test_fault_is_reported_at_its_field(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    page = await send(browser, "password", current="wrong", password=NEW)
    assert (page.status, 'id="current-error"' in page.text) == (400, True)
    page = await send(browser, "password", current=PASSWORD, password="short")
    assert 'id="password-error"' in page.text
    page = await send(browser, "password", current=PASSWORD, password="Password123")
    assert "most common passwords" in page.words
    page = await send(browser, "email", current="wrong", email="new@example.com")
    assert ('id="email-current-error"' in page.text, 'value="new@example.com"' in page.text) == (True, True)
    page = await send(browser, "email", current=PASSWORD, email="nonsense")
    assert 'id="email-error"' in page.text


async def test_an_address_is_changed(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    page = await send(browser, "email", current=PASSWORD, email="new@example.com")
    assert page.location == f"{SECURITY}?done=email"
    assert "new@example.com" in (await browser.get(page.location)).words


async def test_signing_out_everywhere_ends_every_session_on_every_replica(houses: Houses) -> None:
    here, there = houses.build(), houses.build()
    first, second = await sign_in(here, signs_up=True), await sign_in(there)
    page = await send(first, "sign-out")
    assert (page.location, SESSION in first.cookies) == ("/", False)
    here.clock.advance(5)
    assert (await second.get(SECURITY)).status == 303


async def test_password_attempts_per_session_are_limited(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    for _ in range(10):
        assert (await send(browser, "password", current="a guess", password=NEW)).status == 400
    assert (await send(browser, "password", current=PASSWORD, password=NEW)).status == 429
    assert (await send(browser, "email", current=PASSWORD, email="eve@example.com")).status == 429


async def test_a_form_of_another_site_changes_nothing(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    page = await browser.get(SECURITY)
    fields = {**page.fields(f"{SECURITY}/password"), "current": PASSWORD, "password": NEW}
    for name in ("password", "email", "sign-out"):
        path = f"{SECURITY}/{name}"
        foreign = await browser.post(path, fields, origin="https://evil.example", sec_fetch_site="cross-site")
        without = await browser.post(path, {**fields, "csrf": ""})
        assert (foreign.status, without.status) == (403, 403)
    assert (await browser.get(SECURITY)).status == 200


async def test_text_from_the_url_is_not_shown(house: House) -> None:
    browser = await sign_in(house, signs_up=True)
    page = await browser.get(f"{SECURITY}?done=Call+this+number")
    assert "Call" not in page.words


async def test_sessions_are_listed_and_ended_one_by_one(house: House) -> None:
    first, second, third = await sign_in(house, signs_up=True), await sign_in(house), await sign_in(house)
    await second.get(SECURITY, **{"user-agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko Firefox/140.0"})
    page = await first.get(SECURITY)
    assert page.words.count("this session") == 1
    assert ("Firefox on Linux" in page.words, "192.0.2.1" in page.words) == (True, True)
    visitor = await house.visitor(second)
    assert visitor is not None
    fields = {**page.fields(f"{SECURITY}/sessions/end"), "id": visitor.session_id}
    ended = await first.post(f"{SECURITY}/sessions/end", fields)
    assert (ended.status, ended.location) == (303, f"{SECURITY}?done=session#sessions")
    assert (await second.get(SECURITY)).location.startswith("/login")
    assert (await third.get(SECURITY)).status == 200
    assert (await first.post(f"{SECURITY}/sessions/end", fields)).status == 404
    assert (await third.post(f"{SECURITY}/sessions/end", fields)).status == 403  # a token of another session

    assert (await send(first, "sessions/end-others")).status == 303
    assert (await third.get(SECURITY)).location.startswith("/login")
    page = await first.get(f"{SECURITY}?done=sessions")
    assert ("All other sessions were ended." in page.words, "End all other" in page.words) == (True, False)
