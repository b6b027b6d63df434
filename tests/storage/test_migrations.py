"""Revisions: the effect of starting the service on a database of any age."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from alembic.script import ScriptDirectory
from pgqueuer import Queries
from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver
from pgqueuer.adapters.persistence.qb import QueryBuilderEnvironment
from pgqueuer.domain.settings import DBSettings, Durability
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from conftest import Store
from support.postgres import Postgres
from webquarry.core.settings import Settings
from webquarry.storage import Database, NeedsUpgrade, StorageError, TooNew, open_database, revisions
from webquarry.storage.database import query
from webquarry.storage.schema import metadata

PREFIX = "wq_"
"""Prefix of the queue's tables, which the schema does not describe."""
CURRENT = revisions.HEAD
NEXT = f"{len(revisions.REVISIONS) + 1:04}"
NEXT_REVISION = f"""
from alembic import op
import sqlalchemy as sa

revision = "{NEXT}"
down_revision = "{revisions.HEAD}"


def upgrade() -> None:
    op.add_column("accounts", sa.Column("nickname", sa.Text()))
"""


@pytest.fixture
async def empty(request: pytest.FixtureRequest, backend: str, tmp_path: Path) -> Settings:
    """Settings of a store that does not yet exist."""
    if backend == "sqlite":
        return Settings(data_dir=tmp_path / "new")
    server: Postgres = request.getfixturevalue("postgres")
    return Settings(data_dir=tmp_path / "new", database_url=await server.empty_database())


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Add a revision to this program."""

    def release() -> None:
        folder = tmp_path / "migrations"
        shutil.copytree(revisions.FOLDER, folder)
        (folder / "versions" / f"{NEXT}_next.py").write_text(NEXT_REVISION)
        monkeypatch.setattr(revisions, "FOLDER", folder)
        monkeypatch.setattr(revisions, "REVISIONS", (*revisions.REVISIONS, NEXT))
        monkeypatch.setattr(revisions, "HEAD", NEXT)

    return release


async def revision(database: Database) -> str:
    rows = await database.read(lambda: query("SELECT version_num FROM alembic_version", {}))
    return str(rows[0][0])


def test_the_known_revisions_match_alembic() -> None:
    scripts = ScriptDirectory(str(revisions.FOLDER))
    assert tuple(script.revision for script in reversed(list(scripts.walk_revisions()))) == revisions.REVISIONS
    assert scripts.get_heads() == [revisions.HEAD]


@pytest.mark.parametrize("migrating", [True, False])
async def test_an_empty_database_is_migrated_by_any_command(empty: Settings, migrating: bool) -> None:
    database = await open_database(empty, migrate=migrating)
    assert await revision(database) == revisions.HEAD
    await database.close()


async def test_two_concurrent_first_starts_both_find_a_migrated_database(empty: Settings) -> None:
    code = (
        "import asyncio, sys, json\n"
        "from webquarry.core.settings import Settings\n"
        "from webquarry.storage import open_database\n"
        "async def main():\n"
        "    await (await open_database(Settings(**json.loads(sys.argv[1])), migrate=True)).close()\n"
        "asyncio.run(main())\n"
    )
    arguments = json.dumps({"data_dir": str(empty.data_dir), "database_url": empty.database_url})
    starts = [await asyncio.create_subprocess_exec(sys.executable, "-c", code, arguments) for _ in range(2)]
    assert [await start.wait() for start in starts] == [0, 0]


async def test_a_newer_database_is_refused(store: Store) -> None:
    database = await store.open()
    await database.write(lambda: query("UPDATE alembic_version SET version_num = '9999'", {}))
    for migrating in (True, False):
        with pytest.raises(TooNew, match=r"9999.*newer than this program"):
            await store.open(migrate=migrating)


async def test_a_command_names_the_upgrade_and_leaves_an_older_database_alone(
    store: Store, next_release: Callable[[], None]
) -> None:
    database = await store.open()
    next_release()
    with pytest.raises(NeedsUpgrade, match="webquarry db upgrade"):
        await store.open(migrate=False)
    assert await revision(database) == CURRENT


async def test_serve_upgrades_an_older_database_with_its_rows(store: Store, next_release: Callable[[], None]) -> None:
    database = await store.open()
    add = "INSERT INTO accounts (id, email, balance, created_at) VALUES ('a', 'a@example.com', 0, 0)"
    await database.write(lambda: query(add, {}))
    next_release()
    upgraded = await store.open(migrate=True)
    assert await revision(upgraded) == NEXT
    assert await upgraded.read(lambda: query("SELECT id, nickname FROM accounts", {})) == [("a", None)]


@pytest.mark.parametrize("backend", ["sqlite"])
async def test_sqlite_keeps_a_copy_of_the_file_it_migrates(
    store: Store, backend: str, next_release: Callable[[], None]
) -> None:
    database = await store.open()
    add = "INSERT INTO accounts (id, email, balance, created_at) VALUES ('a', 'a@example.com', 0, 0)"
    await database.write(lambda: query(add, {}))  # still in the write-ahead log
    next_release()
    await store.open(migrate=True)
    copy = sqlite3.connect(store.settings.data_dir / f"webquarry-{CURRENT}.db")
    assert copy.execute("SELECT id FROM accounts").fetchall() == [("a",)]
    assert copy.execute("SELECT version_num FROM alembic_version").fetchall() == [(CURRENT,)]
    copy.close()


@pytest.mark.parametrize("backend", ["sqlite"])
async def test_files_of_the_store_are_private(store: Store, backend: str, next_release: Callable[[], None]) -> None:
    database = await store.open()
    add = "INSERT INTO accounts (id, email, balance, created_at) VALUES ('a', 'a@example.com', 0, 0)"
    await database.write(lambda: query(add, {}))
    next_release()
    await store.open(migrate=True)
    folder = store.settings.data_dir
    modes = {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}
    assert modes == dict.fromkeys(
        ["open.lock", "webquarry.db", "webquarry.db-wal", "webquarry.db-shm", f"webquarry-{CURRENT}.db"], 0o600
    )
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("balance", [-1, 10**15 + 1, 2**63 - 1])
async def test_the_store_refuses_a_balance_out_of_bounds(database: Database, balance: int) -> None:
    add = "INSERT INTO accounts (id, email, balance, created_at) VALUES ('a', 'a@example.com', :balance, 0)"
    with pytest.raises(Exception, match="ck_accounts_balance"):
        await database.write(lambda: query(add, {"balance": balance}))


@pytest.mark.parametrize("backend", ["sqlite"])
async def test_sqlite_refuses_a_balance_that_is_not_an_integer(database: Database, backend: str) -> None:
    add = "INSERT INTO accounts (id, email, balance, created_at) VALUES ('a', 'a@example.com', 1.5, 0)"
    with pytest.raises(Exception, match="ck_accounts_balance"):
        await database.write(lambda: query(add, {}))


@pytest.mark.parametrize("backend", ["sqlite"])
async def test_the_migrated_schema_matches_the_metadata_on_sqlite(store: Store, backend: str) -> None:
    database = await store.open()
    made = sqlite3.connect(":memory:")
    for table in metadata.sorted_tables:
        made.execute(str(CreateTable(table).compile(dialect=sqlite.dialect())))
        for index in table.indexes:
            made.execute(str(CreateIndex(index).compile(dialect=sqlite.dialect())))
    sql = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE tbl_name <> 'alembic_version'"

    def shape(rows: Any) -> set[tuple[str, str, str, tuple[str, ...]]]:
        # the order of columns and constraints within a table is irrelevant
        return {(kind, name, table, tuple(sorted(_members(text or "")))) for kind, name, table, text in rows}

    assert shape(await database.read(lambda: query(sql, {}))) == shape(made.execute(sql))


def _members(statement: str) -> list[str]:
    """Split a CREATE statement at the commas in its outermost parentheses."""
    members, depth = [""], 0
    for letter in " ".join(statement.split()):
        depth += (letter == "(") - (letter == ")")
        if (letter, depth) in ((",", 1), ("(", 1)) or (letter, depth) == (")", 0):
            members.append("")
        else:
            members[-1] += letter
    return [member.strip() for member in members if member.strip()]


async def test_the_migrated_schema_matches_the_metadata_on_postgres(postgres: Postgres) -> None:
    migrated = await asyncpg.connect(await postgres.database())
    made = await asyncpg.connect(await postgres.empty_database())
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]  # SQLAlchemy leaves it untyped
    for table in metadata.sorted_tables:
        await made.execute(str(CreateTable(table).compile(dialect=dialect)))
        for index in table.indexes:
            await made.execute(str(CreateIndex(index).compile(dialect=dialect)))
    questions = (
        "SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns"
        " WHERE table_schema = 'public'",
        "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE connamespace = 'public'::regnamespace",
    )
    for question in questions:
        rows, expected = await migrated.fetch(question), await made.fetch(question)
        found = [row for row in rows if row[0] != "alembic_version" and not row[0].startswith(PREFIX)]
        assert {tuple(row) for row in found} == {tuple(row) for row in expected}
        assert found
    await migrated.close()
    await made.close()


async def test_the_queue_tables_match_the_library(postgres: Postgres) -> None:
    connection = await asyncpg.connect(await postgres.database())
    settings = DBSettings(prefix=PREFIX, durability=Durability.volatile)
    queries = Queries(AsyncpgDriver(connection), QueryBuilderEnvironment(settings))
    assert (await queries.plan_upgrade()).statements == ()
    await connection.close()


async def test_an_unreachable_store_is_reported_without_its_url(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="can't be used: it is a file"):
        await open_database(Settings(data_dir=tmp_path / "file"), migrate=True)
    url = f"postgresql://someone:secret@/nothing?host={tmp_path}"
    with pytest.raises(StorageError, match="WEBQUARRY_DATABASE_URL can't be opened") as raised:
        await open_database(Settings(database_url=url), migrate=True)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://someone:sec:ret@127.0.0.1/nothing",
        "postgresql://someone:sec/ret@127.0.0.1/nothing",
        "postgresql://someone:sec#ret@127.0.0.1/nothing",
        "postgresql://someone:1?sec=ret@127.0.0.1/nothing",
        "postgresql://someone:sec@ret@127.0.0.1:1/nothing",
        "someone:sec ret@127.0.0.1",
        "mysql://someone:secret@127.0.0.1/nothing",
        "postgresql://someone:sec[ret@127.0.0.1/nothing",
        "postgresql://someone:secret@127.0.0.1:99999/nothing",
    ],
)
async def test_a_malformed_url_is_reported_without_quoting_it(url: str) -> None:
    with pytest.raises(StorageError, match="WEBQUARRY_DATABASE_URL") as raised:
        await open_database(Settings(database_url=url), migrate=True)
    assert "sec" not in str(raised.value)
    assert "ret" not in str(raised.value)


def test_a_start_imports_neither_alembic_nor_sqlalchemy(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from webquarry.core.settings import Settings\n"
        "from webquarry.storage import open_database\n"
        "async def main():\n"
        "    await (await open_database(Settings(data_dir=Path(sys.argv[1])), migrate=True)).close()\n"
        "asyncio.run(main())\n"
        "print('alembic' in sys.modules, 'sqlalchemy' in sys.modules)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    outputs = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(2)]
    assert [output.strip() for output in outputs] == ["False False"] * 2
