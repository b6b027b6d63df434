"""Concurrent requests: 500 different addresses through the pipeline of one process; the upstream responds after 2 s.

Runs the real `markdown_url` on SQLite with full durability, in a process that schedules its work as `serve` does. The
upstream is another process, and the politeness limits of its host are raised by a setting. Warm-up requests come first,
because imports and first connections should not count. Goals: all requests done within 2.6 s, and less than 100 KB of
peak resident memory per request.
"""

import asyncio
import resource
import tempfile
import time
import uuid
from pathlib import Path

import uvloop

from bench.table import show
from bench.upstream import HTML, MARKDOWN, upstream
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core import log
from webquarry.core.process.interpreter import put_the_loop_first
from webquarry.core.settings import Settings
from webquarry.pipeline import Answer
from webquarry.service import Service

CALLS = 500
UPSTREAM_S = 2.0
WITHIN_S = 2.6
MAX_KB = 100
WARM_UP = 8
PAGES = ((MARKDOWN, "text/markdown"), (HTML, "text/html"))


async def measure(folder: Path) -> None:
    rows = []
    for body, media_type in PAGES:
        async with upstream(body, delay_s=UPSTREAM_S, media_type=media_type) as target:
            settings = Settings(data_dir=folder, egress_allow=(target,), host_concurrency=2 * CALLS)
            async with assemble(settings, serving=True) as service:
                account, _ = await service.accounts.create(f"{media_type}@example.com", 10 * CALLS)
                desk = Desk(service, Caller(account.id, "key_bench"), target)
                await desk.ask_all(WARM_UP)
                with put_the_loop_first():
                    rows += [(media_type, *await _round(desk, calls)) for calls in (1, CALLS // 5, CALLS)]
                assert not await service.ledger.verify()
    show(
        f"Fresh calls in flight, upstream of {UPSTREAM_S:g} s",
        ("upstream's page", "calls", "seconds", "ms of ours, each", "KB each"),
        rows,
        f"Asked of {CALLS} calls: at most {WITHIN_S} s, less than {MAX_KB} KB each. A page of text/markdown is not "
        "converted, though a child looks into it as well: it shows what the path itself costs. The children share the "
        "processors with the service.",
    )


class Desk:
    """A client that requests a new URL each time."""

    def __init__(self, service: Service, caller: Caller, target: str) -> None:
        self._service = service
        self._caller = caller
        self._target = target

    async def ask_all(self, calls: int) -> None:
        answers = await asyncio.gather(*(self._ask() for _ in range(calls)))
        assert {(answer.cache, answer.charged) for answer in answers} == {("miss", 1)}

    async def _ask(self) -> Answer:
        pipeline = self._service.pipeline
        query = (("url", f"http://{self._target}/{uuid.uuid4()}"), ("format", "both"))
        call = pipeline.prepare(self._service.registry.by_name["markdown_url"], query)
        return await pipeline.answer(self._caller, call, request_id="req_bench")


async def _round(desk: Desk, calls: int) -> tuple[int, float, float, float]:
    """Return the number of requests, the seconds, and per request the ms beyond the upstream's delay and the growth
    of the peak in KB."""
    before_kb = _peak_kb()
    began = time.perf_counter()
    await desk.ask_all(calls)
    took_s = time.perf_counter() - began
    return calls, took_s, 1000 * (took_s - UPSTREAM_S) / calls, (_peak_kb() - before_kb) / calls


def _peak_kb() -> int:
    """Return the peak of the resident memory so far, in KB (Linux)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    log.set_up("warning")
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as made:
        uvloop.run(measure(Path(made)))
