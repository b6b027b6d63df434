"""Confirming addresses and setting new passwords by email, over a real SMTP server."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial

import pytest

from support.people import PASSWORD
from support.postman import Postman, running_postman
from support.visits import ORIGIN
from webquarry.accounts import Accounts, Outbox
from webquarry.accounts.mail import Mailer
from webquarry.accounts.mail_codes import HANDED_OVER_LASTS, LASTS, RESET, VERIFY
from webquarry.core.errors import InvalidParams
from webquarry.core.settings import Settings
from webquarry.storage.database import query
from webquarry.web.session import SESSION

from .conftest import House, Houses

EMAIL, NEW = "ada@example.com", "another good one"


@dataclass
class Town:
    """A replica that sends email."""

    house: House
    outbox: Outbox
    postman: Postman

    async def sign_up(self, email: str = EMAIL) -> None:
        page = await self.house.browser().submit("/signup", email=email, password=PASSWORD)
        assert page.status == 200, page.text
        await self.outbox.drain()

    async def confirm(self) -> dict[str, str]:
        """Open the link of the last email. Return the cookies."""
        browser = self.house.browser()
        page = await browser.submit(self.postman.path(), "/confirm", password=PASSWORD)
        assert page.status == 303, page.text
        return browser.cookies


@pytest.fixture
async def town(houses: Houses) -> AsyncIterator[Town]:
    async with running_postman() as postman:
        settings = Settings(smtp_host="127.0.0.1", smtp_port=postman.port, smtp_security="none")
        send = Mailer(settings).send
        outbox = Outbox(houses.database, houses.clock, send, base_url=ORIGIN, pauses_s=(0.001, 0.001))
        sending = asyncio.create_task(outbox.run())
        yield Town(houses.build(post=outbox), outbox, postman)
        sending.cancel()


async def test_an_address_is_confirmed_by_the_link_and_the_password(town: Town) -> None:
    await town.sign_up()
    browser = town.house.browser()
    page = await browser.submit("/login", email=EMAIL, password=PASSWORD)
    assert (page.status, SESSION in browser.cookies) == (401, False)
    assert "open the confirmation link we sent you first" in page.words
    link = town.postman.path()
    assert (await browser.get(link)).status == 200  # email scanners open links like this
    page = await browser.submit(link, "/confirm", password="a wrong one")
    assert (page.status, SESSION in browser.cookies) == (400, False)
    page = await browser.submit(link, "/confirm", password=PASSWORD)
    assert (page.status, page.location) == (303, "/account")
    visitor = await town.house.visitor(browser)
    assert visitor is not None
    assert visitor.is_verified
    page = await town.house.browser().submit(link, "/confirm", password=PASSWORD)
    assert "has expired or was already used" in page.words
    assert (await town.house.browser().submit("/login", email=EMAIL, password=PASSWORD)).status == 303


async def test_confirming_a_sign_up_by_a_stranger_gives_no_access(town: Town) -> None:
    await town.sign_up()
    victim = town.house.browser()
    await victim.submit(town.postman.path(), "/confirm", password="the victim's own")
    assert SESSION not in victim.cookies
    assert (await town.house.browser().submit("/login", email=EMAIL, password=PASSWORD)).status == 401


async def test_sign_up_response_does_not_depend_on_existing_accounts(town: Town) -> None:
    await town.sign_up()
    await town.confirm()
    pages = []
    for email in (EMAIL, "eve@example.com"):
        town.house.hasher.made = town.house.hasher.checked = 0
        page = await town.house.browser().submit("/signup", email=email, password=NEW)
        pages.append((page.status, page.words.replace(email, "…"), town.house.hasher.made, page.set_cookies))
    assert pages[0] == pages[1]
    await town.outbox.drain()
    assert [mail["Subject"] for mail in town.postman.emails[1:]] == [
        "You already have a Webquarry account",
        "Confirm your email address",
    ]
    assert (await town.house.browser().submit("/login", email=EMAIL, password=PASSWORD)).status == 303


async def test_a_password_is_reset_by_the_link_which_ends_all_sessions(town: Town) -> None:
    await town.sign_up()
    cookies = await town.confirm()
    page = await town.house.browser().submit("/forgot", email=EMAIL.upper())
    assert page.status == 200
    await town.outbox.drain()
    link = town.postman.path()
    browser = town.house.browser()
    page = await browser.submit(link, "/reset", password="short")
    assert (page.status, 'id="password-error"' in page.text) == (400, True)
    page = await browser.submit(link, "/reset", password="password123")
    assert "most common passwords" in page.words
    page = await browser.submit(link, "/reset", password=NEW)
    assert (page.status, SESSION in browser.cookies) == (303, True)
    assert await town.house.people.identify_session(cookies[SESSION]) is None
    assert (await town.house.browser().submit("/login", email=EMAIL, password=PASSWORD)).status == 401
    assert (await town.house.browser().submit("/login", email=EMAIL, password=NEW)).status == 303
    assert (await town.house.browser().submit(link, "/reset", password=PASSWORD)).status == 400
    await town.outbox.drain()
    assert town.postman.emails[-1]["Subject"] == "Your password was changed"


async def test_opening_a_link_ends_the_previous_session(town: Town) -> None:
    await town.sign_up("eve@example.com")
    before = await town.confirm()
    await town.sign_up()
    browser = town.house.browser(cookies=dict(before))
    assert (await browser.submit(town.postman.path(), "/confirm", password=PASSWORD)).status == 303
    assert browser.cookies[SESSION] != before[SESSION]
    assert await town.house.people.identify_session(before[SESSION]) is None


async def test_reset_response_is_the_same_for_every_address(town: Town) -> None:
    await town.sign_up()
    await town.confirm()
    pages = []
    for email in (EMAIL, "nobody@example.com", "nonsense"):
        page = await town.house.browser().submit("/forgot", email=email)
        pages.append((page.status, page.words.replace(email, "…"), page.set_cookies))
    assert pages[0] == pages[1] == pages[2]
    await town.outbox.drain()
    assert [mail["To"] for mail in town.postman.emails[1:]] == [EMAIL]


@pytest.mark.parametrize("purpose", [VERIFY, RESET])
async def test_a_link_expires_and_works_for_one_purpose(town: Town, purpose: str) -> None:
    await town.sign_up()
    if purpose == RESET:
        await town.confirm()
        await town.house.browser().submit("/forgot", email=EMAIL)
        await town.outbox.drain()
    link = town.postman.path()
    own, other = ("/confirm", "/reset") if purpose == VERIFY else ("/reset", "/confirm")
    page = await town.house.browser().submit(link.replace(own, other), other, password=PASSWORD)
    assert page.status == 400
    town.house.clock.advance(LASTS[purpose].total_seconds())
    assert (await town.house.browser().submit(link, own, password=PASSWORD)).status == 400
    await town.house.people.sweep()
    assert await town.house.database.read(lambda: query("SELECT * FROM mail_codes", {})) == []


async def test_a_new_address_counts_once_confirmed_and_the_old_one_gets_an_email(town: Town) -> None:
    await town.sign_up()
    browser = town.house.browser()
    browser.cookies = await town.confirm()
    page = await browser.get("/account/security")
    fields = {**page.fields("/account/security/email"), "email": "new@example.com", "current": PASSWORD}
    page = await browser.post("/account/security/email", fields)
    assert page.location == "/account/security?done=sent"
    await town.outbox.drain()
    assert town.postman.emails[-1]["To"] == "new@example.com"
    visitor = await town.house.visitor(browser)
    assert visitor is not None
    assert visitor.email == EMAIL
    await town.confirm()
    assert (await town.house.browser().submit("/login", email="new@example.com", password=PASSWORD)).status == 303
    await town.outbox.drain()
    assert (town.postman.emails[-1]["To"], town.postman.emails[-1]["Subject"]) == (
        EMAIL,
        "Your email address was changed",
    )


async def test_an_address_that_was_taken_meanwhile_is_not_confirmed(town: Town) -> None:
    await town.sign_up()
    browser = town.house.browser()
    browser.cookies = await town.confirm()
    page = await browser.get("/account/security")
    fields = {**page.fields("/account/security/email"), "email": "new@example.com", "current": PASSWORD}
    await browser.post("/account/security/email", fields)
    await town.outbox.drain()
    link = town.postman.path()
    await town.sign_up("new@example.com")
    page = await town.house.browser().submit(link, "/confirm", password=PASSWORD)
    assert page.status == 400
    assert (await town.house.browser().submit("/login", email=EMAIL, password=PASSWORD)).status == 303


async def test_codes_are_kept_as_digests(town: Town) -> None:
    await town.sign_up()
    code = town.postman.path().partition("code=")[2]
    assert len(bytes.fromhex(code)) == 32
    assert code not in str(await town.house.database.read(lambda: query("SELECT * FROM mail_codes", {})))


async def test_emails_per_address_are_limited(town: Town) -> None:
    await town.sign_up()
    for number in range(5):
        browser = town.house.browser(address=f"198.51.100.{number}")
        await browser.submit("/forgot", email=EMAIL)
        await browser.submit("/login", email=EMAIL, password=PASSWORD)
    await town.outbox.drain()
    assert len(town.postman.emails) == 2  # one to confirm, one to reset


async def test_a_busy_mail_server_is_retried(town: Town) -> None:
    town.postman.refusing += ["451 later", "451 later"]
    await town.sign_up()
    assert len(town.postman.emails) == 1


async def test_a_rejected_email_does_not_delay_others(town: Town) -> None:
    town.postman.refusing += ["550 no such mailbox"] * 2
    await town.sign_up("nobody@example.com")
    await town.sign_up()
    assert len(town.postman.refusing) == len(town.postman.emails) == 0
    await town.sign_up("eve@example.com")
    assert [mail["To"] for mail in town.postman.emails] == ["eve@example.com"]


async def test_links_of_a_disabled_account_are_refused(town: Town) -> None:
    await town.sign_up()
    link = town.postman.path()
    await town.house.database.write(lambda: query("UPDATE accounts SET disabled_at = 1", {}))
    assert (await town.house.browser().submit(link, "/confirm", password=PASSWORD)).status == 400
    await town.house.browser().submit("/forgot", email=EMAIL)
    await town.outbox.drain()
    assert len(town.postman.emails) == 1


async def test_pages_that_need_email_do_not_exist_without_it(house: House) -> None:
    for path in ("/forgot", "/confirm"):
        assert (await house.browser().get(path)).status == 404
    assert "/forgot" not in (await house.browser().get("/login")).text


async def test_emails_to_a_new_address_are_limited_across_accounts(town: Town) -> None:
    answers = []
    for number in range(4):
        await town.sign_up(f"{number}@example.com")
        browser = town.house.browser(cookies=await town.confirm())
        page = await browser.get("/account/security")
        fields = {**page.fields("/account/security/email"), "email": "victim@example.com", "current": PASSWORD}
        answers.append((await browser.post("/account/security/email", fields)).status)
        await town.outbox.drain()
    assert answers == [303, 303, 303, 429]


async def test_a_link_of_the_operator_sets_the_first_password_without_email(house: House, houses: Houses) -> None:
    await Accounts(houses.database, houses.clock).create(EMAIL, 10)
    code = await house.people.make_sign_in_code(EMAIL)
    browser = house.browser()
    page = await browser.get(f"/reset?code={code}")
    assert "Set your password" in page.text
    assert EMAIL in page.text
    assert "end_keys" not in page.text
    page = await browser.submit(f"/reset?code={code}", "/reset", password=PASSWORD)
    assert page.status == 303, page.text
    visitor = await house.visitor(browser)
    assert visitor is not None
    assert visitor.email == EMAIL
    again = await house.browser().submit(f"/reset?code={code}", "/reset", password=NEW)
    assert again.status == 400
    assert "already used" in again.text
    assert "account sign-in-link" in again.text
    assert (await house.browser().submit("/login", email=EMAIL, password=PASSWORD)).status == 303


async def test_a_link_of_the_operator_expires_and_replaces_the_one_before(house: House, houses: Houses) -> None:
    await Accounts(houses.database, houses.clock).create(EMAIL, 10)
    first, second = [await house.people.make_sign_in_code(EMAIL) for _ in range(2)]
    assert (await house.browser().submit(f"/reset?code={first}", "/reset", password=PASSWORD)).status == 400
    stored = await houses.database.read(partial(query, "SELECT digest FROM mail_codes", {}))
    assert len(stored) == 1
    assert second not in str(stored)
    houses.clock.advance(HANDED_OVER_LASTS.total_seconds())
    assert (await house.browser().submit(f"/reset?code={second}", "/reset", password=PASSWORD)).status == 400


async def test_a_disabled_account_gets_no_link(house: House, houses: Houses) -> None:
    account, _ = await Accounts(houses.database, houses.clock).create(EMAIL, 10)
    await house.people.set_disabled(account.id, True)
    with pytest.raises(InvalidParams, match="disabled"):
        await house.people.make_sign_in_code(EMAIL)
