"""One running Chromium: started, watched and ended, with all its processes.

Playwright's driver starts it over a pipe: it listens on no port, and ends by itself when its server dies. It leads a
process group of its own, so all of it can be killed at once.
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
BYPASS = "<-loopback>"  # loopback too goes through the proxy; without it Chromium goes there by itself
_NO_FEATURES = (
    # what it would tell or ask its makers
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PreconnectToSearch",
    "Translate",
    # looks for devices around
    "MediaRouter",
    # pages are visited at the address that was judged
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    # with requests intercepted it breaks redirects between origins
    "AvoidCorsURLLoaderRestartOnRedirect",
    "PaintHolding",
)
FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # no traffic of its own
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
    # every page counts as seen, else those in the back are slowed down
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-back-forward-cache",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
    f"--disable-features={','.join(_NO_FEATURES)}",
)
"""All there is to say: Playwright's own list is made for tests and lets popups in."""


class Chromium:
    """A browser that takes contexts. gone: done once it ends, was killed, or cannot be reached any more."""

    def __init__(self, playwright: Playwright, browser: RemoteBrowser, home: Profile | None, agent: str) -> None:
        self.browser = browser
        self.agent = agent
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._playwright = playwright
        self._home = home
        browser.on("disconnected", lambda _: self._tell())

    @classmethod
    async def start(cls, settings: Settings, proxy_address: str) -> "Chromium":
        """A new one whose every connection goes to the proxy.

        ProviderError (unavailable) when it does not start.
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
        """Process ids of all of it; none of a remote one."""
        return self._home.processes() if self._home else []

    @property
    def memory_mb(self) -> float:
        return measure_memory_mb(self.processes)

    async def services(self) -> frozenset[int]:
        """Process ids of what all pages load and store through; none of a remote one."""
        return await asyncio.to_thread(self._home.services) if self._home else frozenset()

    def kill(self) -> None:
        """End it without asking; `gone` follows."""
        if self._home is not None:
            self._home.kill()
        self._tell()

    async def end(self) -> None:
        """Ask it to end, kill what has not, clean up after it. Takes at most some seconds."""
        self._tell()
        await _wait_bounded(self.browser.close)
        await _finish(self._playwright.stop, self._home)

    def _tell(self) -> None:
        if not self.gone.done():
            self.gone.set_result(None)


def without_addresses(fault: str) -> str:
    """A message of Playwright's as it may be logged: queries and tokens are none of the log's business."""
    return re.sub(r"\b(?:https?|wss?)://\S+", "(address)", fault)[:2000]


def is_sandboxed() -> bool:
    """Whether Chromium locks its renderers in: it refuses to as root."""
    return os.geteuid() != 0


async def _launch(playwright: Playwright, path: Path, home: Profile, proxy_address: str) -> RemoteBrowser:
    """As a persistent context, which alone lets us choose the profile; nothing is ever done in that context."""
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
            # without credentials: what no context asked for gets nowhere
            f"--proxy-server=http://{proxy_address}",
            f"--proxy-bypass-list={BYPASS}",
            # no name is looked up, whoever asks; the proxy does that
            f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {proxy_host}",
            "about:blank",
        ],
        # nothing of ours: neither secrets nor a home with files. Not a folder below the home for temporary files: the
        # path of a socket that Chromium makes there may have 107 letters
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
    """How it names itself."""
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
    """Wait for an end, for a while; whatever it says, what follows is the same."""
    task = asyncio.ensure_future(end())
    try:
        await asyncio.wait({task}, timeout=CLOSE_S)
    finally:
        if not task.done():
            task.cancel()
        elif not task.cancelled():
            task.exception()
