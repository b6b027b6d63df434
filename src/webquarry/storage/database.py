"""The database as the parts above see it: operations in, results out.

An *operation* is a generator: it yields statements, is sent their rows, and returns its result. It never touches
a connection, so one text of the ledger runs in SQLite's writer thread and in PostgreSQL's batcher alike.
"""

from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
Statement = tuple[str, Mapping[str, Any]]
"""SQL with `:name` placeholders, valid on SQLite 3.40 and PostgreSQL 15, and its values."""
Rows = Sequence[tuple[Any, ...]]
Operation = Generator[Statement, Rows, T]

MAX_GROUP = 256
"""Operations in one transaction: enough to share the flush, few enough that the first does not wait for the last."""
MAX_PENDING = 8192
"""Operations that may wait; above it new ones are refused (`Overloaded`)."""
BUSY_TIMEOUT_S = 5.0
"""How long another writer, or a free connection, is waited for."""


class StorageError(Exception):
    """The store cannot be used as it is; the message is a sentence for the operator."""


class NeedsUpgrade(StorageError):
    """The database is older than this program, and the command at hand does not migrate."""


class TooNew(StorageError):
    """The database was written by a newer program."""


class Database(Protocol):
    """A store of operations.

    Operations may be run more than once (a group that failed, a connection that was lost while committing), so each
    recognises its own earlier success by a key of its own and then changes nothing. What an operation *returns*
    is committed, a refusal included; what it *raises* is undone and reaches its caller alone.
    """

    shared: bool
    """Other instances may run on this store."""

    def submit(
        self, operation: Callable[[], Operation[T]], *, account: str = "", admitted: bool = False
    ) -> Awaitable[T]:
        """Queue a write at once, in the order of calls per account; await the result, given after the commit.

        Once queued it runs to its end, whether or not anyone still waits. account: whose row it locks, if any.
        admitted: finishes work that was let in before (a refund), so it is never refused. Overloaded when the
        queue is full or the store cannot be reached.
        """
        ...

    async def write(self, operation: Callable[[], Operation[T]], *, account: str = "", admitted: bool = False) -> T:
        """`submit`, awaited: atomic, durable on return, one transaction shared with its neighbours."""
        ...

    async def read(self, operation: Callable[[], Operation[T]], *, snapshot: bool = False) -> T:
        """Run statements that change nothing. snapshot: all of them see one state."""
        ...

    async def close(self) -> None:
        """Finish what is queued, within a bound; later calls are refused."""
        ...


def drive(operation: Operation[T], execute: Callable[[str, Mapping[str, Any]], Rows]) -> T:
    """The result of `operation`, its statements run by `execute`."""
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
    """`drive` for an `execute` that is awaited."""
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
    """The operation of a single statement: its rows."""
    return (yield sql, values)
