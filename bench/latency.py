"""Time that the service adds to its upstream's time, measured with 100 uncached requests in progress at any moment.

Runs the real `markdown_url` on SQLite with full durability; the upstream responds after 2 s. Each request is for a new
address, and when a request ends, the next one begins. Goals: at most 10 ms in the median, and at most 50 ms for 99 of
100 requests.
"""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

import uvloop

from bench.fresh import Desk
from bench.table import show
from bench.upstream import HTML, MARKDOWN, upstream
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core import log
from webquarry.core.process.interpreter import put_the_loop_first
from webquarry.core.settings import Settings

IN_FLIGHT = 100
UPSTREAM_S = 2.0
ROUNDS = 10
"""Number of requests per caller. The first request is a warm-up."""
PAGES = ((MARKDOWN, "text/markdown"), (HTML, "text/html"))


async def measure(folder: Path) -> None:
    rows = []
    for body, media_type in PAGES:
        async with upstream(body, delay_s=UPSTREAM_S, media_type=media_type) as target:
            settings = Settings(data_dir=folder, egress_allow=(target,), host_concurrency=2 * IN_FLIGHT)
            async with assemble(settings, serving=True) as service:
                account, _ = await service.accounts.create(f"{media_type}@example.com", 2 * IN_FLIGHT * ROUNDS)
                desk = Desk(service, Caller(account.id, "key_bench"), target)
                with put_the_loop_first():
                    added_ms = await _load(desk)
        cuts = statistics.quantiles(added_ms, n=100)
        rows.append((media_type, len(added_ms), statistics.median(added_ms), cuts[94], cuts[98]))
    show(
        f"Milliseconds added to an upstream of {UPSTREAM_S:g} s, {IN_FLIGHT} calls in flight",
        ("upstream's page", "calls", "median", "p95", "p99"),
        rows,
        "Asked: at most 10 ms in the median and 50 ms at p99.",
    )


async def _load(desk: Desk) -> list[float]:
    """Return the milliseconds by which each request took longer than its upstream.

    Callers start evenly distributed over the upstream's delay.
    """
    added_ms: list[float] = []

    async def call(number: int) -> None:
        await asyncio.sleep(UPSTREAM_S * number / IN_FLIGHT)
        for turn in range(ROUNDS):
            began = time.perf_counter()
            await desk.ask_all(1)
            if turn:
                added_ms.append(1000 * (time.perf_counter() - began - UPSTREAM_S))

    await asyncio.gather(*(call(number) for number in range(IN_FLIGHT)))
    return added_ms


if __name__ == "__main__":
    log.set_up("warning")
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as made:
        uvloop.run(measure(Path(made)))
