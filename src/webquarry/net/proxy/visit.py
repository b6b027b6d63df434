"""One connection of the browser: reads, checks and forwards its requests one after the other."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from webquarry.net import message
from webquarry.net.message import Malformed, RequestHead
from webquarry.net.proxy.exchange import Broken, Counts, Exchanges, Refused
from webquarry.net.proxy.lease import Lease
from webquarry.net.proxy.routes import Routes, Stream
from webquarry.net.proxy.target import Target
from webquarry.net.proxy.watch import Watch

_MAX_CHALLENGES = 4
_LINGER_S = 1.0
_LINGER_PIECES = 64
_REASONS = {
    200: "OK",
    400: "Bad Request",
    403: "Forbidden",
    407: "Proxy Authentication Required",
    408: "Request Timeout",
    417: "Expectation Failed",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    501: "Not Implemented",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
    505: "HTTP Version Not Supported",
}


@dataclass(frozen=True, slots=True)
class Times:
    """Timeouts in seconds. `head_s` limits the time from a head's first byte to its last byte.

    `idle_s` limits the time without a byte in either direction.
    """

    head_s: float = 10.0
    idle_s: float = 60.0


class Visit:
    """Serves one connection.

    `identify` returns the lease for a `Proxy-Authorization` field, or None if it is unknown.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        identify: Callable[[str], Lease | None],
        roads: Routes,
        times: Times,
        counts: Counts,
    ) -> None:
        self._client = Stream(reader, writer)
        self._identify = identify
        self._head_s = times.head_s
        self._counts = counts
        self._watch = Watch(times.idle_s, self.cut)
        self._exchanges = Exchanges(self._client, roads, self._watch, counts)
        self._lease: Lease | None = None
        self._task: asyncio.Task[None] | None = None
        self._challenges = 0

    def cut(self) -> None:
        """End the connection immediately, without another byte in either direction."""
        if self._task is not None:
            self._task.cancel()

    async def run(self) -> None:
        self._task = asyncio.current_task()
        self._watch.begin()
        try:
            while await self._serve_one():
                pass
            await self._take_leave()
        except (Broken, OSError, EOFError):
            pass  # the browser has disconnected
        finally:
            self._watch.end()
            self._exchanges.leave_site()
            self._client.abort()
            if self._lease is not None:
                self._lease.leave(self)

    async def _serve_one(self) -> bool:
        """Serve one request. Return whether another request may follow on this connection."""
        request: RequestHead | None = None
        try:
            request = await self._read_request()
            if request is None:
                return False
            lease = self._authorise(request)
            self._counts.requests += 1
            if not lease.admit():
                self._counts.limited += 1
                raise Refused(429)
            target = Target.of(request)
            _check_meant(request)
            if request.method == "CONNECT":
                await self._exchanges.tunnel(target, lease)
                return False
            return await self._exchanges.exchange(request, target, lease)
        except Malformed as exc:
            self._counts.malformed += 1
            return await self._refuse(exc.status, None)
        except Refused as exc:
            return await self._refuse(exc.status, request)

    async def _read_request(self) -> RequestHead | None:
        begun = await self._client.reader.read(1)
        if not begun:
            return None
        try:
            async with asyncio.timeout(self._head_s):
                text = await message.read_head(self._client.reader, begun)
        except TimeoutError as exc:
            raise Malformed("head too slow", 408) from exc
        self._watch.touch()
        return message.parse_request(text)

    def _authorise(self, request: RequestHead) -> Lease:
        """Return the lease of the request. The lease of a connection cannot change."""
        given = request.values("proxy-authorization")
        lease = self._identify(given[0]) if len(given) == 1 else None
        if lease is None or self._lease not in (None, lease):
            self._counts.unauthorized += 1
            self._challenges += 1
            raise Refused(407)
        if not lease.join(self):
            self._counts.limited += 1
            raise Refused(503)
        self._lease = lease
        return lease

    async def _refuse(self, status: int, request: RequestHead | None) -> bool:
        """Respond with a status only.

        Return whether another request may follow, which is only possible if it is certain where this request ends.
        """
        may_follow = (
            request is not None
            and request.framing == 0
            and not request.is_last
            and self._challenges <= _MAX_CHALLENGES
            and status != 503  # the lease does not count this connection, so the connection would outlive the lease
        )
        fields = [("Content-Length", "0")]
        if status == 407:
            fields.append(("Proxy-Authenticate", 'Basic realm="webquarry"'))
        if not may_follow:
            fields.append(("Connection", "close"))
        await self._client.send(message.head_bytes(f"HTTP/1.1 {status} {_REASONS[status]}", fields))
        return may_follow

    async def _take_leave(self) -> None:
        """Half-close the connection and keep reading briefly.

        Closing with unread bytes would discard the last response to a browser that is still sending.
        """
        self._client.end()
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_S):
                for _ in range(_LINGER_PIECES):
                    if not await self._client.reader.read(message.PIECE_BYTES):
                        break
        self._client.writer.close()
        await self._client.writer.wait_closed()  # wait until everything is written, which the watch limits


def _check_meant(request: RequestHead) -> None:
    """Raise Malformed or Refused for requests that browsers do not send to a proxy.

    WebSockets arrive as tunnels (RFC 6455 section 4.1).
    """
    if request.method == "CONNECT" and request.framing != 0:
        raise Malformed("a tunnel has no body")
    if request.method == "TRACE" or request.values("upgrade"):
        raise Refused(501)
    if request.values("expect"):
        raise Refused(417)
