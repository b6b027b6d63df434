"""Workers on jobs and PostgreSQL are killed in the middle: each item ends once and is charged once.

`WEBQUARRY_PROOF_ROUNDS` is the number of kills for each case (default: 1), `WEBQUARRY_PROOF_PAGES` the size of the site
that is crawled (default: 5,000).
"""

import asyncio
import os
import random
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from conftest import Store
from support.made import Board
from support.made_site import MadeSite
from support.postgres import Postgres
from webquarry.accounts import Caller
from webquarry.app import assemble
from webquarry.core.errors import Overloaded
from webquarry.core.settings import Settings
from webquarry.jobs.crawl_request import CrawlRequest
from webquarry.jobs.kinds import BATCH
from webquarry.jobs.records import Item, Job, NewItem, NewJob, new_job_id
from webquarry.service import Service
from webquarry.storage import open_database
from webquarry.storage.database import query

PROGRAM = Path(__file__).with_name("job_worker.py")
ROUNDS = int(os.environ.get("WEBQUARRY_PROOF_ROUNDS", "1"))
ITEMS = 500
HOSTS = 20
WAIT_S = 120.0
PAGES = int(os.environ.get("WEBQUARRY_PROOF_PAGES", "5000"))
CRAWL_S = 1800.0


class Proof:
    """A store with workers in other processes, and an account that starts jobs.

    `kills` are the processes that were killed.
    """

    def __init__(self, service: Service, settings: Settings, trace: Path, caller: Caller, *, crawls: bool) -> None:
        self.service = service
        self.trace = trace
        self._work = "crawl" if crawls else str(trace)
        self.caller = caller
        self.kills: set[int] = set()
        self._arguments = settings.model_dump_json(include={"data_dir", "database_url", "egress_allow"})
        self._workers: list[asyncio.subprocess.Process] = []

    async def add_worker(self) -> asyncio.subprocess.Process:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with self.trace.with_suffix(".log").open("ab") as log:
            worker = await asyncio.create_subprocess_exec(
                sys.executable, str(PROGRAM), self._arguments, self._work, env=environment, stderr=log, stdout=log
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

    async def start(self, round: int, max_credits: int = ITEMS) -> Job:
        now = self.service.clock.now()
        by, expires = self.caller, now + timedelta(days=1)
        new = NewJob(
            new_job_id(now), by.account_id, by.key_id, BATCH, "made", {}, now, expires, max_credits=max_credits
        )

        async def inputs() -> AsyncIterator[Sequence[NewItem]]:
            yield [NewItem({"key": f"{round}-{n % HOSTS}-{n}"}, f"host:{n % HOSTS}") for n in range(ITEMS)]

        return await self.service.workshop.jobs.start(new, inputs())

    async def crawl(self, site: MadeSite, **body: Any) -> Job:
        request = CrawlRequest(url=site.url("/"), limit=50_000, **body)
        return await self.service.workshop.crawls.start(self.caller, request, "digest")

    async def list_pages(self, job: Job) -> list[Item]:
        """Return the items of a crawl that are pages of the site, without copies and traps."""
        after, found = -1, list[Item]()
        while items := await self.service.workshop.jobs.list_items(job, after=after):
            after = items[-1].n
            found += (item for item in items if item.state == "done" and "copy_of" not in (item.details or {}))
        return found

    async def until(self, job: Job, done: int, *, wait_s: float = WAIT_S) -> Job:
        """Wait until so many items have ended, or the job has."""
        async with asyncio.timeout(wait_s):
            while True:
                try:
                    found = await self.service.workshop.jobs.find(self.caller, job.id)
                except Overloaded:  # the database restarts
                    continue
                if found.counts.ended >= done or found.is_over:
                    return found
                await asyncio.sleep(0.02)

    async def check(self, job: Job) -> None:
        """Check that each item has ended once, and that the ledger, the items and the job agree."""
        assert (job.state, job.counts.done, job.charged, job.spent) == ("done", ITEMS, ITEMS, ITEMS)
        assert await self.read_charges(job) == (ITEMS, ITEMS, ITEMS, ITEMS)
        assert await self.service.ledger.verify() == []

    async def read_charges(self, job: Job) -> tuple[int, ...]:
        """Return the credits charged by the ledger and by items, and the numbers of results and endings."""
        [row] = await self.service.database.read(lambda: query(CHARGES, {"job_id": job.id}))
        return tuple(int(value or 0) for value in row)


CHARGES = """
    SELECT (SELECT -SUM(amount) FROM ledger WHERE job_id = :job_id),
        (SELECT SUM(charged) FROM job_items WHERE job_id = :job_id),
        (SELECT COUNT(DISTINCT conversion_id) FROM job_items WHERE job_id = :job_id AND state = 'done'),
        (SELECT COUNT(DISTINCT ending) FROM job_items WHERE job_id = :job_id)"""


@asynccontextmanager
async def opened(store: Store, trace: Path, site: MadeSite | None = None) -> AsyncIterator[Proof]:
    """Open a store for workers. With `site`, they crawl it and have the endpoints of the service."""
    # closed before the service opens it: a second handle of this process would drop SQLite's lock on the file
    await (await open_database(store.settings, migrate=True)).close()
    settings = store.settings if site is None else store.settings.model_copy(update={"egress_allow": (site.target,)})
    async with assemble(settings, registry=Board().registry() if site is None else None) as service:
        account, _ = await service.accounts.create("owner@example.com", 1_000_000)
        proof = Proof(service, settings, trace, Caller(account.id, "key_proof"), crawls=site is not None)
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
    """Return how often two processes visited a host at the same time."""
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
@pytest.mark.long
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
async def test_workers_go_on_after_a_crash_of_the_database(
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


@pytest.mark.long
async def test_budget_is_exact_while_twenty_lanes_work_and_a_worker_is_killed(store: Store, tmp_path: Path) -> None:
    budget = 137
    async with opened(store, tmp_path / "trace") as proof:
        for round in range(ROUNDS):
            job = await proof.start(round, max_credits=budget)
            worker = await proof.add_worker()
            await proof.until(job, 60)
            await proof.kill(worker)
            worker = await proof.add_worker()
            ended = await proof.until(job, ITEMS)
            assert (ended.state, ended.charged, ended.spent) == ("done", budget, budget)
            assert (ended.counts.done, ended.counts.stopped) == (budget, ITEMS - budget)
            assert (await proof.read_charges(job))[:3] == (budget, budget, budget)
            assert await proof.service.ledger.verify() == []
            await proof.kill(worker)


async def test_cancelled_job_is_still_within_two_seconds(store: Store, tmp_path: Path) -> None:
    async with opened(store, tmp_path / "trace") as proof:
        worker = await proof.add_worker()
        for round in range(ROUNDS):
            job = await proof.start(round)
            await proof.until(job, 100)
            began = time.monotonic()
            cancelled = await proof.service.workshop.jobs.cancel(proof.caller, job.id)
            took_s = time.monotonic() - began
            await asyncio.sleep(max(0.0, 2 - took_s))
            lines = proof.trace.read_text().count("\n")
            await asyncio.sleep(1)
            assert proof.trace.read_text().count("\n") == lines  # no item runs
            assert (took_s < 2, cancelled.state) == (True, "cancelled")
            assert await proof.read_charges(job) == (cancelled.charged,) * 4  # holds of items that ran are refunded
            assert cancelled.charged < ITEMS
        await proof.kill(worker)
        assert await proof.service.ledger.verify() == []


@pytest.mark.long
async def test_crawl_finds_each_page_after_three_kills_and_then_each_change(store: Store, tmp_path: Path) -> None:
    sections = max(1, PAGES // 100)
    async with (
        MadeSite(sections, 100, trapped_every=20) as site,
        opened(store, tmp_path / "trace", site) as proof,
    ):
        job = await proof.crawl(site)
        for kill in range(3):
            worker = await proof.add_worker()
            await proof.until(job, (kill + 1) * PAGES // 4, wait_s=CRAWL_S)
            await proof.kill(worker)
        await proof.add_worker()
        first = await proof.until(job, 10**9, wait_s=CRAWL_S)
        pages = [page.input["url"] for page in await proof.list_pages(first)]
        assert (first.state, first.reason) == ("done", None)
        assert site.addresses <= set(pages)
        assert len(pages) == len(set(pages))
        assert not any(target.startswith("/private/") for target in site.counts)
        charged, of_items, _, endings = await proof.read_charges(first)
        assert (charged, of_items, endings) == (first.charged, first.charged, first.counts.items)
        assert await proof.service.ledger.verify() == []

        paths = sorted(path for path in map(site.path, site.addresses) if "/p" in path)
        site.changed = set(random.Random(8).sample(paths, 50))
        site.unchanged.clear()
        second = await proof.until(await proof.crawl(site, since=first.id), 10**9, wait_s=CRAWL_S)
        changes = {
            site.path(page.input["url"]): (page.details or {})["change"] for page in await proof.list_pages(second)
        }
        assert {path for path, change in changes.items() if change == "changed"} == site.changed
        assert {path for path, change in changes.items() if change == "new"} == set()
        assert {site.path(address) for address in site.addresses} - site.changed <= set(site.unchanged)
        assert await proof.service.ledger.verify() == []
