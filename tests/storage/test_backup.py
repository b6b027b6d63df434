"""Backups: taken while calls are charged, restored into a new store, on both databases."""

import asyncio
import json
import os
import sqlite3
import stat
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from io import StringIO
from pathlib import Path

import asyncpg
import pytest
from alembic import command
from alembic.config import Config

from conftest import Store
from support.clock import ManualClock
from support.postgres import Postgres
from support.server import webquarry
from webquarry.accounts import Accounts
from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.ledger import Ledger
from webquarry.storage import Database, NeedsUpgrade, StorageError, open_database, revisions
from webquarry.storage.backup import back_up, restore, split_password
from webquarry.storage.database import query
from webquarry.storage.sqlite import FILE_NAME

VICTIM = Path(__file__).parents[1] / "ledger" / "victim.py"
GRANTED = 1_000_000

MakeSettings = Callable[[str], Awaitable[Settings]]


@pytest.fixture
def make_empty(request: pytest.FixtureRequest, backend: str, tmp_path: Path) -> MakeSettings:
    """Return the settings of a store that does not yet exist, in a folder with this name."""

    async def make(name: str) -> Settings:
        if backend == "sqlite":
            return Settings(data_dir=tmp_path / name)
        server: Postgres = request.getfixturevalue("postgres")
        return Settings(data_dir=tmp_path / name, database_url=await server.empty_database())

    return make


@asynccontextmanager
async def charging(store: Store, account_ids: list[str]) -> AsyncIterator[asyncio.StreamReader]:
    """Run a process that charges the accounts continuously. It prints a line for every 50 finished requests."""
    arguments = store.settings.model_dump_json(include={"data_dir", "database_url"})
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(VICTIM), arguments, *account_ids, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        yield process.stdout
    finally:
        process.kill()
        await process.wait()


async def count(database: Database, sql: str) -> int:
    rows = await database.read(lambda: query(sql, {}))
    return int(rows[0][0] or 0)


async def test_backup_taken_during_charges_restores_a_correct_ledger(
    store: Store, make_empty: MakeSettings, tmp_path: Path
) -> None:
    database = await store.open()
    accounts = Accounts(database, SystemClock())
    ids = [(await accounts.create(f"{n}@example.com", GRANTED))[0].id for n in range(2)]
    files = [tmp_path / f"{n}.backup" for n in range(3)]
    before = []
    async with asyncio.timeout(120), charging(store, ids) as ended:
        for file in files:
            await ended.readline()
            before.append(await count(database, "SELECT COUNT(*) FROM ledger"))
            await back_up(store.settings, file)
    after = await count(database, "SELECT COUNT(*) FROM ledger")
    for number, file in enumerate(files):
        settings = await make_empty(f"restored-{number}")
        assert await restore(settings, file) == revisions.HEAD
        restored = await open_database(settings, migrate=False)
        rows = await count(restored, "SELECT COUNT(*) FROM ledger")
        assert before[number] <= rows <= after
        later = ManualClock(SystemClock().now())
        later.advance(151)
        ledger = Ledger(restored, later, "next")
        assert await ledger.verify() == []
        await ledger.sweep()
        assert await count(restored, "SELECT COUNT(*) FROM open_holds") == 0
        assert await ledger.verify() == []
        await restored.close()
    assert before[0] < before[-1], "nothing was charged meanwhile"


async def test_backup_is_private_and_leaves_no_other_files(store: Store, tmp_path: Path) -> None:
    await store.open()
    folder = tmp_path / "backups"
    folder.mkdir()
    await back_up(store.settings, folder / "a")
    assert os.listdir(folder) == ["a"]
    assert stat.S_IMODE((folder / "a").stat().st_mode) == 0o600


async def test_backup_never_replaces_a_file(store: Store, tmp_path: Path) -> None:
    await store.open()
    (tmp_path / "a").write_text("mine")
    with pytest.raises(StorageError, match="already exists"):
        await back_up(store.settings, tmp_path / "a")
    assert (tmp_path / "a").read_text() == "mine"


async def test_backup_into_a_missing_folder_is_reported_in_a_sentence(store: Store, tmp_path: Path) -> None:
    await store.open()
    with pytest.raises(StorageError, match="can't be written: No such file or directory"):
        await back_up(store.settings, tmp_path / "missing" / "a")


async def test_restore_into_a_store_in_use_changes_nothing(store: Store, tmp_path: Path) -> None:
    database = await store.open()
    await back_up(store.settings, tmp_path / "a")
    await Accounts(database, SystemClock()).create("new@example.com", 1)
    with pytest.raises(StorageError, match=r"already has a database|is not empty"):
        await restore(store.settings, tmp_path / "a")
    assert await count(database, "SELECT COUNT(*) FROM accounts") == 1


