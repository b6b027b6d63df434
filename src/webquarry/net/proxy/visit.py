"""One connection of the browser: requests are read, judged, and sent on one after the other."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass

from webquarry.errors import UnsafeTarget
from webquarry.log import log
from webquarry.net import message
from webquarry.net.message import AnswerHead, Framing, Malformed, RequestHead
from webquarry.net.proxy.lease import Fault, Lease
from webquarry.net.proxy.routes import Routes, Stream
from webquarry.net.proxy.target import Target

_MAX_CHALLENGES = 4
_LINGER_S = 1.0
_LINGER_PIECES = 64
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
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
_STATUSES: dict[Fault, int] = {"unsafe": 403, "down": 502, "timeout": 504}


@dataclass(frozen=True, slots=True)
class Times:
    """head_s: from the first byte of a head to its last; idle_s: without a byte in either direction."""

    head_s: float = 10.0
    idle_s: float = 60.0


@dataclass(slots=True)
class Counts:
    """What the proxy has seen. refused: targets that may not be visited; unauthorized: requests without credentials
    that count; malformed: requests that are not proxy requests as we read them; limited: beyond a lease's quota;
    failed: targets that did not answer."""

    connections: int = 0
    requests: int = 0
    refused: int = 0
    unauthorized: int = 0
    malformed: int = 0
    limited: int = 0
    failed: int = 0


class _Refused(Exception):
    """The request is answered with this status, and with nothing else."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _Broken(Exception):
    """The exchange broke off where nothing can be answered any more: the connection is cut."""


