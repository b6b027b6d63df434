"""Routes to targets: direct, or through the operator's outbound proxy."""

import asyncio
from dataclasses import dataclass

from webquarry.net import message
from webquarry.net.guard import Guard
from webquarry.net.outbound import Outbound
from webquarry.net.proxy.target import Target
from webquarry.net.target import TargetRule


@dataclass(frozen=True, slots=True)
class Stream:
    """A connection with a reader and a writer."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, data: bytes) -> None:
        """Write data, and wait while the other side is slower.

        Raises ConnectionError if the other side has closed the connection.
        """
        if self.writer.is_closing():
            raise ConnectionResetError("closed")  # uvloop would raise RuntimeError
        self.writer.write(data)
        await self.writer.drain()

    def end(self) -> None:
        """Signal that no more data follows."""
        if not self.writer.is_closing():
            self.writer.write_eof()

    def abort(self) -> None:
        self.writer.transport.abort()


@dataclass(frozen=True, slots=True)
class Routes:
    """Opens connections to targets. `outbound` is the operator's proxy, if there is one."""

    rule: TargetRule
    guard: Guard
    outbound: Outbound | None
    timeout_s: float

    async def open(self, target: Target, *, is_tunnel: bool) -> Stream:
        """Return a connection to a target.

        Raises UnsafeTarget if the target may not be visited, OSError if it cannot be reached.

        With an outbound HTTP proxy, plain requests are not tunneled. They are sent to that proxy in the form in which
        they arrived.
        """
        self.rule.check(target.host, target.port)
        guard = self.guard
        if self.rule.is_opened(target.host, target.port):
            guard = Guard(guard.resolve, lambda _: True)
        async with asyncio.timeout(self.timeout_s):
            if self.outbound is None:
                connected = await guard.connect(target.host, target.port)
                return Stream(*await asyncio.open_connection(sock=connected, limit=message.MAX_HEAD_BYTES))
            hosts = await self.outbound.hosts(target.host, guard)
            if self.outbound.speaks_http and not is_tunnel:
                return Stream(*await self.outbound.connect())
            return Stream(*await self.outbound.tunnel(hosts, target.port))
