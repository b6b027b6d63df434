"""Signing up, in and out in a browser, and attacks by strangers."""

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from support.people import PASSWORD
from support.visits import Browser
from webquarry.accounts import Visitor
from webquarry.web.gate import Gate
from webquarry.web.session import FORM, MAX_FORM_BYTES, SESSION, Fields

from .conftest import House, Houses

EMAIL = "ada@example.com"


async def sign_up(browser: Browser, email: str = EMAIL, path: str = "/signup") -> None:
    page = await browser.submit(path, email=email, password=PASSWORD)
    assert page.status == 303, page.text


async def test_signing_up_signs_in_and_shows_the_next_step(house: House) -> None:
    browser = house.browser()
    page = await browser.submit("/signup?next=/playground%3Fq%3D1", email=EMAIL, password=PASSWORD)
    assert (page.status, page.location) == (303, "/playground?q=1")
    visitor = await house.visitor(browser)
    assert visitor is not None
    assert visitor.email == EMAIL
    assert FORM not in browser.cookies
    again = await browser.get("/login?next=/docs")
    assert (again.status, again.location) == (303, "/docs")


async def test_signing_out_ends_the_session_and_the_cookie(house: House) -> None:
    browser = house.browser()
    await sign_up(browser)
    cookie = browser.cookies[SESSION]
    token = await token_of(house, browser)
    page = await browser.post("/logout", {"csrf": token})
    assert (page.status, page.location) == (303, "/")
    assert SESSION not in browser.cookies
    assert await house.people.identify_session(cookie) is None


async def token_of(house: House, browser: Browser) -> str:
    """Return the token in a form on a page for signed-in users."""
    scope = {"type": "http", "headers": [(b"cookie", f"{SESSION}={browser.cookies[SESSION]}".encode())]}
    return await house.gate.visitors.make_token(Request(scope))


async def test_a_wrong_password_is_reported_and_the_address_stays_in_the_form(house: House) -> None:
    await sign_up(house.browser())
    browser = house.browser()
    page = await browser.submit("/login?next=/docs", email=EMAIL, password="wrong")
    assert page.status == 401
    assert "Incorrect email address or password." in page.words
    assert page.fields("/login")["email"] == EMAIL
    assert page.fields("/login")["next"] == "/docs"
    assert SESSION not in browser.cookies
    page = await browser.post("/login", {**page.fields("/login"), "password": PASSWORD})
    assert (page.status, page.location) == (303, "/docs")


async def test_fault_of_a_sign_up_is_reported_at_its_field(house: House) -> None:
    browser = house.browser()
    page = await browser.submit("/signup", email="ada", password=PASSWORD)
    assert page.status == 400
    assert 'id="email-error"' in page.text
    page = await browser.submit("/signup", email=EMAIL, password="short")
    assert 'id="password-error"' in page.text
    assert "short" not in page.text
    page = await browser.submit("/signup", email=EMAIL, password="password123")
    assert "most common passwords" in page.words


async def test_a_closed_service_says_so(houses: Houses) -> None:
    house = houses.build(is_open=False)
    browser = house.browser()
    assert "Sign-up is closed" in (await browser.get("/signup")).words
    login = await browser.get("/login")
    assert "/signup" not in login.fields("/login").values()
    page = await browser.post("/signup", {**login.fields("/login"), "email": EMAIL, "password": PASSWORD})
    assert page.status == 400
    assert "Sign-up is closed" in page.text


@pytest.mark.parametrize(("base_url", "prefix"), [("https://data.example", "__Host-"), ("http://127.0.0.1:8080", "")])
async def test_cookies_are_bound_to_the_host_and_hidden_from_scripts(
    houses: Houses, base_url: str, prefix: str
) -> None:
    browser = houses.build(base_url=base_url).browser(origin=base_url)
    page = await browser.get("/signup")
    (form,) = page.set_cookies
    page = await browser.submit("/signup", email=EMAIL, password=PASSWORD)
    session = next(cookie for cookie in page.set_cookies if SESSION in cookie)
    for cookie, name in ((form, FORM), (session, SESSION)):
        attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
        assert cookie.startswith(f"{prefix}{name}=")
        assert {"httponly", "samesite=lax", "path=/"} <= attributes
        assert ("secure" in attributes) == (base_url.startswith("https"))
        assert not any(attribute.startswith("domain") for attribute in attributes)
    assert "max-age=2592000" in session.lower()


async def test_pages_with_forms_are_neither_cached_nor_framed(house: House) -> None:
    for path in ("/login", "/signup"):
        page = await house.browser().get(path)
        assert "no-store" in page.headers["cache-control"]
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
        assert "form-action 'self'" in page.headers["content-security-policy"]
        assert "script-src 'self'" in page.headers["content-security-policy"]
        assert page.headers["referrer-policy"] == "same-origin"


