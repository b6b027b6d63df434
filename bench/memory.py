"""Memory of the service and of its children, and the time it takes to start: idle, after its first page, after many.

The real server in a process of its own, as installed; a start is counted from the process to its first answered
/healthz, on an empty folder (the database is made) and on a used one.
Told are the resident memory (RSS) of the service, and its and its children's share (PSS), in which what several
processes have in common is divided among them. Aims: the service under 120 MB before the first page, all together under
220 MB with warm children; bar: a start within 3 s.
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
ALL_MB = 220
WARM_S = 6.0
"""Until the children are there."""
START_WITHIN_S = 3.0


async def measure(folder: Path) -> None:
    rows: list[tuple[str, float, float, int, float, float]] = []
    starts: list[tuple[str, float]] = []
    async with upstream(HTML) as target:
        settings = {"egress_allow": target, "new_account_credits": 2 * PAGES, "rate_limit_per_minute": 1_000_000}
        async with Server(folder, **settings) as service:
            key = await service.first_key()
            starts.append(("empty folder", service.ready_s))
            await asyncio.sleep(WARM_S)
            rows.append(("idle, first start", *_memory(service.pid)))
            await _pages(service.url, key, target, range(1))
            rows.append(("after the first page", *_memory(service.pid)))
            await _pages(service.url, key, target, range(1, PAGES))
            rows.append((f"after {PAGES} pages", *_memory(service.pid)))
            await service.stop()
            await service.start()
            starts.append(("used folder", service.ready_s))
            await asyncio.sleep(WARM_S)
            rows.append(("idle, second start", *_memory(service.pid)))
    show(
        "Memory in MB",
        ("when", "service, RSS", "service, PSS", "children", "children, PSS", "together, PSS"),
        rows,
        f"Aims: the service under {AIM_MB} MB before the first page, together under {ALL_MB} MB.",
    )
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


def _memory(pid: int) -> tuple[float, float, int, float, float]:
    """RSS and PSS of a process, the number of its children, their PSS, and that of all."""
    children = [int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in _words(task / "children")]
    own_mb, shares_mb = _mb(pid, "Pss"), [_mb(child, "Pss") for child in children]
    return _mb(pid, "Rss"), own_mb, len(children), sum(shares_mb), own_mb + sum(shares_mb)


def _words(path: Path) -> list[str]:
    return path.read_text().split()


def _mb(pid: int, what: str) -> float:
    """What Linux tells in smaps_rollup."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(f"{what}:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"process {pid} says nothing of its memory")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as made:
        asyncio.run(measure(Path(made)))
