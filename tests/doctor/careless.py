"""The controls: clients without any rules.

Every attack must reach its target with one of these clients; otherwise, the attack proves nothing.
"""

import asyncio
import gzip
import ipaddress
import re
import socket
import time
import unicodedata
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path
from urllib.parse import unquote, urljoin

import brotli  # type: ignore[import-untyped]  # ships no types
import zstandard
from playwright.async_api import Browser, Download, async_playwright
from playwright.async_api import Error as BrowserError

from webquarry.doctor.egress.adversary import Adversary
from webquarry.doctor.egress.attack import PRIVATE, SITE, Attack, AttemptResult

PORTS = {"http": 80, "https": 443, "ws": 80, "gopher": 70, "dict": 2628, "ftp": 21, "ldap": 389, "": 80}
LOCAL = ("file", "netdoc", "jar", "view-source")
MOST_HOPS = 100
MOST_HELD = 128 << 20
MOST_READ = 1 << 20
MOST_INFLATED = 40 << 20
BUSY_S = 2.5
_BLANK = re.compile(rb"\r?\n\r?\n")
Place = tuple[str, str, int, str]
"""Scheme, host, port, path."""


class _Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.held = bytearray()


class Careless:
    """A client without any rule.

    It parses URLs as generously as any client, resolves a name again after checking it, follows every redirect,
    believes every length or none, and decompresses without a limit. If brittle, it fails on anything unexpected.
    """

    def __init__(self, adversary: Adversary, *, brittle: bool = False) -> None:
        self._adversary = adversary
        self._brittle = brittle
        self._most = 0
        self._kept: dict[tuple[str, int], _Connection] = {}

    async def attempt(self, attack: Attack, asks: tuple[str, ...]) -> AttemptResult:
        self._kept.clear()
        self._most = MOST_INFLATED if attack.aim == "memory" else 1 << 30
        bodies = []
        try:
            if attack.way == "proxy":
                return await self._relay(attack.raw)
            for ask in asks:
                body = await self._get(ask)
                bodies.append(body)
        except OSError as exc:
            return AttemptResult("down", tuple(bodies), str(exc))
        except Exception as exc:  # noqa: BLE001  # failing is the aim of some attacks
            return AttemptResult("fault", tuple(bodies), fault=repr(exc))
        finally:
            for kept in self._kept.values():
                kept.writer.transport.abort()
        return AttemptResult("answer", tuple(bodies))

    async def _relay(self, raw: str) -> AttemptResult:
        """Act as a proxy that takes every line for a request.

        It also requests the host of each Host field.
        """
        lines = re.findall(r"(?:GET|POST|CONNECT) (\S+) HTTP.*\r\nHost: (\S+)", raw)
        for target, host in lines:
            for address in (target, f"http://{host}/"):
                _, name, port, _ = _place(address if "://" in address else f"http://{address}")
                if name:
                    (await self._connect(name, port)).writer.close()
        return AttemptResult("200")

    async def _get(self, address: str) -> bytes:
        for _ in range(MOST_HOPS):
            scheme, host, port, path = _place(address)
            if scheme in LOCAL or address.startswith("/etc/"):
                file = re.search(r"(/etc/|/proc/).*?(?=!|$)", address)
                return Path(file[0] if file else "/").read_bytes()  # noqa: ASYNC240  # careless in this, too
            if scheme not in PORTS:
                return address.encode()
            status, fields, body = await self._exchange(scheme, host, port, path)
            on = fields.get("location") if 300 <= status < 400 else fields.get("refresh", "").partition("url=")[2]
            if not on:
                return body
            on = on.encode("latin-1").decode("utf-8", "replace")
            address = urljoin(f"http://{host}:{port}{path}", on.strip().replace("\\", "/"))
        return b""

    async def _exchange(self, scheme: str, host: str, port: int, path: str) -> tuple[int, Mapping[str, str], bytes]:
        connection = self._kept.get((host, port)) or await self._connect(host, port)
        self._kept[host, port] = connection
        if scheme == "https":
            connection.writer.write(b"\x16\x03\x01\0\5hello")
            await asyncio.wait_for(connection.reader.read(1), BUSY_S)
        connection.writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode("utf-8", "surrogateescape"))
        status = 100
        while 100 <= status < 200 and status != 101:
            head = await self._head(connection)
            if head is None:
                return 200, {}, self._taken(connection, len(connection.held))
            if self._brittle:
                _fail_on(head)
            first, *lines = re.split(r"\r\n|\r|\n", head.rstrip(b"\r\n").decode("latin-1"))
            text = re.match(r"HTTP/\S+ -?(\d+)", first)
            status = int(text[1]) if text else 200
            fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await self._body(connection, status, fields)
        for coding in reversed([part.strip() for part in fields.get("content-encoding", "").split(",")]):
            body = _inflated(coding, body, self._most)
        if self._brittle:
            label = re.search(rb'charset="?([^";>]+)', fields.get("content-type", "").encode("latin-1") + body[:500])
            if "\0" in body.decode(label[1].decode() if label else "utf-8"):
                raise ValueError("text with NUL")
        return status, fields, body

    async def _head(self, connection: _Connection) -> bytes | None:
        """Return the head, or None if there is no head. In that case, all data received is the body, as in HTTP/0.9."""
        seen = 0
        while True:
            while bytes(connection.held[:1]) in (b"\r", b"\n"):
                connection.held = connection.held.lstrip(b"\r\n")
            found = _BLANK.search(connection.held, max(0, seen - 4))
            if found and connection.held.startswith(b"HTTP/"):
                return self._taken(connection, found.end())[:MOST_READ]
            seen = len(connection.held)
            if not await self._more(connection):
                return self._taken(connection, seen)[:MOST_READ] if connection.held.startswith(b"HTTP/") else None

    def _taken(self, connection: _Connection, size: int) -> bytes:
        taken = bytes(connection.held[:size])
        del connection.held[:size]
        return taken

    async def _body(self, connection: _Connection, status: int, fields: Mapping[str, str]) -> bytes:
        if status in (204, 304, 500):  # for these statuses, reads no more than it needs
            return b""
        if "content-length" in fields and fields["content-length"].lstrip("+").isdecimal():
            return await self._exactly(connection, int(fields["content-length"]))
        if "chunked" in fields.get("transfer-encoding", ""):
            return await self._chunks(connection)
        while await self._more(connection):
            pass
        return self._taken(connection, len(connection.held))

    async def _chunks(self, connection: _Connection) -> bytes:
        body = bytearray()
        while True:
            line = await self._line(connection)
            try:
                size = abs(int(line.partition(b";")[0], 16))
            except ValueError:
                return bytes(body) + self._taken(connection, len(connection.held))
            if not size:
                while (await self._line(connection)).strip():
                    pass
                return bytes(body)
            body += await self._exactly(connection, size)
            await self._line(connection)

    async def _exactly(self, connection: _Connection, size: int) -> bytes:
        while len(connection.held) < size and await self._more(connection):
            pass
        return self._taken(connection, size)

    async def _line(self, connection: _Connection) -> bytes:
        while b"\n" not in connection.held and await self._more(connection):
            pass
        end = connection.held.find(b"\n")
        return self._taken(connection, end + 1 if end >= 0 else len(connection.held))

    async def _more(self, connection: _Connection) -> bool:
        try:
            piece = await connection.reader.read(1 << 20)
        except ConnectionError:
            return False
        if len(connection.held) > MOST_HELD:
            connection.held.clear()
        connection.held += piece
        return bool(piece)

    async def _connect(self, host: str, port: int) -> _Connection:
        """Connect to all addresses of a name and keep the last.

        The addresses come from a second look-up, not the checked one.
        """
        literal = _literal(host)
        if literal is None:
            await self._adversary.resolve(host)
        addresses = [literal] if literal else await self._adversary.resolve(host)
        for address in addresses:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            sock = socket.socket(family, socket.SOCK_STREAM)
            sock.setblocking(False)
            await self._adversary.network.sock_connect(sock, (address.partition("%")[0], port))
            reader, writer = await asyncio.open_connection(sock=sock, limit=1 << 24)
        return _Connection(reader, writer)