async def test_session_fixation_is_prevented(house: House) -> None:
    attacker = house.browser()
    await sign_up(attacker, "eve@example.com")
    planted = attacker.cookies[SESSION]
    for value in (planted, "a" * 64):
        victim = house.browser()
        await sign_up(house.browser(), f"{value[:5]}@example.com")
        victim.cookies[SESSION] = value
        page = await victim.get("/login")
        token = page.fields("/login") if page.status == 200 else {"csrf": await token_of(house, victim)}
        await victim.post("/login", {**token, "email": f"{value[:5]}@example.com", "password": PASSWORD})
        assert victim.cookies[SESSION] != value
        visitor = await house.visitor(victim)
        assert visitor is not None
        assert visitor.email == f"{value[:5]}@example.com"
        assert await house.people.identify_session(value) is None


async def test_a_form_with_a_foreign_or_missing_token_is_refused(house: House) -> None:
    await sign_up(house.browser())
    fields = {"email": EMAIL, "password": PASSWORD}
    own, other = house.browser(), house.browser()
    foreign = (await other.get("/login")).fields("/login")["csrf"]
    own_token = (await own.get("/login")).fields("/login")["csrf"]
    for token in ("", foreign, own_token[:-1], own_token.upper() + "x", own.cookies[FORM], "é"):
        page = await own.post("/login", {**fields, "csrf": token})
        assert page.status == 403
        assert SESSION not in own.cookies
    without = house.browser()
    assert (await without.post("/login", {**fields, "csrf": own_token})).status == 403
    assert (await own.post("/login", {**fields, "csrf": own_token})).status == 303


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example", "sec_fetch_site": "cross-site"},
        {"origin": "https://evil.example", "sec_fetch_site": None},
        {"origin": "http://127.0.0.1:8081", "sec_fetch_site": "same-site"},
        {"origin": "https://127.0.0.1:8080", "sec_fetch_site": None},
        {"origin": "null", "sec_fetch_site": None},
        {"origin": "null", "sec_fetch_site": "cross-site"},
        {"origin": None, "sec_fetch_site": "none"},
    ],
)
async def test_a_cross_site_form_is_refused_even_with_its_token(house: House, headers: dict[str, str | None]) -> None:
    browser = house.browser()
    token = (await browser.get("/signup")).fields("/signup")
    page = await browser.post("/signup", {**token, "email": EMAIL, "password": PASSWORD}, **headers)
    assert page.status == 403
    assert SESSION not in browser.cookies


@pytest.mark.parametrize("headers", [{"origin": "null"}, {"origin": None, "sec_fetch_site": None}, {"origin": None}])
async def test_browsers_without_origin_headers_need_only_the_token(
    house: House, headers: dict[str, str | None]
) -> None:
    browser = house.browser()
    token = (await browser.get("/signup")).fields("/signup")
    page = await browser.post("/signup", {**token, "email": EMAIL, "password": PASSWORD}, **headers)
    assert page.status == 303


async def test_a_token_from_before_sign_in_is_invalid_afterwards(house: House) -> None:
    browser = house.browser()
    before = (await browser.get("/signup")).fields("/signup")["csrf"]
    await sign_up(browser)
    assert (await browser.post("/logout", {"csrf": before})).status == 403
    assert SESSION in browser.cookies


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "javascript:alert(1)",
        "evil.example",
        " //evil.example",
        "/%0d%0aset-cookie:x=1\r\nset-cookie: y=1",
        "/a\\..\\evil",
        "/é",
    ],
)
async def test_sign_in_redirects_only_within_the_site(house: House, wanted: str) -> None:
    await sign_up(house.browser())
    browser = house.browser()
    token = (await browser.get("/login")).fields("/login")["csrf"]
    page = await browser.post("/login", {"csrf": token, "next": wanted, "email": EMAIL, "password": PASSWORD})
    assert (page.status, page.location) == (303, "/account")


async def test_password_attempts_per_network_are_limited(house: House) -> None:
    await sign_up(house.browser())
    browser = house.browser(address="198.51.100.7")
    for _ in range(10):
        assert (await browser.submit("/login", email=EMAIL, password="a guess")).status == 401
    checked = house.hasher.checked
    page = await browser.submit("/login", email=EMAIL.upper(), password=PASSWORD)
    assert (page.status, house.hasher.checked) == (429, checked)
    assert "Too many attempts. Try again in 15 minutes" in page.words
    elsewhere = house.browser(address="198.51.100.8")
    assert (await elsewhere.submit("/login", email=EMAIL, password=PASSWORD)).status == 303
    house.clock.advance(900)
    assert (await browser.submit("/login", email=EMAIL, password=PASSWORD)).status == 303


