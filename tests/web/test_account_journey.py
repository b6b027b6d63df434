"""In a real browser: from signing up over the first key and its use to its revocation, and an administrator's actions.

At both widths and in both themes no content is cut off, and axe has no serious finding.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from playwright.async_api import Browser, Page, async_playwright

from support.axe import axe_script, find_faults
from support.people import PASSWORD
from support.sandbox import Sandbox
from webquarry.core.settings import Settings
from webquarry.net.browser.installed import find_chromium

pytestmark = pytest.mark.long
MAX_BYTES = 150_000


@dataclass
class Visit:
    """A page of a browser, and its requests by host."""

    page: Page
    url: str
    hosts: set[str] = field(default_factory=set)
    complaints: list[str] = field(default_factory=list)

    async def sign_up(self, email: str) -> None:
        await self.page.goto(f"{self.url}/signup")
        await self.page.fill("#email", email)
        await self.page.fill("#password", PASSWORD)
        await self.page.press("#password", "Enter")
        await self.page.wait_for_url(f"{self.url}/account")

    async def sign_in_again(self, email: str) -> None:
        """Sign out and in: a new session sees changes of its account immediately."""
        await self.page.click("text=Sign out")
        await self.page.wait_for_url(f"{self.url}/")
        await self.page.goto(f"{self.url}/login")
        await self.page.fill("#email", email)
        await self.page.fill("#password", PASSWORD)
        await self.page.press("#password", "Enter")
        await self.page.wait_for_url(f"{self.url}/account")

    async def make_key(self, name: str, cap: str = "") -> str:
        await self.page.goto(f"{self.url}/account/keys")
        await self.page.fill("#name", name)
        await self.page.fill("#cap", cap)
        await self.page.press("#name", "Enter")
        await self.page.wait_for_selector("h1:has-text('Your new key')")
        return (await self.page.inner_text("figure.code pre >> nth=0")).strip()

    async def words(self, path: str) -> str:
        await self.page.goto(f"{self.url}{path}")
        return " ".join((await self.page.inner_text("main")).split())


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(Settings()), args=["--no-sandbox"])
        yield browser
        await browser.close()


async def open_visit(browser: Browser, sandbox: Sandbox) -> Visit:
    context = await browser.new_context()
    visit = Visit(await context.new_page(), sandbox.url)
    visit.page.on("request", lambda request: visit.hosts.add(request.url.split("/")[2]))
    visit.page.on(
        "console", lambda given: visit.complaints.append(given.text) if given.type in ("error", "warning") else None
    )
    return visit


async def call(sandbox: Sandbox, key: str, **query: str) -> tuple[int, dict[str, object]]:
    def send() -> tuple[int, dict[str, object]]:
        request = Request(f"{sandbox.url}/api/v1/markdown/url?{urlencode(query)}", headers={"x-api-key": key})
        try:
            with urlopen(request, timeout=30) as answer:
                return answer.status, {}
        except HTTPError as error:
            return error.code, dict(json.loads(error.read()))

    return await asyncio.to_thread(send)


async def list_keys(sandbox: Sandbox, email: str) -> str:
    return await asyncio.to_thread(sandbox.command, "key", "list", email, "--json")


async def test_account_and_key_work_from_sign_up_to_deletion(sandbox: Sandbox, browser: Browser) -> None:
    ada, root = await open_visit(browser, sandbox), await open_visit(browser, sandbox)
    await ada.sign_up("ada@journey.example")
    assert "First steps" in await ada.page.inner_text("main")
    key = await ada.make_key("nightly index", cap="1")
    assert key.startswith("wq_test_")
    assert (await call(sandbox, key, url="https://example.com/"))[0] == 200
    status, found = await call(sandbox, key, url="https://example.com/nowhere")
    assert (status, found["code"]) == (402, "insufficient_credits")
    assert "the key 'nightly index' has 0 left of its monthly cap of 1" in str(found["error"])
    assert "cap reached" in await ada.words("/account/keys")

    words = await ada.words("/account/usage")
    for expected in ("markdown_url", "charged", "nightly index", "-1"):
        assert expected in words
    assert await ada.page.locator("figure.chart rect").count() == 2

    words = await ada.words("/account/requests")
    for expected in ("insufficient_credits", "url=https://example.com/nowhere", "miss", "nightly index"):
        assert expected in words
    await ada.page.select_option("#status", "4xx")
    await ada.page.click("text=Show")
    await ada.page.wait_for_url("**status=4xx**")
    words = " ".join((await ada.page.inner_text("main")).split())
    assert ("url=https://example.com/nowhere" in words, "miss 1" in words) == (True, False)

    # without a mouse: open the dialog, leave it, open it again and confirm
    await ada.words("/account/keys")
    dialog = ada.page.locator("dialog[open]")
    await ada.page.focus("a:has-text('Revoke')")
    await ada.page.keyboard.press("Enter")
    assert "nightly index" in await dialog.inner_text()
    await ada.page.keyboard.press("Escape")
    assert await dialog.count() == 0
    await ada.page.keyboard.press("Enter")
    await ada.page.keyboard.press("Shift+Tab")  # Cancel has the focus
    await ada.page.keyboard.press("Enter")
    await ada.page.wait_for_selector("text=No active keys")
    assert (await call(sandbox, key, url="https://example.com/"))[0] == 401

    await root.sign_up("root@journey.example")
    await asyncio.to_thread(sandbox.command, "account", "admin", "root@journey.example", "on")
    await root.sign_in_again("root@journey.example")
    again = await ada.make_key("second")
    await root.words("/admin?q=journey")
    await root.page.click("text=ada@journey.example")
    await root.page.click("text=Disable account")
    await root.page.wait_for_selector("text=Enable account")
    assert (await call(sandbox, again, url="https://example.com/"))[0] == 401
    await ada.page.goto(f"{sandbox.url}/account")
    assert "/login" in ada.page.url
    for visit in (ada, root):
        assert visit.hosts == {sandbox.url.removeprefix("http://")}
        assert visit.complaints == []


async def test_pages_fit_phones_and_screens_and_are_accessible(sandbox: Sandbox, browser: Browser) -> None:
    visit = await open_visit(browser, sandbox)
    await visit.sign_up("eve@journey.example")
    await asyncio.to_thread(sandbox.command, "account", "admin", "eve@journey.example", "on")
    key = await visit.make_key("a rather long name for a key that nobody would call short, or would they")
    await call(sandbox, key, url="https://example.com/")
    await call(sandbox, key, url="https://example.com/nothing-is-known-of-this")
    found = await asyncio.to_thread(sandbox.command, "account", "show", "eve@journey.example", "--json")
    account, script = json.loads(found), axe_script()
    await visit.sign_in_again("eve@journey.example")
    (listed,) = [each["id"] for each in json.loads(await list_keys(sandbox, "eve@journey.example"))][-1:]
    pages = (
        *("/account", "/account/keys", f"/account/keys/{listed}/revoke", "/account/usage", "/account/requests"),
        *("/account/apps", "/account/security", "/account/receipts/none", "/status"),
        *("/admin/overview", "/admin", "/admin/audit"),
    )
    for width, theme in ((390, "dark"), (1280, "light")):
        await visit.page.set_viewport_size({"width": width, "height": 844})
        await visit.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]  # one of the two words
        for path in (*pages, f"/admin/accounts/{account['account']}"):
            answer = await visit.page.goto(f"{sandbox.url}{path}")
            assert answer is not None
            assert len(await answer.body()) < MAX_BYTES
            assert await visit.page.evaluate("document.documentElement.scrollWidth") == width, path
            assert await find_faults(visit.page, script) == [], path
    assert visit.hosts == {sandbox.url.removeprefix("http://")}
