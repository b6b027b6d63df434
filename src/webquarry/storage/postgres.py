"""The PostgreSQL store: one writing connection that commits in groups, and a pool for reads.

Operations that queue up during one commit form the next group. A group is ordered by account, so that two servers lock
rows in the same order. If it fails, each of its operations is retried in a separate transaction. After a lost
connection the group is repeated on a new one: operations recognize their earlier success (see `Database`).
"""

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any, Generic, TypeVar

import asyncpg

from webquarry.core.errors import Overloaded
from webquarry.core.log import log
from webquarry.storage.database import (
    BUSY_TIMEOUT_S,
    MAX_GROUP,
    MAX_PENDING,
    Database,
    Operation,
    Rows,
    StorageError,
    drive_async,
)
from webquarry.storage.revisions import judge, write_script

T = TypeVar("T")
READERS = 8
CONNECT_TIMEOUT_S = 5.0
STATEMENT_TIMEOUT_S = 10.0
CLOSE_TIMEOUT_S = 10.0
PATIENCE_S = 15.0
"""Seconds from queueing during which a write is retried while the server is unreachable."""
RETRY_PAUSE_S = 0.1
CONFLICT_TRIES = 5
MIGRATION_LOCK = 0x77_71_64_62
"""Advisory lock for migrations ("wqdb")."""

LOST = (
    OSError,  # includes TimeoutError, a subclass of OSError
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
)
"""Exceptions of asyncpg for a lost connection or server."""
UNABLE = (asyncpg.InsufficientResourcesError, asyncpg.ReadOnlySQLTransactionError)
"""Exceptions of a server that accepts no writes, because its disk is full or it has become a standby."""
CONFLICTS = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)

_PLACEHOLDER = re.compile(r"(?<![:\w]):([a-z_]\w*)")


@lru_cache(maxsize=512)
def number_placeholders(sql: str) -> tuple[str, tuple[str, ...]]:
    """Return `sql` with `$1`, `$2`, … instead of `:name` placeholders, and the names in that order."""
    names = tuple(dict.fromkeys(_PLACEHOLDER.findall(sql)))
    return _PLACEHOLDER.sub(lambda match: f"${names.index(match[1]) + 1}", sql), names


@dataclass(slots=True, eq=False)
class _Job(Generic[T]):
    operation: Callable[[], Operation[T]]
    account: str
    future: asyncio.Future[T]
    give_up_at: float
    """Time on the event loop's clock after which the job no longer waits for an unreachable server."""

    @property
    def has_outcome(self) -> bool:
        """Whether the job's caller has received the outcome. A canceled caller never receives it."""
        return self.future.done() and not self.future.cancelled()

    def give(self, result: T) -> None:
        if not self.future.done():  # otherwise the caller has left
            self.future.set_result(result)

    def fail(self, error: BaseException) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class PostgresDatabase(Database):
    """A PostgreSQL store, created by `open_postgres`. See `Database`."""

    shared = True

    def __init__(
        self,
        url: str,
        pool: "asyncpg.Pool[asyncpg.Record]",
        *,
        max_pending: int = MAX_PENDING,
        max_group: int = MAX_GROUP,
    ) -> None:
        self._url = url
        self._pool = pool
        self._max_pending = max_pending
        self._max_group = max_group
        self._waiting: deque[_Job[Any]] = deque()
        self._wake = asyncio.Event()
        self._closed = False
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None
        self._writer = asyncio.create_task(self._write(), name="postgres-writer")

    def submit(
        self, operation: Callable[[], Operation[T]], *, account: str = "", admitted: bool = False
    ) -> asyncio.Future[T]:
        if self._closed:
            raise StorageError("The database is closed.")
        if len(self._waiting) >= self._max_pending and not admitted:
            raise Overloaded
        loop = asyncio.get_running_loop()
        job = _Job(operation, account, loop.create_future(), loop.time() + PATIENCE_S)
        self._waiting.append(job)
        self._wake.set()
        return job.future

    async def write(self, operation: Callable[[], Operation[T]], *, account: str = "", admitted: bool = False) -> T:
        return await self.submit(operation, account=account, admitted=admitted)

    async def read(self, operation: Callable[[], Operation[T]], *, snapshot: bool = False) -> T:
        if self._closed:
            raise StorageError("The database is closed.")
        try:
            try:
                return await self._read(operation, snapshot)
            except TimeoutError:
                raise
            except LOST:  # a pooled connection may have died unnoticed, so try once more
                return await self._read(operation, snapshot)
        except LOST as exc:
            raise _unreachable(exc) from exc

    async def close(self) -> None:
        self._closed = True
        self._wake.set()
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await asyncio.shield(self._writer)
                await self._pool.close()
        except TimeoutError:
            log.error("storage.close_timed_out", pending=len(self._waiting))
        finally:
            self._writer.cancel()
            self._pool.terminate()

    async def _read(self, operation: Callable[[], Operation[T]], snapshot: bool) -> T:
        async with self._pool.acquire(timeout=BUSY_TIMEOUT_S) as connection:
            if not snapshot:
                return await _run(connection, operation)
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                return await _run(connection, operation)

    async def _write(self) -> None:
        """Commit groups of queued jobs until the store is closed and the queue is empty."""
        group: list[_Job[Any]] = []
        try:
            while True:
                while not self._waiting:
                    if self._closed:
                        return
                    self._wake.clear()
                    await self._wake.wait()
                group = [self._waiting.popleft() for _ in range(min(len(self._waiting), self._max_group))]
                group.sort(key=lambda job: job.account)
                await self._commit_group(group)
        finally:
            for job in (*group, *self._waiting):  # jobs that already have an outcome keep it
                job.fail(StorageError("The database is closed."))
            if self._connection is not None:
                self._connection.terminate()

    async def _commit_group(self, group: list[_Job[Any]]) -> None:
        """Commit the group as one transaction or, if an operation fails, each separately."""
        try:
            await self._commit(group)
        except Overloaded as exc:
            for job in group:
                job.fail(exc)
        except Exception:  # noqa: BLE001  # running each separately finds the operation that failed
            for job in [job for job in group if not job.has_outcome]:
                try:
                    await self._commit([job])
                except Exception as exc:  # noqa: BLE001  # the error belongs to the caller
                    job.fail(exc)

    async def _commit(self, group: list[_Job[Any]]) -> None:
        """Run the jobs in one transaction and set their results. Raises the error if the transaction is rolled back.

        While the server is unreachable, jobs that may still wait are retried; the others fail (Overloaded).
        """
        conflicts = 0
        while group:
            try:
                connection = await self._connected()
                async with connection.transaction():
                    results = [await _run(connection, job.operation) for job in group]
            except CONFLICTS:
                conflicts += 1
                if conflicts == CONFLICT_TRIES:
                    raise
            except LOST as exc:
                self._disconnect()
                group = _give_up_late(group, exc, by=inf if self._closed else asyncio.get_running_loop().time())
                await asyncio.sleep(RETRY_PAUSE_S if group else 0)
            except UNABLE as exc:
                raise _unreachable(exc) from exc
            else:
                for job, result in zip(group, results, strict=True):
                    job.give(result)
                return

    async def _connected(self) -> "asyncpg.Connection[asyncpg.Record]":
        if self._connection is None or self._connection.is_closed():
            self._connection = await _connect(self._url)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None


