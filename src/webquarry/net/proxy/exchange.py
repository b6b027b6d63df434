"""Requests of one connection of the browser, each put to its target, and what the target answers."""

import asyncio
from contextlib import aclosing, suppress
from dataclasses import dataclass

from webquarry.core.errors import UnsafeTarget
from webquarry.core.log import log
from webquarry.net import message
from webquarry.net.message import AnswerHead, Framing, Malformed, RequestHead
from webquarry.net.proxy.lease import Fault, Lease
from webquarry.net.proxy.routes import Routes, Stream
from webquarry.net.proxy.target import Target
from webquarry.net.proxy.watch import Watch

_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
_STATUSES: dict[Fault, int] = {"unsafe": 403, "down": 502, "timeout": 504}


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


class Refused(Exception):
    """The request is answered with this status, and with nothing else."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Broken(Exception):
    """The exchange broke off where nothing can be answered any more: the connection is cut."""


class Exchanges:
    """client: the browser's side. The connection to the last target is kept for the next request to it, until
    `leave_site`."""

    def __init__(self, client: Stream, roads: Routes, watch: Watch, counts: Counts) -> None:
        self._client = client
        self._roads = roads
        self._watch = watch
        self._counts = counts
        self._site: tuple[Target, Stream] | None = None

    async def exchange(self, request: RequestHead, target: Target, lease: Lease) -> bool:
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

    async def tunnel(self, target: Target, lease: Lease) -> None:
        """Carry bytes between the browser and the target, in both directions, until both have ended."""
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
        except (Broken, OSError):
            source.abort()
            sink.abort()

    def leave_site(self) -> None:
        """Cut the connection that is kept."""
        if self._site is not None:
            self._site[1].abort()
            self._site = None

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
            self.leave_site()
            self._site = (target, stream)
            return stream
        raise self._failure(target, lease, fault)

    def _failure(self, target: Target, lease: Lease, fault: Fault) -> Refused:
        """What the browser is told of a target that was not reached; counted, and noted in the lease."""
        if fault == "unsafe":
            self._counts.refused += 1
        else:
            self._counts.failed += 1
        lease.failed(target.host, target.port, fault)
        log.info("proxy.failed", host=target.host, port=target.port, reason=fault)
        return Refused(_STATUSES[fault])

    def _moved(self, lease: Lease, size: int) -> None:
        self._watch.touch()
        lease.move(size)
        if lease.closed:
            raise Broken

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
        except (Malformed, EOFError, Broken):
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
            self.leave_site()
            if is_kept:
                # closed between two requests, most likely: without an answer the browser asks again by itself
                raise Broken from exc
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
            self.leave_site()
        return may_follow

    async def _give_body(self, lease: Lease, site: Stream, framing: Framing, sent_as: Framing) -> None:
        try:
            async with aclosing(message.pieces(site.reader, framing)) as pieces:
                async for piece in pieces:
                    self._moved(lease, len(piece))
                    await self._client.send(message.frame(piece, sent_as))
        except Malformed as exc:
            raise Broken from exc
        await self._client.send(message.end_frames(sent_as))


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
