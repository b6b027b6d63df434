"""The queue on PostgreSQL: pgqueuer, shared by all servers of a database.

pgqueuer ends its run when it loses a connection, so a loop around it opens a new pool. Its tables only hold keys and
leases, and the sweep puts missing keys.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Final

import asyncpg
from pgqueuer.adapters.drivers.asyncpg import AsyncpgPoolDriver
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment, QueryQueueBuilder, QuerySchedulerBuilder
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.core.qm import QueueManager
from pgqueuer.domain.errors import RetryRequested
from pgqueuer.domain.models import Job
from pgqueuer.domain.settings import DBSettings, Durability
from pgqueuer.domain.types import Channel

from webquarry.core.background import run_background, try_round
from webquarry.core.errors import Overloaded
from webquarry.jobs.port import Handler
from webquarry.storage.postgres import LOST

AT_ONCE: Final = 256
"""Maximum number of keys that one server handles at the same time."""
BATCH: Final = 32
"""Number of keys that a server fetches in one query."""
LEASE: Final = timedelta(seconds=30)
"""Time after which another server takes over the keys of a dead server."""
POLL: Final = timedelta(seconds=5)
AGAIN_S: Final = 1.0
"""Seconds until the queue is opened again after an error, and until a refused key is put again."""
DRAIN_S: Final = 5.0
LOG_KEPT: Final = timedelta(hours=1)
"""How long the queue's log is kept. The log has a row for each call of a handler. Nobody reads it."""
TABLE: Final = "wq_pgqueuer"
# names are given explicitly, because pgqueuer would read others from variables such as CHANNEL
NAMES: Final = DBSettings(
    prefix="wq_",
    db_schema=None,
    channel=Channel("wq_ch_pgqueuer"),
    function="wq_fn_pgqueuer_changed",
    statistics_table="wq_pgqueuer_statistics",
    queue_status_type="wq_pgqueuer_status",
    queue_table=TABLE,
    queue_table_log="wq_pgqueuer_log",
    trigger="wq_tg_pgqueuer_changed",
    schedules_table="wq_pgqueuer_schedules",
    durability=Durability.volatile,
)
_HASTEN = "UPDATE wq_pgqueuer SET execute_after = now() WHERE dedupe_key = ANY($1) AND status = 'queued'"
_TRIM = "DELETE FROM wq_pgqueuer_log WHERE created < now() - $1::interval"


class PostgresQueue:
    """A `Queue` for the keys of all servers on one database. `lease` is the time after which a server counts as dead.

    If a key is put while its handler runs, it is put once more a moment later, because the handler may just have ended.
    """

    def __init__(self, url: str, *, lease: timedelta = LEASE) -> None:
        logging.getLogger("pgqueuer").setLevel(logging.ERROR)  # pgqueuer logs each slice
        self._url = url
        self._lease = lease
        self._puts: asyncpg.Pool[asyncpg.Record] | None = None
        self._opening = asyncio.Lock()
        self._manager: QueueManager | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self._stopped = asyncio.Event()
        self._later: set[asyncio.Task[None]] = set()

    async def put(self, kind: str, *keys: str, after_s: float = 0.0) -> int:
        added = 0
        for begin in range(0, len(keys), 1000):
            batch = keys[begin : begin + 1000]
            refused = await try_round("jobs.put", self._put(kind, batch, after_s))
            added += 0 if refused is None else len(batch) - len(refused)
            if refused and not self._stopped.is_set():
                task = asyncio.create_task(self._put_later(kind, refused, after_s))
                self._later.add(task)
                task.add_done_callback(self._later.discard)
        return added

    async def serve(self, kinds: Collection[str], handler: Handler) -> None:
        """See `Queue.serve`. After an error, such as a restart of the database, continue with a new pool."""
        while not self._stopped.is_set():
            await try_round("jobs.queue", self._serve(kinds, handler))
            if not self._stopped.is_set():
                await asyncio.sleep(AGAIN_S)

    async def stop(self) -> None:
        self._stopped.set()
        for task in self._later:
            task.cancel()
        if self._manager is not None:
            self._manager.shutdown.set()
        try:
            async with asyncio.timeout(DRAIN_S):
                await self._idle.wait()
        except TimeoutError:
            pass  # `serve` is about to be canceled by its caller
        if self._puts is not None:
            self._puts.terminate()

    async def _serve(self, kinds: Collection[str], handler: Handler) -> None:
        async with _lost_as_overload(), asyncpg.create_pool(self._url, min_size=2, max_size=4) as pool:
            manager = QueueManager(_queries(pool), channel=NAMES.channel)
            for kind in kinds:
                manager.entrypoint(kind, accepts_context=False)(partial(_handle, handler))
            self._manager = manager
            self._idle.clear()
            try:
                async with run_background(_trim(pool)):
                    await manager.run(
                        dequeue_timeout=POLL,
                        batch_size=BATCH,
                        max_concurrent_tasks=AT_ONCE,
                        heartbeat_timeout=self._lease,
                        log_aggregation_interval=timedelta(),
                    )
            finally:
                self._manager = None
                self._idle.set()

    async def _put(self, kind: str, keys: Sequence[str], after_s: float) -> list[str]:
        """Put keys. Return the keys that were already known."""
        async with _lost_as_overload():
            pool = await self._open()
            count = len(keys)
            ids = await _queries(pool).enqueue(
                [kind] * count,
                [key.encode() for key in keys],
                [0] * count,
                [timedelta(seconds=after_s)] * count,
                [_name(kind, key) for key in keys],
                on_conflict="skip",
            )
            refused = [key for key, id in zip(keys, ids, strict=True) if id is None]
            if refused and after_s <= 0:
                await pool.execute(_HASTEN, [_name(kind, key) for key in refused])
            return refused

    async def _put_later(self, kind: str, keys: Sequence[str], after_s: float) -> None:
        await asyncio.sleep(AGAIN_S)
        await try_round("jobs.put", self._put(kind, keys, after_s))

    async def _open(self) -> "asyncpg.Pool[asyncpg.Record]":
        async with self._opening:
            if self._puts is None:
                self._puts = await asyncpg.create_pool(self._url, min_size=0, max_size=2, command_timeout=10)
            return self._puts


def _name(kind: str, key: str) -> str:
    return f"{kind}:{key}"


def _queries(pool: "asyncpg.Pool[asyncpg.Record]") -> Queries:
    return Queries(
        AsyncpgPoolDriver(pool),
        QueryBuilderEnvironment(NAMES),
        QueryQueueBuilder(NAMES),
        QuerySchedulerBuilder(NAMES),
    )


async def _handle(handler: Handler, job: Job) -> None:
    after_s = await try_round("jobs.handler", handler(str(job.entrypoint), (job.payload or b"").decode()))
    if after_s is not None:
        raise RetryRequested(timedelta(seconds=after_s))


async def _trim(pool: "asyncpg.Pool[asyncpg.Record]") -> None:
    """Delete old rows of the queue's log every hour."""
    while True:
        await try_round("jobs.trim", pool.execute(_TRIM, LOG_KEPT))
        await asyncio.sleep(LOG_KEPT.total_seconds())


@asynccontextmanager
async def _lost_as_overload() -> AsyncIterator[None]:
    """Raise Overloaded for a lost connection or server, which is not a bug in this program."""
    try:
        yield
    except LOST as exc:
        raise Overloaded("The job queue can't be reached.") from exc
