"""Transport that opens real connections and checks addresses where sockets are created.

The guard resolves names to checked addresses for aiohttp and creates its sockets. The guard therefore also sees literal
addresses, for which aiohttp uses no resolver. Targets that the operator allowed use a separate session without this
check, so that their connections are never used for other targets.
"""

import asyncio
import errno
import socket
import ssl
from collections.abc import Callable
from functools import cached_property, partial
from types import TracebackType
from typing import Any, Final, Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from multidict import CIMultiDictProxy
from yarl import URL

from webquarry.core.clock import Clock
from webquarry.core.errors import ConversionFailed, Overloaded, ProviderError
from webquarry.core.log import log
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline
from webquarry.net.address import is_public
from webquarry.net.guard import Guard, Judge
from webquarry.net.handler import BoundedHandler
from webquarry.net.inflate import ACCEPT_ENCODING, Body, Bomb, Corrupt, Full, UnknownCoding, inflater
from webquarry.net.names import Resolve, SystemResolver
from webquarry.net.outbound import Outbound, SocksConnector
from webquarry.net.target import TargetRule
from webquarry.net.transport import OF_THE_TRANSFER, Limits, Request, Response

MAX_HEADER_LINE_BYTES = 32 * 1024  # content security policies of real sites exceed the usual 8 KB
MAX_HEADERS = 256
KEEP_IDLE_S = 15.0
CLOSE_S = 2.0
_PROXY_WANTS_CREDENTIALS = 407
_OWN_SHORTAGES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.EADDRNOTAVAIL})
"""Errors caused by this machine's resources, not by the target."""
_CAUSES: Final[tuple[tuple[tuple[type[Exception], ...], str], ...]] = (
    (
        (aiohttp.ClientProxyConnectionError, aiohttp.ClientHttpProxyError),
        "The outbound proxy can't connect to {host}.",
    ),
    ((aiohttp.ClientConnectorDNSError,), "The host name {host} could not be resolved."),
    ((aiohttp.ClientSSLError, ssl.SSLError), "{host} could not be reached over TLS."),
    ((aiohttp.ClientConnectorError,), "{host} refused the connection."),
    (
        (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError, ConnectionError),
        "{host} closed the connection without a response.",
    ),
    ((aiohttp.ClientPayloadError,), "{host} closed the connection in the middle of its response."),
    # malformed HTTP, oversized headers; uvloop reports some failed connections as RuntimeError
    ((Exception,), "{host} sent an invalid HTTP response."),
)
"""Error messages for failed exchanges, by type of the exception. The first match is used."""
_JOINED_APART = 2 * 1024 * 1024
"""Size in bytes above which a body is joined in a thread, so that the event loop is not blocked."""


