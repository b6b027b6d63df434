"""Conversion of files in child processes: its overhead, and its effect on other requests.

A generated office document of about 100 KB is converted in this process, in a warm child, and by an upload to the
running service, in rotation. Then `/healthz` is requested while the service is idle, and while another process keeps
eight uploads in progress. The delay of a timer on the event loop measures the same for the pool without HTTP. Goals at
the 95th percentile: an upload takes at most 2 × the conversion; `/healthz` at most 2 × its idle time or 20 ms.
"""

import asyncio
import os
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import uvloop

from bench.table import show
from bench.uploads import Caller, under_way
from convert_support.packed import packed
from support.server import Server
from webquarry.convert.file import CONVERT, PRELOADED
from webquarry.core.clock import SystemClock
from webquarry.core.types import Deadline
from webquarry.workers.blocking import BlockingWorkers
from webquarry.workers.pool import Pool
from webquarry_convert.file.readers import convert

ROUNDS = 300
AT_ONCE = 8
TICK_S = 0.002
WATCHED_S = 5.0
WARM_UP_S = 2.0
"""Seconds until eight uploads are in progress and their workers have started."""
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName='
    '"/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="'
    'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
    "</Relationships>"
)


def document(kilobytes: int = 100) -> bytes:
    """Return a compressed Word document of about `kilobytes` KB."""
    chance = random.Random(7)
    body = b""
    count = 0
    while len(body) < kilobytes * 1000:
        count += 40
        paragraphs = "".join(_paragraph(chance) for _ in range(count))
        text = f'<?xml version="1.0"?><w:document xmlns:w="{W}"><w:body>{paragraphs}</w:body></w:document>'
        body = packed({"[Content_Types].xml": TYPES, "_rels/.rels": RELATIONS, "word/document.xml": text})
    return body


def _paragraph(chance: random.Random) -> str:
    words = " ".join("".join(chance.choices("aeinorst", k=chance.randint(2, 11))) for _ in range(70))
    return f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"


def percentile(seconds: Sequence[float], share: float) -> float:
    """Return a percentile in milliseconds."""
    return sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * share))] * 1000


async def measure(body: bytes) -> None:
    clock = SystemClock()
    pool = Pool(clock, size=max(2, os.cpu_count() or 1), queue=100, preload=PRELOADED)
    try:
        await _costs(pool, clock, body)
        await _delays(pool, clock, body)
    finally:
        await pool.close()


async def _run(pool: Pool, clock: SystemClock, body: bytes) -> None:
    await pool.run(CONVERT, body, {"name": "a.docx"}, deadline=Deadline.after(60, clock))


async def _costs(pool: Pool, clock: SystemClock, body: bytes) -> None:
    alone, there, small = [], [], []
    for _ in range(20):
        convert(body)
        await _run(pool, clock, body)
    for _ in range(ROUNDS):
        started = time.perf_counter()
        convert(body)
        alone.append(time.perf_counter() - started)
        started = time.perf_counter()
        await _run(pool, clock, body)
        there.append(time.perf_counter() - started)
        started = time.perf_counter()
        await _run(pool, clock, b"a,b\n1,2\n")
        small.append(time.perf_counter() - started)
    ratio = percentile(there, 0.95) / percentile(alone, 0.95)
    rows = [
        (name, statistics.median(times) * 1000, percentile(times, 0.95))
        for name, times in (("alone", alone), ("in a warm child", there), ("a table of 8 bytes in a warm child", small))
    ]
    show(
        f"A Word document of {len(body) // 1000} KB, {ROUNDS} times by turns",
        ("conversion", "median ms", "p95 ms"),
        rows,
        f"p95 in a child: {ratio:.2f} × the conversion alone; asked: at most 2.",
    )


