"""Group commit compared with one transaction per operation, at equal durability: SQLite with `synchronous=FULL`.

A pair is a hold and its settle. Both variants run the same code on the same disk, including compression; they differ in
the number of operations per transaction. Rounds alternate. The ratio depends on the cost of a flush, so this cost is
measured too. So is the CPU time of a pair in a group, which grouping does not reduce. Goal: ten times as many pairs,
with and without a 20 KB artifact in each settle.

`--flush-ms` simulates a slower disk for both variants: every fsync and fdatasync of the process takes this much longer
(with a preloaded library that the machine's C compiler builds).
"""

import argparse
import asyncio
import hashlib
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from bench.table import bar, show
from support.postgres import running_postgres
from webquarry.accounts import Accounts
from webquarry.core.clock import SystemClock
from webquarry.ledger import Hold, Ledger
from webquarry.pipeline import new_conversion_id
from webquarry.storage.conversions import Conversion
from webquarry.storage.database import MAX_GROUP, Database
from webquarry.storage.postgres import open_postgres
from webquarry.storage.sqlite import open_sqlite

ACCOUNTS = 200
BODY_BYTES = 20_000
LEAST = 10.0
LEAST_POSTGRES = 3.0
SINGLE_SHARE = 5
"""Number of pairs with group commit for each pair in a single transaction, which is much slower."""
SLOW_FLUSH = Path(__file__).with_name("slow_flush.c")


class Speed(NamedTuple):
    """Speed of one round. cpu_us: CPU time of all threads for one pair, in microseconds."""

    pairs_per_s: float
    cpu_us: float


def words(number: int) -> str:
    """Return a page of text with a typical compression ratio."""
    dice = random.Random(number)
    vocabulary = ["".join(dice.choices("etaoinshrdlu", k=dice.randint(2, 9))) for _ in range(1500)]
    return " ".join(dice.choices(vocabulary, k=BODY_BYTES))[:BODY_BYTES]


def artifact(page: str) -> Callable[[Hold], Conversion]:
    def of(hold: Hold) -> Conversion:
        now = hold.created_at
        later = now + timedelta(days=30)
        # random, so that the key is not close to the previous key in the index, as in the pipeline
        key = hashlib.sha256(hold.id.encode()).hexdigest()
        text = page.encode()
        return Conversion(new_conversion_id(), "bench", 1, key, None, now, later, later, None, None, b"{}", text)

    return of


@asynccontextmanager
async def open_store(folder: Path, max_group: int, *, postgres: bool) -> AsyncIterator[Database]:
    """Open an empty store in the folder, for PostgreSQL with a server that flushes every commit to the disk."""
    if not postgres:
        database: Database = open_sqlite(folder, migrate=True, max_group=max_group)
        try:
            yield database
        finally:
            await database.close()
        return
    with running_postgres(folder, {"listen_addresses": ""}) as server:
        database = await open_postgres(await server.empty_database(), migrate=True, max_group=max_group)
        try:
            yield database
        finally:
            await database.close()


class Workload(NamedTuple):
    """What each round does. answer: makes the artifact that a settle stores, or None."""

    pairs: int
    callers: int
    accounts: int
    postgres: bool
    answer: Callable[[Hold], Conversion] | None


