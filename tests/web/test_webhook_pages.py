"""The pages of webhooks: the secret is shown once, deliveries can be repeated, and each account sees only its own."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from support.clock import ManualClock
from support.made import Board
from support.people import PASSWORD, QuickHasher
from support.visits import Browser, Page
from webquarry.accounts import Passwords
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.service import Service
from webquarry.storage import Operation

WEBHOOKS = "/account/webhooks"
URL = "https://example.com/hook"
ALL = {f"on.{event}": "true" for event in ("job.done", "job.failed", "job.paused", "job.cancelled")}


@pytest.fixture
async def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:
    monkeypatch.setattr("webquarry.app.Passwords", lambda: Passwords(QuickHasher()))
    async with assemble(Settings(data_dir=tmp_path), registry=Board().registry(), clock=ManualClock()) as service:
        yield service


async def sign_up(service: Service, email: str) -> Browser:
    browser = Browser(service.asgi())
    await browser.submit("/signup", email=email, password=PASSWORD)
    return browser


@pytest.fixture
async def ada(service: Service) -> Browser:
    return await sign_up(service, "ada@example.com")


async def create(browser: Browser, url: str = URL, **fields: str) -> Page:
    token = (await browser.get(WEBHOOKS)).fields(WEBHOOKS)["csrf"]
    return await browser.post(WEBHOOKS, {"csrf": token, "url": url, **(fields or ALL)})


async def open_webhook(browser: Browser, **fields: str) -> str:
    """Return the path of a new webhook's page."""
    answer = await create(browser, **fields)
    assert answer.status == 303, answer.words
    return answer.location.removesuffix("/secret")


async def test_the_secret_is_shown_once(ada: Browser) -> None:
    path = await open_webhook(ada)
    shown = await ada.get(f"{path}/secret")
    assert "whsec_" in shown.text
    again = await ada.get(f"{path}/secret")
    assert (again.status, again.location) == (303, path)
    for page in (path, WEBHOOKS):
        found = await ada.get(page)
        assert ("whsec_" in found.text, URL in found.words or URL in found.text) == (False, True)


async def test_a_rotation_shows_a_new_secret(ada: Browser) -> None:
    path = await open_webhook(ada)
    first = (await ada.get(f"{path}/secret")).text.partition("whsec_")[2][:40]
    assert "for a day, with the old one too" in (await ada.get(f"{path}/rotate")).words
    answer = await ada.submit(f"{path}/rotate")
    second = (await ada.get(answer.location)).text.partition("whsec_")[2][:40]
    assert second not in ("", first)
    assert "Old secret valid until" in (await ada.get(path)).words


async def test_a_secret_belongs_to_the_page_of_its_webhook(ada: Browser) -> None:
    first, second = await open_webhook(ada), await open_webhook(ada)
    assert (await ada.get(f"{first}/secret")).location == first
    assert "whsec_" in (await ada.get(f"{second}/secret")).text


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://example.com/", "Must start with https://"),
        ("https://127.0.0.1/", "can't be fetched"),
        ("nonsense", ""),
        (f"https://example.com/{'a' * 2000}", "Must have at most 2000 characters"),
    ],
)
async def test_the_address_is_checked_as_the_api_does(ada: Browser, url: str, words: str) -> None:
    answer = await create(ada, url)
    assert answer.status == 400
    fault = LexborHTMLParser(answer.text).css_first("#url-error")
    assert fault is not None
    assert words in fault.text()
    assert "No webhooks yet" in answer.words


async def test_events_are_chosen(ada: Browser) -> None:
    answer = await create(ada, description="none")
    assert "Name at least one event" in answer.words
    assert 'value="none"' in answer.text
    path = await open_webhook(ada, **{"on.job.failed": "true", "on.job.exploded": "true"})
    words = (await ada.get(path)).words
    assert ("job.failed" in words, "job.done" in words, "exploded" in words) == (True, False, False)


async def test_a_test_is_listed_and_can_be_sent_again(ada: Browser, service: Service) -> None:
    path = await open_webhook(ada)
    answer = await ada.submit(path, f"{path}/test")
    page = await ada.get(answer.location.partition("#")[0])
    assert "webhook.test" in page.words
    assert "waiting" in page.words
    assert "Send again" not in page.text
    account = (await service.directory.find("ada@example.com")).id
    id = path.rpartition("/")[2]
    (delivery,) = await service.webhooks.list_deliveries(account, id)
    await service.database.write(partial(fail, delivery.id))
    page = await ada.get(path)
    assert ("Send again" in page.words, "status 500: Nope &lt;b&gt;" in page.text) == (True, True)
    assert "webhook.test" in (await ada.get(f"{path}?state=failed")).words
    assert "No deliveries in this state" in (await ada.get(f"{path}?state=delivered")).words
    await ada.submit(path, f"{path}/deliveries/{delivery.id}/send")
    (delivery,) = await service.webhooks.list_deliveries(account, id)
    assert delivery.state == "waiting"


def fail(id: str) -> Operation[None]:
    yield (
        "UPDATE webhook_deliveries SET state = 'failed', status = 500, error = 'Nope <b>', next_at = NULL "
        "WHERE id = :id",
        {"id": id},
    )


def disable() -> Operation[None]:
    yield "UPDATE webhooks SET disabled_at = 1, disabled_reason = 'gone'", {}


async def test_a_webhook_that_was_switched_off_can_be_switched_on(ada: Browser, service: Service) -> None:
    path = await open_webhook(ada)
    await service.database.write(disable)
    page = await ada.get(path)
    assert ("status 410" in page.words, f"{path}/test" in page.text) == (True, False)
    token = page.fields()["csrf"]
    assert "Enable the webhook first" in (await ada.post(f"{path}/test", {"csrf": token})).words
    await ada.submit(path, f"{path}/enable")
    assert f"{path}/test" in (await ada.get(path)).text


async def test_a_deleted_webhook_is_gone(ada: Browser) -> None:
    path = await open_webhook(ada)
    assert (await ada.submit(f"{path}/delete")).location == WEBHOOKS
    assert (await ada.get(path)).status == 404


async def test_a_foreign_webhook_looks_like_none(ada: Browser, service: Service) -> None:
    path = await open_webhook(ada, description="Secret work", **ALL)
    await ada.submit(path, f"{path}/test")
    account = (await service.directory.find("ada@example.com")).id
    (delivery,) = await service.webhooks.list_deliveries(account, path.rpartition("/")[2])
    eve = await sign_up(service, "eve@example.com")
    mine = await open_webhook(eve)
    token = (await eve.get(WEBHOOKS)).fields(WEBHOOKS)["csrf"]
    for end in ("", "/secret", "/rotate", "/delete"):
        assert (await eve.get(path + end)).status == 404, end
    for end in ("/rotate", "/delete", "/enable", "/test", f"/deliveries/{delivery.id}/send"):
        assert (await eve.post(path + end, {"csrf": token})).status == 404, end
    assert (await eve.post(f"{mine}/deliveries/{delivery.id}/send", {"csrf": token})).status == 404
    assert "Secret work" not in (await eve.get(WEBHOOKS)).text
    assert (await eve.post(f"{mine}/delete", {})).status == 403


async def test_hostile_texts_are_text(ada: Browser) -> None:
    hostile = '"><script>alert(1)</script>'
    path = await open_webhook(ada, url="https://example.com/?a='<b>&\"", description=hostile, **ALL)
    for page in (path, WEBHOOKS, f"{path}/delete", f"{path}/rotate", f"{path}/secret"):
        text = (await ada.get(page)).text
        assert "<script>alert" not in text
        assert "'<b>" not in text
