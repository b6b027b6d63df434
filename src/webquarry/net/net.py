"""The door to the outside, as those see it who fetch."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar
from urllib.parse import urlsplit

from webquarry.core.clock import Clock
from webquarry.core.errors import Absent, ProviderError
from webquarry.core.parsed_text import Url
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline, Provider, Wire
from webquarry.core.urls import normalise_url
from webquarry.net import redirect, robots
from webquarry.net.cookies import Jar, cookie_field
from webquarry.net.dial import Dialler
from webquarry.net.exchanges import Admission, Exchanged, Exchanges
from webquarry.net.player import Player
from webquarry.net.rendering import Renderer
from webquarry.net.status import accept_wire
from webquarry.net.transport import Limits, Request, Response, Transport
from webquarry.process import loop

Read = TypeVar("Read")
MEGABYTE = 1024 * 1024
_COOKIE = "Cookie"
RENDERED_TYPE = "text/html; charset=utf-8"


class Reading(Protocol):
    """Reads a large wire elsewhere: what `reader(wire, *params)` gives and raises."""

    async def __call__(
        self, reader: Callable[..., Any], wire: Wire, params: tuple[Any, ...], deadline: Deadline, account: str
    ) -> Any: ...


class Door:
    """What lasts longer than an attempt: transport, browser, admission, cookies, robots rules. One per process.

    transport: the dialler unless given; the sandbox gives a tape player, which is its browser too. browser: not closed
    with the door. reading: where large wires are read; in place unless given.
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
        """The view of one attempt. Entered as a context, it tells the breakers how the attempt ended.

        account: for whom it is made; "" is the service itself.
        """
        return Net(self, provider, deadline, account)

    def memo(self, provider: Provider) -> dict[str, Any]:
        """What this provider keeps from call to call for as long as the process lives."""
        return self._memos.setdefault(provider.name, {})

    def jar(self, provider: Provider) -> Jar | None:
        """Where this provider's cookies are kept; None when it keeps none."""
        if not provider.keeps_cookies:
            return None
        if provider.name not in self._jars:
            self._jars[provider.name] = Jar()
        return self._jars[provider.name]

    def cookies(self) -> dict[str, int]:
        """How many are kept, by provider."""
        return {name: len(jar) for name, jar in self._jars.items()}

    async def close(self) -> None:
        """Let go of all connections, within seconds."""
        await self.transport.close()


