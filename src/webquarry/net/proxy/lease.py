"""Leases: who may use the proxy, how much, and until when. One page, one lease."""

import asyncio
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from webquarry.core.types import Deadline

Fault = Literal["unsafe", "down", "timeout"]
"""Why a target was not reached: it may not be visited, it does not answer, it did not in time."""
Limit = Literal["requests", "connections", "bytes", "deadline"]

_MAX_FAULTS = 256


@dataclass(frozen=True, slots=True)
class Quota:
    """What a lease allows; None is no limit.

    max_requests: plain requests and tunnels, refused ones included: beyond it each is answered 429; max_connections:
    at once, from the browser: beyond it 503; max_bytes: of bodies and tunnels in both directions: beyond it, as at the
    deadline, the lease ends.
    """

    max_requests: int | None = None
    max_connections: int | None = None
    max_bytes: int | None = None
    deadline: Deadline | None = None


class Cuttable(Protocol):
    def cut(self) -> None:
        """End at once, without another byte in either direction."""
        ...


class Lease:
    """Credentials of one page, what was used under them, and the means to end all of it.

    requests, moved_bytes, refused (targets that may not be visited): so far. exceeded: the limits that were met.
    faults: per (host, port) that was not reached, the last reason; of the first 256 targets.
    """

    def __init__(self, quota: Quota, on_close: Callable[["Lease"], None]) -> None:
        self.username = secrets.token_hex(8)
        self.password = secrets.token_urlsafe(24)
        self.requests = 0
        self.moved_bytes = 0
        self.refused = 0
        self.exceeded: set[Limit] = set()
        self.faults: dict[tuple[str, int], Fault] = {}
        self.closed = False
        self._quota = quota
        self._on_close = on_close
        self._connections: set[Cuttable] = set()
        self._alarm: asyncio.TimerHandle | None = None
        if quota.deadline is not None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(quota.deadline.remaining_s, self._end_for, "deadline")

    def close(self) -> None:
        """Cut every connection; the credentials are no longer known. May be called again."""
        if self.closed:
            return
        self.closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        self._on_close(self)
        for connection in list(self._connections):
            connection.cut()

    def accepts(self, password: str) -> bool:
        return hmac.compare_digest(self.password.encode(), password.encode())

    def join(self, connection: Cuttable) -> bool:
        """Count a connection in, unless it is one too many."""
        if connection not in self._connections:
            if len(self._connections) == self._quota.max_connections:
                self.exceeded.add("connections")
                return False
            self._connections.add(connection)
        return True

    def leave(self, connection: Cuttable) -> None:
        self._connections.discard(connection)

    def admit(self) -> bool:
        """Count a request, unless it is one too many."""
        if self.requests == self._quota.max_requests:
            self.exceeded.add("requests")
            return False
        self.requests += 1
        return True

    def move(self, size: int) -> None:
        """Count bytes; those beyond the limit end the lease."""
        self.moved_bytes += size
        if self._quota.max_bytes is not None and self.moved_bytes > self._quota.max_bytes:
            self._end_for("bytes")

    def failed(self, host: str, port: int, fault: Fault) -> None:
        if fault == "unsafe":
            self.refused += 1
        if (host, port) in self.faults or len(self.faults) < _MAX_FAULTS:
            self.faults[host, port] = fault

    def _end_for(self, limit: Limit) -> None:
        self.exceeded.add(limit)
        self.close()
