"""A service with taped sources that otherwise behaves like a real one: credits are charged, and it has a sandbox.

All tests of the playground in a session share it, each with its own visitors. Tests that need a real browser share one
browser.
"""

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from support.playground import Guest, HeldPlayer, House
from webquarry import sandbox as tapes
from webquarry.api.server import server
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.net.browser.installed import find_chromium


@pytest.fixture(scope="session")
def listener() -> Iterator[socket.socket]:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def house(tmp_path_factory: pytest.TempPathFactory, listener: socket.socket) -> AsyncIterator[House]:
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("playground"),
        base_url=f"http://127.0.0.1:{listener.getsockname()[1]}",
        rate_limit_per_minute=10_000,
        **tapes.settings(),
    )
    player = HeldPlayer(tapes.world())
    async with assemble(settings, serving=True, transport=player) as service:
        yield House(service, service.asgi(), player)


@dataclass
class Screen:
    """A real browser for the service.

    asked: every requested URL; reports: dialogs, and reports of scripts that should not run.
    """

    house: House
    browser: Browser
    asked: list[str] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)

    async def open(self, guest: Guest | None = None, **options: Any) -> Page:
        """Return a page of a new context, signed in as the guest."""
        context = await self.browser.new_context(base_url=self.house.url, **options)
        if guest is not None:
            cookies = guest.browser.cookies.items()
            await context.add_cookies([{"name": name, "value": text, "url": self.house.url} for name, text in cookies])
        await self._watch(context)
        return await context.new_page()

    async def _watch(self, context: BrowserContext) -> None:
        context.on("request", lambda request: self.asked.append(request.url))
        context.on("dialog", lambda dialog: self.reports.append(dialog.message))
        await context.expose_function("ran", lambda: self.reports.append("a script ran"))
        await context.route(re.compile(f"^(?!{re.escape(self.house.url)})"), lambda route: route.abort())

    @property
    def foreign(self) -> list[str]:
        """Return the URLs requested from other hosts."""
        return [url for url in self.asked if not url.startswith((self.house.url, "about:", "data:", "blob:"))]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def screen(house: House, listener: socket.socket) -> AsyncIterator[Screen]:
    chromium = find_chromium(Settings())
    assert chromium is not None
    listener.listen()
    serving = server(house.app, host="127.0.0.1", port=0, drain=house.service.pipeline.close)
    running = asyncio.create_task(serving.serve(sockets=[listener]))
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(chromium), args=["--no-sandbox"])
        yield Screen(house, browser)
        await browser.close()
    serving.should_exit = True
    await running
