"""The samples for nginx and Caddy in front of a real server: with other ports, otherwise unchanged."""

import asyncio
import json
import re
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from support.server import Server
from webquarry.api.addresses import Addresses
from webquarry.endpoints.registry import load
from webquarry.endpoints.snippets import example_path

DEPLOY = Path(__file__).parents[2] / "deploy"
HOST = "webquarry.example"
TEN_MB = 10 * 1024 * 1024


def find_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def write_nginx(folder: Path, server_port: int, port: int) -> list[str]:
    """Write nginx' configuration around the sample. Return the command that starts it."""
    subject = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    subprocess.run([*command, *files, *subject], check=True, capture_output=True)
    sample = (DEPLOY / "nginx" / "webquarry.conf").read_text()
    sample = sample.replace("/etc/ssl/webquarry", str(folder)).replace("127.0.0.1:8080", f"127.0.0.1:{server_port}")
    sample = re.sub(r"\n *listen \[::\].*|\n *listen 80;", "", sample)
    sample = sample.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    sample = sample.replace("    return 301", f"    listen 127.0.0.1:{find_port()};\n    return 301")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    main = f"daemon off; pid {folder}/pid; error_log {folder}/error; events {{}}"
    (folder / "nginx.conf").write_text(f"{main} http {{ access_log off; {places}\n{sample}\n}}")
    return ["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error")]


def write_caddy(folder: Path, server_port: int, port: int) -> list[str]:
    """Write Caddy's configuration around the sample, with a self-signed certificate.

    Return the command that starts it.
    """
    sample = (DEPLOY / "caddy" / "Caddyfile").read_text()
    sample = sample.replace("127.0.0.1:8080", f"127.0.0.1:{server_port}")
    sample = sample.replace(f"\n{HOST} {{", f"\nhttps://{HOST}:{port} {{\n\tbind 127.0.0.1\n\ttls internal")
    lines = ("admin off", f"http_port {find_port()}", "skip_install_trust", f"storage file_system {folder}/caddy")
    settings = "{\n" + "".join(f"\t{line}\n" for line in lines) + "}\n"
    (folder / "Caddyfile").write_text(settings + sample)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


PROXIES = {"nginx": write_nginx, "caddy": write_caddy}


def write_command(name: str, folder: Path, server_port: int, port: int) -> list[str]:
    folder.mkdir()
    return PROXIES[name](folder, server_port, port)


class Front:
    """A proxy in front of a sandbox. curl sends requests to its public address."""

    def __init__(self, port: int, key: str) -> None:
        self._port = port
        self._key = key

    async def ask(self, path: str, *options: str) -> tuple[int, bytes]:
        """Return status and body. options: options of curl."""
        process = await asyncio.create_subprocess_exec(
            *("curl", "--silent", "--insecure", "--max-time", "60", "--write-out", "\n%{http_code}"),
            *(
                "--resolve",
                f"{HOST}:{self._port}:127.0.0.1",
                "--header",
                f"Authorization: Bearer {self._key}",
                *options,
            ),
            f"https://{HOST}:{self._port}{path}",
            stdout=asyncio.subprocess.PIPE,
        )
        body, _, status = (await process.communicate())[0].rpartition(b"\n")
        return int(status), body


@pytest.fixture(params=list(PROXIES))
def proxy(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if shutil.which(name) is None or shutil.which("curl") is None:
        pytest.skip(f"{name} or curl is not installed")
    return name


@asynccontextmanager
async def running(name: str, folder: Path, server_port: int, key: str = "") -> AsyncIterator[Front]:
    """Run a proxy in front of the server on a port of this machine."""
    port = find_port()
    command = write_command(name, folder, server_port, port)
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(*command, stdout=log, stderr=log)
    front = Front(port, key)
    try:
        async with asyncio.timeout(60):
            while (await front.ask("/healthz"))[0] != 200:
                assert process.returncode is None, (folder / "log").read_text()
                await asyncio.sleep(0.1)
        yield front
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@pytest.fixture
async def front(proxy: str, tmp_path: Path) -> AsyncIterator[Front]:
    (tmp_path / "data").mkdir()
    async with Server(tmp_path / "data", "--sandbox", trusted_proxies="127.0.0.1") as server:
        port = int(server.url.rpartition(":")[2])
        async with running(proxy, tmp_path / "proxy", port, await server.first_key()) as front:
            yield front


async def test_proxy_names_the_visitor_whatever_the_visitor_claims(proxy: str, tmp_path: Path) -> None:
    asked: list[bytes] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    upstream = await asyncio.start_server(take, "127.0.0.1", 0)
    async with upstream, running(proxy, tmp_path / "proxy", upstream.sockets[0].getsockname()[1]) as front:
        await front.ask("/", "--interface", "127.0.0.9", "--header", "X-Forwarded-For: 192.0.2.1")
    lines = asked[-1].lower().split(b"\r\n")[1:-2]
    headers = [(name, value.strip()) for name, _, value in (line.partition(b":") for line in lines)]
    scope = {"client": ("127.0.0.1", 1), "headers": headers}
    assert Addresses(["127.0.0.1"]).network_of(scope) == "127.0.0.9"
    assert dict(headers)[b"host"].partition(b":")[0] == HOST.encode()


async def test_proxy_passes_calls(front: Front) -> None:
    status, body = await front.ask(example_path(load().by_name["markdown_url"]))
    assert (status, json.loads(body)["creditsCharged"]) == (200, 1)


async def test_file_of_the_largest_size_gets_through_and_a_larger_one_is_refused_by_the_service(
    front: Front, tmp_path: Path
) -> None:
    answers = {}
    for name, size in (("fits", TEN_MB - 1), ("larger", TEN_MB + 1)):
        (tmp_path / name).write_bytes(b"\0" * size)
        status, body = await front.ask("/api/v1/markdown/file", "--form", f"file=@{tmp_path / name}")
        answers[name] = (status, json.loads(body)["code"])
    assert answers == {"fits": (415, "unsupported_type"), "larger": (413, "file_too_large")}


async def test_query_reaches_the_service_letter_by_letter(front: Front) -> None:
    status, body = await front.ask("/api/v1/markdown/url?url=https%3A%2F%2Fa.example%2F%3Fq%3D1%2526&format=nothing")
    assert (status, json.loads(body)["code"]) == (400, "invalid_params")
