"""Parts of a browser that can crash alone: the process shared by all its pages, and the one that starts processes."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from net.browser.conftest import OpenBrowser, deadline, until
from support.chromium import chromium_of, is_alive, kill, kind_of, serves_network
from support.origin import Asked, Origin
from support.rendering import WORDS, html, script
from webquarry.core.errors import ProviderError

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.long
async def test_page_that_lost_its_connections_is_not_complete(
    open_browser: OpenBrowser, site: Origin, tmp_path: Path
) -> None:
    asked = asyncio.Event()

    async def never(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await site.left(writer)

    site.on("/rest", never)
    url = site.on("/half", script("say('Half of it.'); fetch('/rest')"))
    browser = await open_browser()
    rendering = asyncio.create_task(browser.render(url, deadline()))
    await asked.wait()
    lead, *others = chromium_of(tmp_path)
    (network,) = filter(serves_network, others)
    kill(network)
    with pytest.raises(ProviderError) as raised:
        await rendering
    assert raised.value.reason == "unavailable"
    await browser.render(site.on("/page", html(WORDS)), deadline())
    assert is_alive(lead)


@pytest.mark.long
async def test_browser_that_cannot_start_processes_is_replaced(
    open_browser: OpenBrowser, site: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.net.browser.contexts.MAKE_S", 5.0)
    url = site.on("/page", html(WORDS))
    browser = await open_browser()
    await browser.render(url, deadline())
    lead, *others = chromium_of(tmp_path)
    for pid in others:
        if kind_of(pid) == "zygote":
            kill(pid)
    for _ in range(4):  # existing contexts may serve some more pages
        with suppress(ProviderError):
            await browser.render(url, deadline(20))
    await until(lambda: not is_alive(lead))
    await browser.render(url, deadline())
