"""The sign-in pages with assistive technology, on a phone, and in both themes."""

import pytest
from playwright.async_api import Browser

from support.axe import axe_script, find_faults

from .journeys import Running, browser, question, server, sign_up

__all__ = ["browser", "server"]


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_pages_are_accessible_and_not_cut_off(server: Running, browser: Browser, scheme: str) -> None:
    script = axe_script()
    client, _ = await server.service.clients.register({"redirect_uris": ["http://127.0.0.1/callback"]})
    asked = question(server.url, client.id, "http://127.0.0.1:1/callback")
    context = await browser.new_context(
        viewport={"width": 390, "height": 800}, color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True
    )
    page = await context.new_page()
    faults: list[str] = []

    async def look(address: str) -> None:
        await page.goto(address)
        faults.extend(f"{address}: {fault}" for fault in await find_faults(page, script))
        if await page.evaluate("document.documentElement.scrollWidth") > 390:
            faults.append(f"{address}: wider than the screen")

    for path in ("/login", "/signup"):
        await look(f"{server.url}{path}")
    await sign_up(page, server.url)
    for address in (f"{server.url}/account/security", asked, asked.replace("S256", "plain")):
        await look(address)
    assert faults == []
