"""CPU time of a cached tool call compared with the same cached response over the API, for both revisions of the
protocol.

One connection each, requests one after the other, alternating rounds. Only the server process's CPU time is measured,
because it hardly depends on other load on the machine. Goal: in the median round, a tool call takes at most three times
as long as the API request.
"""

import asyncio
import json
import os
import statistics
import tempfile
import urllib.parse
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from bench.cached import write_page
from bench.table import show
from bench.upstream import upstream
from support.server import Server

ROUNDS = 5
CALLS = 1500
MOST = 3.0
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
META = "io.modelcontextprotocol"


class Connection:
    """A persistent connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, url: str) -> Self:
        host, _, port = url.removeprefix("http://").partition(":")
        return cls(*await asyncio.open_connection(host, int(port)))

    async def ask(self, request: bytes) -> bytes:
        """Send a request and return the body of the response. Raises RuntimeError if the request failed."""
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(head.decode())
        (length,) = (line[16:] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length: "))
        return await self._reader.readexactly(int(length))

    def close(self) -> None:
        self._writer.close()


async def measure(folder: Path) -> None:
    async with upstream(write_page().encode()) as target:
        settings = {"rate_limit_per_minute": 1_000_000_000, "egress_allow": target}
        async with Server(folder / "data", **settings) as service:
            key = await service.first_key()
            page = f"http://{target}/"
            requests = {
                "API": _write_get(page, key),
                "tool, 2026-07-28": _write_call(page, key, "2026-07-28"),
                "tool, 2025-11-25": _write_call(page, key, "2025-11-25"),
            }
            sizes = {name: await _warm(service.url, request) for name, request in requests.items()}
            rounds = [
                {name: await _time(service, request) for name, request in requests.items()} for _ in range(ROUNDS)
            ]
    _tell(rounds, sizes)


def _tell(rounds: list[dict[str, float]], sizes: Mapping[str, int]) -> None:
    ratios = {name: statistics.median(each[name] / each["API"] for each in rounds) for name in sizes}
    rows = [
        (name, f"{sizes[name] / 1000:.1f} KB", 1e6 * statistics.median(each[name] for each in rounds), ratios[name])
        for name in sizes
    ]
    worst = max(ratios.values())
    verdict = f"Ratio {worst:.2f}; asked: at most {MOST:g} ({'met' if worst <= MOST else 'NOT met'})."
    headers = ("asked by", "body", "processor time of a call, µs", "ratio")
    show("Cached tool call against the same answer over the API", headers, rows, verdict)


async def _warm(url: str, request: bytes) -> int:
    """Request the response, so that it is then in memory. Return its size in bytes."""
    connection = await Connection.open(url)
    for _ in range(3):
        body = await connection.ask(request)
    connection.close()
    assert b"Twenty" in body
    return len(body)


async def _time(service: Server, request: bytes) -> float:
    """Return the seconds of CPU time that the server needs for one request."""
    connection = await Connection.open(service.url)
    before = _spent(service.pid)
    for _ in range(CALLS):
        await connection.ask(request)
    spent = _spent(service.pid) - before
    connection.close()
    return spent / CALLS


def _spent(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * TICK_S


def _write_get(page: str, key: str) -> bytes:
    query = urllib.parse.urlencode({"url": page, "format": "markdown"})
    fields = f"Host: 127.0.0.1\r\nAuthorization: Bearer {key}\r\nAccept: application/json\r\n\r\n"
    return f"GET /api/v1/markdown/url?{query} HTTP/1.1\r\n{fields}".encode()


def _write_call(page: str, key: str, revision: str) -> bytes:
    params: dict[str, object] = {"name": "markdown_url", "arguments": {"url": page}}
    routed = ""
    if revision == "2026-07-28":
        client = {"name": "bench", "version": "1"}
        params["_meta"] = {
            f"{META}/protocolVersion": revision,
            f"{META}/clientCapabilities": {},
            f"{META}/clientInfo": client,
        }
        routed = "Mcp-Method: tools/call\r\nMcp-Name: markdown_url\r\n"
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    fields = (
        f"Host: 127.0.0.1\r\nAuthorization: Bearer {key}\r\nAccept: application/json, text/event-stream\r\n"
        f"Content-Type: application/json\r\nMcp-Protocol-Version: {revision}\r\n{routed}"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return f"POST /mcp HTTP/1.1\r\n{fields}{body}".encode()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as made:
        asyncio.run(measure(Path(made)))
