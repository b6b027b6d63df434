"""The interface through which providers fetch."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import TracebackType
from typing import Any, Protocol, Self, TypedDict, TypeVar, Unpack
from urllib.parse import urlsplit

from webquarry.core.clock import Clock
from webquarry.core.errors import Absent, ProviderError
from webquarry.core.parsed_text import Url
from webquarry.core.process import loop
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline, Provider, Wire
from webquarry.core.urls import DEFAULT_PORTS, normalise_url
from webquarry.net import redirect, robots
from webquarry.net.cookies import Jar, cookie_field
from webquarry.net.dial import Dialler
from webquarry.net.exchanges import Admission, Exchanged, Exchanges
from webquarry.net.player import Player
from webquarry.net.rendering import Renderer
from webquarry.net.status import accept_wire, retry_after_s
from webquarry.net.transport import Limits, Request, Response, Transport

Read = TypeVar("Read")
MEGABYTE = 1024 * 1024
_COOKIE = "Cookie"
RENDERED_TYPE = "text/html; charset=utf-8"


class How(TypedDict, total=False):
    """Options on how a request is sent, and which responses are accepted.

    `headers` are added to the provider's headers. `cookies` are sent to this host in addition to cookies in the
    provider's jar. `secrets` are query parameters that are sent but never shown or stored.

    `ok_on` are the statuses that are returned (default: 200), `absent_on` the statuses that raise Absent (default: 404
    and 410). `max_wire_bytes` and `max_bytes` limit the size before and after decompression (default: the page limits
    in the settings). `truncate` cuts a larger body. `follow` controls redirects (default: true).
    """

    accept: str | None
    headers: Mapping[str, str] | None
    cookies: Mapping[str, str] | None
    secrets: Mapping[str, str] | None
    absent_on: Collection[int]
    ok_on: Collection[int]
    max_wire_bytes: int | None
    max_bytes: int | None
    truncate: bool
    follow: bool


class Reading(Protocol):
    """Runs `reader(wire, *params)` in another process if the wire is large.

    Returns the reader's result or raises its error.
    """

    async def __call__(
        self, reader: Callable[..., Any], wire: Wire, params: tuple[Any, ...], deadline: Deadline, account: str
    ) -> Any: ...


@dataclass(frozen=True, slots=True)
class Notified:
    """The response to a notification: its status, and the seconds that its Retry-After asks to wait."""

    status: int
    retry_after_s: float


class Door:
    """State that outlives an attempt: transport, browser, admission, cookies and robots rules. There is one door per
    process.

    `transport` defaults to the dialler; the sandbox passes a tape player, which also serves as the browser. `browser`
    is not closed with the door. `reading` runs readers of large wires; by default, they run in this process.
    """

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        transport: Transport | None = None,
        browser: Renderer | None = None,
        reading: Reading | None = None,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.transport: Transport = transport or Dialler(settings, clock)
        self.admission = Admission(settings, clock, plays_tapes=isinstance(self.transport, Player))
        self.browser: Renderer | None = self.transport if isinstance(self.transport, Player) else browser
        self.reading = reading
        self.robots = robots.RobotsCache(clock)
        self._memos: dict[str, dict[str, Any]] = {}
        self._jars: dict[str, Jar] = {}

    def net(self, provider: Provider, deadline: Deadline, account: str = "") -> "Net":
        """Return the interface for one attempt. As a context manager, it reports the attempt's outcome to the breakers.

        `account` is the account for which the attempt is made; "" means the service itself.
        """
        return Net(self, provider, deadline, account)

    def memo(self, provider: Provider) -> dict[str, Any]:
        """Return the values that this provider keeps between requests, for as long as the process runs."""
        return self._memos.setdefault(provider.name, {})

    def jar(self, provider: Provider) -> Jar | None:
        """Return this provider's cookie jar, or None if the provider keeps no cookies."""
        if not provider.keeps_cookies:
            return None
        if provider.name not in self._jars:
            self._jars[provider.name] = Jar()
        return self._jars[provider.name]

    def is_opened(self, url: str) -> bool:
        """Return whether the operator allowed the target of this normalized URL, public or not."""
        return self.admission.rule.is_opened(*_target(url))

    def check_target(self, url: str) -> None:
        """Raise UnsafeTarget if the target of this normalized URL may not be connected to.

        A name is resolved, and its addresses are checked, when it is dialed.
        """
        self.admission.rule.check(*_target(url))

    async def notify(self, url: str, headers: Mapping[str, str], body: bytes, deadline: Deadline) -> "Notified":
        """Send JSON to an address that an account has chosen for its notifications.

        The body of the response is not read, and redirects are not followed. Raises UnsafeTarget, and ProviderError if
        there is no response.
        """
        self.check_target(url)
        fields = {"Content-Type": "application/json", "User-Agent": self.settings.user_agent, **headers}
        limits = Limits(max_wire_bytes=0, max_bytes=0, truncate=True, wants_body=lambda _status: False)
        response = await self.transport.send(Request("POST", url, fields, body), deadline, limits)
        return Notified(response.status, retry_after_s(response, longest_s=math.inf) or 0.0)

    def cookies(self) -> dict[str, int]:
        """Return the number of stored cookies per provider."""
        return {name: len(jar) for name, jar in self._jars.items()}

    async def close(self) -> None:
        """Close all connections within a few seconds."""
        await self.transport.close()


