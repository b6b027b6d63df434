"""HTTP on one connection: uvicorn's protocol, with the bounds it lacks.

Stock uvicorn collects headers and trailers of any size, waits for them for ever, and answers malformed HTTP as text.
Here a request target has at most 8 KB (414), the headers 32 KB (431), a head arrives within ten seconds, few requests
wait on one connection, trailers are dropped, and every refusal at this level is the JSON error of the API, in its turn
behind answers that are under way. An answer of which nothing is read for 30 seconds ends its connection.
"""

import asyncio
from functools import partial
from typing import Any, Final

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from webquarry.api.addresses import Addresses
from webquarry.api.connections import ALWAYS_ANSWERED, Connections, Place
from webquarry.api.responses import WHOLE, Headers, encode_headers, error_body
from webquarry.core.errors import InvalidParams, Overloaded, ServiceError

MAX_TARGET_BYTES: Final = 8 * 1024
MAX_HEADER_BYTES: Final = 32 * 1024
HEAD_TIMEOUT_S: Final = 10.0
UNREAD_S: Final = 30.0
"""Seconds for which an answer may wait without a byte of it being taken."""
_JOINED_BYTES: Final = 64 * 1024
"""Of a body that goes out with its head in one write."""
MAX_PIPELINED: Final = 100
_LINGER_S: Final = 5.0
_LINGER_BYTES: Final = 32 * 1024 * 1024
"""How long, and for how much, is read on behind the last answer: who sends before it reads must still see it."""
_FIELD_OVERHEAD_BYTES: Final = 4  # colon, space, line end
_VERSIONS: Final = ("1.0", "1.1")
_BODY_FIELDS: Final = (b"content-length", b"transfer-encoding")


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with limits on a request's head.

    A fault that the parser, or a callback within it, finds ends the connection: `_refuse` answers it and from then on
    what arrives is dropped.
    """

    head_timeout_s: float = HEAD_TIMEOUT_S
    unread_s: float = UNREAD_S

    def __init__(self, *args: Any, connections: Connections | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._held = Connections(Addresses()) if connections is None else connections
        self._place: Place | None = None
        self.url = b""
        self._in_head = True  # what comes next belongs to a head; else to the body of `self.cycle`
        self._begun = False  # a head has begun and is not whole
        self._stalled_bytes = 0  # received since a head was last whole or a body last grew
        self._keep_alive = True  # what `self.cycle` asked for, while its body is on its way
        self._deaf = False
        self._unheard_bytes = 0
        self._waiting: ServiceError | None = None
        self._head_timer: asyncio.TimerHandle | None = None
        self._unread_timer: asyncio.TimerHandle | None = None
        self._unread_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # `pause_writing` whenever the system does not take all
        self._place = self._held.admit(self.client and self.client[0], transport.abort)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_head_timer()
        self._stop_unread_timer()
        if self._place is not None:
            self._held.leave(self._place)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_reader()
        self._tell_silence()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_unread_timer()
        self._tell_silence()

    def data_received(self, data: bytes) -> None:
        if self._deaf:
            self._unheard_bytes += len(data)
            if self._unheard_bytes > _LINGER_BYTES:
                self.transport.abort()
            return
        self._unset_keepalive_if_required()
        self._stalled_bytes += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # no upgrade is offered: the request is answered as it is, and is the last one here
            self._deaf = True
            self.cycle.keep_alive = False
        except httptools.HttpParserError as exc:
            self._refuse(exc.__context__ if isinstance(exc.__context__, ServiceError) else _explain_malformed(exc))
        else:
            self._judge_unfinished()

    def on_message_begin(self) -> None:
        self._begun = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        has_body = self._judge_head()
        super().on_headers_complete()
        extensions: dict[str, Any] = {WHOLE: partial(_write_whole, self.cycle)}
        self.scope["extensions"] = extensions
        if has_body:
            # an answer that begins before the body is whole ends the connection: the rest could pass for a next request
            self._keep_alive, self.cycle.keep_alive = self.cycle.keep_alive, False
            self.cycle.transport = _Lingering(self, self.cycle)
            self._tell_silence()
        self.headers = []  # for trailers, which say nothing more about a request that is being answered
        self._in_head = self._begun = False
        self._stalled_bytes = 0
        self._stop_head_timer()

    def on_body(self, body: bytes) -> None:
        self._stalled_bytes = 0
        super().on_body(body)
        self._tell_silence()

    def on_message_complete(self) -> None:
        self._in_head = True
        self._stalled_bytes = 0
        if self.cycle.transport is not self.transport and not self.cycle.response_started:
            self.cycle.keep_alive = self._keep_alive
        super().on_message_complete()
        if self._place is not None:
            self._held.release(self._place)
        self._tell_silence()

    def on_response_complete(self) -> None:
        was_last = not self.pipeline
        super().on_response_complete()
        self._tell_silence()
        if was_last and self._waiting is not None and not self.transport.is_closing():
            self._write(self._waiting)

    def _tell_silence(self) -> None:
        """Tell the count of connections who waits for whom: we for the visitor, or the visitor for us."""
        if self._place is None:
            return
        cycle = self.cycle
        is_idle = cycle is None or cycle.response_complete or cycle.more_body
        if self.flow.write_paused or (is_idle and not self.pipeline):
            self._held.wait(self._place)
        else:
            self._held.work(self._place)

    def _judge_head(self) -> bool:
        """Return whether a body follows the head that is now whole. InvalidParams, which stops the parser, when it
        breaks a rule; Overloaded when there is no room for this request."""
        if len(self.url) > MAX_TARGET_BYTES:
            raise _target_too_long()
        if len(self.pipeline) >= MAX_PIPELINED:
            raise InvalidParams(
                f"More than {MAX_PIPELINED} requests are pending on this connection. Read the responses first."
            )
        version = self.parser.get_http_version()
        if version not in _VERSIONS:
            raise _explain_malformed()
        size = hosts = 0
        has_body = False
        for name, value in self.headers:
            size += len(name) + len(value) + _FIELD_OVERHEAD_BYTES
            if name == b"host":
                hosts += 1
            elif name in _BODY_FIELDS:
                has_body = True
        if size > MAX_HEADER_BYTES:
            raise _headers_too_large()
        if hosts > 1 or (hosts == 0 and version == "1.1"):
            raise InvalidParams("The request must have exactly one Host header.")
        self._take_room(has_body=has_body)
        return has_body

    def _take_room(self, *, has_body: bool) -> None:
        """Overloaded when there is no room for the request: nobody's time is taken then, but for health and metrics."""
        place = self._place
        if place is None:
            return
        if place.is_spare and self.url.partition(b"?")[0] not in ALWAYS_ANSWERED:
            self._held.refuse()
            raise Overloaded("The service has reached its maximum number of connections. Try again shortly.")
        if has_body and not self._held.attribute(place, {"client": self.client, "headers": self.headers}):
            self._held.refuse()
            raise Overloaded("Your network has too many open connections. Close some and try again.")

    def _judge_unfinished(self) -> None:
        """Bound what is waited for: a head, or framing and trailers of a body, in bytes; a head also in time."""
        if self._begun and len(self.url) > MAX_TARGET_BYTES:
            self._refuse(_target_too_long())
        elif self._stalled_bytes > MAX_TARGET_BYTES + MAX_HEADER_BYTES:
            self._refuse(_headers_too_large())
        elif self._in_head and self._head_timer is None and (self._begun or self._stalled_bytes):
            self._await_head()

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self.head_timeout_s, self._head_late)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _head_late(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
        else:
            self._await_head()  # an earlier answer is under way: it may go out first

    def _await_reader(self) -> None:
        """End the connection unless something of what waits has been taken by the next look."""
        self._stop_unread_timer()
        self._unread_bytes = self.transport.get_write_buffer_size()
        self._unread_timer = self.loop.call_later(self.unread_s, self._judge_reader)

    def _judge_reader(self) -> None:
        if self.transport.get_write_buffer_size() >= self._unread_bytes:
            self.transport.abort()
        else:
            self._await_reader()

    def _stop_unread_timer(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None

    def _refuse(self, error: ServiceError) -> None:
        """Answer with the error when its turn has come, and end the connection."""
        self._deaf = True
        self._stop_head_timer()
        cycle = self.cycle
        answering = cycle is not None and not cycle.response_complete
        if not self._in_head:  # the fault lies in the body of the request that `cycle` answers
            if cycle.response_started:
                self.hang_up()
                return
            cycle.disconnected = True
            cycle.message_event.set()
            answering = bool(self.pipeline)
            if answering:
                self.pipeline.popleft()  # it waits behind earlier ones and need not begin
        if answering:
            self._waiting = error
        else:
            self._write(error)

    def _write(self, error: ServiceError) -> None:
        body = error_body(error)
        fields = [
            *self.server_state.default_headers,
            *encode_headers(error),
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
            (b"connection", b"close"),
        ]
        head = b"".join(b"%b: %b\r\n" % field for field in fields)
        self.transport.write(STATUS_LINE[error.status] + head + b"\r\n" + body)
        self.hang_up()

    def hang_up(self) -> None:
        """Close, but read on for a moment, so that what was written is not lost to a reset."""
        self._deaf = True
        self._stop_head_timer()
        self._unset_keepalive_if_required()
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(_LINGER_S, self.transport.close)


def _write_whole(cycle: RequestResponseCycle, status: int, headers: Headers, body: bytes) -> bool:
    """Answer with head and body in one write, where uvicorn makes two; False, and nothing done, when it has to wait."""
    if cycle.flow.write_paused:
        return False
    if cycle.disconnected or cycle.response_started:  # nobody to answer, or an answer under way
        return True
    cycle.response_started = cycle.response_complete = True
    cycle.waiting_for_100_continue = False
    lines = [b": ".join(field) for field in (*cycle.default_headers, *headers)]
    if not cycle.keep_alive:
        lines.append(b"connection: close")
    head = (STATUS_LINE[status], b"\r\n".join(lines), b"\r\n\r\n")
    if cycle.scope["method"] == "HEAD":
        body = b""
    if len(body) <= _JOINED_BYTES:
        cycle.transport.write(b"".join((*head, body)))
    else:  # which is not copied, then
        cycle.transport.write(b"".join(head))
        cycle.transport.write(body)
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
    return True


class _Lingering(asyncio.Transport):
    """The transport of an answer to a request with a body, which may still be on its way when the answer is given."""

    def __init__(self, protocol: BoundedProtocol, cycle: RequestResponseCycle) -> None:
        super().__init__()
        self._protocol = protocol
        self._cycle = cycle

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._protocol.transport.write(data)

    def is_closing(self) -> bool:
        return self._protocol.transport.is_closing()

    def close(self) -> None:
        if self._cycle.more_body:
            self._protocol.hang_up()
        else:
            self._protocol.transport.close()


def _explain_malformed(fault: httptools.HttpParserError | None = None) -> InvalidParams:
    if isinstance(fault, httptools.HttpParserInvalidURLError):
        return InvalidParams("The URL contains a character that must be percent-encoded as UTF-8: write é as %C3%A9.")
    return InvalidParams("The request is not well-formed HTTP/1.1.")


def _target_too_long() -> InvalidParams:
    return InvalidParams(f"The request target is longer than {MAX_TARGET_BYTES} bytes.", status=414)


def _headers_too_large() -> InvalidParams:
    return InvalidParams(f"The request headers are larger than {MAX_HEADER_BYTES} bytes.", status=431)
