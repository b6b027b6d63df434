"""Rendering of pages: browser contexts created in advance, compared with other variants.

The other variants are a new browser per page and one shared context.

Also measures the cost of the guard and the memory of pages. A page written by a script is rendered repeatedly, with
alternating rounds. All variants run the same visit: load, settle, scroll, capture; the wait for network quiet takes
most of the time. A browser per page is started in two ways: with a new Playwright driver, as the service does, and with
a driver that is reused. Goal: contexts created in advance render at least 2.5 times as many pages as the first variant.
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.async_api import Browser as RemoteBrowser
from playwright.async_api import BrowserContext, Playwright, ProxySettings, async_playwright

from bench.table import bar, show
from bench.upstream import upstream
from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline
from webquarry.net.browser import Browser
from webquarry.net.browser.chromium import BYPASS, FLAGS, Chromium, is_sandboxed
from webquarry.net.browser.contexts import Contexts, Room
from webquarry.net.browser.installed import find_chromium
from webquarry.net.browser.page import Visit
from webquarry.net.proxy import ForwardProxy, Quota

LEAST = 2.5
OPEN_PAGES = 8
PAGE = b"""<!doctype html><html lang="en"><title>Rendered</title><main id="root"></main><script>
for (let n = 0; n < 40; n++) {
  const line = document.createElement("p");
  line.textContent = `Paragraph ${n}, one of many that stand here only because a script has put them there.`;
  root.append(line);
}
</script></html>"""


class Bench:
    def __init__(self, settings: Settings, proxy: ForwardProxy, url: str) -> None:
        self.settings = settings
        self.proxy = proxy
        self.url = url
        self.clock = SystemClock()

    def deadline(self) -> Deadline:
        return Deadline.after(60, self.clock)

    async def visit(self, room: Room) -> None:
        rendered = await Visit(room, self.url, self.deadline(), max_letters=1 << 20, with_images=False).run()
        assert "Paragraph 39" in rendered.html
        assert rendered.settled

    async def launched_browser(self, chromium: Chromium, driver: Playwright) -> None:
        """Use a browser for one page. It is started by a driver that is reused."""
        browser = await _launched(driver, self.settings)
        context = await browser.new_context(proxy=self.behind_proxy())
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        await self.visit(self._room(chromium, context, page, session))
        await browser.close()

    async def own_browser(self) -> None:
        """Use a browser for one page. It is started and closed with its driver, as in the service."""
        browser = Browser(self.settings, self.clock, self.proxy)
        await browser.render(self.url, self.deadline())
        await browser.close()

    async def one_context(self, chromium: Chromium, context: BrowserContext) -> None:
        """Load a page in a context that all pages share, without isolation."""
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        await self.visit(self._room(chromium, context, page, session))
        await context.unroute_all()
        await page.close()

    async def own_context(self, contexts: Contexts) -> None:
        """Load a page in a context created on demand."""
        room = await contexts.take()
        await self.visit(room)
        await contexts.discard(room)

    async def unguarded(self, chromium: Chromium, open_browser: RemoteBrowser) -> None:
        """Load the same page without a proxy."""
        context = await open_browser.new_context(service_workers="block", accept_downloads=False)
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        await self.visit(self._room(chromium, context, page, session))
        await context.close()

    def behind_proxy(self) -> ProxySettings:
        return {
            "server": f"http://{self.proxy.address}",
            "bypass": BYPASS,
            "username": self.proxy.username,
            "password": self.proxy.password,
        }

    def _room(self, chromium: Chromium, context: BrowserContext, page: object, session: object) -> Room:
        broken = asyncio.get_running_loop().create_future()
        return Room(chromium, context, page, session, self.proxy.lease(Quota()), broken)  # type: ignore[arg-type]


async def speeds(bench: Bench, rounds: int, pages: int) -> None:
    few = max(2, pages // 4)
    found: dict[str, list[float]] = {}
    ready = Browser(bench.settings, bench.clock, bench.proxy)
    chromium = await Chromium.start(bench.settings, bench.proxy.address)
    contexts = Contexts(chromium, bench.proxy, bench.settings)
    shared = await chromium.browser.new_context(proxy=bench.behind_proxy())
    await ready.render(bench.url, bench.deadline())
    async with async_playwright() as driver:
        open_browser = await _launched(driver, bench.settings)
        sides: dict[str, tuple[int, Callable[[], Awaitable[object]]]] = {
            "a browser for each page, with its driver": (few, bench.own_browser),
            "a browser for each page, one driver": (few, lambda: bench.launched_browser(chromium, driver)),
            "a context for each page, made ahead": (pages, lambda: ready.render(bench.url, bench.deadline())),
            "a context for each page, made when it comes": (pages, lambda: bench.own_context(contexts)),
            "the same without proxy (unguarded)": (pages, lambda: bench.unguarded(chromium, open_browser)),
            "one context for all pages": (pages, lambda: bench.one_context(chromium, shared)),
        }
        for _ in range(rounds):
            for name, (count, render) in sides.items():
                began = time.perf_counter()
                for _ in range(count):
                    await render()
                found.setdefault(name, []).append(count / (time.perf_counter() - began))
        await open_browser.close()
    await ready.close()
    await chromium.end()
    rate = {name: statistics.median(rates) for name, rates in found.items()}
    own, alone, ahead, late, open_, one = rate.values()
    show(
        "Rendered pages, one after the other",
        ("with", "pages/s", "of the first"),
        [(name, value, value / own) for name, value in rate.items()],
        f"Made ahead against a browser for each page, as this service starts one: {bar(ahead / own, LEAST)}",
        f"Made ahead against a browser for each page of a driver that is kept: {ahead / alone:.2f}.",
        f"Made ahead against one context for all: {ahead / one:.2f}.",
        f"Guarded against unguarded, both made when the page comes: {late / open_:.2f}.",
        f"Medians of {rounds} interleaved rounds of {pages} pages ({few} of a browser each).",
    )


async def weights(bench: Bench, row: int) -> None:
    """Measure PSS, which counts memory shared by processes only once."""
    began = time.perf_counter()
    chromium = await Chromium.start(bench.settings, bench.proxy.address)
    started_s = time.perf_counter() - began
    base = pss_mb(chromium.processes)
    driver = pss_mb([_driver(chromium.processes)])
    contexts = Contexts(chromium, bench.proxy, bench.settings)
    rooms = [await contexts.take() for _ in range(OPEN_PAGES)]
    for room in rooms:
        await room.page.goto(bench.url)
    each = (pss_mb(chromium.processes) - base) / OPEN_PAGES
    await chromium.end()
    rows: list[tuple[object, ...]] = [
        ("browser without a page", base),
        ("Playwright's driver", driver),
        ("each open page", each),
    ]
    show("Memory", ("of", "MB (PSS)"), rows, f"Driver and browser together start in {started_s:.2f} s.")

    browser = Browser(bench.settings, bench.clock, bench.proxy)
    steps: list[tuple[int, int, float, float, float]] = []
    for done in range(1, row + 1):
        await browser.render(bench.url, bench.deadline())
        if done % (row // 10) == 0:
            await asyncio.sleep(1)  # contexts are created and closed next to the pages
            pids = browser.processes
            steps.append((done, len(pids), pss_mb(pids), pss_mb([_driver(pids)]), pss_mb([os.getpid()])))
    await browser.close()
    grown = [now - then for now, then in zip(steps[-1], steps[1], strict=True)]
    show(
        f"{row} pages in a row, one browser",
        ("pages", "processes", "browser MB (PSS)", "driver MB", "this process MB"),
        steps,
        f"In the last {grown[0]} pages: {grown[1]:+} processes, browser {grown[2]:+.0f} MB, driver {grown[3]:+.0f} MB, "
        f"this process {grown[4]:+.0f} MB.",
    )


def pss_mb(pids: list[int]) -> float:
    kilobytes = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue  # the process has just ended
        kilobytes += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1024


def _driver(pids: list[int]) -> int:
    """Return the id of the process that started this browser."""
    leader = next(pid for pid in pids if os.getpgid(pid) == pid)
    return int(Path(f"/proc/{leader}/stat").read_text().rpartition(")")[2].split()[1])


async def _launched(driver: Playwright, settings: Settings) -> RemoteBrowser:
    """Launch a browser with the service's flags, without the guard."""
    return await driver.chromium.launch(
        executable_path=find_chromium(settings),
        chromium_sandbox=is_sandboxed(),
        args=[flag for flag in FLAGS if flag != "--remote-debugging-pipe"],
    )


async def measure(rounds: int, pages: int, row: int) -> None:
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as made:
        async with upstream(PAGE) as target:
            settings = Settings(data_dir=Path(made), egress_allow=(target,), browser_recycle_pages=10_000)
            async with ForwardProxy(settings) as proxy:
                bench = Bench(settings, proxy, f"http://{target}/")
                await speeds(bench, rounds, pages)
                await weights(bench, row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pages", type=int, default=12)
    parser.add_argument("--row", type=int, default=200)
    options = parser.parse_args()
    asyncio.run(measure(options.rounds, options.pages, options.row))


if __name__ == "__main__":
    main()
