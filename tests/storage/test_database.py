"""Guarantees of every store: the same suite runs on SQLite and on PostgreSQL."""

import asyncio
import errno
import sqlite3
from collections.abc import Callable

import pytest

from conftest import Store
from webquarry.core.errors import Overloaded
from webquarry.core.settings import Settings
from webquarry.storage import Database, Operation, StorageError
from webquarry.storage.database import MAX_PENDING, query


def add(email: str) -> Callable[[], Operation[str]]:
    def operation() -> Operation[str]:
        yield (
            "INSERT INTO accounts (id, email, balance, created_at) VALUES (:id, :id, 0, 0)",
            {"id": email},
        )
        return email

    return operation


def add_once(email: str) -> Callable[[], Operation[str]]:
    """Return an idempotent operation: repeated after an unacknowledged commit, it changes nothing."""

    def operation() -> Operation[str]:
        sql = "INSERT INTO accounts (id, email, balance, created_at) VALUES (:id, :id, 0, 0) ON CONFLICT DO NOTHING"
        yield sql, {"id": email}
        return email

    return operation


def add_and_fail(email: str) -> Callable[[], Operation[str]]:
    def operation() -> Operation[str]:
        yield from add(email)()
        raise LookupError(email)

    return operation


async def emails(database: Database) -> set[str]:
    rows = await database.read(lambda: query("SELECT email FROM accounts", {}))
    return {row[0] for row in rows}


async def test_an_operation_returns_after_its_commit(store: Store) -> None:
    one, other = await store.open(), await store.open()
    assert await one.write(add("a")) == "a"
    assert await emails(other) == {"a"}


async def test_a_failing_operation_does_not_roll_back_others(database: Database) -> None:
    jobs = [database.submit(add_and_fail(f"bad {n}") if n % 7 == 3 else add(f"good {n}")) for n in range(50)]
    outcomes = await asyncio.gather(*jobs, return_exceptions=True)
    assert [n for n, outcome in enumerate(outcomes) if isinstance(outcome, LookupError)] == list(range(3, 50, 7))
    assert await emails(database) == {f"good {n}" for n in range(50) if n % 7 != 3}


async def test_a_refused_statement_only_fails_for_its_caller(database: Database) -> None:
    jobs = [database.submit(add(email)) for email in ("a", "b", "a", "c")]
    outcomes = await asyncio.gather(*jobs, return_exceptions=True)
    assert [isinstance(outcome, str) for outcome in outcomes] == [True, True, False, True]
    assert await emails(database) == {"a", "b", "c"}


async def test_an_operation_finishes_if_its_caller_is_cancelled(database: Database) -> None:
    callers = [asyncio.ensure_future(database.write(add(f"{n}"))) for n in range(20)]
    await asyncio.sleep(0)
    for caller in callers:
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    await database.write(add("last"))
    assert await emails(database) == {*map(str, range(20)), "last"}


async def test_a_full_queue_accepts_only_admitted_work(database: Database) -> None:
    jobs = [database.submit(add(f"{n}")) for n in range(MAX_PENDING)]
    with pytest.raises(Overloaded):
        database.submit(add("one too many"))
    jobs.append(database.submit(add("admitted"), admitted=True))
    assert len(await asyncio.gather(*jobs)) == MAX_PENDING + 1
    assert "one too many" not in await emails(database)


async def test_queued_work_is_committed_before_the_store_closes(store: Store) -> None:
    database = await store.open()
    jobs = [database.submit(add(f"{n}")) for n in range(300)]
    await database.close()
    assert len(await asyncio.gather(*jobs)) == 300
    with pytest.raises(StorageError):
        await database.write(add("late"))
    with pytest.raises(StorageError):
        await database.read(lambda: query("SELECT 1", {}))
    assert len(await emails(await store.open())) == 300


async def test_two_processes_write_concurrently(store: Store) -> None:
    one, other = await store.open(), await store.open()
    jobs = [(one, other)[n % 2].submit(add(f"{n}")) for n in range(200)]
    await asyncio.gather(*jobs)
    assert len(await emails(one)) == 200


