"""Rendering of one page: loads it, waits for it, scrolls it and takes its HTML."""

import asyncio
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Error as BrowserError
from playwright.async_api import Page, Request, Response, Route

from webquarry.core.errors import ConversionFailed, ProviderError, ProviderReason, ServiceError, UnsafeTarget
from webquarry.core.log import log
from webquarry.core.types import Deadline
from webquarry.core.urls import DEFAULT_PORTS, normalise_host
from webquarry.net.browser.chromium import without_addresses
from webquarry.net.browser.contexts import MAX_REQUESTS, Room
from webquarry.net.browser.traffic import Traffic
from webquarry.net.rendering import Rendered
from webquarry.net.transport import OF_THE_TRANSFER

SETTLE_S = 10.0
SETTLE_AGAIN_S = 3.0
TAKE_S = 3.0
"""Seconds of the deadline reserved for taking the document, or a quarter of the remaining time if that is less."""
QUIET_S = 0.25
"""Seconds without changes or loading after which a page with text counts as settled."""
QUIET_BARE_S = 2.0
"""Seconds without changes or loading after which a page with hardly any text counts as settled. Its text may still
arrive.
"""
BACKGROUND_S = 3.0
"""Seconds after which a running request no longer delays a page with text, because streams and long polls never end."""
POLL_S = 0.05
ENOUGH_LETTERS = 200
MAX_NAVIGATIONS = 5
TAKES = 3
"""Maximum number of attempts to take a document that is replaced in the meantime."""
HANG_S = 10.0
"""Seconds after which a page whose scripts block the renderer is considered hung."""
LOST_S = 0.5
_WORLD = "webquarry"
_PROXY_STATUSES = frozenset({403, 429, 502, 503, 504})
_NET_ERROR = re.compile(r"net::ERR_([A-Z0-9_]+)")
_OF_THE_BROWSER = frozenset({"ABORTED", "FAILED"})
"""Navigation errors that occur when parts of the browser crash or there is nothing to show."""
_EMPTY_STATUSES = frozenset({204, 205})
_NET_ERRORS: Mapping[str, tuple[str, ProviderReason]] = {
    "TOO_MANY_REDIRECTS": ("redirects endlessly", "refused"),
    "CERT": ("could not be reached over TLS", "down"),
    "SSL": ("could not be reached over TLS", "down"),
    "TIMED_OUT": ("didn't respond in time", "timeout"),
    "EMPTY_RESPONSE": ("closed the connection without a response", "down"),
}
"""Message and reason of a failure, by the prefix of Chromium's error name."""
_UNREAD = frozenset({"media", "font"})


