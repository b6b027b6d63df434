"""In a real browser: the owner of a new service signs in by the link that its first start prints."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from support.people import PASSWORD
from support.server import Server
from webquarry.app import assemble
from webquarry.cli.serving import FIRST_ACCOUNT, greet
from webquarry.core.settings import Settings

from .journeys import browser

__all__ = ["browser"]

_LINK = re.compile(r"http://\S+/reset\?code=\w+")


async def test_the_owner_sets_a_password_by_the_printed_link_and_administers_the_service(
    browser: Browser, tmp_path: Path
) -> None:
    async with Server(tmp_path) as server:
        greeting = await server.greeting()
        (link,) = _LINK.findall(greeting)
        page = await browser.new_page()
        await page.goto(link)
        await expect(page.get_by_role("heading", name="Set your password")).to_be_visible()
        await page.get_by_label("Password").fill(PASSWORD)
        await page.get_by_role("button", name="Set password").click()
        await page.wait_for_url("**/account")
        await page.get_by_role("link", name="Admin", exact=True).click()
        await expect(page.get_by_role("heading", name="Accounts")).to_be_visible()
        await expect(page.get_by_text(FIRST_ACCOUNT).first).to_be_visible()

        stranger = await (await browser.new_context()).new_page()
        await stranger.goto(link)
        await stranger.get_by_label("password").fill("another good one")
        await stranger.get_by_role("button", name="Set password").click()
        await expect(stranger.get_by_text("already used")).to_be_visible()

        printed = await server.command("account", "sign-in-link", FIRST_ACCOUNT, "--base-url", server.url)
        assert printed.code == 0, printed.err
        await stranger.goto(printed.out.strip())
        await expect(stranger.get_by_role("heading", name="Set a new password")).to_be_visible()


async def test_the_link_is_printed_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with assemble(Settings(data_dir=tmp_path), sandbox=True) as service:
        for printed in (1, 0):
            await greet(service, from_tapes=False)
            assert len(_LINK.findall(capsys.readouterr().out)) == printed