async def _delays(pool: Pool, clock: SystemClock, body: bytes) -> None:
    idle = await _watched()
    done = 0

    async def upload() -> None:
        nonlocal done
        while True:
            await _run(pool, clock, body)
            done += 1

    uploads = [asyncio.create_task(upload()) for _ in range(AT_ONCE)]
    busy = await _watched()
    for task in uploads:
        task.cancel()
    await asyncio.wait(uploads)
    show(
        f"How late a timer on the event loop is, over {WATCHED_S:g} s",
        ("meanwhile", "median ms", "p95 ms", "p99 ms"),
        [
            (name, percentile(late, 0.5), percentile(late, 0.95), percentile(late, 0.99))
            for name, late in (("nothing", idle), (f"{AT_ONCE} files always under way ({done} done)", busy))
        ],
        "Asked at p95: at most 2 × the idle delay, or 20 ms.",
    )


async def serve(folder: Path, body: bytes) -> None:
    """Measure the running service over HTTP."""
    settings = {"rate_limit_per_minute": 1_000_000_000, "new_account_credits": 1_000_000}
    async with Server(folder, **settings) as service:
        caller = Caller(service.url, key := await service.first_key())
        await asyncio.to_thread(_uploads, caller, body)
        idle = await asyncio.to_thread(_healths, caller)
        async with under_way(service.url, key, AT_ONCE, body) as count:
            await asyncio.sleep(WARM_UP_S)
            busy = await asyncio.to_thread(_healths, caller)
        caller.close()
    at_idle, at_most = percentile(idle, 0.95), percentile(busy, 0.95)
    show(
        f"/healthz over HTTP, for {WATCHED_S:g} s",
        ("meanwhile", "answers", "median ms", "p95 ms", "p99 ms"),
        [
            (name, len(took), percentile(took, 0.5), percentile(took, 0.95), percentile(took, 0.99))
            for name, took in (("nothing", idle), (f"{AT_ONCE} uploads always under way ({count.uploads} done)", busy))
        ],
        f"p95 {at_most / at_idle:.2f} × idle; asked: at most 2 × idle, or 20 ms "
        f"({'met' if at_most <= max(2 * at_idle, 20) else 'NOT met'}).",
    )


def _uploads(caller: Caller, body: bytes) -> None:
    alone, uploaded = [], []
    for at in range(ROUNDS + 20):
        started = time.perf_counter()
        convert(body)
        converted = time.perf_counter()
        caller.upload(body)
        if at >= 20:
            alone.append(converted - started)
            uploaded.append(time.perf_counter() - converted)
    ratio = percentile(uploaded, 0.95) / percentile(alone, 0.95)
    show(
        f"A Word document of {len(body) // 1000} KB uploaded to the running service, {ROUNDS} times by turns",
        ("", "median ms", "p95 ms"),
        [
            (name, percentile(took, 0.5), percentile(took, 0.95))
            for name, took in (("conversion alone", alone), ("upload, answered", uploaded))
        ],
        f"p95: {ratio:.2f} × the conversion alone; asked: at most 2 ({'met' if ratio <= 2 else 'NOT met'}).",
    )


def _healths(caller: Caller) -> list[float]:
    took = []
    until = time.perf_counter() + WATCHED_S
    while (started := time.perf_counter()) < until:
        caller.health()
        took.append(time.perf_counter() - started)
        time.sleep(TICK_S)
    return took


async def _watched() -> list[float]:
    late = []
    until = time.perf_counter() + WATCHED_S
    while (started := time.perf_counter()) < until:
        await asyncio.sleep(TICK_S)
        late.append(time.perf_counter() - started - TICK_S)
    return late


def blocking(body: bytes) -> None:
    """Convert synchronously, like callers of the facade."""
    workers = BlockingWorkers(PRELOADED)
    times = []
    for at in range(ROUNDS + 20):
        started = time.perf_counter()
        workers.do(lambda isolated, _: isolated(CONVERT, body, {}, heavy=False), 60)
        if at >= 20:
            times.append(time.perf_counter() - started)
    workers.close()
    show(
        "A table of 8 bytes for a synchronous caller",
        ("median ms", "p95 ms"),
        [(statistics.median(times) * 1000, percentile(times, 0.95))],
        "Asked: under 2 ms.",
    )


if __name__ == "__main__":
    made = document()
    uvloop.run(measure(made))
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as scratch:
        asyncio.run(serve(Path(scratch) / "data", made))
    blocking(b"a,b\n1,2\n")
