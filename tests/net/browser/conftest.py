"""A site on loopback, and browsers that may visit it through the proxy. All tests of a module share one event loop."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from support.origin import Origin
from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline
from webquarry.net.browser import Browser
from webquarry.net.proxy import ForwardProxy

OpenBrowser = Callable[..., Awaitable[Browser]]


def deadline(seconds: float = 60.0) -> Deadline:
    return Deadline.after(seconds, SystemClock())


async def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait for a condition, which may take long on a busy machine."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110  # other processes cannot set an event here
            await asyncio.sleep(0.02)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def site() -> AsyncIterator[Origin]:
    """The site whose pages are rendered."""
    async with Origin() as origin:
        yield origin


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def elsewhere() -> AsyncIterator[Origin]:
    """Another origin that may be visited."""
    async with Origin() as origin:
        yield origin


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def secret() -> AsyncIterator[Origin]:
    """An origin that may not be visited."""
    async with Origin() as origin:
        yield origin


@pytest.fixture(scope="module")
def settings(site: Origin, elsewhere: Origin, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    allowed = (site.target, elsewhere.target)
    return Settings(data_dir=tmp_path_factory.mktemp("data"), egress_allow=allowed, page_inflated_mb=2)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def proxy(settings: Settings) -> AsyncIterator[ForwardProxy]:
    async with ForwardProxy(settings) as proxy:
        yield proxy


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(settings: Settings, proxy: ForwardProxy) -> AsyncIterator[Browser]:
    """One browser for all tests of a module: no page may affect the next one."""
    browser = Browser(settings, SystemClock(), proxy)
    yield browser
    await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def open_browser(site: Origin, tmp_path: Path) -> AsyncIterator[OpenBrowser]:
    """`open_browser(**settings)`: a separate browser that may visit the site, closed after the test."""
    async with AsyncExitStack() as stack:

        async def open_(**settings: Any) -> Browser:
            chosen = Settings(**{"data_dir": tmp_path, "egress_allow": (site.target,), **settings})
            proxy = await stack.enter_async_context(ForwardProxy(chosen))
            browser = Browser(chosen, SystemClock(), proxy)
            stack.push_async_callback(browser.close)
            return browser

        yield open_