async def test_password_attempts_of_all_networks_are_limited(house: House) -> None:
    for number in range(100):
        browser = house.browser(address=f"2001:db8:0:{number:x}::1")
        assert (await browser.submit("/login", email=EMAIL, password="a guess")).status == 401
    last = house.browser(address="198.51.100.8")
    assert (await last.submit("/login", email=EMAIL, password="a guess")).status == 429


async def test_accounts_tried_per_network_are_limited(house: House) -> None:
    for number in range(30):
        browser = house.browser(address=f"2001:db8::{number:x}")  # one /64 network
        assert (await browser.submit("/login", email=f"{number}@example.com", password="a guess")).status == 401
    assert (await browser.submit("/login", email=EMAIL, password="a guess")).status == 429


async def test_sign_ups_per_network_are_limited(house: House) -> None:
    for number in range(10):
        await sign_up(house.browser(), f"{number}@example.com")
    page = await house.browser().submit("/signup", email=EMAIL, password=PASSWORD)
    assert page.status == 429


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"{}", 400),
        ("application/x-www-form-urlencoded", b"email=%ff", 400),
        ("application/x-www-form-urlencoded", b"email=\xff", 400),
        ("application/x-www-form-urlencoded", b"email=a%00b", 400),
        ("application/x-www-form-urlencoded", b"&".join([b"a=1"] * 300), 400),
        ("application/x-www-form-urlencoded", b"a" * (MAX_FORM_BYTES + 1), 413),
    ],
)
async def test_anything_but_a_form_is_refused(house: House, kind: str, body: bytes, status: int) -> None:
    browser = house.browser()
    await browser.get("/login")
    headers = {"content-type": kind, "origin": browser.origin}
    page = await browser.send("POST", "/login", headers=headers, body=body)
    assert page.status == status


class OwnRoom:
    """A room with a separate page and form."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    def routes(self) -> list[Route]:
        return [
            Route("/own", self._gate.page(self.show), methods=["GET"]),
            Route("/own", self._gate.form(self.act, admin=True), methods=["POST"]),
        ]

    async def show(self, _request: Request, visitor: Visitor) -> Response:
        return PlainTextResponse(visitor.email)

    async def act(self, _request: Request, visitor: Visitor, fields: Fields) -> Response:
        return PlainTextResponse(f"{visitor.email} {fields}")


async def test_pages_for_users_redirect_to_sign_in_and_back(houses: Houses) -> None:
    house = houses.build(make_rooms=lambda gate, _: [OwnRoom(gate)])
    browser = house.browser()
    page = await browser.get("/own?a=1&b=/x")
    assert page.location == "/login?next=%2Fown%3Fa%3D1%26b%3D%2Fx"
    await sign_up(house.browser())
    page = await browser.submit(page.location, email=EMAIL, password=PASSWORD)
    assert page.location == "/own?a=1&b=/x"
    assert (await browser.get(page.location)).text == EMAIL


async def test_forms_of_administrators_do_not_exist_for_others(houses: Houses) -> None:
    house = houses.build(make_rooms=lambda gate, _: [OwnRoom(gate)])
    browser = house.browser()
    await sign_up(browser)
    fields = {"csrf": await token_of(house, browser), "a": "1"}
    assert (await browser.post("/own", fields)).status == 404
    visitor = await house.visitor(browser)
    assert visitor is not None
    await house.people.set_admin(visitor.account_id, True)
    assert (await browser.post("/own", fields)).text == f"{EMAIL} {{'a': '1'}}"
    assert (await browser.post("/own", {"a": "1"})).status == 403


async def test_the_token_of_a_script_travels_in_a_header(house: House) -> None:
    browser = house.browser()
    await sign_up(browser)
    token = await token_of(house, browser)
    headers = [(b"cookie", f"{SESSION}={browser.cookies[SESSION]}".encode()), (b"x-csrf-token", token.encode())]
    await house.gate.visitors.check_token(Request({"type": "http", "headers": headers}), "")


async def test_sessions_are_valid_on_all_replicas(houses: Houses) -> None:
    one, two = houses.build(), houses.build()
    browser = one.browser()
    await sign_up(browser)
    browser.app = two.app
    assert (await browser.get("/login?next=/docs")).location == "/docs"
    await browser.post("/logout", {"csrf": await token_of(two, browser)})
    one.clock.advance(5)
    browser.app = one.app
    assert (await browser.get("/login")).status == 200
