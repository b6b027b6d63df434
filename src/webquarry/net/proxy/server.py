"""The proxy server: accepts connections, manages leases and keeps counts."""

import asyncio
import binascii
import re
from base64 import b64decode
from types import TracebackType
from typing import Self

from webquarry.core.settings import PREFIX, Settings, SettingsError
from webquarry.net.address import is_public
from webquarry.net.guard import Guard, Judge
from webquarry.net.message import MAX_HEAD_BYTES
from webquarry.net.names import Resolve, SystemResolver
from webquarry.net.outbound import Outbound
from webquarry.net.proxy.exchange import Counts
from webquarry.net.proxy.lease import Lease, Quota
from webquarry.net.proxy.routes import Routes
from webquarry.net.proxy.visit import Times, Visit
from webquarry.net.target import TargetRule

MAX_CONNECTIONS = 1024
CLOSE_S = 2.0
_WILDCARDS = frozenset({"0.0.0.0", "::"})  # noqa: S104  # refused


class ForwardProxy:
    """An HTTP/1.1 forward proxy for absolute `http://` requests and `CONNECT`, used as a context manager.

    It applies the same checks as the dialler: the target rule, then every resolved address, and it dials exactly the
    checked address. `resolve` maps names to addresses (default: the system's resolver), `judge` decides which addresses
    may be dialed, and `times` sets the timeouts. Raises SettingsError if the settings name an unusable address to
    listen on or an unusable outbound proxy.

    `address` is host:port, and empty until the proxy listens. `username` and `password` belong to a lease without
    limits and are new in every run.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        resolve: Resolve | None = None,
        judge: Judge = is_public,
        times: Times | None = None,
    ) -> None:
        self.address = ""
        self.counts = Counts()
        self._bind = _bind(settings.browser_proxy_address)
        self._system = SystemResolver()
        self._roads = Routes(
            TargetRule(settings),
            Guard(resolve or self._system.addresses, judge),
            Outbound.of(settings),
            settings.connect_timeout_s,
        )
        self._times = times or Times()
        self._leases: dict[str, Lease] = {}
        self._visits: dict[asyncio.Task[None], Visit] = {}
        self._own = self.lease(Quota())
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        await self.listen()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def username(self) -> str:
        return self._own.username

    @property
    def password(self) -> str:
        return self._own.password

    async def listen(self) -> None:
        """Start listening, unless the proxy is already listening.

        Raises SettingsError if the address from the settings cannot be used.
        """
        if self._server is not None:
            return
        host, port = self._bind
        try:
            self._server = await asyncio.start_server(self._accept, host, port, limit=MAX_HEAD_BYTES)
        except OSError as exc:
            raise SettingsError(
                f"{PREFIX}BROWSER_PROXY_ADDRESS: can't listen on {host}:{port}: {exc.strerror or exc}"
            ) from exc
        self.address = f"[{host}]" if ":" in host else host
        self.address += f":{self._server.sockets[0].getsockname()[1]}"

    def lease(self, quota: Quota) -> Lease:
        """Create credentials with the limits of `quota`. The credentials are valid until the lease is closed."""
        lease = Lease(quota, self._forget)
        self._leases[lease.username] = lease
        return lease

    async def close(self) -> None:
        """Stop listening and cut all connections within a few seconds."""
        if self._server is not None:
            self._server.close()
        for lease in list(self._leases.values()):
            lease.close()
        for visit in self._visits.values():
            visit.cut()
        self._system.close()
        if self._visits:
            await asyncio.wait(self._visits, timeout=CLOSE_S)

    def _forget(self, lease: Lease) -> None:
        self._leases.pop(lease.username, None)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._visits) >= MAX_CONNECTIONS:
            writer.transport.abort()
            return
        self.counts.connections += 1
        visit = Visit(reader, writer, self._identify, self._roads, self._times, self.counts)
        task = asyncio.get_running_loop().create_task(visit.run())
        self._visits[task] = visit
        task.add_done_callback(self._visits.pop)

    def _identify(self, authorization: str) -> Lease | None:
        """Return the lease for the value of a `Proxy-Authorization` field, or None."""
        scheme, _, encoded = authorization.partition(" ")
        if scheme.lower() != "basic":
            return None
        try:
            username, _, password = b64decode(encoded.strip(), validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return None
        lease = self._leases.get(username, self._own)
        return lease if lease.accepts(password) and lease.username == username and not lease.closed else None


def _bind(address: str | None) -> tuple[str, int]:
    """Return the host and port to listen on: loopback, unless a remote browser has to connect."""
    if address is None:
        return "127.0.0.1", 0
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:]+)\]|([^:/@\[\]\s]+)):([0-9]{1,5})", address)
    host = (found[1] or found[2]) if found else ""
    if found is None or host in _WILDCARDS or not 0 < int(found[3]) < 65536:
        raise SettingsError(f"{PREFIX}BROWSER_PROXY_ADDRESS: must be host:port that the browser can reach")
    return host, int(found[3])
