"""Browser contexts, prepared before pages need them.

Each context has separate cookies, storage, cache and proxy credentials. It serves one page and is then discarded.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from playwright.async_api import BrowserContext, CDPSession, Page
from playwright.async_api import Error as BrowserError

from webquarry.core.errors import ProviderError, ProviderReason
from webquarry.core.log import log
from webquarry.core.settings import Settings
from webquarry.net.browser.chromium import BYPASS, CLOSE_S, Chromium
from webquarry.net.proxy import ForwardProxy, Lease, Quota

READY = 2
"""Number of contexts kept ready. When a page takes one, the next is prepared while that page loads."""
MAKE_S = 15.0
"""Seconds within which a working browser creates a context. A slower browser is hung or can't start processes."""
MAX_REQUESTS = 1000
MAX_CONNECTIONS = 64
MEGABYTE = 1024 * 1024
MAX_PAGE_BYTES_FACTOR = 5
"""Maximum transfer of a page and its subresources, as a multiple of the limit for one static page."""

# Removes interfaces that could send traffic around the proxy. The text of pages does not depend on these interfaces.
WITHOUT_PEERS = """
for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"])
  Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false });
"""


@dataclass(frozen=True, slots=True)
class Room:
    """A context with one blank page.

    When the page crashes or closes, the future `broken` gets the error to raise.
    """

    chromium: Chromium
    context: BrowserContext
    page: Page
    session: CDPSession
    lease: Lease
    broken: asyncio.Future[ProviderError]

    @property
    def lost(self) -> ProviderError | None:
        """The error to raise if the page can no longer be reached, or None."""
        if self.chromium.gone.done():
            return ProviderError("The browser stopped while loading the page. Try again.", reason="unavailable")
        return self.broken.result() if self.broken.done() else None


class Contexts:
    """The contexts of one browser."""

    def __init__(self, chromium: Chromium, proxy: ForwardProxy, settings: Settings) -> None:
        self._chromium = chromium
        self._proxy = proxy
        self._settings = settings
        self._ready: deque[Room] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    async def take(self) -> Room:
        """Return an unused context. Raises BrowserError if the browser cannot create one."""
        while self._ready:
            room = self._ready.popleft()
            if room.lost is None:
                return room
        return await self._make()

    def refill(self) -> None:
        """Start preparing contexts for the next pages and return immediately."""
        missing = READY - len(self._ready) - len(self._tasks)
        for _ in range(missing if not self._chromium.gone.done() else 0):
            task = asyncio.create_task(self._prepare())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def discard(self, room: Room) -> None:
        """Close a context.

        If the browser does not close it in time, the browser is killed, because it no longer responds.
        """
        room.lease.close()
        if not self._chromium.gone.done() and not await _succeeds(room.context.close):
            log.warning("browser.hangs")
            self._chromium.kill()

    async def close(self) -> None:
        """Stop creating contexts. Prepared contexts are closed with the browser."""
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=CLOSE_S)
        for room in self._ready:
            room.lease.close()
        self._ready.clear()

    async def _prepare(self) -> None:
        try:
            self._ready.append(await self._make())
        except BrowserError as exc:
            # the page that needs a context gets the same error
            log.info("browser.no_context", fault=exc.message[:200])

    async def _make(self) -> Room:
        lease = self._proxy.lease(
            Quota(
                max_requests=MAX_REQUESTS,
                max_connections=MAX_CONNECTIONS,
                max_bytes=self._settings.page_wire_mb * MAX_PAGE_BYTES_FACTOR * MEGABYTE,
            )
        )
        try:
            async with asyncio.timeout(MAKE_S):
                return await self._furnish(lease)
        except TimeoutError as exc:
            lease.close()
            log.warning("browser.hangs")
            self._chromium.kill()
            raise BrowserError("no context in time") from exc
        except BaseException:
            lease.close()
            raise

    async def _furnish(self, lease: Lease) -> Room:
        settings = self._settings
        context = await self._chromium.browser.new_context(
            proxy={
                "server": f"http://{settings.browser_proxy_address or self._proxy.address}",
                "bypass": BYPASS,
                "username": lease.username,
                "password": lease.password,
            },
            user_agent=f"{self._chromium.agent} {settings.user_agent}",
            accept_downloads=False,
            service_workers="block",
            locale="en-US",
            timezone_id="UTC",
            reduced_motion="reduce",
            viewport={"width": 1280, "height": 1024},
        )
        await context.add_init_script(WITHOUT_PEERS)
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        return Room(self._chromium, context, page, session, lease, _watch(page))


def _watch(page: Page) -> asyncio.Future[ProviderError]:
    broken: asyncio.Future[ProviderError] = asyncio.get_running_loop().create_future()

    def tell(message: str, reason: ProviderReason) -> None:
        if not broken.done():
            broken.set_result(ProviderError(message, reason=reason))

    page.on("crash", lambda _: tell("The page crashed the browser.", "down"))
    page.on("close", lambda _: tell("The page closed itself.", "refused"))
    return broken


async def _succeeds(end: Callable[[], Awaitable[None]]) -> bool:
    """Return whether `end` finishes in time.

    An error counts as finished, because a closed context cannot be closed again.
    """
    task = asyncio.ensure_future(end())
    done, _ = await asyncio.wait({task}, timeout=CLOSE_S)
    if not done:
        task.cancel()
        return False
    task.exception()
    return True
