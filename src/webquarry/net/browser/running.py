"""A running browser, with its contexts, its workload and its shutdown."""

import asyncio
from collections.abc import Callable
from typing import Any

from playwright.async_api import Error as BrowserError

from webquarry.core.clock import Clock
from webquarry.core.errors import ProviderError
from webquarry.core.log import log
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline
from webquarry.net.browser.chromium import CLOSE_S, Chromium
from webquarry.net.browser.contexts import Contexts, Room
from webquarry.net.browser.page import Visit
from webquarry.net.browser.profiles import has_ended
from webquarry.net.proxy import ForwardProxy
from webquarry.net.rendering import Rendered

MEGABYTE = 1024 * 1024


class Running:
    """A started browser, its contexts and its workload. It closes itself when it is idle or due for replacement."""

    def __init__(self, chromium: Chromium, proxy: ForwardProxy, settings: Settings, clock: Clock) -> None:
        self.chromium = chromium
        self.contexts = Contexts(chromium, proxy, settings)
        self.pages = 0
        self._open = 0
        self._settings = settings
        self._clock = clock
        self._used_s = clock.monotonic()
        self._worn = False
        self._left = asyncio.Event()
        self._closing: set[asyncio.Task[None]] = set()
        self.life = asyncio.create_task(self._live())

    @property
    def takes_pages(self) -> bool:
        return not (self._worn or self.chromium.gone.done() or self.life.done())

    async def render(self, url: str, deadline: Deadline, *, with_images: bool, freed: Callable[[], None]) -> Rendered:
        """Render a page as `Browser.render` does.

        `freed` is called once, after all the page's resources are closed.
        """
        self.pages += 1
        self._open += 1
        room = None
        try:
            async with deadline.bound():
                room = await self.contexts.take()
            self.contexts.refill()
            services = await self.chromium.services()
            max_letters = self._settings.page_inflated_mb * MEGABYTE
            rendered = await Visit(room, url, deadline, max_letters=max_letters, with_images=with_images).run()
            if any(has_ended(pid) for pid in services):
                raise ProviderError("The browser failed while loading the page. Try again.", reason="unavailable")
            return rendered
        except TimeoutError as exc:
            raise ProviderError("The browser was not ready in time. Try again.", reason="timeout") from exc
        except BrowserError as exc:
            raise ProviderError(
                "The browser stopped before loading the page. Try again.", reason="unavailable"
            ) from exc
        finally:
            self._close_behind(room, freed)

    async def end(self) -> None:
        """Kill the browser, even if pages are still being rendered. Takes a few seconds at most."""
        self.chromium.kill()
        await asyncio.wait({self.life})

    def _close_behind(self, room: Room | None, freed: Callable[[], None]) -> None:
        """Close the context in the background, after the caller has its result."""
        task = asyncio.create_task(self._close(room))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        task.add_done_callback(lambda _: freed())

    async def _close(self, room: Room | None) -> None:
        try:
            if room is not None:
                await self.contexts.discard(room)
            if not self._worn:
                memory_mb = await asyncio.to_thread(lambda: self.chromium.memory_mb)
                self._worn = (
                    self.pages >= self._settings.browser_recycle_pages or memory_mb >= self._settings.browser_recycle_mb
                )
        finally:
            self._open -= 1
            self._used_s = self._clock.monotonic()
            self._left.set()

    async def _live(self) -> None:
        """Wait until the browser may end, then end it."""
        try:
            await self._until_over()
        finally:
            await self.contexts.close()
            await self.chromium.end()
            if self._closing:
                await asyncio.wait(set(self._closing), timeout=CLOSE_S)
            log.info("browser.ended", pages=self.pages)

    async def _until_over(self) -> None:
        gone = self.chromium.gone
        while not gone.done():
            idle_left_s = self._used_s + self._settings.browser_idle_s - self._clock.monotonic()
            if self._open == 0 and (self._worn or idle_left_s <= 0):
                self._worn = True  # accept no more pages while the browser ends
                return
            self._left.clear()
            left = asyncio.create_task(self._left.wait())
            first: set[asyncio.Future[Any]] = {gone, left}
            try:
                timeout_s = None if self._open else idle_left_s
                await asyncio.wait(first, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            finally:
                left.cancel()
