"""`webquarry ledger` and `webquarry db`: checks, backups and upgrades of the database."""

import asyncio
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webquarry.cli.common import read_settings
from webquarry.cli.console import Console, on_store
from webquarry.cli.groups import Group
from webquarry.storage import check_store, open_database

if TYPE_CHECKING:
    from webquarry.core.settings import Settings


@click.group(cls=Group)
def ledger() -> None:
    """Check the credit ledger."""


@ledger.command("verify")
@on_store
def verify(console: Console) -> None:
    """Recompute all balances and holds. Exit 1 if there is a difference."""
    differences = console.run(lambda books: books.ledger.verify())
    console.tell(
        {"ok": not differences, "differences": [asdict(each) for each in differences]},
        *map(str, differences),
        f"{len(differences)} differences." if differences else "The ledger is consistent.",
    )
    sys.exit(1 if differences else 0)


@click.group(cls=Group)
def db() -> None:
    """Manage the database."""


@db.command("upgrade")
@on_store
def upgrade(console: Console) -> None:
    """Upgrade the database schema to this release. `serve` does this too."""

    async def migrate() -> None:
        database = await open_database(read_store_settings(console), migrate=True)
        await database.close()

    asyncio.run(migrate())
    console.tell({"ok": True}, "The database is up to date.")


@db.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@on_store
def backup_store(console: Console, file: Path) -> None:
    """Copy the store to FILE. Servers may be running.

    FILE must not exist yet. Backing up PostgreSQL requires pg_dump.
    """
    from webquarry.storage.backup import back_up

    settings = read_store_settings(console)
    check_store(settings)
    asyncio.run(back_up(settings, file))
    size = file.stat().st_size
    console.tell({"ok": True, "file": str(file), "bytes": size}, f"Wrote {file} ({size:,} bytes).")


@db.command("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@on_store
def restore_store(console: Console, file: Path) -> None:
    """Restore a backup, written by `db backup`, to a new database.

    The data folder, or the database of WEBQUARRY_DATABASE_URL, must not hold a store yet. A backup of PostgreSQL needs
    pg_restore.
    """
    from webquarry.storage.backup import needs_upgrade, restore

    revision = asyncio.run(restore(read_store_settings(console), file))
    then = " `webquarry serve` will migrate it to this version." if needs_upgrade(revision) else ""
    console.tell({"ok": True, "revision": revision}, f"Restored {file} (revision {revision}).{then}")


def read_store_settings(console: Console) -> "Settings":
    """Return the settings of the store that a command uses."""
    from webquarry.engine import make_sandbox_settings

    settings = read_settings(sandbox=console.sandbox, data_dir=console.data_dir)
    return make_sandbox_settings(settings) if console.sandbox else settings
