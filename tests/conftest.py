"""Fixtures and hooks of all tests.

They provide databases (a test of `store` or `database` runs once per backend) and the running sandbox, order the tests,
and report tests that were run again.
"""

import gc
import logging
import os
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import structlog

from convert_support.examples import register_profiles
from support.client import Client, Contract
from support.memory import memory
from support.postgres import Postgres, running_postgres
from support.sandbox import Sandbox, running_sandbox
from webquarry.api.openapi import document
from webquarry.core.settings import Settings
from webquarry.endpoints.registry import load
from webquarry.storage import Database, open_database

register_profiles()


REAL_TIME = (
    "tests/net/browser/",
    "tests/proofs/",
    "tests/doctor/",
    "tests/attacks/",
    "tests/extractors/web/",
    "tests/workers/",
)
"""Folders of tests with browsers, servers and other processes that must respond in time."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--shuffle", type=int, metavar="SEED", help="run the files, and the tests in each, in an order made from SEED"
    )


def pytest_collection_finish() -> None:
    """Freeze the collected objects: they live until the end, and the cycle collector need not traverse them."""
    gc.collect()
    gc.freeze()


def pytest_configure() -> None:
    """Put the tests' folders into memory if possible. TMPDIR and other settings of programs are unchanged."""
    if (folder := memory()) is not None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(folder))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Repeat tests that depend on real time up to twice, because the machine may be busy; no other test.

    Those tests come first. With one file at a time per process, no long test then starts last.
    """
    for item in items:
        if _is_timed(item):
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=1))
    seed = config.getoption("shuffle")
    if seed is None:
        items.sort(key=lambda item: not _is_timed(item))
    else:
        _shuffle(items, random.Random(seed))


def _is_timed(item: pytest.Item) -> bool:
    return any(folder in item.path.as_posix() for folder in REAL_TIME)


def _shuffle(items: list[pytest.Item], luck: random.Random) -> None:
    """Shuffle the files, and the tests within each. Fixtures shared by the tests of a file are still created once."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    order = list(files.values())
    luck.shuffle(order)
    for tests in order:
        luck.shuffle(tests)
    items[:] = [item for tests in order for item in tests]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report the tests that were run again, even if they passed in the end."""
    again = Counter(report.nodeid for report in terminalreporter.getreports("rerun"))
    if not again:
        return
    terminalreporter.write_sep("=", "run again, since they failed before", yellow=True)
    for name, times in again.most_common():
        terminalreporter.write_line(f"{times} x {name}")


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    """Restore the log's settings after a command in this process. It sets the level, and streams that it closes."""
    root = logging.getLogger()
    handlers, level = set(root.handlers), root.level
    written = structlog.get_config() if structlog.is_configured() else None
    yield
    logging.captureWarnings(False)
    root.setLevel(level)
    for handler in set(root.handlers) - handlers:
        root.removeHandler(handler)
    structlog.reset_defaults()
    if written is not None:
        structlog.configure(**written)


@dataclass
class Store:
    """A store's location. Each `open` returns another process's view of the store, which is closed at the end of the
    test.
    """

    settings: Settings
    opened: list[Database] = field(default_factory=list)

    async def open(self, *, migrate: bool = True) -> Database:
        database = await open_database(self.settings, migrate=migrate)
        self.opened.append(database)
        return database


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture
def postgres(postgres_cluster: Postgres) -> Iterator[Postgres]:
    """The server shared by all tests of a process. The databases created by a test are deleted with it."""
    yield postgres_cluster
    postgres_cluster.forget()


@pytest.fixture(params=["sqlite", "postgres"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def new_settings(request: pytest.FixtureRequest, backend: str, tmp_path: Path) -> Callable[[], Awaitable[Settings]]:
    """Creates settings of a new store, with a migrated database on PostgreSQL."""

    async def new() -> Settings:
        if backend == "sqlite":
            return Settings(data_dir=tmp_path / "data")
        server: Postgres = request.getfixturevalue("postgres")
        return Settings(data_dir=tmp_path / "data", database_url=await server.database())

    return new


@pytest.fixture
async def store(new_settings: Callable[[], Awaitable[Settings]]) -> AsyncIterator[Store]:
    store = Store(await new_settings())
    yield store
    for database in store.opened:
        await database.close()


@pytest.fixture
async def database(store: Store) -> Database:
    return await store.open()


@pytest.fixture(scope="session")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """The real command, with limits and credits that no test reaches.

    Its log must not contain a traceback at the end.
    """
    folder = tmp_path_factory.mktemp("sandbox")
    with running_sandbox(folder, rate_limit_per_minute=100_000, new_account_credits=1_000_000) as sandbox:
        yield sandbox
    assert "Traceback" not in sandbox.log.read_text()


@pytest.fixture(scope="session")
def contract() -> Contract:
    return Contract(document(load(), base_url="https://webquarry.example", rate_limit=60))


@pytest.fixture(scope="session")
def client(sandbox: Sandbox, contract: Contract) -> Client:
    return Client(sandbox.url, sandbox.key, contract)
