"""Half an hour of mixed requests to one server: its memory, open files, processes and disk over time.

Runs the installed server with an origin of generated pages. Clients request new, cached and rendered pages, upload PDFs
and scans, call tools, run jobs, open pages of the site, and disconnect early. Prints the figures of each minute and
compares the second third with the last; `--plot FILE` writes a chart as SVG. Goals: memory, open files and processes do
not grow, and no response has a 5xx status.
"""

import argparse
import asyncio
import io
import itertools
import os
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import aiohttp
from PIL import Image, ImageDraw, ImageFont

from bench.memory import find_descendants, read_processes
from bench.table import show
from convert_support.portable import Sheet, portable
from support.origin import Asked, Origin
from support.pages import article, as_answer
from support.rendering import script
from support.server import Server

CALLERS: Final = 6
SAMPLE_S: Final = 10.0
MOST_GROWN: Final = 1.1
"""Largest allowed ratio of the last third's median to the second third's."""
SITE: Final = ("/", "/docs", "/playground", "/status", "/docs/errors", "/openapi.json")
TOOL_HEADERS: Final = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}


@dataclass(frozen=True, slots=True)
class Sample:
    """Figures of the server and of all processes below it. at_s: seconds since the start."""

    at_s: float
    memory_mb: float
    files: int
    processes: int
    temporary_mb: float
    store_mb: float
    requests: int