class Unguarded:
    """Chromium without a proxy. Every name resolves to the adversary."""

    def __init__(self, browser: Browser, adversary: Adversary) -> None:
        self._browser = browser
        self._adversary = adversary

    async def attempt(self, attack: Attack, asks: tuple[str, ...]) -> AttemptResult:
        context = await self._browser.new_context(accept_downloads=True)
        try:
            page = await context.new_page()
            downloads: list[Download] = []
            page.on("download", lambda download: downloads.append(download))
            try:
                await page.goto(asks[0], wait_until="commit")
            except BrowserError as exc:
                if "Download" not in exc.message and "ERR_ABORTED" not in exc.message:
                    return AttemptResult("down", note=exc.message)
            await self._wait(attack)
            if attack.aim == "late":
                await page.content()
            return AttemptResult("answer" if downloads or not page.url.startswith("chrome-error:") else "down")
        finally:
            closing = asyncio.ensure_future(context.close())
            await asyncio.wait({closing}, timeout=2)

    async def _wait(self, attack: Attack) -> None:
        """Wait until the attack has reached its aim, or for some time."""
        until = time.monotonic() + (15 if attack.marks or attack.aim == "endless" else 4)
        while time.monotonic() < until:
            reached, asked = self._adversary.reached, self._adversary.requested_paths
            if attack.marks and all(any(mark in line for line in reached) for mark in attack.marks.values()):
                return
            if (reached and not attack.marks) or len(asked) > 31 or attack.aim == "answer":
                return
            await asyncio.sleep(0.05)


