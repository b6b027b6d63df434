"""From the threshold on the account's page to the email that a real SMTP server receives."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.direct import Direct
from support.made import Board
from support.people import PASSWORD, QuickHasher
from support.postman import Postman, running_postman
from support.visits import Browser
from webquarry.accounts import Passwords, balance_alerts
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.service import Service

EMAIL = "ada@example.com"
ACCOUNT = "/account"
LOW = "/account/low-balance"


@pytest.fixture
async def postman() -> AsyncIterator[Postman]:
    async with running_postman() as postman:
        yield postman


@pytest.fixture
async def service(postman: Postman, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    """A serving service that sends email, and looks at balances ten times a second."""
    monkeypatch.setattr("webquarry.app.Passwords", lambda: Passwords(QuickHasher()))
    monkeypatch.setattr(balance_alerts, "CHECK_EVERY_S", 0.1)
    settings = Settings(data_dir=tmp_path, smtp_host="127.0.0.1", smtp_port=postman.port, smtp_security="none")
    async with assemble(settings, registry=Board().registry(), serving=True) as service:
        yield service


async def wait_for_emails(postman: Postman, number: int) -> None:
    async with asyncio.timeout(20):
        while len(postman.emails) < number:  # noqa: ASYNC110  # the SMTP server tells nobody
            await asyncio.sleep(0.02)


async def sign_up(service: Service, postman: Postman) -> Browser:
    browser = Browser(service.asgi())
    await browser.submit("/signup", email=EMAIL, password=PASSWORD)
    await wait_for_emails(postman, 1)
    assert (await browser.submit(postman.path(), "/confirm", password=PASSWORD)).status == 303
    return browser


async def test_owner_gets_one_email_when_the_balance_falls_below_the_threshold(
    service: Service, postman: Postman
) -> None:
    browser = await sign_up(service, postman)
    sent = len(postman.emails)
    saved = await browser.submit(ACCOUNT, LOW, threshold="9")
    assert (saved.status, saved.location) == (303, "/account?done=low-balance#low-balance")
    page = await browser.get("/account?done=low-balance")
    assert "We'll email you when your balance falls below 9 credits." in page.words
    assert 'value="9"' in page.text
    account = await service.directory.find(EMAIL)
    direct = Direct(service, (await service.accounts.create_key(account.id, "batch"))[1])
    for number in range(4):
        assert (await direct.ask(f"/api/v1/made?key={number}")).status == 200
        if number == 1:
            await wait_for_emails(postman, sent + 1)
    await asyncio.sleep(0.5)
    (mail,) = postman.emails[sent:]
    assert (mail["To"], mail["Subject"]) == (EMAIL, "Your Webquarry account has 8 credits left")
    assert mail.get_content_type() == "text/plain"
    assert "fewer than 9" in mail.get_content()


@pytest.mark.parametrize("threshold", ["0", "-1", "many", "1" * 400, "٣"])
async def test_wrong_threshold_is_reported_at_its_field(service: Service, postman: Postman, threshold: str) -> None:
    browser = await sign_up(service, postman)
    page = await browser.submit(ACCOUNT, LOW, threshold=threshold)
    assert (page.status, 'id="threshold-error"' in page.text) == (400, True)
    assert (await browser.submit(ACCOUNT, LOW, threshold="")).status == 303
    assert "You won't get emails" in (await browser.get("/account?done=low-balance")).words


async def test_page_says_if_the_service_sends_no_email(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry.app.Passwords", lambda: Passwords(QuickHasher()))
    async with assemble(Settings(data_dir=tmp_path), registry=Board().registry()) as service:
        browser = Browser(service.asgi())
        await browser.submit("/signup", email=EMAIL, password=PASSWORD)
        page = await browser.get(ACCOUNT)
        assert "This service doesn't send email." in page.words
        assert LOW not in page.text
