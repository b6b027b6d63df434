"""Jobs in one process: 10,000 cached items, the same items as single requests, and the memory of 100,000 items.

The speed of cached items is that of taking, finding and ending them. Goals: at least 500 cached items a second, at most
15 % more processor time for items that are not cached than for the same calls one by one, and less than 150 MB for a
process that accepts and runs 100,000 items.

`--database URL` uses PostgreSQL instead of SQLite.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bench.table import bar, show
from support.made import Board
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.jobs import inputs
from webquarry.jobs.inputs import JobHead, Lines
from webquarry.jobs.records import Job
from webquarry.service import Service

CACHED = 10_000
UNCACHED = 1_500
MANY = 100_000
KEYS = 2_000
"""Number of different results. The other inputs repeat them."""
LEAST_PER_S = 500
MOST_MB = 150


@asynccontextmanager
async def open_shop(folder: Path, url: str | None) -> AsyncIterator[tuple[Service, Caller]]:
    settings = Settings(data_dir=folder, database_url=url, job_items_per_account=MANY)
    async with assemble(settings, serving=True, registry=Board().registry()) as service:
        account, _ = await service.accounts.create(f"bench{time.time_ns()}@example.com", 1_000_000)
        yield service, Caller(account.id, "key_bench")


async def run(service: Service, caller: Caller, count: int, keys: int) -> tuple[float, float, Job]:
    """Send a job as JSON lines, and wait until it ends.

    Return the seconds that starting took, the seconds that running took, and the job.
    """

    async def chunks() -> AsyncIterator[bytes]:
        yield b'{"operation":"made"}\n'
        for begin in range(0, count, 1000):
            yield b"".join(b'{"key":"k%d"}\n' % (n % keys) for n in range(begin, min(count, begin + 1000)))
            await asyncio.sleep(0)

    lines = Lines(chunks())
    head: JobHead = inputs.read_head(await lines.first())
    judge = inputs.make_judge(service.registry, head)
    new = inputs.make_job(head, judge, caller, service.clock)
    jobs, began = service.workshop.jobs, time.perf_counter()
    job = await jobs.start(new, inputs.check_all(judge, lines.inputs()), digest=lambda: lines.digest)
    started = time.perf_counter()
    while not (job := await jobs.find(caller, job.id)).is_over:  # noqa: ASYNC110  # rows have no event
        await asyncio.sleep(0.05)
    return started - began, time.perf_counter() - started, job


async def one_by_one(service: Service, caller: Caller, count: int, keys: int) -> None:
    extractor = service.registry.by_name["made"]
    for n in range(count):
        call = service.pipeline.prepare(extractor, (("key", f"k{n % keys}"),))
        await service.pipeline.answer(caller, call, request_id="r")


async def measure_speed(folder: Path, url: str | None) -> None:
    async with open_shop(folder, url) as (service, caller):
        await run(service, caller, KEYS, KEYS)
        rows = []
        for round in range(3):
            cpu = time.process_time()
            await one_by_one(service, caller, CACHED, KEYS)
            single_cpu, cpu = time.process_time() - cpu, time.process_time()
            start_s, run_s, job = await run(service, caller, CACHED, KEYS)
            job_cpu = time.process_time() - cpu
            assert (job.counts.done, job.charged) == (CACHED, 0)
            rows.append((f"{round + 1}", start_s, CACHED / run_s, 1e6 * single_cpu / CACHED, 1e6 * job_cpu / CACHED))
        best = max(row[2] for row in rows)
        show(
            f"{CACHED:,} cached items",
            ("round", "s to start", "items/s", "µs of CPU, single", "µs of CPU, item"),
            rows,
            bar(best, LEAST_PER_S),
        )


async def measure_uncached(folder: Path, url: str | None) -> None:
    """Compare items that are not cached with the same calls one by one, each in a new store."""
    rows = []
    for round in range(3):
        async with open_shop(folder / f"{round}", url) as (service, caller):
            cpu = time.process_time()
            await one_by_one(service, caller, UNCACHED, UNCACHED)
            single_cpu = time.process_time() - cpu
        async with open_shop(folder / f"{round}-job", url) as (service, caller):
            cpu = time.process_time()
            _, run_s, job = await run(service, caller, UNCACHED, UNCACHED)
            job_cpu = time.process_time() - cpu
            assert job.charged == UNCACHED
        single, item = 1e6 * single_cpu / UNCACHED, 1e6 * job_cpu / UNCACHED
        rows.append((f"{round + 1}", UNCACHED / run_s, single, item, f"{item / single:.2f}"))
    columns = ("round", "items/s", "µs of CPU, single", "µs of CPU, item", "ratio")
    show(f"{UNCACHED:,} items that are not cached", columns, rows)


async def measure_memory(folder: Path, url: str | None) -> None:
    async with open_shop(folder, url) as (service, caller):
        await run(service, caller, KEYS, KEYS)
        start_s, run_s, job = await run(service, caller, MANY, KEYS)
        assert (job.counts.done, job.charged) == (MANY, 0)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sys.stdout.write(json.dumps([start_s, run_s, peak_mb]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database")
    parser.add_argument("--memory", metavar="FOLDER", type=Path)
    options = parser.parse_args()
    if options.memory:
        asyncio.run(measure_memory(options.memory, options.database))
        return
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        asyncio.run(measure_speed(Path(folder) / "speed", options.database))
        if not options.database:  # each round needs a new store
            asyncio.run(measure_uncached(Path(folder) / "uncached", None))
        command = [sys.executable, "-m", "bench.jobs", "--memory", str(Path(folder) / "memory")]
        if options.database:
            command += ["--database", options.database]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        start_s, run_s, peak_mb = json.loads(done.stdout.splitlines()[-1])
        rows: Sequence[Sequence[object]] = [("", start_s, MANY / run_s, peak_mb)]
        show(
            f"{MANY:,} items in one job",
            ("", "s to start", "items/s", "peak MB"),
            rows,
            bar(MOST_MB / peak_mb, 1.0),
        )


if __name__ == "__main__":
    main()