@pytest.mark.parametrize("part", [0.3, 0.9])
async def test_truncated_backup_is_refused_and_leaves_the_store_empty(
    store: Store, make_empty: MakeSettings, tmp_path: Path, part: float
) -> None:
    database = await store.open()
    accounts = Accounts(database, SystemClock())
    for number in range(50):
        await accounts.create(f"{number}@example.com", 1)
    await back_up(store.settings, tmp_path / "a")
    whole = (tmp_path / "a").read_bytes()
    (tmp_path / "half").write_bytes(whole[: int(len(whole) * part)])
    settings = await make_empty("restored")
    with pytest.raises(StorageError):
        await restore(settings, tmp_path / "half")
    assert await restore(settings, tmp_path / "a") == revisions.HEAD


@pytest.mark.parametrize("content", [b"", b"{}", b"SQLite format 4\0"])
async def test_file_that_is_not_a_backup_is_refused(make_empty: MakeSettings, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(StorageError, match="is not a backup"):
        await restore(await make_empty("restored"), tmp_path / "a")


async def test_backup_of_the_other_database_is_refused(
    store: Store, postgres: Postgres, backend: str, tmp_path: Path
) -> None:
    await store.open()
    await back_up(store.settings, tmp_path / "a")
    other = None if backend == "postgres" else await postgres.empty_database()
    with pytest.raises(StorageError, match="WEBQUARRY_DATABASE_URL"):
        await restore(Settings(data_dir=tmp_path / "other", database_url=other), tmp_path / "a")


@pytest.mark.parametrize("earlier", revisions.REVISIONS[:-1])
async def test_backup_of_an_earlier_release_is_restored_and_upgraded_with_its_rows(
    make_empty: MakeSettings, tmp_path: Path, earlier: str
) -> None:
    old = await make_empty("old")
    add = "INSERT INTO accounts (id, email, balance, created_at) VALUES ('a', 'a@example.com', 7, 0)"
    await run_script(old, f"{write_script_to(earlier, old)}\n{add};")
    await back_up(old, tmp_path / "a")
    settings = await make_empty("restored")
    assert await restore(settings, tmp_path / "a") == earlier
    with pytest.raises(NeedsUpgrade):
        await open_database(settings, migrate=False)
    upgraded = await open_database(settings, migrate=True)
    assert await count(upgraded, "SELECT balance FROM accounts WHERE email = 'a@example.com'") == 7
    await upgraded.close()


def write_script_to(revision: str, settings: Settings) -> str:
    """Return the SQL that creates the tables of a revision."""
    config = Config()
    config.set_main_option("script_location", str(revisions.FOLDER))
    config.output_buffer = StringIO()
    config.attributes["dialect"] = "postgresql" if settings.database_url else "sqlite"
    command.upgrade(config, f"base:{revision}", sql=True)
    return config.output_buffer.getvalue()


async def run_script(settings: Settings, script: str) -> None:
    if settings.database_url is None:
        settings.data_dir.mkdir()
        with closing(sqlite3.connect(settings.data_dir / FILE_NAME)) as made:
            made.executescript(script)
        return
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute(script)
    await connection.close()


async def test_backup_of_a_later_release_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a") as made:
        made.executescript(
            "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('9999')"
        )
    settings = Settings(data_dir=tmp_path / "restored")
    with pytest.raises(StorageError, match="Update the program"):
        await restore(settings, tmp_path / "a")
    assert not (tmp_path / "restored" / "webquarry.db").exists()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://ada@host:5432/name", ("postgresql://ada@host:5432/name", None)),
        ("postgresql://ada:a%40b%3Ac@host/name", ("postgresql://ada@host/name", "a@b:c")),
        ("postgresql://ada:pw@/name?host=%2Frun%2Fpg", ("postgresql://ada@/name?host=%2Frun%2Fpg", "pw")),
        ("postgresql:///name?user=ada&password=a%26b", ("postgresql:///name?user=ada", "a&b")),
        ("postgresql://host/name", ("postgresql://host/name", None)),
    ],
)
def test_password_is_not_on_the_command_line(url: str, expected: tuple[str, str | None]) -> None:
    assert split_password(url) == expected


async def test_missing_program_of_postgres_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    settings = Settings(database_url="postgresql://ada:secret@127.0.0.1:1/name")
    with pytest.raises(StorageError, match="pg_dump is required for backups but not installed"):
        await back_up(settings, tmp_path / "a")


async def test_commands_back_up_and_restore_a_store(tmp_path: Path) -> None:
    made = await webquarry("account", "create", "ada@example.com", "--credits", "7", folder=tmp_path / "old")
    assert made.code == 0, made.err
    file = str(tmp_path / "store.backup")
    assert (await webquarry("db", "backup", file, folder=tmp_path / "old")).code == 0
    done = await webquarry("db", "restore", file, folder=tmp_path / "new")
    assert done.code == 0, done.err
    assert f"revision {revisions.HEAD}" in done.out
    balance = await webquarry("credits", "balance", "ada@example.com", "--json", folder=tmp_path / "new")
    assert json.loads(balance.out)["balance"] == 7
    assert (await webquarry("ledger", "verify", folder=tmp_path / "new")).code == 0
    again = await webquarry("db", "restore", file, folder=tmp_path / "new")
    assert (again.code, "already has a database" in again.err) == (1, True)