async def one_round(folder: Path, work: Workload, *, max_group: int) -> Speed:
    clock = SystemClock()
    pairs, callers, answer = work.pairs, work.callers, work.answer
    async with open_store(folder, max_group, postgres=work.postgres) as database:
        accounts = Accounts(database, clock)
        ids = [(await accounts.create(f"{n}@example.com", 1_000_000))[0].id for n in range(work.accounts)]
        ledger = Ledger(database, clock, "bench")

        async def caller(number: int) -> None:
            for turn in range(pairs // callers):
                account = ids[(number + turn) % work.accounts]
                hold = await ledger.hold(account, 1, request_id="bench", endpoint="bench")
                await ledger.settle(hold, 1, answer(hold) if answer else None)

        started, cpu_before = time.perf_counter(), time.process_time()
        async with asyncio.TaskGroup() as callers_at_once:
            for number in range(callers):
                callers_at_once.create_task(caller(number))
        took, cpu = time.perf_counter() - started, time.process_time() - cpu_before
        if await ledger.verify():
            raise SystemExit("the books are wrong")
    done = pairs // callers * callers
    return Speed(done / took, 1_000_000 * cpu / done)


def flush_ms(folder: Path) -> float:
    """Return the milliseconds for one flush of a small append."""
    with (folder / "flush").open("wb", buffering=0) as file:
        times = []
        for _ in range(50):
            file.write(bytes(4096))
            started = time.perf_counter()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


async def measure(rounds: int, work: Workload, folder: Path) -> None:
    rows: list[list[object]] = []
    notes: list[str] = []
    page = words(1)
    for name, answer in (("hold or settle", None), ("and a 20 KB artifact", artifact(page))):
        grouped: list[Speed] = []
        single: list[Speed] = []
        flushes: list[float] = []
        for _ in range(rounds):
            for max_group, found in ((MAX_GROUP, grouped), (1, single)):
                share = work.pairs if max_group > 1 else work.pairs // SINGLE_SHARE
                with tempfile.TemporaryDirectory(dir=folder) as data:
                    os.chmod(data, 0o755)  # PostgreSQL runs as another user
                    flushes.append(flush_ms(Path(data)))
                    round_work = work._replace(pairs=share, answer=answer)
                    found.append(await one_round(Path(data), round_work, max_group=max_group))
        # ratios are taken within each round, because both sides used the same disk
        ratio = statistics.median(
            ours.pairs_per_s / theirs.pairs_per_s for ours, theirs in zip(grouped, single, strict=True)
        )
        rates = [statistics.median(speed.pairs_per_s for speed in side) for side in (grouped, single)]
        cpu_us = statistics.median(speed.cpu_us for speed in grouped)
        rows.append([name, *rates, ratio, statistics.median(flushes), cpu_us])
        notes.append(f"{name}: {bar(ratio, LEAST_POSTGRES if work.postgres else LEAST)}")
    store = "PostgreSQL" if work.postgres else "SQLite, synchronous=FULL"
    show(
        f"Ledger: group commit against one transaction each ({store}, {work.callers} callers, "
        f"{work.accounts} accounts)",
        [
            "in each transaction",
            "group commit, pairs/s",
            "one each, pairs/s",
            "ratio",
            "one flush, ms",
            "CPU of a grouped pair, µs",
        ],
        rows,
        *notes,
        f"Medians of {rounds} interleaved rounds. The ratio grows with what a flush costs.",
    )


def _on_slower_disk(flush_ms: float) -> int:
    """Run this benchmark again in a process whose flushes take `flush_ms` longer; return its exit status."""
    with tempfile.TemporaryDirectory() as made:
        library = Path(made) / "slow_flush.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SLOW_FLUSH, "-ldl"], check=True)
        environment = {**os.environ, "LD_PRELOAD": str(library), "SLOW_FLUSH_US": str(round(1000 * flush_ms))}
        return subprocess.run([sys.executable, "-m", "bench.ledger", *sys.argv[1:]], env=environment).returncode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--callers", type=int, default=256)
    parser.add_argument("--accounts", type=int, default=ACCOUNTS)
    parser.add_argument("--postgres", action="store_true", help="use a PostgreSQL server instead of SQLite")
    parser.add_argument("--folder", type=Path, default=Path(), help="where the files are written: a real disk")
    parser.add_argument("--flush-ms", type=float, default=0.0, help="add this to every flush, on both sides")
    options = parser.parse_args()
    if options.pairs < SINGLE_SHARE * options.callers:
        parser.error(f"--pairs must be at least {SINGLE_SHARE} times --callers: each caller makes one of each kind")
    if options.flush_ms and "SLOW_FLUSH_US" not in os.environ:
        sys.exit(_on_slower_disk(options.flush_ms))
    if options.flush_ms:
        print(f"\nEvery flush is made to take {options.flush_ms:g} ms longer, on both sides.")
    with tempfile.TemporaryDirectory(dir=options.folder, prefix=".bench-") as folder:
        os.chmod(folder, 0o755)
        work = Workload(options.pairs, options.callers, options.accounts, options.postgres, None)
        asyncio.run(measure(options.rounds, work, Path(folder)))


if __name__ == "__main__":
    main()
