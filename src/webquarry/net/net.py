"""The door to the outside, as those see it who fetch."""

import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self, TypeVar
from urllib.parse import SplitResult, urlsplit

from webquarry import loop
from webquarry.clock import Clock
from webquarry.errors import Absent, ConversionFailed, ExtractionError, ProviderError, UnsafeTarget
from webquarry.log import log
from webquarry.net import redirect, robots
from webquarry.net.breaker import LONGEST_WAIT_S, Breakers, Place
from webquarry.net.cookies import Jar, cookie_field
from webquarry.net.dial import Dialler
from webquarry.net.manners import Turns
from webquarry.net.rendering import Rendered, Renderer
from webquarry.net.tape import Player
from webquarry.net.target import TargetRule
from webquarry.net.transport import Limits, Request, Response, Transport
from webquarry.settings import Settings
from webquarry.types import Deadline, Provider, Url, Wire
from webquarry.urls import DEFAULT_PORTS, normalise_url
from webquarry_convert.marks import find_by_header

Answered = TypeVar("Answered", Response, Rendered)
Read = TypeVar("Read")
MEGABYTE = 1024 * 1024
_COOKIE = "Cookie"
RENDERED_TYPE = "text/html; charset=utf-8"
ANY_STATUS: Collection[int] = range(200, 1000)
"""For `ok_on`: whatever is answered is returned."""


class Reading(Protocol):
    """Reads a large wire elsewhere: what `reader(wire, *params)` gives and raises."""

    async def __call__(
        self, reader: Callable[..., Any], wire: Wire, params: tuple[Any, ...], deadline: Deadline, account: str
    ) -> Any: ...


class _Said(NamedTuple):
    """What an origin answered last: at which path, and with which status."""

    path: str
    status: int


@dataclass(frozen=True, slots=True)
class Exchanged:
    """One exchange of an attempt, as receipts, logs and timings show it.

    status: None when there was no answer, then `reason` says why. wire_bytes: of the body as transferred; of a rendered
    page, of all its parts.
    """

    host: str
    status: int | None
    ms: int
    wire_bytes: int
    reason: str | None = None
    rendered: bool = False