@dataclass
class Clients:
    """Clients that each send one random request after another until a deadline.

    seen: responses by kind and status.
    """

    url: str
    key: str
    origin: Origin
    seen: Counter[tuple[str, int]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._numbers = itertools.count()
        self._paper = portable(
            *(Sheet().lines(72, 72, [f"Line {n} of a paper with some words." for n in range(50)]) for _ in range(3))
        )
        self._scan = _draw_scan()
        for path, answer in {"new": _send_article, "app": _send_app}.items():
            self.origin.on(f"/{path}", answer)

    async def run(self, until: float) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        async with aiohttp.ClientSession(self.url, headers=headers) as session, asyncio.TaskGroup() as callers:
            for number in range(CALLERS):
                callers.create_task(self._call(session, random.Random(number), until))

    async def _call(self, session: aiohttp.ClientSession, chance: random.Random, until: float) -> None:
        ways: dict[Callable[[aiohttp.ClientSession, random.Random], Awaitable[None]], int] = {
            self._read_new: 300,
            self._read_cached: 300,
            self._call_tool: 100,
            self._open_site: 60,
            self._leave: 40,
            self._upload_paper: 30,
            self._render: 8,
            self._run_job: 4,
            self._upload_scan: 4,
        }
        while time.monotonic() < until:
            (way,) = chance.choices(list(ways), list(ways.values()))
            await way(session, chance)

    async def _read_new(self, session: aiohttp.ClientSession, _chance: random.Random) -> None:
        await self._read(session, "new page", self._new_page())

    async def _read_cached(self, session: aiohttp.ClientSession, chance: random.Random) -> None:
        await self._read(session, "cached page", self.origin.url(f"/new?shared={chance.randrange(200)}"))

    async def _render(self, session: aiohttp.ClientSession, _chance: random.Random) -> None:
        await self._read(session, "rendered page", self.origin.url(f"/app?n={next(self._numbers)}"))

    async def _read(self, session: aiohttp.ClientSession, kind: str, url: str) -> None:
        async with session.get("/api/v1/markdown/url", params={"url": url}) as answer:
            await self._note(kind, answer)

    async def _leave(self, session: aiohttp.ClientSession, chance: random.Random) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(0.05 * chance.random()):
                await session.get("/api/v1/markdown/url", params={"url": self._new_page()})

    async def _call_tool(self, session: aiohttp.ClientSession, _chance: random.Random) -> None:
        call = {"name": "markdown_url", "arguments": {"url": self._new_page()}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        async with session.post("/mcp", json=message, headers=TOOL_HEADERS) as answer:
            await self._note("tool", answer)

    async def _open_site(self, session: aiohttp.ClientSession, chance: random.Random) -> None:
        async with session.get(chance.choice(SITE)) as answer:
            await self._note("site", answer)

    async def _upload_paper(self, session: aiohttp.ClientSession, _chance: random.Random) -> None:
        await self._upload(session, "PDF", "paper.pdf", self._paper + b"%%%d" % next(self._numbers))

    async def _upload_scan(self, session: aiohttp.ClientSession, _chance: random.Random) -> None:
        await self._upload(session, "scan", "scan.png", self._scan + b"%d" % next(self._numbers))

    async def _upload(self, session: aiohttp.ClientSession, kind: str, name: str, body: bytes) -> None:
        form = aiohttp.FormData()
        form.add_field("file", body, filename=name)
        async with session.post("/api/v1/markdown/file", data=form) as answer:
            await self._note(kind, answer)

    async def _run_job(self, session: aiohttp.ClientSession, _chance: random.Random) -> None:
        inputs = [{"url": self._new_page()} for _ in range(20)]
        async with session.post("/api/v1/jobs", json={"operation": "markdown_url", "inputs": inputs}) as answer:
            body = await self._note("job", answer)
        while body.get("state") not in ("done", "failed", "canceled"):
            await asyncio.sleep(0.5)
            async with session.get(f"/api/v1/jobs/{body['id']}") as answer:
                body = await self._note("job", answer)

    def _new_page(self) -> str:
        return self.origin.url(f"/new?n={next(self._numbers)}")

    async def _note(self, kind: str, answer: aiohttp.ClientResponse) -> dict[str, Any]:
        body: Any = await answer.json() if answer.content_type == "application/json" else await answer.read()
        self.seen[kind, answer.status] += 1
        self.origin.requests.clear()
        return body if isinstance(body, dict) else {}


async def _send_article(asked: Asked, writer: asyncio.StreamWriter) -> None:
    writer.write(as_answer(article(asked.target)))
    await writer.drain()


async def _send_app(asked: Asked, writer: asyncio.StreamWriter) -> None:
    writer.write(script(f"say('Page {asked.target}')"))
    await writer.drain()


def _draw_scan() -> bytes:
    """Return a picture of a page with ten lines of text, as PNG."""
    page = Image.new("L", (1240, 900), 255)
    font = ImageFont.load_default(36)
    for line in range(10):
        ImageDraw.Draw(page).text((80, 60 + 80 * line), f"Line {line}: the quick brown fox jumps over it", 0, font)
    file = io.BytesIO()
    page.save(file, "PNG")
    return file.getvalue()


async def _watch(clients: Clients, pid: int, folder: Path, began: float) -> list[Sample]:
    """Take a sample every ten seconds until canceled."""
    samples: list[Sample] = []
    with suppress(asyncio.CancelledError):
        while True:
            await asyncio.sleep(SAMPLE_S)
            figures = await asyncio.to_thread(_measure, pid, folder)
            samples.append(Sample(time.monotonic() - began, *figures, clients.seen.total()))
    return samples


def _measure(pid: int, folder: Path) -> tuple[float, int, int, float, float]:
    """Return memory (PSS) in MB, open files, processes, and MB of temporary files and of the store."""
    found = [pid, *find_descendants(pid)]
    files = 0
    for each in found:
        with suppress(OSError):
            files += len(os.listdir(f"/proc/{each}/fd"))
    return read_processes(pid), files, len(found), _weigh(folder / "tmp"), _weigh(folder / "data")


def _weigh(folder: Path) -> float:
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.lstat().st_size
    return total / (1 << 20)


async def measure(folder: Path, minutes: float) -> list[Sample]:
    """Run the clients, print the figures, and return the samples."""
    for name in ("data", "tmp"):
        (folder / name).mkdir()
    os.environ["TMPDIR"] = str(folder / "tmp")
    async with Origin() as origin:
        settings = {"egress_allow": origin.target, "first_account_credits": 10_000_000, "rate_limit_per_minute": 10**6}
        async with Server(folder / "data", **settings, host_concurrency=CALLERS) as server:
            clients = Clients(server.url, await server.first_key(), origin)
            began = time.monotonic()
            watch = asyncio.create_task(_watch(clients, server.pid, folder, began))
            await clients.run(began + 60 * minutes)
            watch.cancel()
            samples = await watch
            assert await server.stop() == 0
            verified = await server.command("ledger", "verify")
    _show(samples, clients.seen, verified.out.strip())
    return samples


def _show(samples: Sequence[Sample], seen: Counter[tuple[str, int]], verified: str) -> None:
    kinds = sorted({kind for kind, _ in seen})
    show(
        f"{seen.total():,} responses in {samples[-1].at_s / 60:.0f} minutes",
        ("kind", "responses by status"),
        [
            (kind, ", ".join(f"{status}: {n:,}" for (of, status), n in sorted(seen.items()) if of == kind))
            for kind in kinds
        ],
        verified,
    )
    third = len(samples) // 3
    rows = []
    for name in ("memory_mb", "files", "processes", "temporary_mb", "store_mb"):
        first, last = (
            statistics.median(getattr(each, name) for each in part)
            for part in (samples[third : 2 * third], samples[-third:])
        )
        rows.append((name, first, last, last / first if first else 1.0))
    show(
        "Medians of the second and of the last third",
        ("figure", "second third", "last third", "ratio"),
        rows,
        f"Asked: memory, files and processes grow by at most {MOST_GROWN - 1:.0%}. The store keeps new responses.",
    )


WIDTH, HEIGHT, LEFT = 720, 110, 60


def draw(samples: Sequence[Sample]) -> str:
    """Return charts of the samples, one below the other, as SVG."""
    named = {
        "memory of all processes, MB (PSS)": [each.memory_mb for each in samples],
        "open files": [float(each.files) for each in samples],
        "processes": [float(each.processes) for each in samples],
        "temporary files, KB": [1024 * each.temporary_mb for each in samples],
        "requests per second": [0.0, *((b.requests - a.requests) / (b.at_s - a.at_s) for a, b in pairwise(samples))],
    }
    charts = (
        _draw_chart(title, [each.at_s for each in samples], values, top=row * (HEIGHT + 50))
        for row, (title, values) in enumerate(named.items())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {(HEIGHT + 50) * len(named)}" '
        f'font-family="sans-serif" font-size="12" fill="#666">{"".join(charts)}</svg>\n'
    )


def _draw_chart(title: str, times: Sequence[float], values: Sequence[float], *, top: int) -> str:
    """Return a line chart whose axis starts at 0."""
    most, last = max(values) or 1.0, times[-1]
    points = " ".join(
        f"{LEFT + WIDTH * at / last:.1f},{top + 25 + HEIGHT * (1 - value / most):.1f}"
        for at, value in zip(times, values, strict=True)
    )
    bottom = top + 25 + HEIGHT
    return (
        f'<text x="{LEFT}" y="{top + 15}">{title}</text><text x="0" y="{top + 35}">{most:,.0f}</text>'
        f'<text x="0" y="{bottom}">0</text><text x="{LEFT + WIDTH - 50}" y="{bottom + 15}">{last / 60:.0f} min</text>'
        f'<path d="M{LEFT} {top + 25}V{bottom}H{LEFT + WIDTH}" fill="none" stroke="#999"/>'
        f'<polyline points="{points}" fill="none" stroke="#2a6fdb" stroke-width="1.5"/>'
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--plot", type=Path)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as made:
        taken = asyncio.run(measure(Path(made), chosen.minutes))
    if chosen.plot is not None:
        chosen.plot.write_text(draw(taken))