class Net:
    """Fetches for one attempt of one provider, by one deadline.

    As a context it concludes the attempt: leaving it without an error, or with one that shows the upstream to be
    well, closes the breakers of the hosts visited; leaving it with a wall (`blocked`) counts against the last host.
    account: for whom it fetches. memo: what the provider keeps from call to call (a table it fetched).
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
        """Every one so far."""
        return self._exchanges.done

    async def read(self, reader: Callable[..., Read], wire: Wire, *params: Any) -> Read:
        """What the reader, a pure function of a module, gives for the wire and the parameters; raises what it raises.
        A large wire is read elsewhere, and ConversionFailed says when it takes too much."""
        if self._door.reading is None or len(wire.body) <= loop.LOOP_BYTES:
            return reader(wire, *params)
        read: Read = await self._door.reading(reader, wire, params, self.deadline, self.account)
        return read

    def setting(self, name: str) -> str:
        """The text of a setting that the provider declares in `needs` or `uses`; "" when it is not set."""
        if name not in (*self._provider.needs, *self._provider.uses):
            raise LookupError(f"{self._provider.name} does not declare that it needs {name}")
        value = getattr(self._door.settings, name)
        return "" if value is None else str(value)

    def cookie(self, url: str, name: str) -> str | None:
        """The cookie of this name that a request to `url` would carry."""
        return self._jar.of(_normal(url)).get(name) if self._jar is not None else None

    def forget_cookies(self) -> None:
        """Begin a new session: for all calls of this provider."""
        if self._jar is not None:
            self._jar.clear()

    async def get(
        self,
        url: str,
        *,
        accept: str | None = None,
        headers: Mapping[str, str] | None = None,
        cookies: Mapping[str, str] | None = None,
        secrets: Mapping[str, str] | None = None,
        absent_on: Collection[int] = (404, 410),
        ok_on: Collection[int] = (200,),
        max_wire_bytes: int | None = None,
        max_bytes: int | None = None,
        truncate: bool = False,
        follow: bool = True,
        robots: bool = False,
    ) -> Wire:
        """What `url` answers, after redirects.

        Returns for a status in `ok_on`; raises Absent for one in `absent_on`, ProviderError (refused) for any other.
        max_wire_bytes, max_bytes: limits before and after decompression (the settings' page limits unless given);
        what is larger raises ConversionFailed (limits), or is cut with `truncate` (then `Wire.truncated`).
        follow: whether redirects are followed; robots: whether robots.txt is asked where the operator wants it.
        cookies: sent to this host beside those of the provider's jar; secrets: parameters added to the query of what is
        sent, and to nothing that is told or kept.
        ProviderError (timeout, down, unavailable, or what opened the breaker) when there is no answer; UnsafeTarget
        when the address, or one that it redirects to, is not public.
        """
        request = Request("GET", _normal(url), self._headers(accept, headers, cookies), secrets=secrets or {})
        limits = self._limits(ok_on, max_wire_bytes, max_bytes, truncate, follow)
        asks_robots = robots and self._door.settings.robots == "respect" and not self._door.admission.plays_tapes
        return await self._fetch(request, limits, ok_on, absent_on, follow=follow, asks_robots=asks_robots)

    async def post(
        self,
        url: str,
        *,
        body: bytes,
        content_type: str,
        accept: str | None = None,
        headers: Mapping[str, str] | None = None,
        cookies: Mapping[str, str] | None = None,
        secrets: Mapping[str, str] | None = None,
        absent_on: Collection[int] = (404, 410),
        ok_on: Collection[int] = (200,),
        max_wire_bytes: int | None = None,
        max_bytes: int | None = None,
        truncate: bool = False,
        follow: bool = True,
    ) -> Wire:
        """As `get`, asking with a body. For reading only: no provider changes anything anywhere."""
        named = {**self._headers(accept, headers, cookies), "Content-Type": content_type}
        request = Request("POST", _normal(url), named, body, secrets or {})
        limits = self._limits(ok_on, max_wire_bytes, max_bytes, truncate, follow)
        return await self._fetch(request, limits, ok_on, absent_on, follow=follow, asks_robots=False)

    async def render(self, url: str, deadline: Deadline | None = None) -> Wire:
        """The page at `url` as a browser makes it, whatever its status, after its redirects and those of its scripts.

        deadline: by when, the attempt's unless an earlier one is given. Raises what `Renderer.render` does, and
        ProviderError for what opened the breaker.
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
                body=rendered.html.encode("utf-8", "replace"),  # scripts may write halves of characters
                url=_normal(rendered.url),
                requested_url=url,
                status=rendered.status,
                headers={**rendered.headers, "content-type": RENDERED_TYPE},
                fetched_at=rendered.fetched_at,
                rendered=True,
            )

    def _headers(
        self, accept: str | None, headers: Mapping[str, str] | None, given: Mapping[str, str] | None = None
    ) -> dict[str, str]:
        """Of one name the later counts: honest defaults, the provider's, a browser's if it declares any, the call's."""
        honest = {"User-Agent": self._door.settings.user_agent, "Accept": "*/*"}
        merged = {name.lower(): (name, value) for name, value in honest.items()}
        browsers = self._provider.browser_headers if self._door.settings.browser_headers else {}
        called = {"Accept": accept, **(headers or {})} if accept else headers or {}
        for name, value in (*self._provider.headers.items(), *browsers.items(), *called.items()):
            merged[name.lower()] = (name, value)
        merged.pop("accept-encoding", None)  # only who undoes the codings can name them
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
        """The last request of a chain of redirects, and its response."""
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
        """The request with what the jar holds for it; a cookie that the call gives stands before its namesake."""
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
        """Pass when robots.txt of the address's origin allows it. ProviderError (refused) when it does not, and what
        hindered its reading otherwise: without an answer nothing is allowed (RFC 9309 section 2.3.1.4)."""
        origin = redirect.origin(url)
        rules = self._door.robots.get(origin)
        if rules is None:
            rules = await self._robots_rules(f"{origin}/robots.txt")
            self._door.robots.keep(origin, rules)
        if not rules.allows(url):
            raise ProviderError(
                f"robots.txt of {_host(url)} disallows this page, and this service respects robots.txt.",
                reason="refused",
            )

    async def _robots_rules(self, url: str) -> robots.Rules:
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
    """`url` in its one spelling. Callers' addresses are checked as parameters; one that fails here was foreign data."""
    if isinstance(url, Url):
        return str(url)
    try:
        return normalise_url(url)
    except ValueError as exc:
        raise ProviderError(f"The provider returned an address that {exc}.", reason="changed") from exc


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""