class Visit:
    """identify: the lease of a `Proxy-Authorization` field, None when it is none of ours."""

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
        self._roads = roads
        self._times = times
        self._counts = counts
        self._lease: Lease | None = None
        self._site: tuple[Target, Stream] | None = None  # the last one, kept for the next request to it
        self._task: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._active_s = 0.0
        self._challenges = 0

    def cut(self) -> None:
        """End at once, without another byte in either direction."""
        if self._task is not None:
            self._task.cancel()

    async def run(self) -> None:
        self._task = asyncio.current_task()
        self._active_s = asyncio.get_running_loop().time()
        self._watch()
        try:
            while await self._serve_one():
                pass
            await self._take_leave()
        except (_Broken, OSError, EOFError):
            pass  # there is nobody left to tell
        finally:
            if self._alarm is not None:
                self._alarm.cancel()
            self._leave_site()
            self._client.abort()
            if self._lease is not None:
                self._lease.leave(self)

    def _watch(self) -> None:
        """Cut the connection when nothing has moved for too long."""
        left_s = self._active_s + self._times.idle_s - asyncio.get_running_loop().time()
        if left_s > 0:
            self._alarm = asyncio.get_running_loop().call_later(left_s, self._watch)
        else:
            self.cut()

    def _moved(self, lease: Lease, size: int) -> None:
        self._active_s = asyncio.get_running_loop().time()
        lease.move(size)
        if lease.closed:
            raise _Broken

    async def _serve_one(self) -> bool:
        """One request. Returns whether another one may follow on this connection."""
        request: RequestHead | None = None
        try:
            request = await self._read_request()
            if request is None:
                return False
            lease = self._authorise(request)
            self._counts.requests += 1
            if not lease.admit():
                self._counts.limited += 1
                raise _Refused(429)
            target = Target.of(request)
            _check_meant(request)
            if request.method == "CONNECT":
                await self._tunnel(target, lease)
                return False
            return await self._exchange(request, target, lease)
        except Malformed as exc:
            self._counts.malformed += 1
            return await self._refuse(exc.status, None)
        except _Refused as exc:
            return await self._refuse(exc.status, request)

    async def _read_request(self) -> RequestHead | None:
        begun = await self._client.reader.read(1)
        if not begun:
            return None
        try:
            async with asyncio.timeout(self._times.head_s):
                text = await message.read_head(self._client.reader, begun)
        except TimeoutError as exc:
            raise Malformed("head too slow", 408) from exc
        self._active_s = asyncio.get_running_loop().time()
        return message.parse_request(text)

    def _authorise(self, request: RequestHead) -> Lease:
        """The lease of the request: one for as long as the connection lasts."""
        given = request.values("proxy-authorization")
        lease = self._identify(given[0]) if len(given) == 1 else None
        if lease is None or self._lease not in (None, lease):
            self._counts.unauthorized += 1
            self._challenges += 1
            raise _Refused(407)
        if not lease.join(self):
            self._counts.limited += 1
            raise _Refused(503)
        self._lease = lease
        return lease

    async def _refuse(self, status: int, request: RequestHead | None) -> bool:
        """Answer with a status alone. Returns whether another request may follow: after one that ends for certain."""
        may_follow = (
            request is not None
            and request.framing == 0
            and not request.is_last
            and self._challenges <= _MAX_CHALLENGES
            and status != 503  # a connection that is not counted in its lease would outlive it
        )
        fields = [("Content-Length", "0")]
        if status == 407:
            fields.append(("Proxy-Authenticate", 'Basic realm="webquarry"'))
        if not may_follow:
            fields.append(("Connection", "close"))
        await self._client.send(message.head_bytes(f"HTTP/1.1 {status} {_REASONS[status]}", fields))
        return may_follow

    async def _take_leave(self) -> None:
        """End the connection and read on for a moment: closing on unread bytes would take the last answer away from
        a browser that is still sending."""
        self._client.end()
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_S):
                for _ in range(_LINGER_PIECES):
                    if not await self._client.reader.read(message.PIECE_BYTES):
                        break
        self._client.writer.close()
        await self._client.writer.wait_closed()  # until all is written; bounded by the watch

    async def _open(self, target: Target, lease: Lease, *, is_tunnel: bool) -> Stream:
        fault: Fault
        try:
            stream = await self._roads.open(target, is_tunnel=is_tunnel)
        except UnsafeTarget:
            fault = "unsafe"
        except TimeoutError:
            fault = "timeout"
        except OSError:
            fault = "down"
        else:
            self._leave_site()
            self._site = (target, stream)
            return stream
        raise self._failure(target, lease, fault)

    def _failure(self, target: Target, lease: Lease, fault: Fault) -> _Refused:
        """What the browser is told of a target that was not reached; counted, and noted in the lease."""
        if fault == "unsafe":
            self._counts.refused += 1
        else:
            self._counts.failed += 1
        lease.failed(target.host, target.port, fault)
        log.info("proxy.failed", host=target.host, port=target.port, reason=fault)
        return _Refused(_STATUSES[fault])

    def _leave_site(self) -> None:
        if self._site is not None:
            self._site[1].abort()
            self._site = None

    async def _tunnel(self, target: Target, lease: Lease) -> None:
        site = await self._open(target, lease, is_tunnel=True)
        await self._client.send(b"HTTP/1.1 200 OK\r\n\r\n")
        async with asyncio.TaskGroup() as group:
            group.create_task(self._pump(self._client, site, lease))
            group.create_task(self._pump(site, self._client, lease))

    async def _pump(self, source: Stream, sink: Stream, lease: Lease) -> None:
        """Carry bytes one way until the source ends; a broken connection breaks both."""
        try:
            while piece := await source.reader.read(message.PIECE_BYTES):
                self._moved(lease, len(piece))
                await sink.send(piece)
            sink.end()
        except (_Broken, OSError):
            source.abort()
            sink.abort()

    async def _exchange(self, request: RequestHead, target: Target, lease: Lease) -> bool:
        """Put the request to its target and give back the answer. Returns whether another request may follow."""
        kept = self._reuse_connection(target)
        site = kept or await self._open(target, lease, is_tunnel=False)
        with suppress(OSError):  # there may be an answer all the same; if not, that is what counts
            await site.send(self._head_for(target, request))
        if request.framing == 0:
            return await self._answer(request, target, lease, site, is_kept=kept is not None)
        sending = asyncio.create_task(self._send_body(request, lease, site))
        try:
            may_follow = await self._answer(request, target, lease, site, is_kept=kept is not None)
            return may_follow and sending.done() and sending.result()
        finally:
            sending.cancel()
            await asyncio.wait([sending])

    def _reuse_connection(self, target: Target) -> Stream | None:
        """The connection of the last request, when it led to the same host and port and still stands."""
        if self._site is None or not self._site[0].is_same_site(target) or self._site[1].reader.at_eof():
            return None
        return self._site[1]

    def _head_for(self, target: Target, request: RequestHead) -> bytes:
        outbound = self._roads.outbound
        fields = [(name, value) for name, value in request.end_to_end() if name.lower() != "host"]
        fields = [("Host", target.authority), *fields]
        if request.framing != 0 or request.method in _WITH_BODY:
            fields += message.write_framing_fields(request.framing)
        if outbound is None or not outbound.speaks_http:
            return message.head_bytes(f"{request.method} {target.path} HTTP/1.1", fields)
        first = f"{request.method} http://{target.authority}{target.path} HTTP/1.1"
        return message.head_bytes(first, [*fields, *outbound.authorization])

    async def _send_body(self, request: RequestHead, lease: Lease, site: Stream) -> bool:
        """Returns whether all of the body was sent."""
        try:
            async with aclosing(message.pieces(self._client.reader, request.framing)) as pieces:
                async for piece in pieces:
                    self._moved(lease, len(piece))
                    await site.send(message.frame(piece, request.framing))
            await site.send(message.end_frames(request.framing))
        except (Malformed, EOFError, _Broken):
            site.abort()  # a cut body must not look whole
            return False
        except OSError:
            return False  # the site wants no more of it: its answer may say why
        return True

    async def _answer(self, request: RequestHead, target: Target, lease: Lease, site: Stream, *, is_kept: bool) -> bool:
        """Give back the site's answer. Returns whether another request may follow."""
        try:
            answer = await _final_head(site)
            framing = message.answer_framing(request.method, answer)
        except (Malformed, OSError, EOFError) as exc:
            self._leave_site()
            if is_kept:
                # closed between two requests, most likely: without an answer the browser asks again by itself
                raise _Broken from exc
            raise self._failure(target, lease, "down") from exc
        sent_as: Framing = "close" if framing == "chunked" and request.minor == 0 else framing
        may_follow = sent_as != "close" and request.minor == 1 and not request.is_last
        fields = [*answer.end_to_end(), *_length_fields(request, answer, sent_as)]
        if not may_follow:
            fields.append(("Connection", "close"))
        await self._client.send(message.head_bytes(f"HTTP/1.1 {answer.status} {answer.reason}", fields))
        await self._give_body(lease, site, framing, sent_as)
        if (
            framing == "close"
            or answer.is_last
            or (answer.values("transfer-encoding") and answer.values("content-length"))
        ):
            self._leave_site()
        return may_follow

    async def _give_body(self, lease: Lease, site: Stream, framing: Framing, sent_as: Framing) -> None:
        try:
            async with aclosing(message.pieces(site.reader, framing)) as pieces:
                async for piece in pieces:
                    self._moved(lease, len(piece))
                    await self._client.send(message.frame(piece, sent_as))
        except Malformed as exc:
            raise _Broken from exc
        await self._client.send(message.end_frames(sent_as))


