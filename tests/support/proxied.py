"""A client of a forward proxy, byte by byte, for tests."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from webquarry.core.settings import Settings
from webquarry.net.proxy import ForwardProxy

Resolve = Callable[[str], Awaitable[Sequence[str]]]


class Credentials(Protocol):
    @property
    def username(self) -> str: ...
    @property
    def password(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """A response. headers: lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def says(**addresses: str) -> Resolve:
    """Return a resolver: `says(site="127.0.0.1")` resolves only `site.test`."""

    async def resolve(host: str) -> Sequence[str]:
        found = addresses.get(host.removesuffix(".test"))
        if found is None:
            raise OSError("no such name")
        return found.split()

    return resolve


@asynccontextmanager
async def proxy_for(*ports: int, judge: str = "127.0.0.1", **options: Any) -> AsyncIterator[ForwardProxy]:
    """Run a proxy that allows these ports of the address `judge`. `site.test` resolves to 127.0.0.1."""
    settings = options.pop("settings", {})
    given = {"resolve": says(site="127.0.0.1"), **options}
    settings = Settings(**{"egress_ports": ports, "connect_timeout_s": 2, **settings})
    async with ForwardProxy(settings, judge=lambda address: address == judge, **given) as proxy:
        yield proxy


def basic(who: Credentials) -> str:
    return f"Basic {b64encode(f'{who.username}:{who.password}'.encode()).decode()}"


class Visitor:
    """A connection to the proxy. Use `visiting`."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, credentials: Credentials | None
    ) -> None:
        self.reader = reader
        self.writer = writer
        self._credentials = credentials

    async def ask(self, method: str, target: str, *fields: str, body: bytes = b"", host: str = "any") -> Answer:
        self.tell(method, target, *fields, body=body, host=host)
        return await self.hear(method)

    def tell(self, method: str, target: str, *fields: str, body: bytes = b"", host: str = "any") -> None:
        named = [f"Host: {host}", *fields]
        if self._credentials is not None:
            named.append(f"Proxy-Authorization: {basic(self._credentials)}")
        if body:
            named.append(f"Content-Length: {len(body)}")
        self.say("\r\n".join([f"{method} {target} HTTP/1.1", *named, "", ""]).encode("latin-1") + body)

    def say(self, raw: bytes) -> None:
        self.writer.write(raw)

    async def hear(self, method: str = "GET") -> Answer:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.removesuffix("\r\n\r\n").split("\r\n")
        status = int(first.split(" ")[1])
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        if method in ("HEAD", "CONNECT") or status in (204, 304):
            return Answer(status, headers, b"")
        if headers.get("transfer-encoding") == "chunked":
            return Answer(status, headers, await self._chunks())
        if "content-length" in headers:
            return Answer(status, headers, await self.reader.readexactly(int(headers["content-length"])))
        return Answer(status, headers, await self.reader.read())

    async def is_cut(self) -> bool:
        """Wait for the proxy. Return whether it ends the connection without sending another byte."""
        try:
            return await self.reader.read(1) == b""
        except ConnectionError:
            return True

    async def _chunks(self) -> bytes:
        body = b""
        while size := int(await self.reader.readuntil(b"\r\n"), 16):
            body += await self.reader.readexactly(size)
            await self.reader.readline()
        await self.reader.readline()
        return body


@asynccontextmanager
async def visiting(
    proxy: ForwardProxy, credentials: Credentials | None = None, *, known: bool = True
) -> AsyncIterator[Visitor]:
    """Open a connection with these credentials, the proxy's by default; without any if `known=False`."""
    host, _, port = proxy.address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1 << 20)
    try:
        async with asyncio.timeout(10):
            yield Visitor(reader, writer, (credentials or proxy) if known else None)
    finally:
        writer.transport.abort()
