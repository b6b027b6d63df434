"""The cost of the request log for cached responses: two servers, one with the log and one without it.

At full rate, `wrk` sends as many requests as each server answers. The log keeps 500 requests of an account every two
seconds and counts the others. At 150 requests a second it stores all of them. The processor time is that of the server
process, with all its threads, so the thread that writes to the database is included. Each round measures both servers,
in alternating order.

The second table has the processor time of the log's own steps, in this process: to note a request, and to store a
noted one. It is the smallest of many rounds, so other work on the machine hardly changes it.

Goal: in the median round, the rate with the log is at least 0.97 of the rate without it.
"""

import asyncio
import http.client
import statistics
import tempfile
import time
import urllib.parse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from bench.cached import SECONDS, Subject, subject_of, write_page
from bench.table import bar, show
from bench.upstream import upstream
from support.server import Server
from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.logs.requests import RequestLog
from webquarry.logs.requests.log import MAX_WAITING_OF_ACCOUNT
from webquarry.storage import open_database

ROUNDS = 7
STEP_ROUNDS = 40
LEAST = 0.97
PACE = 150
"""Requests a second that the log of an account can store."""
_CLOCK_OF_PROCESS = 2
"""Clock type in the id of a process's CPU clock."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of one round. `full_us` and `paced_us` are microseconds of processor time per request."""

    rate: float
    full_us: float
    paced_us: float


@dataclass(frozen=True, slots=True)
class Side:
    """A server and its cached response."""

    server: Server
    subject: Subject

    async def measure(self) -> Figures:
        before = self._read_clock()
        rate = await self.subject.load()
        full_us = 1e6 * (self._read_clock() - before) / (rate * SECONDS)
        before = self._read_clock()
        sent = await asyncio.to_thread(send_paced, self.subject)
        return Figures(rate, full_us, 1e6 * (self._read_clock() - before) / sent)

    def _read_clock(self) -> float:
        """Return the seconds of processor time that the server has used."""
        return time.clock_gettime((~self.server.pid << 3) | _CLOCK_OF_PROCESS)


def send_paced(subject: Subject) -> int:
    """Send PACE requests a second on one connection for SECONDS. Return their number.

    Raises RuntimeError for a response other than 200.
    """
    parts = urllib.parse.urlsplit(subject.url)
    connection = http.client.HTTPConnection(parts.netloc)
    headers, began, count = {"Authorization": f"Bearer {subject.key}"}, time.monotonic(), PACE * SECONDS
    for number in range(count):
        time.sleep(max(0.0, began + number / PACE - time.monotonic()))
        connection.request("GET", f"{parts.path}?{parts.query}", headers=headers)
        response = connection.getresponse()
        if response.status != 200:
            raise RuntimeError(f"status {response.status}")
        response.read()
    connection.close()
    return count


async def measure(folder: Path) -> None:
    async with upstream(write_page().encode()) as target:
        settings = {"rate_limit_per_minute": 1_000_000_000, "egress_allow": target}
        async with (
            Server(folder / "with", **settings) as logging,
            Server(folder / "without", request_log_days=0, **settings) as silent,
        ):
            sides = [Side(server, await subject_of(server, target)) for server in (logging, silent)]
            for side in sides:
                await side.subject.warm()
            pairs = []
            for number in range(ROUNDS):
                order = sides if number % 2 else sides[::-1]
                figures = {side.server: await side.measure() for side in order}
                pairs.append((figures[logging], figures[silent]))
    print_pairs(pairs)


def print_pairs(pairs: Sequence[tuple[Figures, Figures]]) -> None:
    """Print the figures of each round: those with the log, those without it, and their ratio."""

    def compare(read: Callable[[Figures], float]) -> list[tuple[float, float, float]]:
        # ratios are taken within each round, because both sides ran under the same conditions
        return [(read(logged), read(silent), read(logged) / read(silent)) for logged, silent in pairs]

    columns = [compare(read) for read in (lambda f: f.rate, lambda f: f.full_us, lambda f: f.paced_us)]
    rows = [(str(number + 1), *(cell for column in columns for cell in column[number])) for number in range(len(pairs))]
    middle = [statistics.median(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    show(
        "Request log and cached responses: with the log, without it, and the ratio",
        (
            "round",
            "req/s",
            "without",
            "ratio",
            "µs at full rate",
            "without",
            "ratio",
            "µs at 150/s",
            "without",
            "ratio",
        ),
        [*rows, ("median", *middle)],
        bar(middle[2], LEAST),
    )


async def measure_steps(folder: Path) -> None:
    """Print the processor time to note a request, and to store a noted one with the thread that writes."""
    noted, counted, off, stored = [], [], [], []
    database = await open_database(Settings(data_dir=folder), migrate=True)

    def make_log(keep: timedelta | None) -> RequestLog:
        return RequestLog(database, SystemClock(), keep=keep, params={"markdown_url": ["url"]})

    for _ in range(STEP_ROUNDS):
        log = make_log(timedelta(days=30))
        noted.append(_time_notes(log, MAX_WAITING_OF_ACCOUNT))
        counted.append(_time_notes(log, 10 * MAX_WAITING_OF_ACCOUNT))
        off.append(_time_notes(make_log(None), 10 * MAX_WAITING_OF_ACCOUNT))
        before = time.process_time()
        await log.store()
        stored.append(1e6 * (time.process_time() - before) / MAX_WAITING_OF_ACCOUNT)
    await database.close()
    steps = ("noted, to be stored", "counted only, beyond 500", "log turned off", "stored, per row")
    figures = [min(each) for each in (noted, counted, off, stored)]
    show("Steps of the request log, µs of processor time", ("step", "µs"), list(zip(steps, figures, strict=True)))


def _time_notes(log: RequestLog, count: int) -> float:
    """Return the microseconds of processor time to note one request."""
    query = [("url", "https://example.com/"), ("format", "both")]
    before = time.thread_time()
    for _ in range(count):
        log.note(
            "ac_1",
            "key_1",
            "markdown_url",
            query,
            status=200,
            code="ok",
            cache="hit",
            credits=0,
            took_s=0.0001,
            request_id="req_1",
        )
    return 1e6 * (time.thread_time() - before) / count


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="wq-bench-") as made:
        asyncio.run(measure_steps(Path(made) / "steps"))
        asyncio.run(measure(Path(made)))