def _check_meant(request: RequestHead) -> None:
    """Malformed, or refused, for what browsers do not ask of a proxy: WebSockets come as tunnels (RFC 6455, 4.1)."""
    if request.method == "CONNECT" and request.framing != 0:
        raise Malformed("a tunnel has no body")
    if request.method == "TRACE" or request.values("upgrade"):
        raise _Refused(501)
    if request.values("expect"):
        raise _Refused(417)


async def _final_head(site: Stream) -> AnswerHead:
    """The answer's head; interim ones are read over. Malformed for what no origin may answer to our request."""
    left = message.MAX_HEAD_BYTES
    for _ in range(message.MAX_INTERIM + 1):
        head = await message.read_head(site.reader)
        left -= len(head)
        answer = message.parse_answer(head)
        if answer.status in (101, 407):
            raise Malformed("answers something else")
        if answer.status >= 200:
            return answer
        if left <= 0:
            break
    raise Malformed("too many interim answers")


def _length_fields(request: RequestHead, answer: AnswerHead, framing: Framing) -> message.Fields:
    if request.method == "HEAD" or answer.status in (204, 304):
        # describes a body that is not sent
        return [("Content-Length", value) for value in answer.values("content-length")[:1] if value.isdecimal()]
    return message.write_framing_fields(framing)
