"""HTTP on one connection: uvicorn's protocol with additional limits.

Stock uvicorn accepts headers and trailers of any size, waits for them forever, and answers malformed HTTP with plain
text. Here a request target has at most 8 KB (414) and the headers 32 KB (431), a head must arrive within ten seconds,
the number of pipelined requests is limited, and trailers are dropped. Every refusal at this level is a JSON error of
the API, sent after the responses in progress. A response that the client does not read for 30 seconds ends its
connection.
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
"""Seconds for which a response may wait while its client reads nothing."""
_JOINED_BYTES: Final = 64 * 1024
"""Maximum size of a body that is sent with its head in one write."""
MAX_PIPELINED: Final = 100
_LINGER_S: Final = 5.0
_LINGER_BYTES: Final = 32 * 1024 * 1024
"""Seconds, and maximum bytes, to keep reading after the last response, for clients that send everything before they
read.
"""
_FIELD_OVERHEAD_BYTES: Final = 4  # a colon, a space and the end of the line
_VERSIONS: Final = ("1.0", "1.1")
_BODY_FIELDS: Final = (b"content-length", b"transfer-encoding")


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with limits on a request's head.

    An error in the parser or in one of its callbacks ends the connection: `_refuse` responds to it, and later data is
    dropped.
    """

    head_timeout_s: float = HEAD_TIMEOUT_S
    unread_s: float = UNREAD_S

    def __init__(self, *args: Any, connections: Connections | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._held = Connections(Addresses()) if connections is None else connections
        self._place: Place | None = None
        self.url = b""
        self._in_head = True  # True if the next data belongs to a head, False if it belongs to the body of `self.cycle`
        self._begun = False  # True if a head has begun and is incomplete
        self._stalled_bytes = 0  # bytes received since a head was completed or a body grew
        # True if the client requested keep-alive for `self.cycle`; only used while its body arrives
        self._keep_alive = True
        self._deaf = False
        self._unheard_bytes = 0
        self._waiting: ServiceError | None = None
        self._head_timer: asyncio.TimerHandle | None = None
        self._unread_timer: asyncio.TimerHandle | None = None
        self._unread_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        # so that `pause_writing` is called whenever the system does not accept all data
        transport.set_write_buffer_limits(high=0)
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
            # upgrades are not supported, so this request is served normally and is the connection's last
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
            # A response that begins before the body is complete ends the connection, because the rest could be read as
            # another request.
            self._keep_alive, self.cycle.keep_alive = self.cycle.keep_alive, False
            self.cycle.transport = _Lingering(self, self.cycle)
            self._tell_silence()
        self.headers = []  # collects the trailers, which must not change a request that is being served
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
        """Report to the connection counter whether the server or the client is waiting."""
        if self._place is None:
            return
        cycle = self.cycle
        is_idle = cycle is None or cycle.response_complete or cycle.more_body
        if self.flow.write_paused or (is_idle and not self.pipeline):
            self._held.wait(self._place)
        else:
            self._held.work(self._place)

    def _judge_head(self) -> bool:
        """Check a complete head. Return whether a body follows the head.

        Raises InvalidParams if the head breaks a rule, and Overloaded if there is no room for this request. Either
        error stops the parser.
        """
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
        """Raise Overloaded if there is no room for the request. Health checks and metrics are always served."""
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
        """Limit the size and duration of an incomplete head, and the size of a body's framing and trailers."""
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
            self._await_head()  # an earlier response is in progress and may finish first

    def _await_reader(self) -> None:
        """End the connection if the client reads nothing until the timer fires."""
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
        """Respond with the error after earlier responses, and end the connection."""
        self._deaf = True
        self._stop_head_timer()
        cycle = self.cycle
        answering = cycle is not None and not cycle.response_complete
        if not self._in_head:  # the error is in the body of the request that `cycle` serves
            if cycle.response_started:
                self.hang_up()
                return
            cycle.disconnected = True
            cycle.message_event.set()
            answering = bool(self.pipeline)
            if answering:
                self.pipeline.popleft()  # this request is queued behind earlier responses, so it has not started
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
        """Close the connection, but keep reading briefly, so that a reset does not discard what was written."""
        self._deaf = True
        self._stop_head_timer()
        self._unset_keepalive_if_required()
        self.flow.resume_reading()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(_LINGER_S, self.transport.close)


def _write_whole(cycle: RequestResponseCycle, status: int, headers: Headers, body: bytes) -> bool:
    """Send head and body in one write; uvicorn uses two.

    Return False, without writing, if the response must wait.
    """
    if cycle.flow.write_paused:
        return False
    if cycle.disconnected or cycle.response_started:  # the client has gone, or a response is in progress
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
    else:  # avoid copying the body
        cycle.transport.write(b"".join(head))
        cycle.transport.write(body)
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()
    return True


class _Lingering(asyncio.Transport):
    """Transport for a response to a request whose body may still be arriving."""

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
