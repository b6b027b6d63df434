"""Interface of the database: operations in, results out.

An *operation* is a generator: it yields statements, receives their rows, and returns its result. It never touches a
connection, so the same ledger code runs in SQLite's writer thread and in PostgreSQL's batches.
"""

from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Statement = tuple[str, Mapping[str, Any]]
"""SQL with `:name` placeholders, valid on SQLite 3.40 and PostgreSQL 15, and its values."""
Rows = Sequence[tuple[Any, ...]]
Operation = Generator[Statement, Rows, T]

MAX_GROUP = 256
"""Maximum number of operations per transaction: enough to share a flush, but few enough that the first operation does
not wait long for the last one.
"""
MAX_PENDING = 8192
"""Maximum number of waiting operations. Additional operations are refused (`Overloaded`)."""
BUSY_TIMEOUT_S = 5.0
"""Seconds to wait for another writer or a free connection."""


class StorageError(Exception):
    """The store cannot be used. The message is a sentence for the operator."""


class NeedsUpgrade(StorageError):
    """The database is older than this program, and the current command does not migrate."""


class TooNew(StorageError):
    """The database was written by a newer program."""


class Database(Protocol):
    """A store that runs operations.

    Operations may run more than once (after a failed group, or a connection lost while committing), so each operation
    recognizes its earlier success by a key and then changes nothing. If an operation returns, even with a refusal, its
    changes are committed. If it raises, they are rolled back, and only its caller gets the error.
    """

    shared: bool
    """Whether other instances may run on this store."""

    def submit(
        self, operation: Callable[[], Operation[T]], *, account: str = "", admitted: bool = False
    ) -> Awaitable[T]:
        """Queue a write immediately, in call order per account.

        Return an awaitable result, which arrives after the commit. A queued write runs to its end, even if its caller
        has stopped waiting. `account` is the account whose row the write locks, if any. `admitted` marks work that
        completes an earlier request (a refund), which is never refused. Raises Overloaded if the queue is full or the
        store cannot be reached.
        """
        ...

    async def write(self, operation: Callable[[], Operation[T]], *, account: str = "", admitted: bool = False) -> T:
        """Submit a write and wait for it.

        The write is atomic, durable on return, and shares a transaction with other waiting writes.
        """
        ...

    async def read(self, operation: Callable[[], Operation[T]], *, snapshot: bool = False) -> T:
        """Run statements that change nothing. With `snapshot`, all statements see the same state."""
        ...

    async def close(self) -> None:
        """Finish queued work within a time limit. Operations submitted later are refused."""
        ...


def drive(operation: Operation[T], execute: Callable[[str, Mapping[str, Any]], Rows]) -> T:
    """Return the result of `operation`, with its statements run by `execute`."""
    try:
        sql, values = next(operation)
        while True:
            sql, values = operation.send(execute(sql, values))
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        operation.close()


async def drive_async(operation: Operation[T], execute: Callable[[str, Mapping[str, Any]], Awaitable[Rows]]) -> T:
    """Return the result of `operation`, with its statements run by an asynchronous `execute`."""
    try:
        sql, values = next(operation)
        while True:
            sql, values = operation.send(await execute(sql, values))
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        operation.close()


def query(sql: str, values: Mapping[str, Any]) -> Operation[Rows]:
    """Run a single statement and return its rows."""
    return (yield sql, values)
