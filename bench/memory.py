"""Memory of the service and its child processes, and its start-up time.

Starts the real server as installed, and measures it idle, after its first page, and after many pages. Start-up is the
time from the start of the process to its first response to /healthz, on an empty folder (including creation of the
database) and on a used one. Shows the resident memory (RSS) of the service, and the proportional memory (PSS) of the
service and of the fork server and its children, in which memory shared by processes is divided among them. Goals: the
service under 120 MB before the first page, all processes under 220 MB with warm children, start-up within 3 s.
"""

import asyncio
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bench.table import show
from bench.upstream import HTML, upstream
from support.server import Server

PAGES = 300
AIM_MB = 120
ALL_MB = 220
WARM_S = 6.0
"""Seconds until the children have started."""
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
        ("when", "service, RSS", "service, PSS", "processes below", "their PSS", "together, PSS"),
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
    """Return RSS and PSS of a process, the number of its descendants, their PSS, and the PSS of all, in MB."""
    below = list(find_descendants(pid))
    own_mb, below_mb = _mb(pid, "Pss"), sum(_mb(each, "Pss") for each in below)
    return _mb(pid, "Rss"), own_mb, len(below), below_mb, own_mb + below_mb


def read_processes(pid: int) -> float:
    """Return the PSS of a process and all its descendants in MB. Processes that end meanwhile are not counted."""
    found = 0.0
    for each in (pid, *find_descendants(pid)):
        with suppress(OSError, RuntimeError):
            found += _mb(each, "Pss")
    return found


def find_descendants(pid: int) -> Iterator[int]:
    """Yield the descendants of a process: the fork server, and the child processes that it starts.

    Processes that end in the meantime are skipped.
    """
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                yield child
                yield from find_descendants(child)


def _mb(pid: int, what: str) -> float:
    """Return a process's value from Linux's `smaps_rollup`, in MB."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(f"{what}:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"process {pid} says nothing of its memory")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as made:
        asyncio.run(measure(Path(made)))
