"""`webquarry ledger` and `db`: what is stored."""

import asyncio
import sys
from dataclasses import asdict

import click

from webquarry.app import make_sandbox_settings
from webquarry.cli.common import read_settings
from webquarry.cli.console import Console, on_store
from webquarry.storage import open_database


@click.group()
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


@click.group()
def db() -> None:
    """Manage the database."""


@db.command("upgrade")
@on_store
def upgrade(console: Console) -> None:
    """Upgrade the database schema to this release. `serve` does this too."""
    settings = read_settings(sandbox=console.sandbox, data_dir=console.data_dir)

    async def migrate() -> None:
        database = await open_database(make_sandbox_settings(settings) if console.sandbox else settings, migrate=True)
        await database.close()

    asyncio.run(migrate())
    console.tell({"ok": True}, "The database is up to date.")
