"""In a real browser: a job from the playground's form to its download, and a webhook from its form to a delivery.

At both widths and in both themes no content is cut off, and axe has no serious finding.
"""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright

from support.axe import axe_script, find_faults
from support.made import Board
from support.origin import Origin, answer
from support.people import PASSWORD
from webquarry.api.server import server as make_server
from webquarry.app import assemble
from webquarry.core.errors import NotFound
from webquarry.core.settings import Settings
from webquarry.net.browser.installed import find_chromium

pytestmark = pytest.mark.long
MAX_BYTES = 150_000


@dataclass
class Site:
    """A service with a made endpoint, and a receiver of webhooks."""

    url: str
    board: Board
    receiver: Origin


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    board = Board()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        async with Origin() as receiver:
            receiver.on("/hook", answer(204))
            port = listener.getsockname()[1]
            url = f"http://127.0.0.1:{port}"
            settings = Settings(data_dir=tmp_path, base_url=url, egress_allow=(receiver.target,))
            async with assemble(settings, registry=board.registry(), serving=True) as service:
                served = make_server(service.asgi(), host="127.0.0.1", port=port, drain=service.pipeline.close)
                serving = asyncio.create_task(served.serve(sockets=[listener]))
                yield Site(url, board, receiver)
                served.should_exit = True
                await serving


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(Settings()), args=["--no-sandbox"])
        yield browser
        await browser.close()


async def sign_up(browser: Browser, site: Site, **options: bool) -> Page:
    context = await browser.new_context(base_url=site.url, **options)  # type: ignore[arg-type]  # its own options
    context.set_default_timeout(60_000)
    page = await context.new_page()
    await page.goto("/signup")
    await page.fill("#email", "ada@journey.example")
    await page.fill("#password", PASSWORD)
    await page.press("#password", "Enter")
    await page.wait_for_url("**/account")
    return page


async def start_job(page: Page, inputs: str) -> str:
    """Start a job in the playground, and return its id."""
    await page.goto("/playground/jobs?operation=made")
    await page.fill("#inputs", inputs)
    await page.click("text=Start the job")
    await page.wait_for_url("**/playground/jobs/job_*")
    return page.url.rpartition("/")[2]


async def test_a_job_from_the_form_to_the_download(site: Site, browser: Browser) -> None:
    page = await sign_up(browser, site)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    held = site.board.hold_until("slow")
    site.board.fail("bad", NotFound("There is no such thing."))
    await page.goto("/playground/jobs?operation=made")
    await page.fill("#inputs", "quick\nslow\nbad")
    await page.wait_for_selector("#state:has-text('up to 3 credits')")  # it follows the form
    assert "quick" in await page.inner_text("#code")
    job = await start_job(page, "quick\nslow\nbad")
    await page.wait_for_selector("#progress:has-text('2 of 3 items ended')")
    await page.click("text=Items and controls")
    await page.wait_for_selector("#item-1:has-text('running')")
    held.set()
    await page.wait_for_selector("[data-state=done]")  # without a reload
    await page.wait_for_selector("#item-1:has-text('View')")
    assert await page.inner_text("#job-said") == "The job has ended."
    assert "There is no such thing. Check the address or ID." in await page.inner_text("#item-2")
    async with page.expect_download() as download:
        await page.click("text=Download JSON lines")
    path = await (await download.value).path()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted((line["input"]["key"], line["state"]) for line in lines) == [
        ("bad", "failed"),
        ("quick", "done"),
        ("slow", "done"),
    ]
    await page.click("#item-0 >> text=View")
    await page.wait_for_url("**/playground/made?**")
    assert job
    assert faults == []


async def test_a_job_without_scripts(site: Site, browser: Browser) -> None:
    page = await sign_up(browser, site, java_script_enabled=False)
    held = site.board.hold_until("slow")
    job = await start_job(page, "slow")
    await page.goto(f"/account/jobs/{job}")
    assert "Reload this page to see the progress" in await page.inner_text("main")
    await page.click("text=Cancel job")
    await page.wait_for_url("**/cancel")
    await page.click("button:has-text('Cancel job')")
    await page.wait_for_url("**?done=cancel")
    assert "You cancelled this job" in await page.inner_text("main")
    held.set()


async def test_a_webhook_from_the_form_to_a_delivery(site: Site, browser: Browser) -> None:
    page = await sign_up(browser, site)
    await page.goto("/account/webhooks")
    await page.fill("#url", site.receiver.url("/hook"))
    await page.click("button:has-text('Create webhook')")
    await page.wait_for_selector("h1:has-text('secret')")
    assert "whsec_" in await page.inner_text("figure.code")
    await page.click("text=I have copied it")
    await page.click("button:has-text('Send a test')")
    await _reload_until(page, "delivered")
    await start_job(page, "a")
    await page.wait_for_selector("[data-state=done]")
    await page.goto("/account/webhooks")
    await page.click(f"text={site.receiver.url('/hook')}")
    await _reload_until(page, "job.done")
    await _reload_until(page, "status 204")
    await page.click("button:has-text('Send again') >> nth=0")
    await page.wait_for_url("**done=sent*")
    types = {json.loads(asked.body)["type"] for asked in site.receiver.requests}
    assert types == {"webhook.test", "job.done"}
    await page.click("a:has-text('Delete')")
    await page.click("dialog[open] >> button:has-text('Delete webhook')")
    await page.wait_for_selector("text=No webhooks yet")


async def test_pages_fit_phones_and_screens_and_are_read_by_everybody(site: Site, browser: Browser) -> None:
    page = await sign_up(browser, site)
    long = "a-long-input-without-a-place-to-break-" + "x" * 400
    site.board.fail(long, NotFound(f"Nothing is known of {long}."))
    job = await start_job(page, f"a\nb\n{long}")
    await page.wait_for_selector("[data-state=done]")
    await page.goto("/account/webhooks")
    await page.fill("#url", site.receiver.url(f"/hook?{'a' * 300}"))
    await page.fill("#description", "w" * 200)
    await page.click("button:has-text('Create webhook')")
    await page.wait_for_selector("h1:has-text('secret')")
    webhook = page.url.rpartition("/")[0].removeprefix(site.url)
    await page.click("text=I have copied it")
    await page.click("button:has-text('Send a test')")
    paths = (
        *("/account/jobs", f"/account/jobs/{job}", f"/account/jobs/{job}/retry", "/account/webhooks", webhook),
        *(f"{webhook}/rotate", f"{webhook}/delete", "/playground/jobs?operation=made", f"/playground/jobs/{job}"),
        "/playground",
    )
    script = axe_script()
    for width, theme in ((390, "dark"), (1280, "light")):
        await page.set_viewport_size({"width": width, "height": 844})
        await page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]  # one of the two words
        for path in paths:
            response = await page.goto(path)
            assert response is not None
            assert len(await response.body()) < MAX_BYTES
            assert await page.evaluate("document.documentElement.scrollWidth") == width, path
            assert await find_faults(page, script) == [], path


async def _reload_until(page: Page, words: str) -> None:
    async with asyncio.timeout(60):
        while words not in await page.inner_text("#deliveries tbody >> nth=0"):
            await asyncio.sleep(0.3)
            await page.reload()
