"""What tests share: databases (a test of `store` or `database` runs once per backend) and the running sandbox."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import hypothesis
import pytest

from support.client import Client, Contract
from support.postgres import Postgres, running_postgres
from support.sandbox import Sandbox, running_sandbox
from webquarry.api.openapi import document
from webquarry.registry import load
from webquarry.settings import Settings
from webquarry.storage import Database, open_database

# examples are not timed: how long one takes says more about the machine than about the code
# and the same ones are made each time: `make proofs` makes others
hypothesis.settings.register_profile("random", deadline=None)
hypothesis.settings.register_profile("same", deadline=None, derandomize=True)
hypothesis.settings.load_profile("same")


REAL_TIME = ("tests/net/browser/", "tests/proofs/", "tests/doctor/", "tests/extractors/web/", "tests/workers/")
"""Folders of tests with browsers, servers and other processes that have to answer within a time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A busy machine gets two more attempts where real time decides; everywhere else a failure is a failure."""
    for item in items:
        if any(folder in item.path.as_posix() for folder in REAL_TIME):
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=1))


@dataclass
class Store:
    """One place where data lies; each `open` is another process's view of it, closed when the test ends."""

    settings: Settings
    opened: list[Database] = field(default_factory=list)

    async def open(self, *, migrate: bool = True) -> Database:
        database = await open_database(self.settings, migrate=migrate)
        self.opened.append(database)
        return database


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def new_settings(request: pytest.FixtureRequest, backend: str, tmp_path: Path) -> Callable[[], Awaitable[Settings]]:
    """Settings of a new store, whose PostgreSQL database is migrated already."""

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
    """The real command, with limits and credits that no test reaches; its log may hold no stack when all is over."""
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
