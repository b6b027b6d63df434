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
    """The credit ledger."""


@ledger.command("verify")
@on_store
def verify(console: Console) -> None:
    """Recompute every balance and follow every hold; exit 1 when anything does not fit."""
    differences = console.run(lambda books: books.ledger.verify())
    console.tell(
        {"ok": not differences, "differences": [asdict(each) for each in differences]},
        *map(str, differences),
        f"{len(differences)} differences." if differences else "The ledger fits.",
    )
    sys.exit(1 if differences else 0)


@click.group()
def db() -> None:
    """The database."""


@db.command("upgrade")
@on_store
def upgrade(console: Console) -> None:
    """Bring the database to this release's form (`serve` does so too)."""
    settings = read_settings(sandbox=console.sandbox, data_dir=console.data_dir)

    async def migrate() -> None:
        database = await open_database(make_sandbox_settings(settings) if console.sandbox else settings, migrate=True)
        await database.close()

    asyncio.run(migrate())
    console.tell({"ok": True}, "The database is up to date.")
