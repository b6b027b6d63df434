"""Browser manager: starts a browser when a page needs one.

The first page starts a browser. The browser is replaced after it has rendered a set number of pages or uses a set
amount of memory, and closed when no page has arrived for a while. Only one browser accepts new pages at a time;
replaced browsers finish their pages.
"""

import asyncio
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from webquarry.core.clock import Clock
from webquarry.core.errors import Overloaded, ProviderError
from webquarry.core.log import log
from webquarry.core.settings import PREFIX, Settings, SettingsError
from webquarry.core.shares import Shares
from webquarry.core.types import Deadline
from webquarry.net.browser.installed import find_chromium
from webquarry.net.browser.profiles import find_profiles_folder, remove_dead_profiles
from webquarry.net.proxy import ForwardProxy
from webquarry.net.rendering import Rendered

if TYPE_CHECKING:
    from webquarry.net.browser.running import Running

WAITING_FACTOR = 2
"""Number of pages of one account that may wait, per page rendered concurrently. The same limit applies to all other
accounts together.
"""


class Browser:
    """Renders pages and routes everything they load through `proxy`.

    The proxy listens by the time the first page loads. Raises SettingsError if the settings name a remote browser but
    no address at which that browser reaches the proxy.
    """

    def __init__(self, settings: Settings, clock: Clock, proxy: ForwardProxy) -> None:
        if settings.browser_cdp_url and not settings.browser_proxy_address:
            raise SettingsError(
                f"{PREFIX}BROWSER_CDP_URL: a remote browser must use this service's proxy; set "
                f"{PREFIX}BROWSER_PROXY_ADDRESS too"
            )
        self._settings = settings
        self._clock = clock
        self._proxy = proxy
        self._shares = Shares(settings.browser_pages, queue=2 * WAITING_FACTOR * settings.browser_pages)
        self._running: Running | None = None
        self._starting: asyncio.Task[Running] | None = None
        self._all: set[Running] = set()
        self._has_reaped = False
        self._has_warned = False
        self._closed = False

    @property
    def is_running(self) -> bool:
        return bool(self._all)

    @property
    def processes(self) -> list[int]:
        """Process ids of all running browsers."""
        return [pid for running in self._all for pid in running.chromium.processes]

    @property
    def remedy(self) -> str | None:
        """Advice on what to install so that pages can be rendered; None if nothing is missing."""
        if find_spec("playwright") is None:
            return "install the Python package playwright"
        if self._settings.browser_cdp_url is None and find_chromium(self._settings) is None:
            return f"install Chromium (Debian's package chromium) or Google Chrome, or set {PREFIX}CHROMIUM_PATH"
        return None

    async def render(self, url: str, deadline: Deadline, account: str = "", *, with_images: bool = False) -> Rendered:
        """Return the page at a normalized URL after its scripts have run, before the deadline.

        `account` is the account for which the page is rendered. Raises ProviderError: unavailable (no browser, too many
        pages, or the browser ended), timeout, down, or refused (not a page, or endless redirects). Raises UnsafeTarget
        if the page, or a page that it redirects to, may not be visited, and ConversionFailed (limits) if the page is
        too large.
        """
        await self._enter(account, deadline)
        freed = partial(self._shares.leave, account)
        try:
            async with deadline.bound():
                running = await self._browser()
        except BaseException as exc:
            freed()
            if isinstance(exc, TimeoutError):
                raise ProviderError("The browser was not ready in time. Try again.", reason="timeout") from exc
            raise
        return await running.render(url, deadline, with_images=with_images, freed=freed)

    async def reap(self) -> None:
        """End browsers that were left running by crashed servers with the same data folder.

        Rendering the first page also does this, so a starting server need not wait for it.
        """
        self._has_reaped = True
        await asyncio.to_thread(remove_dead_profiles, find_profiles_folder(self._settings))

    async def close(self) -> None:
        """Close every browser within a few seconds."""
        self._closed = True
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.wait({self._starting})
        await asyncio.gather(*(running.end() for running in list(self._all)))

    async def _enter(self, account: str, deadline: Deadline) -> None:
        """Wait for a slot. Raise ProviderError immediately if too many pages are waiting."""
        try:
            await self._shares.enter(account, deadline)
        except Overloaded as exc:
            if deadline.passed:
                raise ProviderError("Too many pages are waiting for the browser.", reason="timeout") from exc
            raise ProviderError(
                f"Too many pages are waiting for the browser ({PREFIX}BROWSER_PAGES at the same time). Try again "
                f"shortly.",
                reason="unavailable",
                retry_after_s=1,
            ) from exc

    async def _browser(self) -> "Running":
        """Return the browser that accepts pages, starting one if needed.

        Concurrent requests share one start, which continues even if they are canceled.
        """
        if self._running is not None and self._running.takes_pages:
            return self._running
        if self._closed:
            raise _make_stopping_error()
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(self._start())
            self._starting.add_done_callback(_notice_failure)
        starting = self._starting
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            if starting.cancelled():  # canceled by `close`; otherwise the caller was canceled
                raise _make_stopping_error() from None
            raise

    async def _start(self) -> "Running":
        if remedy := self.remedy:
            raise ProviderError(
                f"This page needs a browser, but no browser is available: {remedy}.", reason="unavailable"
            )
        # imported only when needed, because Playwright uses much memory and most processes render no page; imported in
        # a thread, because the import takes 0.1 s
        await asyncio.to_thread(import_module, "webquarry.net.browser.running")
        from webquarry.net.browser.chromium import Chromium, is_sandboxed
        from webquarry.net.browser.running import Running

        settings = self._settings
        if not self._has_reaped:
            await self.reap()
        if not (self._has_warned or is_sandboxed() or settings.browser_cdp_url):
            self._has_warned = True
            log.warning(
                "browser.sandbox_off", hint="Chromium can't use its sandbox as root; run the service as another user"
            )
        try:
            await self._proxy.listen()
        except SettingsError as exc:
            raise ProviderError(f"The browser can't be reached: {exc}", reason="unavailable") from exc
        chromium = await Chromium.start(settings, self._proxy.address)
        running = self._running = Running(chromium, self._proxy, settings, self._clock)
        self._all.add(running)
        running.life.add_done_callback(lambda _: self._all.discard(running))
        log.info("browser.started")
        return running


def _make_stopping_error() -> ProviderError:
    return ProviderError("The service is shutting down. Try again shortly.", reason="unavailable")


def _notice_failure(task: "asyncio.Task[Running]") -> None:
    """Retrieve the exception of a failed start, so that asyncio does not report it when no caller is waiting."""
    if not task.cancelled():
        task.exception()