def _give_up_late(group: list[_Job[Any]], exc: BaseException, *, by: float) -> list[_Job[Any]]:
    """Fail the jobs that have waited too long for the server. Return the other jobs.

    `by` is the current time; it is infinite while the store is closing, so that all jobs fail.
    """
    late = [job for job in group if job.give_up_at <= by]
    if late:
        error = _unreachable(exc)
        for job in late:
            job.fail(error)
    return [job for job in group if job.give_up_at > by]


async def open_postgres(url: str, *, migrate: bool, max_group: int = MAX_GROUP) -> PostgresDatabase:
    """Open the store at `url`. Raises StorageError if it cannot be reached or has another schema revision."""
    async with _connected_once(url) as connection:
        if judge(await _revision(connection), migrate=migrate):
            await _migrate(connection)
        pool = await asyncpg.create_pool(
            url,
            min_size=1,
            max_size=READERS,
            timeout=CONNECT_TIMEOUT_S,
            command_timeout=STATEMENT_TIMEOUT_S,
            reset=_as_it_is,
        )
    return PostgresDatabase(url, pool, max_group=max_group)


async def read_revision(url: str) -> str | None:
    """Return the revision of the database at `url`, or None if it is empty.

    Raises StorageError if the database is unreachable.
    """
    async with _connected_once(url) as connection:
        return await _revision(connection)


@asynccontextmanager
async def _connected_once(url: str) -> "AsyncIterator[asyncpg.Connection[asyncpg.Record]]":
    """Open a connection for the duration of the context.

    Raises StorageError for a malformed URL and for a failed connection.
    """
    try:
        connection = await _connect(url)
        try:
            yield connection
        finally:
            await connection.close(timeout=CLOSE_TIMEOUT_S)
    except (ValueError, OverflowError):  # OverflowError is raised for an invalid port
        # the original error would quote the URL, and the password in it
        raise StorageError(
            "WEBQUARRY_DATABASE_URL must have the form postgresql://user:password@host:port/name, with special "
            "characters of the password percent-encoded."
        ) from None
    except (*LOST, asyncpg.PostgresError) as exc:
        raise StorageError(f"The PostgreSQL database in WEBQUARRY_DATABASE_URL can't be opened: {exc}.") from exc


async def _connect(url: str) -> "asyncpg.Connection[asyncpg.Record]":
    return await asyncpg.connect(url, timeout=CONNECT_TIMEOUT_S, command_timeout=STATEMENT_TIMEOUT_S)


async def _as_it_is(_connection: object) -> None:
    """Do nothing: reads leave no state on a connection, so returning it to the pool needs no round trip."""


async def _revision(connection: "asyncpg.Connection[asyncpg.Record]") -> str | None:
    if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
        return None
    stored: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
    return stored


async def _migrate(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Migrate the database to the head in one transaction, one server at a time."""
    # held until the connection closes; there is no timeout, because another server's migration may take any amount of
    # time
    await connection.execute("SELECT pg_advisory_lock($1)", MIGRATION_LOCK, timeout=None)
    # begun after the lock is held, because a session only sees the tables that others have created when it begins a
    # transaction
    async with connection.transaction():
        if judge(stored := await _revision(connection), migrate=True):
            await connection.execute(write_script("postgresql", stored), timeout=None)


async def _run(connection: Any, operation: Callable[[], Operation[T]]) -> T:
    async def execute(sql: str, values: Any) -> Rows:
        text, names = number_placeholders(sql)
        try:
            records = await connection.fetch(text, *[values[name] for name in names])
        except ValueError as exc:
            # a value does not fit its column: asyncpg raises an InterfaceError, as for a lost connection
            raise TypeError(str(exc)) from exc
        return [tuple(record) for record in records]

    return await drive_async(operation(), execute)


def _unreachable(exc: BaseException) -> Overloaded:
    log.error("storage.unavailable", fault=type(exc).__name__)
    return Overloaded("The database can't be reached. Try again shortly.")