class Door:
    """What lasts longer than an attempt: transport, browser, turns, breakers, cookies, robots rules. One per process.

    visits, waited_s: by provider, requests made and seconds for which they waited for their turns.
    transport: the dialler unless given; the sandbox gives a tape player, which is its browser too. Tapes visit no host:
    they need no turns, and one that shows a failure must not close the others. browser: not closed with the door.
    reading: where large wires are read; in place unless given.
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
        self.plays_tapes = isinstance(self.transport, Player)
        self.browser: Renderer | None = self.transport if isinstance(self.transport, Player) else browser
        self.reading = reading
        self.rule = TargetRule(settings)
        self.turns = Turns(clock, settings.host_concurrency)
        self.breakers = Breakers(clock)
        self.robots = robots.RobotsCache(clock)
        self.visits: Counter[str] = Counter()
        self.waited_s: defaultdict[str, float] = defaultdict(float)
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
    account: for whom it fetches. exchanges: every one so far. memo: what the provider keeps from call to call (a table
    it fetched).
    """

    def __init__(self, door: Door, provider: Provider, deadline: Deadline, account: str = "") -> None:
        self.deadline = deadline
        self.account = account
        self.memo = door.memo(provider)
        self._jar = door.jar(provider)
        self.exchanges: list[Exchanged] = []
        self._door = door
        self._provider = provider
        self._origins: dict[str, _Said | None] = {}  # let through by the breakers, the last to answer last
        self._own_errors: list[ProviderError] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._conclude(error)

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
        asks_robots = robots and self._door.settings.robots == "respect" and not self._door.plays_tapes
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
            raise ProviderError("This page needs a browser, and this service runs without one.", reason="unavailable")
        try:
            rendered = await self._exchange(
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
        except ProviderError as exc:
            self._own_errors.append(exc)
            raise

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
        try:
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
        except ProviderError as exc:
            self._own_errors.append(exc)
            raise

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
            response = await self._exchange(
                asked.url, self.deadline, partial(self._door.transport.send, asked, self.deadline, limits)
            )
            if self._jar is not None:
                self._jar.keep(asked.url, response.cookies)
            if not follow or response.status not in redirect.STATUSES:
                return request, response
            seen.add((request.method, request.url))
            request = redirect.next_request(request, response, self._public_headers())
            if len(seen) > redirect.MAX_HOPS or (request.method, request.url) in seen:
                raise ProviderError(f"{_host(first)} redirects without end.", reason="refused")

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
            self._failed(wire.url, error, wire.status)
            raise

    async def _exchange(
        self, url: str, deadline: Deadline, ask: Callable[[], Awaitable[Answered]], *, rendered: bool = False
    ) -> Answered:
        """One exchange, admitted by rule and breaker and in its turn."""
        door = self._door
        parts = urlsplit(url)
        host, origin = parts.hostname or "", redirect.origin_of(parts)
        door.rule.check(host, parts.port or DEFAULT_PORTS[parts.scheme])
        if door.plays_tapes:
            return await self._send(parts, ask, rendered=rendered)
        if origin not in self._origins:  # a probe is a whole attempt, of as many requests as it needs
            door.breakers.check(self._place(origin), self.deadline)
            self._origins[origin] = None
        began_s = time.perf_counter()
        async with door.turns.turn(host, self._provider.manners, deadline, self.account):
            door.visits[self._provider.name] += 1
            door.waited_s[self._provider.name] += time.perf_counter() - began_s
            door.breakers.check_again(self._place(origin))
            return await self._send(parts, ask, rendered=rendered)

    async def _send(self, url: SplitResult, ask: Callable[[], Awaitable[Answered]], *, rendered: bool) -> Answered:
        """One exchange, recorded."""
        host, origin = url.hostname or "", redirect.origin_of(url)
        started_s = time.perf_counter()
        try:
            answer = await ask()
        except (ProviderError, UnsafeTarget, ConversionFailed) as exc:
            self._record(Exchanged(host, None, _ms_since(started_s), 0, exc.reason or exc.code, rendered))
            if isinstance(exc, ProviderError) and exc.reason != "unavailable":  # that is our own fault
                self._failed(url.geturl(), exc)
            raise
        self._record(Exchanged(host, answer.status, _ms_since(started_s), answer.wire_bytes, rendered=rendered))
        self._origins.pop(origin, None)
        self._origins[origin] = _Said(url.path, answer.status)
        return answer

    def _record(self, done: Exchanged) -> None:
        self.exchanges.append(done)
        log.info(
            "render" if done.rendered else "fetch",
            host=done.host,
            status=done.status,
            ms=done.ms,
            bytes=done.wire_bytes,
            reason=done.reason,
        )

    def _place(self, origin: str) -> Place:
        return Place(self._provider.name, origin, self.account if self._provider.callers_choose else None)

    def _failed(self, url: str, error: ProviderError, status: int | None = None) -> None:
        origin = redirect.origin(url)
        self._origins.pop(origin, None)
        if not self._door.plays_tapes:
            path = urlsplit(url).path
            self._door.breakers.failed(self._place(origin), error, path=path, status=status)

    def _conclude(self, error: BaseException | None) -> None:
        if isinstance(error, ProviderError) and error.reason != "changed" and not self._is_own(error):
            answered = [(origin, outcome) for origin, outcome in self._origins.items() if outcome is not None]
            if answered:
                origin, outcome = answered[-1]
                self._failed(origin + outcome.path, error, outcome.status)
        breakers = self._door.breakers
        is_verdict = error is None or isinstance(error, ExtractionError)
        for origin, answer in self._origins.items():
            decide = breakers.succeeded if is_verdict and answer is not None else breakers.undecided
            decide(self._place(origin))

    def _is_own(self, error: ProviderError) -> bool:
        """Whether it was raised here, and so has been counted or is not the host's fault."""
        return any(error is own for own in self._own_errors)

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
                f"robots.txt of {_host(url)} asks not to read this page, and this service is set to respect it.",
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


def accept_wire(wire: Wire, ok_on: Collection[int], absent_on: Collection[int]) -> Wire:
    """The wire when its status is in `ok_on`. Absent when it is in `absent_on`, ProviderError otherwise:
    blocked for a challenge that its headers tell, else refused."""
    if wire.status in ok_on:
        return wire
    host = _host(wire.url)
    if wire.status in absent_on:
        raise Absent(f"{host} says that this does not exist (status {wire.status}).")
    if (mark := find_by_header(wire.headers)) is not None:
        message = f"{host} asks whether a person is there ({mark.vendor}, status {wire.status})."
        raise ProviderError(message, reason="blocked", retry_after_s=retry_after_s(wire))
    raise ProviderError(
        f"{host} refused the request (status {wire.status}).", reason="refused", retry_after_s=retry_after_s(wire)
    )


def retry_after_s(wire: Wire) -> float | None:
    """Seconds that its Retry-After field, in either of its forms, asks to stay away for; at most the longest wait of
    the breakers."""
    value = wire.headers.get("retry-after", "").strip()
    if not value:
        return None
    if value.isdecimal():
        return min(float(value[:9]), LONGEST_WAIT_S)
    try:
        when = parsedate_to_datetime(value)
        if when.tzinfo is None:
            return None
        return min(max(0.0, (when - wire.fetched_at).total_seconds()), LONGEST_WAIT_S)
    except (ValueError, OverflowError, TypeError):  # a zone beyond any clock is no error the parser names
        return None


def _normal(url: str) -> str:
    """`url` in its one spelling. Callers' addresses are checked as parameters; one that fails here was foreign data."""
    if isinstance(url, Url):
        return str(url)
    try:
        return normalise_url(url)
    except ValueError as exc:
        raise ProviderError(f"The source named an address that {exc}.", reason="changed") from exc


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _ms_since(started_s: float) -> int:
    return round((time.perf_counter() - started_s) * 1000)