class Dialler:
    """Sends requests over connections that belong to the event loop of the first request.

    `resolve` maps names to addresses (default: the system's resolver). `judge` decides which addresses may be dialed.
    Raises SettingsError if the settings name an outbound proxy that cannot be used.
    """

    def __init__(
        self, settings: Settings, clock: Clock, *, resolve: Resolve | None = None, judge: Judge = is_public
    ) -> None:
        self._clock = clock
        self._rule = TargetRule(settings)
        self._outbound = Outbound.of(settings)
        self._system = SystemResolver()
        self._guard = Guard(resolve or self._system.addresses, judge)
        self._unguarded = Guard(self._guard.resolve, lambda _: True)
        self._settings = settings
        self._sessions: list[aiohttp.ClientSession] = []

    @cached_property
    def _guarded(self) -> aiohttp.ClientSession:
        return self._session(self._guard)

    @cached_property
    def _opened(self) -> aiohttp.ClientSession:
        return self._session(self._unguarded)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        self._system.close()
        try:
            async with asyncio.timeout(CLOSE_S):
                await asyncio.shield(asyncio.gather(*(session.close() for session in self._sessions)))
        except TimeoutError:
            pass  # connections that are still open are closed with the loop

    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        """Send one request and return the response.

        aiohttp resends a GET once if its connection drops before a response arrives.
        """
        url = URL(request.url, encoded=True)
        host = url.raw_host or ""
        is_opened = self._rule.is_opened(host, url.port or 0)
        try:
            async with deadline.bound():
                await self._check_outbound(host, is_opened=is_opened)
                return await self._exchange(self._opened if is_opened else self._guarded, url, request, limits)
        except TimeoutError as exc:
            raise ProviderError(f"{host} did not respond in time.", reason="timeout") from exc
        except (aiohttp.ClientError, ssl.SSLError, OSError, ValueError, RuntimeError) as exc:
            cause = next(cause for kinds, cause in _CAUSES if isinstance(exc, kinds))
            raise ProviderError(cause.format(host=host), reason="down") from exc

    async def _check_outbound(self, host: str, *, is_opened: bool) -> None:
        """Resolve a host for the guard if the outbound proxy does it later, because in that case the guard sees no
        socket.
        """
        if self._outbound and self._outbound.resolves_names:
            await self._outbound.hosts(host, self._unguarded if is_opened else self._guard)

    async def _exchange(self, session: aiohttp.ClientSession, url: URL, request: Request, limits: Limits) -> Response:
        headers = {**request.headers, "Accept-Encoding": ACCEPT_ENCODING}
        if request.secrets:
            url = url.extend_query(request.secrets)
        try:
            answer = await session.request(
                request.method, url, headers=headers, data=request.body, allow_redirects=False
            )
        except OSError as exc:
            if exc.errno in _OWN_SHORTAGES:
                log.error("fetch.no_connection", fault=errno.errorcode[exc.errno])
                raise Overloaded("The service has too many outgoing connections right now. Try again shortly.") from exc
            raise
        fetched_at = self._clock.now()
        try:
            if answer.status == _PROXY_WANTS_CREDENTIALS and self._outbound:
                raise ProviderError("The outbound proxy rejected the credentials.", reason="down")
            body, wire_bytes, truncated = b"", 0, False
            if limits.wants_body(answer.status):
                body, wire_bytes, truncated = await _read(answer, url.raw_host or "", limits)
            return Response(
                status=answer.status,
                headers=_headers(answer.headers),
                body=body,
                fetched_at=fetched_at,
                wire_bytes=wire_bytes,
                truncated=truncated,
                cookies=tuple(answer.headers.getall("Set-Cookie", ())),
            )
        finally:
            # a connection is only reused if its whole response was read
            answer.release()

    def _session(self, guard: Guard) -> aiohttp.ClientSession:
        """Return a session whose connections all pass `guard`."""
        session = aiohttp.ClientSession(
            connector=_bound_connector(self._connector(guard)),
            proxy=self._outbound.url_with_credentials if self._outbound and self._outbound.speaks_http else None,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, connect=self._settings.connect_timeout_s),
            auto_decompress=False,
            trust_env=False,
            max_line_size=MAX_HEADER_LINE_BYTES,
            max_field_size=MAX_HEADER_LINE_BYTES,
            max_headers=MAX_HEADERS,
        )
        self._sessions.append(session)
        return session

    def _connector(self, guard: Guard) -> aiohttp.TCPConnector:
        # no limit here, because `Turns` limits requests per host
        options: dict[str, Any] = {"limit": 0, "keepalive_timeout": KEEP_IDLE_S}
        if self._outbound is None:
            return aiohttp.TCPConnector(resolver=_Resolver(guard), socket_factory=guard.make_socket, **options)
        if self._outbound.speaks_http:
            # this session connects only to the proxy, whose address is not checked
            return aiohttp.TCPConnector(resolver=_Resolver(self._unguarded), **options)
        return SocksConnector(self._outbound, guard, **options)


def _bound_connector(connector: aiohttp.TCPConnector) -> aiohttp.TCPConnector:
    """Make the connector use BoundedHandler. aiohttp has no option for this."""
    make: Callable[..., ResponseHandler] = BoundedHandler
    connector._factory = partial(make, asyncio.get_running_loop())
    return connector


class _Resolver(AbstractResolver):
    """Resolves names for aiohttp to addresses that all passed the guard."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for address in await self._guard.addresses(host)
        ]

    async def close(self) -> None:
        """Do nothing; no resources are held."""


async def _read(answer: aiohttp.ClientResponse, host: str, limits: Limits) -> tuple[bytes, int, bool]:
    """Return the decoded body, its length as transferred, and whether it was truncated."""
    declared = answer.content_length or 0
    if declared > limits.max_wire_bytes and not limits.truncate:
        raise _too_large(host, limits)
    body = Body(limits.max_bytes)
    try:
        stage = inflater(",".join(answer.headers.getall("Content-Encoding", ())).split(","), body)
    except UnknownCoding as exc:
        raise ProviderError(f"{host} sent a content encoding that was not requested.", reason="refused") from exc
    wire_bytes = 0
    try:
        async for chunk in answer.content.iter_any():
            room = limits.max_wire_bytes - wire_bytes
            wire_bytes += len(chunk)
            stage.write(chunk[:room])
            if len(chunk) > room:
                raise Full
        stage.end()
    except Full as full:
        if not limits.truncate:
            raise _bomb(host) if isinstance(full, Bomb) else _too_large(host, limits) from None
        return await _take(body), wire_bytes, True
    except Corrupt as exc:
        raise ProviderError(f"{host} sent a body that doesn't match its content encoding.", reason="down") from exc
    return await _take(body), wire_bytes, False


async def _take(body: Body) -> bytes:
    return body.take() if body.size < _JOINED_APART else await asyncio.to_thread(body.take)


def _too_large(host: str, limits: Limits) -> ConversionFailed:
    return ConversionFailed(
        f"{host} sent a response larger than {limits.max_wire_bytes:,} bytes, or {limits.max_bytes:,} bytes "
        "after decompression.",
        reason="limits",
    )


def _bomb(host: str) -> ConversionFailed:
    return ConversionFailed(
        f"{host} sent a body whose compression ratio is too high.",
        reason="limits",
    )


def _headers(headers: CIMultiDictProxy[str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items() if name.lower() not in OF_THE_TRANSFER}
