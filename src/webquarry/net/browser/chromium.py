"""One running Chromium: starts it, watches it and ends it with all its processes.

Playwright's driver controls it over a pipe, so Chromium opens no port and exits when its server dies. It leads a
separate process group, so all its processes can be killed together.
"""

import asyncio
import os
import re
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from playwright.async_api import Browser as RemoteBrowser
from playwright.async_api import Error as BrowserError
from playwright.async_api import Playwright, async_playwright

from webquarry.core.errors import ProviderError
from webquarry.core.log import log
from webquarry.core.settings import Settings
from webquarry.net.browser.installed import find_chromium
from webquarry.net.browser.profiles import Profile, find_profiles_folder, measure_memory_mb

START_S = 30.0
CLOSE_S = 5.0
BYPASS = "<-loopback>"  # sends loopback traffic through the proxy too; Chromium bypasses proxies for it by default
_NO_FEATURES = (
    # Features that contact the vendor.
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PreconnectToSearch",
    "Translate",
    # Discovers devices on the network.
    "MediaRouter",
    # Would visit pages at a URL other than the checked one.
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    # Breaks cross-origin redirects when requests are intercepted.
    "AvoidCorsURLLoaderRestartOnRedirect",
    "PaintHolding",
)
FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # No background traffic.
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-field-trial-config",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-pings",
    "--no-service-autorun",
    "--disable-extensions",
    "--disable-component-extensions-with-background-pages",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-search-engine-choice-screen",
    "--password-store=basic",
    # Treat every page as visible; Chromium slows down pages in the background.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-back-forward-cache",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
    f"--disable-features={','.join(_NO_FEATURES)}",
)
"""The complete list of flags. Playwright's defaults are meant for tests and allow popups."""


class Chromium:
    """A browser that accepts contexts.

    The future `gone` is done when the browser exits, is killed, or can no longer be reached.
    """

    def __init__(self, playwright: Playwright, browser: RemoteBrowser, home: Profile | None, agent: str) -> None:
        self.browser = browser
        self.agent = agent
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._playwright = playwright
        self._home = home
        browser.on("disconnected", lambda _: self._tell())

    @classmethod
    async def start(cls, settings: Settings, proxy_address: str) -> "Chromium":
        """Start a Chromium that makes all connections through the proxy.

        Raises ProviderError (unavailable) if it does not start.
        """
        program = find_chromium(settings) if settings.browser_cdp_url is None else None
        home = Profile(find_profiles_folder(settings)) if program is not None else None
        starting = async_playwright()
        try:
            async with asyncio.timeout(START_S):
                playwright = await starting.start()
                if program is not None and home is not None:
                    browser = await _launch(playwright, program, home, proxy_address)
                    await asyncio.to_thread(home.restrain, settings.browser_process_mb)
                else:
                    browser = await playwright.chromium.connect_over_cdp(settings.browser_cdp_url or "")
                return cls(playwright, browser, home, await _agent(browser))
        except BaseException as exc:
            await _finish(starting.__aexit__, home)
            if isinstance(exc, Exception):
                log.error("browser.start_failed", fault=without_addresses(str(exc)))
                raise ProviderError(
                    "The browser for this page failed to start. See the log.", reason="unavailable"
                ) from exc
            raise

    @property
    def processes(self) -> list[int]:
        """Process ids of the browser and all its children; empty for a remote browser."""
        return self._home.processes() if self._home else []

    @property
    def memory_mb(self) -> float:
        return measure_memory_mb(self.processes)

    async def services(self) -> frozenset[int]:
        """Return the process IDs of the network and storage services, which all pages share.

        Empty for a remote browser.
        """
        return await asyncio.to_thread(self._home.services) if self._home else frozenset()

    def kill(self) -> None:
        """Kill the browser without first asking it to close. This completes `gone`."""
        if self._home is not None:
            self._home.kill()
        self._tell()

    async def end(self) -> None:
        """Ask the browser to close, kill the processes left after a few seconds, and clean up."""
        self._tell()
        await _wait_bounded(self.browser.close)
        await _finish(self._playwright.stop, self._home)

    def _tell(self) -> None:
        if not self.gone.done():
            self.gone.set_result(None)


def without_addresses(fault: str) -> str:
    """Return a Playwright message with its URLs removed, because queries and tokens must not be logged."""
    return re.sub(r"\b(?:https?|wss?)://\S+", "(address)", fault)[:2000]


def is_sandboxed() -> bool:
    """Return whether Chromium sandboxes its renderers. As root, it refuses to do so."""
    return os.geteuid() != 0


async def _launch(playwright: Playwright, path: Path, home: Profile, proxy_address: str) -> RemoteBrowser:
    """Launch Chromium with a persistent context, which is the only way to choose its profile.

    That context stays unused.
    """
    proxy_host = proxy_address.rpartition(":")[0]
    context = await playwright.chromium.launch_persistent_context(
        home.profile,
        executable_path=path,
        artifacts_dir=home.path,
        ignore_default_args=True,
        args=[
            *FLAGS,
            *([] if is_sandboxed() else ["--no-sandbox"]),
            f"--user-data-dir={home.profile}",
            # Without credentials, so that requests outside any context are rejected.
            f"--proxy-server=http://{proxy_address}",
            f"--proxy-bypass-list={BYPASS}",
            # The proxy resolves names; the browser does not.
            f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {proxy_host}",
            "about:blank",
        ],
        # Chromium inherits neither this process's secrets nor a home folder with files. Temporary files do not go below
        # the home folder, because the path of a socket that Chromium creates there is limited to 107 characters.
        env={
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(home.path),
            "TMPDIR": tempfile.gettempdir(),
            "LANG": "C.UTF-8",
        },
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
        timeout=START_S * 1000,
    )
    if context.browser is None:
        raise BrowserError("a context without its browser")
    return context.browser


async def _agent(browser: RemoteBrowser) -> str:
    """Return the browser's user agent."""
    session = await browser.new_browser_cdp_session()
    version = await session.send("Browser.getVersion")
    await session.detach()
    return str(version["userAgent"])


async def _finish(stop_driver: Callable[[], Awaitable[Any]], home: Profile | None) -> None:
    if home is not None:
        home.kill()
    await _wait_bounded(stop_driver)
    if home is not None:
        await asyncio.to_thread(home.remove)


async def _wait_bounded(end: Callable[[], Awaitable[Any]]) -> None:
    """Wait for `end`, at most CLOSE_S seconds.

    The outcome is ignored, because the next step is the same either way.
    """
    task = asyncio.ensure_future(end())
    try:
        await asyncio.wait({task}, timeout=CLOSE_S)
    finally:
        if not task.done():
            task.cancel()
        elif not task.cancelled():
            task.exception()
