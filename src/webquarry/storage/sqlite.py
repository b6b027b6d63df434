"""The SQLite store: one file, one writing thread and a few reading threads.

All writes go through one thread, which commits the operations that queued up during the last flush as one transaction.
A thousand callers thus share a few flushes, which makes `synchronous=FULL` affordable. Other processes may also write
to the file, such as the command line while a server runs, so transactions begin IMMEDIATE and wait for each other.
"""

import asyncio
import fcntl
import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from webquarry.core.errors import Overloaded
from webquarry.core.log import log
from webquarry.storage.database import (
    BUSY_TIMEOUT_S,
    MAX_GROUP,
    MAX_PENDING,
    Database,
    Operation,
    StorageError,
    drive,
)
from webquarry.storage.lock import make_folder
from webquarry.storage.revisions import judge, write_script

T = TypeVar("T")
FILE_NAME = "webquarry.db"
READERS = 2
CLOSE_TIMEOUT_S = 10.0
CHECKPOINT_PAGES = 4000
"""Number of pages (of 4 KB) in the log that triggers a checkpoint. A page that has changed several times is copied
once.
"""
PASSING_FAULTS = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
    }
)
"""Errors caused by the disk or other processes, not by a statement."""


@dataclass(slots=True, eq=False)
class _Job(Generic[T]):
    """A queued operation and its outcome, `result` or `error`."""

    operation: Callable[[], Operation[T]]
    future: asyncio.Future[T]
    snapshot: bool = False
    result: T | None = None
    error: BaseException | None = None

    def deliver(self) -> None:
        if self.future.done():  # the caller was canceled
            return
        if self.error is None:
            self.future.set_result(self.result)  # type: ignore[arg-type]  # T may be None
        else:
            self.future.set_exception(self.error)


class _Line:
    """A bounded queue of jobs, processed in groups by threads with one connection each."""

    def __init__(
        self,
        name: str,
        connections: list[sqlite3.Connection],
        work: Callable[[sqlite3.Connection, list[_Job[Any]]], None],
        *,
        max_pending: int,
        max_group: int,
    ) -> None:
        self._queue: queue.SimpleQueue[_Job[Any] | None] = queue.SimpleQueue()
        self._pending = 0
        self._max_pending = max_pending
        self._max_group = max_group
        self._work = work
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._threads = [
            threading.Thread(target=self._run, args=(connection,), name=f"sqlite-{name}", daemon=True)
            for connection in connections
        ]
        for thread in self._threads:
            thread.start()

    def put(self, operation: Callable[[], Operation[T]], *, snapshot: bool, admitted: bool) -> asyncio.Future[T]:
        if self._closed:
            raise StorageError("The database is closed.")
        if self._pending >= self._max_pending and not admitted:
            raise Overloaded
        job = _Job(operation, self._loop.create_future(), snapshot)
        self._pending += 1
        self._queue.put(job)
        return job.future

    async def close(self) -> None:
        self._closed = True
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            await asyncio.to_thread(thread.join, CLOSE_TIMEOUT_S)
            if thread.is_alive():
                log.error("storage.close_timed_out", thread=thread.name)

    def _run(self, connection: sqlite3.Connection) -> None:
        try:
            for group in self._groups():
                try:
                    self._work(connection, group)
                except Exception as exc:  # noqa: BLE001  # reported to the waiting callers; the thread continues
                    for job in group:
                        job.error = exc
                with suppress(RuntimeError):  # the loop is closed, and nobody is waiting
                    self._loop.call_soon_threadsafe(self._deliver, group)
        finally:
            connection.close()

    def _groups(self) -> Iterator[list[_Job[Any]]]:
        """Yield groups of queued jobs, each with at least one job, until the queue is stopped."""
        while (job := self._queue.get()) is not None:
            group = [job]
            stop = False
            while len(group) < self._max_group:
                try:
                    job = self._queue.get_nowait()
                except queue.Empty:
                    break
                if job is None:
                    stop = True
                    break
                group.append(job)
            yield group
            if stop:
                return

    def _deliver(self, group: list[_Job[Any]]) -> None:
        self._pending -= len(group)
        for job in group:
            job.deliver()


