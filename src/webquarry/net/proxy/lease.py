"""Leases: credentials for the proxy with a quota and a deadline. Each page gets one lease."""

import asyncio
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from webquarry.core.types import Deadline

Fault = Literal["unsafe", "down", "timeout"]
"""The reason why a target was not reached: it may not be visited (unsafe), is unreachable (down), or did not respond in
time (timeout).
"""
Limit = Literal["requests", "connections", "bytes", "deadline"]

_MAX_FAULTS = 256


@dataclass(frozen=True, slots=True)
class Quota:
    """Limits of a lease. None means no limit.

    `max_requests` counts plain requests and tunnels, including refused ones; further requests get a 429.
    `max_connections` limits concurrent connections from the browser; further ones get a 503. `max_bytes` counts bodies
    and tunnels in both directions; exceeding it, or the deadline, ends the lease.
    """

    max_requests: int | None = None
    max_connections: int | None = None
    max_bytes: int | None = None
    deadline: Deadline | None = None


class Cuttable(Protocol):
    def cut(self) -> None:
        """End the connection immediately, without another byte in either direction."""
        ...


class Lease:
    """Credentials of one page, its usage, and the means to end all its connections.

    `requests`, `moved_bytes` and `refused` (targets that may not be visited) count usage so far. `exceeded` contains
    the limits that were reached. `faults` maps each (host, port) that was not reached to the last reason, for the first
    256 targets.
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
        """Cut every connection and revoke the credentials. Can be called more than once."""
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
        """Count a connection. Return False if there are too many connections."""
        if connection not in self._connections:
            if len(self._connections) == self._quota.max_connections:
                self.exceeded.add("connections")
                return False
            self._connections.add(connection)
        return True

    def leave(self, connection: Cuttable) -> None:
        self._connections.discard(connection)

    def admit(self) -> bool:
        """Count a request. Return False if there are too many requests."""
        if self.requests == self._quota.max_requests:
            self.exceeded.add("requests")
            return False
        self.requests += 1
        return True

    def move(self, size: int) -> None:
        """Count bytes. Exceeding the limit ends the lease."""
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