async def test_a_snapshot_sees_one_state(database: Database) -> None:
    count = "SELECT COUNT(*) FROM accounts"

    def often() -> Operation[set[int]]:
        seen = set()
        for _ in range(50):
            rows = yield count, {}
            seen.add(rows[0][0])
        return seen

    async def write() -> None:
        for number in range(200):
            await database.write(add(f"{number}"))

    writer = asyncio.create_task(write())
    states = []
    while not writer.done():
        states.append(await database.read(often, snapshot=True))
    await writer
    assert all(len(state) == 1 for state in states)
    assert len({number for state in states for number in state}) > 1  # the number did change meanwhile


@pytest.mark.parametrize("backend", ["sqlite"])
async def test_sqlite_is_overloaded_if_another_process_locks_the_file(
    store: Store, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.storage.sqlite.BUSY_TIMEOUT_S", 0.05)
    database = await store.open()
    other = sqlite3.connect(store.settings.data_dir / "webquarry.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    outcomes = await asyncio.gather(*[database.submit(add(f"{n}")) for n in range(50)], return_exceptions=True)
    other.execute("ROLLBACK")
    other.close()
    assert all(isinstance(outcome, Overloaded) for outcome in outcomes)
    assert await database.write(add("then")) == "then"
    assert await emails(database) == {"then"}


@pytest.mark.parametrize("backend", ["sqlite"])
async def test_error_in_the_sqlite_thread_only_reaches_waiting_callers(
    store: Store, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = await store.open()

    def break_down(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("webquarry.storage.sqlite._translate_error", break_down)
        async with asyncio.timeout(20):
            outcomes = await asyncio.gather(*[database.submit(add("same")) for _ in range(3)], return_exceptions=True)
    assert any(isinstance(outcome, OSError) for outcome in outcomes)
    assert await database.write(add("then")) == "then"


@pytest.mark.parametrize("backend", ["postgres"])
async def test_deadlocks_between_servers_are_retried(store: Store, backend: str) -> None:
    one, other = await store.open(), await store.open()
    for email in ("a", "b"):
        await one.write(add(email))

    runs: list[str] = []
    locked: set[str] = set()

    def touch(first: str, second: str) -> Callable[[], Operation[None]]:
        def operation() -> Operation[None]:
            runs.append(first)
            yield "UPDATE accounts SET balance = balance + 1 WHERE id = :id", {"id": first}
            locked.add(first)
            while len(locked) < 2:  # so that each has locked the row that the other one needs next
                yield "SELECT pg_sleep(0.01)", {}
            yield "UPDATE accounts SET balance = balance + 1 WHERE id = :id", {"id": second}

        return operation

    await asyncio.gather(one.write(touch("a", "b")), other.write(touch("b", "a")))
    rows = await one.read(lambda: query("SELECT balance FROM accounts", {}))
    assert rows == [(2,), (2,)]
    assert len(runs) > 2  # a deadlock was resolved


async def test_the_server_may_restart_in_the_middle_of_the_work() -> None:
    """The test uses a separate server, because other tests would lose theirs too."""
    from support.postgres import running_postgres
    from webquarry.storage import open_database

    with running_postgres() as server:
        database = await open_database(Settings(database_url=await server.database()), migrate=True)
        try:
            done: list[str] = []
            under_way, restarted = asyncio.Event(), asyncio.Event()

            async def write(worker: int) -> None:
                after = 0
                while after < 10:  # clients continue writing until the server has been away and is back
                    after += restarted.is_set()
                    done.append(await database.write(add_once(f"{worker}-{len(done)}")))
                    if len(done) == 40:
                        under_way.set()

            async with asyncio.TaskGroup() as workers:
                for worker in range(4):
                    workers.create_task(write(worker))
                await under_way.wait()
                await asyncio.to_thread(server.restart)
                before = len(done)
                restarted.set()
            assert len(done) >= before + 40
            assert len(set(done)) == len(done)
            assert await emails(database) == set(done)
        finally:
            await database.close()
