"""A real Chromium behind the forward proxy: no attempt of a page reaches a private address."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Page, async_playwright

from support.origin import Origin, answer
from support.proxied import Credentials, proxy_for, says
from webquarry.net.proxy import ForwardProxy, Quota

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium")

NAMES = says(site="127.0.0.1", secret="127.0.0.2")
ATTACK = """<!doctype html><title>attack</title>
<link rel=preconnect href="{secret}/preconnect"><link rel=prefetch href="{secret}/prefetch">
<link rel=stylesheet href="{secret}/style.css">
<img src="{secret}/image"><iframe src="{secret}/frame"></iframe><script src="{secret}/script.js"></script>
<img src="{hop}">
<script>
const tries = [];
for (const host of ["{secret}", "{literal}", "{number}"]) {{
  tries.push(fetch(host + "/fetch", {{mode: "no-cors"}}));
  tries.push(fetch(host + "/post", {{mode: "no-cors", method: "POST", body: "x"}}));
  navigator.sendBeacon(host + "/beacon", "x");
  tries.push(new Promise(done => {{
    const socket = new WebSocket(host.replace("http", "ws") + "/socket");
    socket.onerror = socket.onopen = done;
  }}));
}}
const worker = new Worker(URL.createObjectURL(new Blob([`
  fetch("{secret}/worker", {{mode: "no-cors"}}).finally(() => postMessage(1))`])));
tries.push(new Promise(done => worker.onmessage = done));
tries.push(fetch("{hop}", {{mode: "no-cors"}}));
Promise.allSettled(tries).then(() => document.title = "done");
</script>"""


@asynccontextmanager
async def _chromium(proxy: ForwardProxy, who: Credentials, browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context(
        proxy={"server": f"http://{proxy.address}", "username": who.username, "password": who.password}
    )
    try:
        yield await context.new_page()
    finally:
        await context.close()


@asynccontextmanager
async def _browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--proxy-bypass-list=<-loopback>", "--disable-quic"],
        )
        try:
            yield browser
        finally:
            await browser.close()


def _attack(origin: Origin, secret: Origin) -> str:
    """Serve the page. Return its URL."""
    base = f"http://secret.test:{secret.port}"
    origin.on("/hop", answer(302, b"", {"Location": f"{base}/hopped"}))
    page = ATTACK.format(
        secret=base,
        literal=f"http://127.0.0.2:{secret.port}",
        number=f"http://2130706434:{secret.port}",
        hop=f"http://site.test:{origin.port}/hop",
    )
    origin.on("/", answer(200, page.encode(), {"Content-Type": "text/html"}))
    return f"http://site.test:{origin.port}/"


class TestChromium:
    async def test_attacks_of_a_page_only_succeed_without_the_guard(self, origin: Origin) -> None:
        async with Origin("127.0.0.2") as secret, _browser() as browser:
            url = _attack(origin, secret)
            async with proxy_for(origin.port, secret.port, resolve=NAMES) as proxy:
                lease = proxy.lease(Quota(max_requests=500))
                async with _chromium(proxy, lease, browser) as page:
                    await page.goto(url)
                    await page.wait_for_function("document.title === 'done'", timeout=20_000)
                assert secret.connections == 0
                assert proxy.counts.refused >= 12
                assert lease.requests > proxy.counts.refused
                assert lease.faults["secret.test", secret.port] == "unsafe"
            async with (
                proxy_for(
                    origin.port,
                    secret.port,
                    judge="127.0.0.2",
                    resolve=says(site="127.0.0.2", secret="127.0.0.2"),
                    settings={"egress_allow": (origin.target, secret.target, f"site.test:{origin.port}")},
                ) as control,
                _also(origin, "127.0.0.2"),
                _chromium(control, control, browser) as page,
            ):
                await page.goto(url)
                await page.wait_for_function("document.title === 'done'", timeout=20_000)
                seen = {asked.target for asked in secret.requests}
                assert secret.connections > 0
                wanted = {"/style.css", "/image", "/frame", "/script.js", "/fetch", "/post", "/beacon", "/socket"}
                assert wanted | {"/worker", "/hopped"} <= seen

    async def test_pages_end_with_their_lease(self, origin: Origin) -> None:
        came = asyncio.Event()

        async def never(_asked: object, writer: asyncio.StreamWriter) -> None:
            came.set()
            await origin.left(writer)

        origin.on("/", never)
        async with proxy_for(origin.port, resolve=NAMES) as proxy, _browser() as browser:
            lease = proxy.lease(Quota())
            async with _chromium(proxy, lease, browser) as page:
                going = asyncio.create_task(page.goto(f"http://site.test:{origin.port}/"))
                await came.wait()
                lease.close()
                with pytest.raises(Exception, match="ERR_"):
                    await going


@asynccontextmanager
async def _also(origin: Origin, host: str) -> AsyncIterator[None]:
    """Serve `origin` at another address too, on its port."""
    server = await asyncio.start_server(origin._serve, host, origin.port, limit=1 << 20)
    try:
        yield
    finally:
        server.close()
