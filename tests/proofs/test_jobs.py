"""Workers on jobs, and PostgreSQL, are killed during their work: each item still ends once and is charged once.

`WEBQUARRY_PROOF_ROUNDS` is the number of kills for each case (default: 1).
"""

import asyncio
import os
import random
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from conftest import Store
from support.made import Board
from support.postgres import Postgres
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core.errors import Overloaded
from webquarry.jobs.kinds import BATCH
from webquarry.jobs.records import Job, NewItem, NewJob, new_job_id
from webquarry.service import Service
from webquarry.storage import open_database
from webquarry.storage.database import query

PROGRAM = Path(__file__).with_name("job_worker.py")
ROUNDS = int(os.environ.get("WEBQUARRY_PROOF_ROUNDS", "1"))
ITEMS = 500
HOSTS = 20
WAIT_S = 120.0


class Proof:
    """A store with workers in other processes, and an account that starts jobs.

    `kills` are the processes that were killed.
    """

    def __init__(self, service: Service, store: Store, trace: Path, caller: Caller) -> None:
        self.service = service
        self.trace = trace
        self.caller = caller
        self.kills: set[int] = set()
        self._arguments = store.settings.model_dump_json(include={"data_dir", "database_url"})
        self._workers: list[asyncio.subprocess.Process] = []

    async def add_worker(self) -> asyncio.subprocess.Process:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with self.trace.with_suffix(".log").open("ab") as log:
            worker = await asyncio.create_subprocess_exec(
                sys.executable, str(PROGRAM), self._arguments, str(self.trace), env=environment, stderr=log, stdout=log
            )
        self._workers.append(worker)
        return worker

    async def kill(self, worker: asyncio.subprocess.Process) -> None:
        if worker.returncode is None:
            worker.kill()
            await worker.wait()
        self.kills.add(worker.pid)

    async def close(self) -> None:
        for worker in self._workers:
            await self.kill(worker)

    async def start(self, round: int) -> Job:
        now = self.service.clock.now()
        by, expires = self.caller, now + timedelta(days=1)
        new = NewJob(new_job_id(now), by.account_id, by.key_id, BATCH, "made", {}, now, expires, max_credits=ITEMS)

        async def inputs() -> AsyncIterator[Sequence[NewItem]]:
            yield [NewItem({"key": f"{round}-{n % HOSTS}-{n}"}, f"host:{n % HOSTS}") for n in range(ITEMS)]

        return await self.service.workshop.jobs.start(new, inputs())

    async def until(self, job: Job, done: int) -> Job:
        """Wait until `done` items have ended."""
        async with asyncio.timeout(WAIT_S):
            while True:
                try:
                    found = await self.service.workshop.jobs.find(self.caller, job.id)
                except Overloaded:  # the database restarts
                    continue
                if found.counts.ended >= done:
                    return found
                await asyncio.sleep(0.02)

    async def check(self, job: Job) -> None:
        """Check that each item has ended once, and that the ledger, the items and the job agree."""
        assert (job.state, job.counts.done, job.charged, job.spent) == ("done", ITEMS, ITEMS, ITEMS)
        rows = await self.service.database.read(lambda: query(CHARGES, {"job_id": job.id}))
        assert [tuple(map(int, row)) for row in rows] == [(ITEMS, ITEMS, ITEMS, ITEMS)]
        assert await self.service.ledger.verify() == []


CHARGES = """
    SELECT (SELECT -SUM(amount) FROM ledger WHERE job_id = :job_id),
        (SELECT SUM(charged) FROM job_items WHERE job_id = :job_id),
        (SELECT COUNT(DISTINCT conversion_id) FROM job_items WHERE job_id = :job_id AND state = 'done'),
        (SELECT COUNT(DISTINCT ending) FROM job_items WHERE job_id = :job_id)"""


@asynccontextmanager
async def opened(store: Store, trace: Path) -> AsyncIterator[Proof]:
    # closed before the service opens it: a second handle of this process would drop SQLite's lock on the file
    await (await open_database(store.settings, migrate=True)).close()
    async with assemble(store.settings, registry=Board().registry()) as service:
        account, _ = await service.accounts.create("owner@example.com", 1_000_000)
        proof = Proof(service, store, trace, Caller(account.id, "key_proof"))
        try:
            yield proof
        finally:
            await proof.close()


def read_visits(trace: Path) -> dict[str, list[tuple[float, float, int]]]:
    """Return begin, end and process of each visit by host. A visit of a killed process ends with its last line."""
    lines = [line.split() for line in trace.read_text().splitlines() if line.count(" ") == 3]
    last = {int(pid): float(at) for at, pid, _, _ in lines}
    begun: dict[tuple[int, str], float] = {}
    visits: dict[str, list[tuple[float, float, int]]] = defaultdict(list)
    for at, pid, mark, key in lines:
        if mark == "+":
            begun[int(pid), key] = float(at)
        else:
            visits[key.split("-")[1]].append((begun.pop((int(pid), key)), float(at), int(pid)))
    for (process, key), start in begun.items():
        visits[key.split("-")[1]].append((start, max(start, last[process]), process))
    return visits


def count_overlaps(trace: Path) -> int:
    """Return the number of times that two processes visited a host at the same time."""
    found = 0
    for visits in read_visits(trace).values():
        visits.sort()
        for at, (_, end, pid) in enumerate(visits):
            for begin, _, other in visits[at + 1 :]:
                if begin >= end:
                    break
                found += other != pid
    return found


async def test_a_killed_worker_loses_no_item_and_charges_none_twice(store: Store, tmp_path: Path) -> None:
    dice = random.Random(5)
    async with opened(store, tmp_path / "trace") as proof:
        for round in range(ROUNDS):
            job = await proof.start(round)
            worker = await proof.add_worker()
            await proof.until(job, dice.randrange(50, 400))
            await proof.kill(worker)
            worker = await proof.add_worker()
            await proof.check(await proof.until(job, ITEMS))
            await proof.kill(worker)
        assert count_overlaps(proof.trace) == 0


@pytest.mark.parametrize("backend", ["postgres"])
async def test_two_workers_share_hosts_and_one_takes_over_from_the_other(
    store: Store, tmp_path: Path, backend: str
) -> None:
    dice = random.Random(6)
    async with opened(store, tmp_path / "trace") as proof:
        one, two = await proof.add_worker(), await proof.add_worker()
        for round in range(ROUNDS):
            job = await proof.start(round)
            await proof.until(job, dice.randrange(50, 400))
            await proof.kill(one)
            one, two = two, await proof.add_worker()
            await proof.check(await proof.until(job, ITEMS))
        assert count_overlaps(proof.trace) == 0


@pytest.mark.parametrize("backend", ["postgres"])
async def test_workers_continue_after_a_crash_of_the_database(
    store: Store, tmp_path: Path, postgres: Postgres, backend: str
) -> None:
    dice = random.Random(7)
    async with opened(store, tmp_path / "trace") as proof:
        await proof.add_worker()
        for round in range(ROUNDS):
            job = await proof.start(round)
            await proof.until(job, dice.randrange(50, 400))
            await asyncio.to_thread(postgres.restart)
            ended = await proof.until(job, ITEMS)
            assert (ended.counts.done, ended.state) == (ITEMS, "done")
            assert await proof.service.ledger.verify() == []
