"""All features of the service, requested from one server for a while: its memory does not grow and it does not fail."""

import asyncio
import os
import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from support.server import Server
from webquarry.core.errors import ANSWERED
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.registry import API_PREFIX, load
from webquarry.sandbox.cases import list_questions

CALLERS = 8
WARM_SHARE = 0.4
"""Share of requests after which caches are full and children are running. From then on, memory must not grow."""
MOST_GROWN_MB = 40
MOST_GROWN_FILES = 16
PAGES = ("/", "/docs", "/playground", "/status", "/metrics", "/openapi.json", "/llms.txt", "/readyz", "/docs/errors")
BENT = ("", "x" * 5000, "\0", "-1", "%%", "\U0001f4a5")
"""Values that most parameters refuse."""
MEGABYTE = 1 << 20
DOCUMENTED = {(error.status, error.code) for error in ANSWERED}


@dataclass
class Soak:
    """Clients that each send one random request after another. seen: (what, status, code) of every response."""

    url: str
    key: str
    seen: Counter[tuple[str, int, str]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        endpoints = list(load())
        self.questions = [(e, dict(q)) for e in endpoints if e.upload is None for q in list_questions(e.name)]
        self.file = next(e.upload.example for e in endpoints if e.upload is not None)

    async def run(self, calls: int, seed: int) -> None:
        """Send `calls` requests with `CALLERS` concurrent clients."""
        async with (
            aiohttp.ClientSession(self.url, headers={"Authorization": f"Bearer {self.key}"}) as session,
            asyncio.TaskGroup() as callers,
        ):
            for number in range(CALLERS):
                callers.create_task(self._call(session, random.Random(f"{seed} {number}"), calls // CALLERS))

    async def _call(self, session: aiohttp.ClientSession, lot: random.Random, calls: int) -> None:
        ways = {
            self._ask: 60,
            self._send: 8,
            self._leave: 6,
            self._tool: 10,
            self._open: 6,
            self._bend: 6,
            self._read: 4,
        }
        for way in lot.choices(list(ways), list(ways.values()), k=calls):
            await way(session, lot)

    async def _ask(self, session: aiohttp.ClientSession, lot: random.Random) -> None:
        endpoint, query = lot.choice(self.questions)
        headers = {"Cache-Control": "no-cache"} if lot.random() < 0.5 else {}
        form = lot.choice(("both", "json", "markdown"))
        async with session.get(_path(endpoint), params={**query, "format": form}, headers=headers) as answer:
            await self._note("call", answer)

    async def _leave(self, session: aiohttp.ClientSession, lot: random.Random) -> None:
        """Disconnect before the response."""
        endpoint, query = lot.choice(self.questions)
        with suppress(TimeoutError):
            async with asyncio.timeout(0.05 * lot.random()):
                await session.get(_path(endpoint), params=query, headers={"Cache-Control": "no-cache"})

    async def _bend(self, session: aiohttp.ClientSession, lot: random.Random) -> None:
        endpoint, query = lot.choice(self.questions)
        bent = {**query, lot.choice([*query, "unknown"]): lot.choice(BENT)}
        async with session.get(_path(endpoint), params=bent) as answer:
            await self._note("bent", answer)

    async def _send(self, session: aiohttp.ClientSession, _lot: random.Random) -> None:
        form = aiohttp.FormData()
        form.add_field("file", self.file.body, filename=self.file.name)
        async with session.post(f"{API_PREFIX}/markdown/file", data=form) as answer:
            await self._note("upload", answer)

    async def _tool(self, session: aiohttp.ClientSession, lot: random.Random) -> None:
        endpoint, query = lot.choice(self.questions)
        call = {"name": endpoint.name, "arguments": query}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
        async with session.post("/mcp", json=message, headers=headers) as answer:
            await self._note("tool", answer)

    async def _open(self, session: aiohttp.ClientSession, lot: random.Random) -> None:
        async with session.get(lot.choice(PAGES)) as answer:
            await self._note("page", answer)

    async def _read(self, session: aiohttp.ClientSession, _lot: random.Random) -> None:
        async with session.get(f"{API_PREFIX}/account/usage") as answer:
            await self._note("usage", answer)

    async def _note(self, what: str, answer: aiohttp.ClientResponse) -> None:
        body: Any = await answer.json() if answer.content_type == "application/json" else await answer.read()
        code = body.get("code", "") if isinstance(body, dict) and answer.status != 200 else ""
        self.seen[what, answer.status, code] += 1


def _path(endpoint: Extractor) -> str:
    return f"{API_PREFIX}{endpoint.path}"


def _measure(pid: int) -> tuple[float, int]:
    """Return the memory of a process in megabytes, and its number of open files."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE, len(os.listdir(f"/proc/{pid}/fd"))


@pytest.mark.parametrize("calls", [400, pytest.param(20_000, marks=pytest.mark.long)])
async def test_long_operation_neither_leaks_nor_fails(calls: int, tmp_path: Path) -> None:
    settings = {"rate_limit_per_minute": 1_000_000, "first_account_credits": 10 * calls, "cache_mb": 8}
    async with Server(tmp_path, "--sandbox", **settings) as server:
        soak = Soak(server.url, await server.first_key())
        await soak.run(int(WARM_SHARE * calls), seed=1)
        warm_mb, warm_files = _measure(server.pid)
        await soak.run(int((1 - WARM_SHARE) * calls), seed=2)
        held_mb, held_files = _measure(server.pid)
        assert await server.stop() == 0
        verified = await server.command("ledger", "verify", "--sandbox")

    refused = {(status, code) for what, status, code in soak.seen if status != 200}
    assert refused <= DOCUMENTED
    assert not {answer for answer in soak.seen if answer[1] >= 500}
    assert {status for what, status, _ in soak.seen if what in ("call", "upload", "tool", "page", "usage")} == {200}
    assert held_mb - warm_mb < MOST_GROWN_MB
    assert held_files - warm_files < MOST_GROWN_FILES
    assert (verified.code, verified.out) == (0, "The ledger is consistent.\n")
