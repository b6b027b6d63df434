"""Resident memory of the service, and the time it takes to start: idle, after its first page, after many.

The real server in a process of its own, as installed; a start is counted from the process to its first answered
/healthz, on an empty folder (the database is made) and on a used one.
Aims: under 120 MB idle; bar: a start within 3 s.
"""

import asyncio
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path

from bench.table import show
from bench.upstream import HTML, upstream
from support.server import Server

PAGES = 300
AIM_MB = 120
START_WITHIN_S = 3.0


async def measure(folder: Path) -> None:
    rows: list[tuple[str, float]] = []
    starts: list[tuple[str, float]] = []
    async with upstream(HTML) as target:
        settings = {"egress_allow": target, "new_account_credits": 2 * PAGES, "rate_limit_per_minute": 1_000_000}
        async with Server(folder, **settings) as service:
            key = await service.first_key()
            starts.append(("empty folder", service.ready_s))
            rows.append(("idle, first start", _resident_mb(service.pid)))
            await _pages(service.url, key, target, range(1))
            rows.append(("after the first page", _resident_mb(service.pid)))
            await _pages(service.url, key, target, range(1, PAGES))
            rows.append((f"after {PAGES} pages", _resident_mb(service.pid)))
            await service.stop()
            await service.start()
            starts.append(("used folder", service.ready_s))
            rows.append(("idle, second start", _resident_mb(service.pid)))
    show("Resident memory of the service", ("when", "MB"), rows, f"Aim: under {AIM_MB} MB idle.")
    show(
        "Time to the first answered /healthz",
        ("start on", "seconds"),
        starts,
        f"Asked: within {START_WITHIN_S:g} s.",
    )


async def _pages(url: str, key: str, target: str, numbers: range) -> None:
    for number in numbers:
        query = urllib.parse.urlencode({"url": f"http://{target}/{number}"})
        await asyncio.to_thread(_get, f"{url}/api/v1/markdown/url?{query}", key)


def _get(url: str, key: str) -> None:
    with urllib.request.urlopen(urllib.request.Request(url, headers={"x-api-key": key})) as answer:
        answer.read()


def _resident_mb(pid: int) -> float:
    """Linux's VmRSS."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"process {pid} says nothing of its memory")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as made:
        asyncio.run(measure(Path(made)))