class Net:
    """Fetches for one attempt of one provider, within one deadline.

    As a context manager it concludes the attempt. Leaving it without an error, or with an error that shows that the
    provider works, closes the circuits of the visited hosts. Leaving it with a block page (`blocked`) counts as a
    failure of the last host. `account` is the account for which it fetches. `memo` holds values that the provider keeps
    between requests, such as a table.
    """

    def __init__(self, door: Door, provider: Provider, deadline: Deadline, account: str = "") -> None:
        self.deadline = deadline
        self.account = account
        self.memo = door.memo(provider)
        self._jar = door.jar(provider)
        self._door = door
        self._provider = provider
        self._exchanges = Exchanges(door.admission, provider, deadline, account)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._exchanges.conclude(error)

    @property
    def exchanges(self) -> Sequence[Exchanged]:
        """All requests so far."""
        return self._exchanges.done

    async def read(self, reader: Callable[..., Read], wire: Wire, *params: Any) -> Read:
        """Return the result of `reader(wire, *params)` or raise its error.

        The reader must be a pure function of a module. A large wire is read in another process; raises ConversionFailed
        if that exceeds its limits.
        """
        if self._door.reading is None or len(wire.body) <= loop.LOOP_BYTES:
            return reader(wire, *params)
        read: Read = await self._door.reading(reader, wire, params, self.deadline, self.account)
        return read

    def setting(self, name: str) -> str:
        """Return a setting that the provider declares in `needs` or `uses`, as text; "" if it is not set."""
        if name not in (*self._provider.needs, *self._provider.uses):
            raise LookupError(f"{self._provider.name} does not declare that it needs {name}")
        value = getattr(self._door.settings, name)
        return "" if value is None else str(value)

    def cookie(self, url: str, name: str) -> str | None:
        """Return the value of the cookie with this name in a request to `url`, or None."""
        return self._jar.of(_normal(url)).get(name) if self._jar is not None else None

    def forget_cookies(self) -> None:
        """Drop all cookies of this provider, so that a new session starts for all its requests."""
        if self._jar is not None:
            self._jar.clear()

    async def get(self, url: str, *, robots: bool = False, **how: Unpack[How]) -> Wire:
        """Fetch `url` and return the response, after redirects. `how` is described in `How`.

        Returns a response whose status is in `ok_on`; raises Absent for a status in `absent_on` and ProviderError
        (refused) for any other. A body larger than the limits raises ConversionFailed (limits), or is cut with
        `truncate`, which sets `Wire.truncated`. `robots` checks robots.txt if the operator's settings require it.

        Raises ProviderError (timeout, down, unavailable, or the reason that opened the breaker) if there is no
        response, and UnsafeTarget if the address, or the target of a redirect, is not public.
        """
        asks_robots = robots and self._door.settings.robots == "respect" and not self._door.admission.plays_tapes
        return await self._ask(Request("GET", url, {}), how, asks_robots=asks_robots)

    async def post(self, url: str, *, body: bytes, content_type: str, **how: Unpack[How]) -> Wire:
        """Send a body and return the response, as `get` does.

        The request must only read data, because no provider may change anything upstream.
        """
        return await self._ask(Request("POST", url, {"Content-Type": content_type}, body), how, asks_robots=False)

    async def _ask(self, request: Request, how: How, *, asks_robots: bool) -> Wire:
        """Add headers and limits to a request, send it, and check the status of the response."""
        ok_on, follow = how.get("ok_on", (200,)), how.get("follow", True)
        headers = self._headers(how.get("accept"), how.get("headers"), how.get("cookies"))
        complete = replace(
            request,
            url=_normal(request.url),
            headers={**headers, **request.headers},
            secrets=how.get("secrets") or {},
        )
        limits = self._limits(
            ok_on, how.get("max_wire_bytes"), how.get("max_bytes"), how.get("truncate", False), follow
        )
        absent_on = how.get("absent_on", (404, 410))
        return await self._fetch(complete, limits, ok_on, absent_on, follow=follow, asks_robots=asks_robots)

    async def render(self, url: str, deadline: Deadline | None = None) -> Wire:
        """Render the page at `url` in a browser and return it whatever its status, after redirects by HTTP or scripts.

        `deadline` defaults to the attempt's deadline. Raises the errors of `Renderer.render`, and ProviderError with
        the reason that opened the breaker.
        """
        url, until = _normal(url), deadline or self.deadline
        browser = self._door.browser
        if browser is None:
            raise ProviderError("This page needs a browser, but this service has none.", reason="unavailable")
        with self._exchanges.counted():
            rendered = await self._exchanges.make(
                url, until, partial(browser.render, url, until, self.account), rendered=True
            )
            return Wire(
                body=rendered.html.encode("utf-8", "replace"),  # scripts may produce lone surrogates
                url=_normal(rendered.url),
                requested_url=url,
                status=rendered.status,
                headers={**rendered.headers, "content-type": RENDERED_TYPE},
                fetched_at=rendered.fetched_at,
                rendered=True,
            )

    async def robots_rules(self, url: str) -> robots.Rules:
        """Return the rules of robots.txt at the URL's origin for this service, cached for an hour.

        Raises the error if robots.txt can't be fetched, because nothing is allowed without a response (RFC 9309 section
        2.3.1.4).
        """
        origin = redirect.origin(_normal(url))
        rules = self._door.robots.get(origin)
        if rules is None:
            rules = await self._fetch_robots(f"{origin}/robots.txt")
            self._door.robots.keep(origin, rules)
        return rules

    def _headers(
        self, accept: str | None, headers: Mapping[str, str] | None, given: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """Merge headers, of which later ones take precedence: honest defaults, provider, browser (if declared),
        request.
        """
        honest = {"User-Agent": self._door.settings.user_agent, "Accept": "*/*"}
        merged = {name.lower(): (name, value) for name, value in honest.items()}
        browsers = self._provider.browser_headers if self._door.settings.browser_headers else {}
        called = {"Accept": accept, **(headers or {})} if accept else headers or {}
        for name, value in (*self._provider.headers.items(), *browsers.items(), *called.items()):
            merged[name.lower()] = (name, value)
        merged.pop("accept-encoding", None)  # only the transport, which decodes the body, can list the codings
        if given:
            merged["cookie"] = (_COOKIE, cookie_field(given))
        return dict(merged.values())

    def _limits(
        self, ok_on: Collection[int], wire: int | None, inflated: int | None, truncate: bool, follow: bool
    ) -> Limits:
        settings = self._door.settings
        return Limits(
            max_wire_bytes=settings.page_wire_mb * MEGABYTE if wire is None else wire,
            max_bytes=settings.page_inflated_mb * MEGABYTE if inflated is None else inflated,
            truncate=truncate,
            wants_body=lambda status: status in ok_on and not (follow and status in redirect.STATUSES),
        )

    async def _fetch(
        self,
        request: Request,
        limits: Limits,
        ok_on: Collection[int],
        absent_on: Collection[int],
        *,
        follow: bool,
        asks_robots: bool,
    ) -> Wire:
        requested_url = request.url
        with self._exchanges.counted():
            request, response = await self._follow(request, limits, follow=follow, asks_robots=asks_robots)
            wire = Wire(
                body=response.body,
                url=request.url,
                requested_url=requested_url,
                status=response.status,
                headers=response.headers,
                fetched_at=response.fetched_at,
                truncated=response.truncated,
            )
            return self._accepted(wire, ok_on, absent_on)

    async def _follow(
        self, request: Request, limits: Limits, *, follow: bool, asks_robots: bool
    ) -> tuple[Request, Response]:
        """Follow redirects. Return the last request and its response."""
        first = request.url
        seen: set[tuple[str, str]] = set()
        while True:
            if asks_robots:
                await self._ask_robots(request.url)
            asked = self._with_cookies(request)
            response = await self._exchanges.make(
                asked.url, self.deadline, partial(self._door.transport.send, asked, self.deadline, limits)
            )
            if self._jar is not None:
                self._jar.keep(asked.url, response.cookies)
            if not follow or response.status not in redirect.STATUSES:
                return request, response
            seen.add((request.method, request.url))
            request = redirect.next_request(request, response, self._public_headers())
            if len(seen) > redirect.MAX_HOPS or (request.method, request.url) in seen:
                raise ProviderError(f"{_host(first)} redirects endlessly.", reason="refused")

    def _with_cookies(self, request: Request) -> Request:
        """Add cookies from the jar to the request.

        A cookie set by the caller overrides a cookie with the same name in the jar.
        """
        kept = self._jar.of(request.url) if self._jar is not None else {}
        if not kept:
            return request
        own = request.headers.get(_COOKIE, "")
        named = {pair.partition("=")[0].strip() for pair in own.split(";")}
        rest = cookie_field({name: value for name, value in kept.items() if name not in named})
        return replace(request, headers={**request.headers, _COOKIE: "; ".join(filter(None, (own, rest)))})

    def _accepted(self, wire: Wire, ok_on: Collection[int], absent_on: Collection[int]) -> Wire:
        try:
            return accept_wire(wire, ok_on, absent_on)
        except ProviderError as error:
            self._exchanges.fail(wire.url, error, wire.status)
            raise

    async def _ask_robots(self, url: str) -> None:
        """Check that robots.txt of the URL's origin allows the request.

        Raises ProviderError (robots) if robots.txt does not allow it, and the errors of `robots_rules`.
        """
        if not (await self.robots_rules(url)).allows(url):
            raise ProviderError(
                f"robots.txt of {_host(url)} disallows this page, and this service respects robots.txt.",
                reason="robots",
            )

    async def _fetch_robots(self, url: str) -> robots.Rules:
        request = Request("GET", url, self._headers("text/plain", None))
        limits = self._limits((200,), robots.MAX_BYTES, robots.MAX_BYTES, truncate=True, follow=True)
        try:
            wire = await self._fetch(request, limits, (200,), robots.MEANS_ABSENT, follow=True, asks_robots=False)
        except Absent:
            return robots.Rules()
        agent = self._door.settings.user_agent.partition("/")[0].strip()
        return robots.Rules.parse(wire.body.decode("utf-8", "replace"), agent)

    def _public_headers(self) -> frozenset[str]:
        return frozenset(name.lower() for name in self._provider.headers)


def _normal(url: str) -> str:
    """Return the normalized URL. Raises ProviderError (changed) if it is invalid.

    URLs from callers are validated as parameters, so an invalid URL here came from a source.
    """
    if isinstance(url, Url):
        return str(url)
    try:
        return normalise_url(url)
    except ValueError as exc:
        raise ProviderError(f"The provider returned a URL that {exc}.", reason="changed") from exc


def _target(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme]


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""
