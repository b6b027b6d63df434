"""`webquarry ledger` and `db`: what is stored."""

import asyncio
import sys
from dataclasses import asdict
from pathlib import Path

import click

from webquarry.app import Service, make_sandbox_settings
from webquarry.cli.common import (
    data_dir_option,
    json_option,
    print_json,
    read_settings,
    run_with_service,
    sandbox_option,
    tell_errors,
)
from webquarry.ledger import Difference
from webquarry.storage import open_database


@click.group()
def ledger() -> None:
    """The credit ledger."""


@ledger.command("verify")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def verify(as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Recompute every balance and follow every hold; exit 1 when anything does not fit."""

    async def find(service: Service) -> list[Difference]:
        return list(await service.ledger.verify())

    differences = run_with_service(find, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json({"ok": not differences, "differences": [asdict(each) for each in differences]})
    else:
        for each in differences:
            click.echo(str(each))
        click.echo("The ledger fits." if not differences else f"{len(differences)} differences.")
    sys.exit(1 if differences else 0)


@click.group()
def db() -> None:
    """The database."""


@db.command("upgrade")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def upgrade(as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Bring the database to this release's form (`serve` does so too)."""
    settings = read_settings(sandbox=sandbox, data_dir=data_dir)

    async def migrate() -> None:
        database = await open_database(make_sandbox_settings(settings) if sandbox else settings, migrate=True)
        await database.close()

    asyncio.run(migrate())
    if as_json:
        print_json({"ok": True})
    else:
        click.echo("The database is up to date.")