class SqliteDatabase(Database):
    """A SQLite store, created by `open_sqlite` on the running loop that it serves. See `Database`."""

    shared = False

    def __init__(self, path: Path, *, max_pending: int = MAX_PENDING, max_group: int = MAX_GROUP) -> None:
        writer = _connect(path)
        readers = [_connect(path) for _ in range(READERS)]
        for reader in readers:
            reader.execute("PRAGMA query_only = ON")
        self._writes = _Line("writer", [writer], _write_group, max_pending=max_pending, max_group=max_group)
        self._reads = _Line("reader", readers, _read_group, max_pending=max_pending, max_group=max(1, max_group // 16))

    def submit(
        self, operation: Callable[[], Operation[T]], *, account: str = "", admitted: bool = False
    ) -> asyncio.Future[T]:
        return self._writes.put(operation, snapshot=False, admitted=admitted)

    async def write(self, operation: Callable[[], Operation[T]], *, account: str = "", admitted: bool = False) -> T:
        return await self.submit(operation, account=account, admitted=admitted)

    async def read(self, operation: Callable[[], Operation[T]], *, snapshot: bool = False) -> T:
        return await self._reads.put(operation, snapshot=snapshot, admitted=False)

    async def close(self) -> None:
        await self._reads.close()
        await self._writes.close()


def open_sqlite(folder: Path, *, migrate: bool, max_group: int = MAX_GROUP) -> SqliteDatabase:
    """Open the store in `folder`, creating it if missing. Blocks while it migrates.

    Raises StorageError if the file cannot be opened or has another schema revision (see `revisions.judge`).
    """
    path = folder / FILE_NAME
    make_folder(folder)
    try:
        with _open_alone(folder):
            _make_private(path)
            connection = _connect(path)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                if judge(_revision(connection), migrate=migrate):
                    _migrate(connection, path)
            finally:
                connection.close()
        return SqliteDatabase(path, max_group=max_group)
    except (OSError, sqlite3.Error) as exc:
        raise StorageError(f"The database {path} can't be opened: {exc}.") from exc


@contextmanager
def _open_alone(folder: Path) -> Iterator[None]:
    """Let one process open the file at a time, because switching a new file to WAL mode ignores the timeout."""
    descriptor = os.open(folder / "open.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _make_private(path: Path) -> None:
    """Create the file if missing, accessible only by the owner. SQLite gives its log the same mode."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _revision(connection: sqlite3.Connection) -> str | None:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
        return None
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return row[0] if row else None


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Migrate the file to the head in one transaction. A file with content is first copied."""
    stored = _revision(connection)
    if stored is not None:
        beside = path.with_name(f"{path.stem}-{stored}.db")
        _make_private(beside)
        with sqlite3.connect(beside) as copy:
            connection.backup(copy)
        copy.close()
    connection.execute("BEGIN IMMEDIATE")
    try:
        # another process may have migrated the file while this one waited
        if judge(stored := _revision(connection), migrate=True):
            for statement in _statements(write_script("sqlite", stored)):
                connection.execute(statement)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _statements(sql: str) -> Iterator[str]:
    """Yield the statements of a script. Each statement ends at the end of a line."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _write_group(connection: sqlite3.Connection, group: list[_Job[Any]]) -> None:
    """Commit the group as one transaction or, if an operation fails, each separately."""
    if _commit(connection, group) or len(group) == 1:
        return
    if not isinstance(group[0].error, Overloaded):  # otherwise, each would wait for the locked file again
        for job in group:
            _commit(connection, [job])


def _commit(connection: sqlite3.Connection, group: list[_Job[Any]]) -> bool:
    """Run the jobs in one transaction. Return False if it was rolled back; each job then contains the error."""

    def execute(sql: str, values: Any) -> list[tuple[Any, ...]]:
        return connection.execute(sql, values).fetchall()

    try:
        connection.execute("BEGIN IMMEDIATE")
        for job in group:
            job.result = drive(job.operation(), execute)
        connection.execute("COMMIT")
    except BaseException as exc:  # noqa: BLE001  # any error belongs to the callers, not to this thread
        if connection.in_transaction:
            with suppress(sqlite3.Error):  # keep the first error
                connection.execute("ROLLBACK")
        error = _translate_error(exc)
        for job in group:
            job.error = error
        return False
    for job in group:
        job.error = None
    return True


def _read_group(connection: sqlite3.Connection, group: list[_Job[Any]]) -> None:
    def execute(sql: str, values: Any) -> list[tuple[Any, ...]]:
        return connection.execute(sql, values).fetchall()

    for job in group:
        try:
            if job.snapshot:
                connection.execute("BEGIN")
            job.result = drive(job.operation(), execute)
        except BaseException as exc:  # noqa: BLE001  # the error belongs to the caller, not to this thread
            job.error = _translate_error(exc)
        finally:
            if connection.in_transaction:
                connection.execute("COMMIT")


def _translate_error(exc: BaseException) -> BaseException:
    """Return `Overloaded` for a temporary disk error, and any other error unchanged."""
    if isinstance(exc, sqlite3.OperationalError) and exc.sqlite_errorcode & 0xFF in PASSING_FAULTS:
        log.error("storage.unavailable", fault=exc.sqlite_errorname)
        return Overloaded("The database can't be reached. Try again shortly.")
    return exc