class Visit:
    """One page in one context.

    `max_letters` limits its HTML, in characters. `with_images` controls whether images are loaded.
    """

    def __init__(self, room: Room, url: str, deadline: Deadline, *, max_letters: int, with_images: bool) -> None:
        self._room = room
        self._url = url
        self._deadline = deadline
        self._max_letters = max_letters
        self._unread = _UNREAD if with_images else _UNREAD | {"image"}
        self._traffic = Traffic(deadline.clock)
        self._navigations = 0
        self._leading = url  # the page's current or next URL, including redirects
        self._status = 0
        self._headers: Mapping[str, str] = {}
        self._world: int | None = None

    async def run(self) -> Rendered:
        """Load and return the page.

        Raises ProviderError (timeout, down, refused, unavailable), UnsafeTarget, or ConversionFailed (limits).
        """
        room, going = self._room, asyncio.create_task(self._go())
        first: set[asyncio.Future[Any]] = {going, room.broken, room.chromium.gone}
        try:
            async with self._deadline.bound():
                await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
                if room.broken.done():  # a page may close just before its browser is known to have exited
                    await asyncio.wait({room.chromium.gone}, timeout=LOST_S)
            if room.lost:
                raise room.lost
            return going.result()
        except TimeoutError as exc:
            raise ProviderError(f"{self._host} was not rendered in time.", reason="timeout") from exc
        finally:
            going.cancel()
            await asyncio.wait({going}, timeout=1)
            if going.done() and not going.cancelled():
                going.exception()  # retrieve the exception of the lost page, so that asyncio does not report it

    @property
    def _host(self) -> str:
        return urlsplit(self._url).hostname or ""

    async def _go(self) -> Rendered:
        try:
            await self._listen()
            await self._load()
            settled = await self._settle(SETTLE_S, QUIET_BARE_S)
            if await self._ask("webquarry.scroll()"):
                settled = await self._settle(SETTLE_AGAIN_S, QUIET_S) and settled
                await self._ask("webquarry.unscroll()")
            return await self._take(settled)
        except BrowserError as exc:
            raise await self._fault(exc) from exc

    async def _listen(self) -> None:
        page = self._room.page
        page.on("request", self._on_request)
        page.on("requestfinished", self._traffic.ended)
        page.on("requestfailed", self._traffic.ended)
        page.on("response", self._on_response)
        page.on("popup", _close)
        await self._room.context.route("**/*", self._judge)

    def _on_request(self, request: Request) -> None:
        self._traffic.began(request)
        if self._is_leading(request):
            self._leading = request.url

    def _on_response(self, response: Response) -> None:
        if self._is_leading(response.request):
            self._status, self._headers = response.status, response.headers

    def _is_leading(self, request: Request) -> bool:
        """Return whether the request replaces the page itself."""
        try:
            return request.is_navigation_request() and request.frame == self._room.page.main_frame
        except BrowserError:  # the request comes from a popup that does not exist yet
            return False

    async def _judge(self, route: Route) -> None:
        """Pass a request on to the proxy or abort it. Only the proxy sees its redirects."""
        request = route.request
        is_wanted = (
            self._traffic.count <= MAX_REQUESTS
            and request.resource_type not in self._unread
            and request.url.startswith(("http://", "https://"))
        )
        if self._is_leading(request):
            self._navigations += 1
            is_wanted = is_wanted and self._navigations <= MAX_NAVIGATIONS
        with suppress(BrowserError):  # the page may have closed
            await (route.continue_() if is_wanted else route.abort())

    async def _load(self) -> None:
        """Wait until the document begins to arrive.

        Chromium aborts requests when an address of this machine appears or disappears. The page is not the cause, so
        the request is retried once.
        """
        try:
            await self._room.page.goto(self._url, wait_until="commit", timeout=0)
        except BrowserError as exc:
            if "ERR_NETWORK_CHANGED" not in exc.message:
                raise
            await self._room.page.goto(self._url, wait_until="commit", timeout=0)
        self._check()

    async def _settle(self, most_s: float, bare_s: float) -> bool:
        """Wait at most `most_s` seconds until nothing changes and nothing loads. Return whether the page settled."""
        left_s = self._deadline.remaining_s
        until = self._deadline.within(min(most_s, left_s - min(TAKE_S, left_s / 4)))
        while not until.passed:
            state = await self._ask(f"webquarry.survey({ENOUGH_LETTERS})")
            is_bare = state["letters"] < ENOUGH_LETTERS
            quiet_s = min(state["still_ms"] / 1000, self._traffic.quiet_s(most_s if is_bare else BACKGROUND_S))
            if state["parsed"] and quiet_s >= (bare_s if is_bare else QUIET_S):
                return True
            await asyncio.sleep(POLL_S)
        return False

    async def _take(self, settled: bool) -> Rendered:
        html = await self._take_html()
        self._check()
        return Rendered(
            html=html,
            url=self._room.page.url,
            status=self._status,
            headers={name: value for name, value in self._headers.items() if name not in OF_THE_TRANSFER},
            fetched_at=self._deadline.clock.now(),
            requests=self._traffic.count,
            wire_bytes=self._room.lease.moved_bytes,
            settled=settled,
        )

    async def _take_html(self) -> str:
        """Return the page's HTML, fetched in parts because each part is read in the event loop.

        If another document replaces it in the meantime, take the new document.
        """
        for _ in range(TAKES):
            taken = await self._ask(f"webquarry.take({self._max_letters})")
            if taken is None:
                self._check()
                raise ConversionFailed(
                    f"{self._host} returned a page with more than {self._max_letters:,} characters.",
                    reason="limits",
                )
            pieces = [taken["first"]]
            while len(pieces) < taken["count"] and isinstance(pieces[-1], str):
                pieces.append(await self._ask(f"webquarry.piece({len(pieces)})"))
            if isinstance(pieces[-1], str):
                return "".join(pieces)
        raise ProviderError(f"{self._host} returned a page that never stops changing.", reason="changed")

    async def _ask(self, expression: str) -> Any:
        """Return the value of an expression, evaluated in the isolated world of the page's document.

        A page may replace its document at any time; the expression is then evaluated in the new document.
        """
        session = self._room.session
        for is_last in (False, False, True):
            try:
                async with asyncio.timeout(HANG_S):
                    if self._world is None:
                        self._world = await self._enter()
                    asked = {
                        "expression": expression,
                        "contextId": self._world,
                        "returnByValue": True,
                        "awaitPromise": True,
                    }
                    answer = await session.send("Runtime.evaluate", asked)
            except BrowserError:
                if is_last or self._room.lost:
                    raise
                self._world = None
                continue
            if "exceptionDetails" in answer:
                raise ProviderError(f"{self._host} returned a page that can't be read.", reason="changed")
            return answer["result"].get("value")
        raise AssertionError

    async def _enter(self) -> int:
        """Create an isolated world with the renderer's script in the current document. Return its id."""
        session = self._room.session
        tree = await session.send("Page.getFrameTree")
        world = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": _WORLD}
        context_id = (await session.send("Page.createIsolatedWorld", world))["executionContextId"]
        await session.send("Runtime.evaluate", {"expression": _script(), "contextId": context_id})
        return int(context_id)

    def _check(self) -> None:
        """Raise an error if the current document is not a page of the site, such as the proxy's error response."""
        url = self._room.page.url
        if self._navigations > MAX_NAVIGATIONS:
            raise ProviderError(f"{self._host} redirects from page to page endlessly.", reason="refused")
        has_failed = url.startswith("chrome-error:")
        if (has_failed or self._status in _PROXY_STATUSES) and (fault := self._proxy_fault()):
            raise fault
        if has_failed:
            raise ProviderError(f"{self._host} redirects to an address that does not respond.", reason="down")
        if not url.startswith(("http://", "https://")):
            raise ProviderError(f"{self._host} redirects to something other than a web page.", reason="refused")

    def _proxy_fault(self) -> ServiceError | None:
        """Return the error if the proxy could not fetch or refused the page itself, or None."""
        if "bytes" in self._room.lease.exceeded:
            return ConversionFailed(f"{self._host} loads too much data.", reason="limits")
        parts = urlsplit(self._leading)
        try:
            target = normalise_host(parts.hostname or ""), parts.port or DEFAULT_PORTS[parts.scheme]
        except (ValueError, KeyError):
            return None
        match self._room.lease.faults.get(target):
            case "unsafe":
                return UnsafeTarget()
            case "timeout":
                return ProviderError(f"{parts.hostname} did not respond in time.", reason="timeout")
            case "down":
                return ProviderError(f"{parts.hostname} could not be reached.", reason="down")
        return None

    async def _fault(self, error: BrowserError) -> ServiceError:
        """Translate a browser error to an error about the page."""
        if "Download is starting" in error.message:
            return ProviderError(f"{self._host} returned a download.", reason="refused")
        code = _NET_ERROR.search(error.message)
        if code is None:
            return await self._translate_error(error)
        if self._navigations > MAX_NAVIGATIONS:
            return ProviderError(f"{self._host} redirects from page to page endlessly.", reason="refused")
        if fault := self._proxy_fault():
            return fault
        if code[1] in _OF_THE_BROWSER:
            if self._status in _EMPTY_STATUSES:
                return ProviderError(f"{self._host} returned nothing that a browser can show.", reason="refused")
            return await self._translate_error(error)
        for start, (text, reason) in _NET_ERRORS.items():
            if code[1].startswith(start):
                return ProviderError(f"{self._host} {text}.", reason=reason)
        return ProviderError(f"{self._host} could not be reached.", reason="down")

    async def _translate_error(self, error: BrowserError) -> ServiceError:
        """Translate an error that is not about the network.

        Wait briefly first, in case the browser has exited or the page has closed.
        """
        room = self._room
        ends: set[asyncio.Future[Any]] = {room.broken, room.chromium.gone}
        await asyncio.wait(ends, timeout=LOST_S, return_when=asyncio.FIRST_COMPLETED)
        if room.lost is None and "closed" in error.message:
            room.chromium.kill()  # the browser's driver has exited without reporting it
        if lost := room.lost:
            return lost
        log.warning("browser.fault", fault=without_addresses(error.message.partition("\n")[0]))
        return ProviderError("The browser failed to load the page. Try again.", reason="unavailable")


async def _close(popup: Page) -> None:
    with suppress(BrowserError):
        await popup.close()


@lru_cache(maxsize=1)
def _script() -> str:
    return files(__package__).joinpath("page.js").read_text()
