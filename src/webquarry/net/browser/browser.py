"""The browser as the rest of the service sees it: one that is there when a page needs it.

It is started by the first page, replaced after so many pages or so much memory, and ended when no page has come for a
while. At most one takes pages at a time; those it replaced finish theirs.
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
"""Pages of one account that may wait, for each that is rendered at once; those of all others together as many again."""


class Browser:
    """Renders pages; all that they load goes through `proxy`, which listens from the first page on, if not before.

    SettingsError when a remote browser is set without the address at which it reaches the proxy.
    """

    def __init__(self, settings: Settings, clock: Clock, proxy: ForwardProxy) -> None:
        if settings.browser_cdp_url and not settings.browser_proxy_address:
            raise SettingsError(
                f"{PREFIX}BROWSER_CDP_URL: a remote browser must come back through this service's proxy: "
                f"set {PREFIX}BROWSER_PROXY_ADDRESS too"
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
        """Process ids of every browser that runs now."""
        return [pid for running in self._all for pid in running.chromium.processes]

    @property
    def remedy(self) -> str | None:
        """What to install so that pages can be rendered; None when all is there."""
        if find_spec("playwright") is None:
            return "install the Python package playwright"
        if self._settings.browser_cdp_url is None and find_chromium(self._settings) is None:
            return f"install Chromium (Debian's package chromium) or Google Chrome, or set {PREFIX}CHROMIUM_PATH"
        return None

    async def render(self, url: str, deadline: Deadline, account: str = "", *, with_images: bool = False) -> Rendered:
        """The page at a normalised address, once its scripts have run, by the deadline. account: for whom.

        ProviderError: unavailable (no browser, too many pages, the browser ended), timeout, down, refused (not a page,
        endless redirects); UnsafeTarget when the page itself, or one that it leads to, may not be visited;
        ConversionFailed (limits) when it is too large.
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
        """End the browsers that servers on the same data folder left behind when they died. The first page does this
        too; a server that starts need not wait for it."""
        self._has_reaped = True
        await asyncio.to_thread(remove_dead_profiles, find_profiles_folder(self._settings))

    async def close(self) -> None:
        """End every browser, within seconds."""
        self._closed = True
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.wait({self._starting})
        await asyncio.gather(*(running.end() for running in list(self._all)))

    async def _enter(self, account: str, deadline: Deadline) -> None:
        """Wait for a slot. ProviderError at once when too many wait already."""
        try:
            await self._shares.enter(account, deadline)
        except Overloaded as exc:
            if deadline.passed:
                raise ProviderError("Too many pages are waiting for the browser.", reason="timeout") from exc
            raise ProviderError(
                f"Too many pages wait for the browser ({PREFIX}BROWSER_PAGES at the same time). Try again shortly.",
                reason="unavailable",
                retry_after_s=1,
            ) from exc

    async def _browser(self) -> "Running":
        """The one that takes pages. Several calls wait for one start, which goes on when they leave."""
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
            if starting.cancelled():  # by `close`; otherwise it is the caller who leaves
                raise _make_stopping_error() from None
            raise

    async def _start(self) -> "Running":
        if remedy := self.remedy:
            raise ProviderError(
                f"This page needs a browser, but no browser is available: {remedy}.", reason="unavailable"
            )
        # imported where it is used, since most processes render no page, and beside the event loop: Playwright takes
        # 0.1 s and much memory
        await asyncio.to_thread(import_module, "webquarry.net.browser.running")
        from webquarry.net.browser.chromium import Chromium, is_sandboxed
        from webquarry.net.browser.running import Running

        settings = self._settings
        if not self._has_reaped:
            await self.reap()
        if not (self._has_warned or is_sandboxed() or settings.browser_cdp_url):
            self._has_warned = True
            log.warning("browser.sandbox_off", hint="Chromium has no sandbox as root: run as another user")
        try:
            await self._proxy.listen()
        except SettingsError as exc:
            raise ProviderError(f"The browser cannot be reached: {exc}", reason="unavailable") from exc
        chromium = await Chromium.start(settings, self._proxy.address)
        running = self._running = Running(chromium, self._proxy, settings, self._clock)
        self._all.add(running)
        running.life.add_done_callback(lambda _: self._all.discard(running))
        log.info("browser.started")
        return running


def _make_stopping_error() -> ProviderError:
    return ProviderError("The service is shutting down. Try again shortly.", reason="unavailable")


def _notice_failure(task: "asyncio.Task[Running]") -> None:
    """A start that failed when all who waited had left is nobody's error."""
    if not task.cancelled():
        task.exception()
