"""The adversary: a hostile site, a private target that must not be reached, and a name server."""

import asyncio
import socket
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from types import TracebackType
from typing import Self

from webquarry.doctor.egress.attack import PRIVATE, PRIVATE_ADDRESS, SITE, SITE_ADDRESS, Attack, Names
from webquarry.doctor.egress.network import Network, Place
from webquarry.doctor.responses import Inflates, Page, Sends, answer, pack_bomb
from webquarry.net.target import USUAL_PORTS

GREETING = b"the private target is alive"
"""Response of the private target to every connection."""
_NOT_FOUND = Sends(answer(status="404 Not Found"), then="keep")
_USUAL: Names = {SITE: [[SITE_ADDRESS]], PRIVATE: [[PRIVATE_ADDRESS]]}
_HEAD_BYTES = 1024 * 1024


class Adversary:
    """One adversary for a whole run, used as a context manager within a `Network`.

    Call `begin` with an attack, run it, and inspect the results. `requested_paths` lists the paths requested from the
    site. `reached` lists the first lines of the data that arrived at the private target. `sent_bytes` is the number of
    bytes that the site sent. `port` is the private target's real port on loopback, TCP and UDP.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        self.requested_paths: list[str] = []
        self.reached: list[str] = []
        self.sent_bytes = 0
        self.port = 0
        self._sites: Mapping[Place, Place] = {}
        self._attack: Attack | None = None
        self._lookups: dict[str, int] = {}
        self._open: set[asyncio.StreamWriter] = set()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        site = await asyncio.start_server(self._serve_site, "127.0.0.1", 0, limit=_HEAD_BYTES)
        self._stack.callback(site.close)
        target = await asyncio.start_server(self._serve_target, "127.0.0.1", 0, limit=_HEAD_BYTES)
        self._stack.callback(target.close)
        self.port = target.sockets[0].getsockname()[1]
        with suppress(OSError):  # the machine may not support IPv6
            six = await asyncio.start_server(self._serve_target, "::1", self.port, limit=_HEAD_BYTES)
            self._stack.callback(six.close)
        with suppress(OSError):  # another program may use the port; datagrams are then not observed
            datagrams, _ = await self.network.create_datagram_endpoint(
                lambda: _Datagrams(self.reached), local_addr=("127.0.0.1", self.port)
            )
            self._stack.callback(datagrams.close)
        where = ("127.0.0.1", site.sockets[0].getsockname()[1])
        self._sites = {(SITE_ADDRESS, port): where for port in USUAL_PORTS}
        self.network.lead(self._sites, ("127.0.0.1", self.port))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cut()
        await self._stack.aclose()

    def begin(self, attack: Attack) -> None:
        """Start an attack with empty observations."""
        self._cut()
        self._attack = attack
        for response in attack.responses.values():
            if isinstance(response, Inflates):
                pack_bomb(response)  # packed in advance, so that the packing is not attributed to the client
        self._lookups.clear()
        self.requested_paths.clear()
        self.reached.clear()
        self.sent_bytes = 0
        self.network.dialled.clear()

    @property
    def site_place(self) -> Place:
        """The real address of the site."""
        return self._sites[SITE_ADDRESS, 80]

    def is_site(self, place: Place) -> bool:
        """Return whether connections to an address go to the site. Every other address is forbidden."""
        return place in self._sites

    async def is_alive(self) -> bool:
        """Return whether a plain connection, which is not subject to any rules, reaches the private target."""
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as plain:
            plain.setblocking(False)
            try:
                async with asyncio.timeout(2):
                    await self.network.sock_connect(plain, (PRIVATE_ADDRESS, 80))
                    await self.network.sock_sendall(plain, b"GET / HTTP/1.0\r\n\r\n")
                    heard = b""
                    while GREETING not in heard and (more := await self.network.sock_recv(plain, 65536)):
                        heard += more
            except (OSError, TimeoutError):
                return False
        return GREETING in heard

    async def resolve(self, host: str) -> Sequence[str]:
        """Resolve a name. Raises OSError for a name that the attack does not define."""
        names: Mapping[str, Sequence[Sequence[str]]] = {**_USUAL, **(self._attack.names if self._attack else {})}
        answers = names.get(host)
        if answers is None:
            raise OSError("no such name")
        turn = self._lookups.get(host, 0)
        self._lookups[host] = turn + 1
        return answers[min(turn, len(answers) - 1)]

    def _cut(self) -> None:
        for writer in list(self._open):
            writer.transport.abort()

    async def _serve_site(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while await self._answer(reader, writer):
                    pass
        finally:
            self._open.discard(writer)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        attack = self._attack
        path = await _read_path(reader)
        self.requested_paths.append(path)
        response = None if attack is None else attack.responses.get(path.partition("?")[0])
        if response is None:
            response = Page() if path == "/" else _NOT_FOUND
        return await response.say(_Connection(self, reader, writer))

    async def _serve_target(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        at = len(self.reached)
        self.reached.append("a connection that sent nothing")
        self._open.add(writer)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, ValueError):
                line = await reader.readline()
                if line and at < len(self.reached):
                    self.reached[at] = line.decode("latin-1").strip()[:200]
                writer.write(answer(GREETING, "Content-Type: text/html", "Connection: close"))
                await writer.drain()
        finally:
            self._open.discard(writer)
            writer.close()


class _Connection:
    def __init__(self, adversary: Adversary, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._adversary = adversary
        self._reader = reader
        self._writer = writer

    @property
    def port(self) -> int:
        return self._adversary.port

    async def send(self, data: bytes) -> None:
        if self._writer.is_closing():
            raise ConnectionResetError("the client has gone")
        self._writer.write(data)
        await self._writer.drain()
        self._adversary.sent_bytes += len(data)

    async def wait(self) -> None:
        await self._reader.read()


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, reached: list[str]) -> None:
        self._reached = reached

    def datagram_received(self, data: bytes, addr: object) -> None:
        self._reached.append(f"a datagram of {len(data)} bytes")


async def _read_path(reader: asyncio.StreamReader) -> str:
    """Return the path and query of the next request, and skip its body."""
    request = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *fields = request.split("\r\n")
    for field in fields:
        name, _, value = field.partition(":")
        if name.lower() == "content-length" and value.strip().isdecimal():
            await reader.readexactly(int(value))
    parts = first.split(" ")
    return parts[1] if len(parts) > 1 else ""
