"""Several servers on one PostgreSQL and one Redis behind nginx, as `docs/several-servers.md` describes."""

import asyncio
import re
import shutil
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from support.server import Server

_SAMPLE = Path(__file__).parents[2] / "deploy/nginx/webquarry.conf"
_HOST = "webquarry.example"


@dataclass(frozen=True, slots=True)
class Cluster:
    """Running servers, and nginx before them. url: nginx's address. key: key of the first account."""

    servers: Sequence[Server]
    url: str
    key: str

    def session(self) -> aiohttp.ClientSession:
        """Return a client of nginx with the key. It opens a connection for each request."""
        return aiohttp.ClientSession(
            self.url,
            headers={"Authorization": f"Bearer {self.key}", "Host": _HOST},
            connector=aiohttp.TCPConnector(force_close=True, limit=0),
        )


@asynccontextmanager
async def running_cluster(
    folder: Path, count: int, *, database_url: str, redis_url: str, kind: type[Server] = Server, **settings: object
) -> AsyncIterator[Cluster]:
    """Start `count` servers of a kind and nginx. The servers' folders are `folder/0`, `folder/1`, …"""
    settings = {"database_url": database_url, "redis_url": redis_url, "trusted_proxies": "127.0.0.1", **settings}
    ports = find_ports(count + 1)
    async with AsyncExitStack() as stack:
        servers: list[Server] = []
        key = ""
        for number, port in enumerate(ports[:-1]):
            (folder / str(number)).mkdir(parents=True)
            server = kind(folder / str(number), "--port", str(port), **settings)
            await stack.enter_async_context(server)
            key = key or await server.first_key()  # the other servers find an existing account
            servers.append(server)
        await stack.enter_async_context(_running_nginx(folder / "nginx", ports[:-1], ports[-1]))
        yield Cluster(servers, f"http://127.0.0.1:{ports[-1]}", key)


def find_ports(count: int) -> list[int]:
    """Return different free ports of this machine."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]
    finally:
        for each in sockets:
            each.close()


@asynccontextmanager
async def _running_nginx(folder: Path, servers: Sequence[int], port: int) -> AsyncIterator[None]:
    """Run nginx with the sample of `deploy/`, without TLS. servers: the servers' ports. port: nginx's port."""
    _write_settings(folder, servers, port)
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    process = await asyncio.create_subprocess_exec(
        program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error"), stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(30):
            while not await _accepts(port):
                assert process.returncode is None, (folder / "error").read_text()
                await asyncio.sleep(0.05)
        yield
    finally:
        process.terminate()
        await process.wait()


def _write_settings(folder: Path, servers: Sequence[int], port: int) -> None:
    folder.mkdir()
    sample = re.sub(r"server \{\n    listen 80;.*?\n\}\n", "", _SAMPLE.read_text(), count=1, flags=re.DOTALL)
    sample = re.sub(r"\n *(?:ssl_\w+ |listen \[::\]).*", "", sample)
    sample = sample.replace("listen 443 ssl http2", f"listen 127.0.0.1:{port}")
    first = re.search(r"server 127\.0\.0\.1:8080 (.*);", sample)
    assert first is not None
    sample = sample.replace(first[0], " ".join(f"server 127.0.0.1:{each} {first[1]};" for each in servers))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    events = "events { worker_connections 2048; }"
    main = f"daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error; {events}"
    (folder / "nginx.conf").write_text(f"{main} http {{ access_log off; {places}\n{sample}\n}}")


async def _accepts(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True
