"""Requests on one browser connection: forwards each request to its target and returns the response."""

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
    """Counters of the proxy.

    `refused` counts targets that may not be visited; `unauthorized`, requests without valid credentials; `malformed`,
    requests that are not valid proxy requests; `limited`, requests beyond a lease's quota; `failed`, targets that did
    not respond.
    """

    connections: int = 0
    requests: int = 0
    refused: int = 0
    unauthorized: int = 0
    malformed: int = 0
    limited: int = 0
    failed: int = 0


class Refused(Exception):
    """The request is refused with this status and no body."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Broken(Exception):
    """The exchange failed after it was too late to send an error response, so the connection is cut."""


class Exchanges:
    """Forwards the requests of one browser connection, `client`.

    The connection to the last target stays open for the next request to that target, until `leave_site`.
    """

    def __init__(self, client: Stream, roads: Routes, watch: Watch, counts: Counts) -> None:
        self._client = client
        self._roads = roads
        self._watch = watch
        self._counts = counts
        self._site: tuple[Target, Stream] | None = None

    async def exchange(self, request: RequestHead, target: Target, lease: Lease) -> bool:
        """Forward the request to its target and return the response to the browser.

        Return whether another request may follow.
        """
        kept = self._reuse_connection(target)
        site = kept or await self._open(target, lease, is_tunnel=False)
        with suppress(OSError):  # there may still be a response; otherwise, reading it reports the error
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
        """Relay bytes between the browser and the target in both directions until both have ended."""
        site = await self._open(target, lease, is_tunnel=True)
        await self._client.send(b"HTTP/1.1 200 OK\r\n\r\n")
        async with asyncio.TaskGroup() as group:
            group.create_task(self._pump(self._client, site, lease))
            group.create_task(self._pump(site, self._client, lease))

    async def _pump(self, source: Stream, sink: Stream, lease: Lease) -> None:
        """Relay bytes in one direction until the source ends. A broken connection aborts both sides."""
        try:
            while piece := await source.reader.read(message.PIECE_BYTES):
                self._moved(lease, len(piece))
                await sink.send(piece)
            sink.end()
        except (Broken, OSError):
            source.abort()
            sink.abort()

    def leave_site(self) -> None:
        """Close the connection to the last target."""
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
        """Count an unreachable target, record it in the lease and return the error to send to the browser."""
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
        """Return the last connection if it goes to the same host and port and is still open."""
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
        """Send the request's body. Return whether all of it was sent."""
        try:
            async with aclosing(message.pieces(self._client.reader, request.framing)) as pieces:
                async for piece in pieces:
                    self._moved(lease, len(piece))
                    await site.send(message.frame(piece, request.framing))
            await site.send(message.end_frames(request.framing))
        except (Malformed, EOFError, Broken):
            site.abort()  # a truncated body must not look complete
            return False
        except OSError:
            return False  # the site no longer accepts the body; its response may state why
        return True

    async def _answer(self, request: RequestHead, target: Target, lease: Lease, site: Stream, *, is_kept: bool) -> bool:
        """Return the site's response to the browser. Return whether another request may follow."""
        try:
            answer = await _final_head(site)
            framing = message.answer_framing(request.method, answer)
        except (Malformed, OSError, EOFError) as exc:
            self.leave_site()
            if is_kept:
                # The site has most likely closed the connection between two requests. The browser retries if it gets no
                # response.
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
    """Return the head of the final response, skipping interim ones.

    Raises Malformed for responses that an origin must not send to the proxy's request.
    """
    left = message.MAX_HEAD_BYTES
    for _ in range(message.MAX_INTERIM + 1):
        head = await message.read_head(site.reader)
        left -= len(head)
        answer = message.parse_answer(head)
        if answer.status in (101, 407):
            raise Malformed("unexpected status")
        if answer.status >= 200:
            return answer
        if left <= 0:
            break
    raise Malformed("too many interim responses")


def _length_fields(request: RequestHead, answer: AnswerHead, framing: Framing) -> message.Fields:
    if request.method == "HEAD" or answer.status in (204, 304):
        # the header describes a body that is not sent
        return [("Content-Length", value) for value in answer.values("content-length")[:1] if value.isdecimal()]
    return message.write_framing_fields(framing)