@asynccontextmanager
async def unguarded(chromium: str, adversary: Adversary) -> AsyncIterator[Unguarded]:
    site = adversary.site_place
    target = f"127.0.0.1:{adversary.port}"
    # not all to the target: Chromium's own requests would be taken for the attack's
    rules = f"MAP {SITE} {site[0]}:{site[1]}, MAP {PRIVATE} {target}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", f"--host-resolver-rules={rules}", "--allow-loopback-in-peer-connection"],
        )
        try:
            yield Unguarded(browser, adversary)
        finally:
            await browser.close()


def _place(address: str) -> Place:
    """Parse a URL like the most generous parser."""
    address = re.sub(r"[\t\r\n]", "", address).strip().replace("\\", "/")
    found = re.match(r"(?:([A-Za-z][A-Za-z-]*):(?!\d))?/*([^/?#]*)(.*)", address, re.DOTALL)
    assert found is not None
    scheme, authority, path = (found[1] or "").lower(), unquote(found[2]), found[3] or "/"
    folded = unicodedata.normalize("NFKC", authority).casefold().replace("。", ".")
    shown = "".join(letter for letter in folded if unicodedata.category(letter) != "Cf").partition("\0")[0]
    host, _, port = shown.rpartition("@")[2].strip().rpartition(":")
    if not host or "]" in port:
        host, port = shown.rpartition("@")[2].strip(), ""
    host = host.strip("[]").partition("%")[0].rstrip(".")
    return scheme, host, int(port) % 65536 if port else PORTS.get(scheme, 80), path


def _literal(host: str) -> str | None:
    if ":" in host:
        return str(ipaddress.IPv6Address(host))
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return None


def _fail_on(head: bytes) -> None:
    """Fail like code that expects only usual input."""
    head = head.removesuffix(b"\r\n\r\n")
    if b"\0" in head or b"\n" in head.replace(b"\r\n", b""):
        raise ValueError("embedded null or line")
    first, *lines = head.decode("ascii").split("\r\n")
    version, status, *_ = first.split(" ")
    {"HTTP/1.0": 0, "HTTP/1.1": 1}[version]
    HTTPStatus(int(status))
    fields = dict(line.split(": ", 1) for line in lines)
    if status == "101":
        raise NotImplementedError("another protocol")
    if status == "407":
        fields["Proxy-Authenticate"]
    if wait := fields.get("Retry-After"):
        if wait.isdecimal():
            datetime.now() + timedelta(seconds=int(wait))
        else:
            parsedate_to_datetime(wait).timestamp()
            parsedate_to_datetime(wait).astimezone(None)


def _inflated(coding: str, body: bytes, most: int) -> bytes:
    """Decompress enough to show that there is no limit. Return the input unchanged if it does not have that coding."""
    try:
        if coding == "gzip":
            return _members(body, most)
        if coding == "deflate":
            is_zlib = body[:1] and body[0] & 15 == 8 and int.from_bytes(body[:2], "big") % 31 == 0
            return zlib.decompressobj(zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS).decompress(body, most)
        if coding == "br":
            return bytes(brotli.Decompressor().process(body, output_buffer_limit=most))
        if coding == "zstd":
            return _frames(body, most)
    except (zlib.error, gzip.BadGzipFile, EOFError, brotli.error, zstandard.ZstdError):
        pass
    return body


def _members(body: bytes, most: int) -> bytes:
    made, until = bytearray(), time.monotonic() + BUSY_S
    while body and len(made) < most and time.monotonic() < until:
        stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        made += stream.decompress(body[:65536], most)
        if stream.eof:
            body = (stream.unused_data + body[65536:]) if len(body) > 65536 else stream.unused_data
        else:
            made += stream.decompress(body[65536:], most)
            body = stream.unused_data
    return bytes(made)


def _frames(body: bytes, most: int) -> bytes:
    made, until = bytearray(), time.monotonic() + BUSY_S

    class Sink:
        def write(self, data: bytes) -> int:
            made.extend(data)
            return len(data)

    stream = zstandard.ZstdDecompressor().stream_writer(Sink(), closefd=False)  # type: ignore[arg-type]  # of a file it uses `write` only
    for start in range(0, len(body), 1 << 20):
        if time.monotonic() > until or len(made) > most:
            break
        stream.write(body[start : start + (1 << 20)])
    return bytes(made)
