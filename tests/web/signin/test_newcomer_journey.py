"""In a real browser: a newcomer gets a key and a first response, reads a search result, and gets a balance email."""

import asyncio
import json
import os
import time
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from support.postman import running_postman
from webquarry.accounts import balance_alerts
from webquarry.core.settings import Settings

from .journeys import Running, browser, serve_sandbox, server, sign_up

__all__ = ["browser", "server"]

FIRST_RESPONSE_WITHIN_S = 60.0
RESPONSE_WITHIN_MS = 90_000
"""Child processes that show a response start slowly on a busy machine."""


async def copy_curl(page: Page) -> str:
    """Return the quick start's first request with curl, as its Copy button puts it on the clipboard."""
    await page.goto("/docs/quickstart#page")
    sample = page.locator(".panel[data-name=curl] figure.code").first
    await sample.get_by_role("button", name="Copy").click()
    return str(await page.evaluate("navigator.clipboard.readText()"))


async def run_request(page: Page) -> None:
    """Run the request of the form, and reload until its response is rendered, as the page advises if that is late."""
    await page.get_by_role("button", name="Run", exact=True).click()
    await page.wait_for_url("**answer=**", timeout=RESPONSE_WITHIN_MS)
    while await page.get_by_text("could not be rendered in time").count():
        await page.reload()


async def run_in_shell(command: str, key: str) -> bytes:
    process = await asyncio.create_subprocess_shell(
        command, stdout=asyncio.subprocess.PIPE, env={**os.environ, "WEBQUARRY_KEY": key}
    )
    output, _ = await process.communicate()
    assert process.returncode == 0
    return output


async def test_newcomer_has_a_response_within_a_minute(server: Running, browser: Browser) -> None:
    context = await browser.new_context(base_url=server.url, permissions=["clipboard-read", "clipboard-write"])
    page = await context.new_page()
    began = time.monotonic()
    await page.goto("/")
    await page.locator("#main").get_by_role("link", name="Get a key").click()
    await sign_up(page, server.url)
    await page.goto("/account/keys")
    await page.get_by_label("Name").fill("first program")
    await page.get_by_label("Name").press("Enter")
    await expect(page.get_by_role("heading", name="Your new key")).to_be_visible()
    key = (await page.locator("figure.code pre").first.inner_text()).strip()
    answer = json.loads(await run_in_shell(await copy_curl(page), key))
    assert time.monotonic() - began < FIRST_RESPONSE_WITHIN_S
    assert (answer["extractor"], answer["creditsCharged"]) == ("markdown_url", 1)
    assert answer["markdown"].startswith("# ")

    await page.goto("/account/requests?endpoint=markdown_url")
    await expect(page.locator("td.params")).to_have_text(["url=https://example.com/"], timeout=20_000)
    digits = "(cell) => { const range = document.createRange(); range.selectNode(cell.lastChild); return range"
    assert await page.locator("td.id").evaluate(f"{digits}.getClientRects().length; }}") == 1  # on one line


async def test_search_result_is_read_in_the_playground(server: Running, browser: Browser) -> None:
    page = await (await browser.new_context(base_url=server.url)).new_page()
    await sign_up(page, server.url)
    await page.goto("/playground/search?q=coffee")
    await run_request(page)
    frame = page.frame_locator("iframe[title='External content']")
    result = frame.locator("ol a").first
    title, address = await result.inner_text(), await result.get_attribute("href")
    assert address is not None

    await page.goto("/playground/markdown_url")
    await page.locator("#call [name=url]").fill(address)
    await run_request(page)
    await expect(frame.locator("main")).to_contain_text(title.split()[0])
    for name in ("Markdown", "JSON"):
        await page.locator("#answer .tabs > label", has_text=name).click()
        await expect(page.locator("#answer .foreign-bar:visible").first).to_have_text("External content")


async def test_owner_chooses_a_threshold_and_gets_an_email(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(balance_alerts, "CHECK_EVERY_S", 0.1)
    async with running_postman() as postman:
        settings = Settings(data_dir=tmp_path, smtp_host="127.0.0.1", smtp_port=postman.port, smtp_security="none")
        async with serve_sandbox(tmp_path, settings=settings) as server:
            page = await (await browser.new_context(base_url=server.url)).new_page()
            account, _ = await server.service.accounts.create("ada@example.com", 10)
            code = await server.service.people.make_sign_in_code(account.email)
            await page.goto(f"/reset?code={code}")
            await page.get_by_label("Password").fill("a long sentence about quarries")
            await page.get_by_role("button", name="Set password").click()
            await page.wait_for_url("**/account")
            await page.get_by_label("Email me when fewer credits are left than").fill("10")
            await page.get_by_role("button", name="Save").click()
            await expect(page.get_by_text("when your balance falls below 10 credits")).to_be_visible()
            sent = len(postman.emails)

            await page.goto("/playground/search?q=coffee")
            await run_request(page)
            async with asyncio.timeout(20):
                while len(postman.emails) == sent:  # noqa: ASYNC110  # the SMTP server tells nobody
                    await asyncio.sleep(0.05)
    assert postman.emails[-1]["Subject"] == "Your Webquarry account has 9 credits left"
