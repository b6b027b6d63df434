"""The commands. Each says in one sentence what it does; errors are sentences too."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import click
import orjson

from webquarry import log
from webquarry.accounts import Account
from webquarry.app import Service, assemble, sandboxed
from webquarry.cli.endpoints import endpoint_group, rows
from webquarry.errors import ServiceError
from webquarry.ledger import MAX_CREDITS
from webquarry.registry import load
from webquarry.sandbox import cases
from webquarry.settings import Settings, SettingsError
from webquarry.storage import StorageError, open_database

T = TypeVar("T")
P = ParamSpec("P")

sandbox_option = click.option("--sandbox", is_flag=True, help="Use the sandbox: its store, and tapes for the outside.")
data_dir_option = click.option("--data-dir", type=click.Path(path_type=Path), help="Folder of the store [./data].")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def settings_of(**options: Any) -> Settings:
    """Settings of the environment and the options given; a sentence and exit 1 when they cannot be used."""
    settings = Settings.from_environment(os.environ, **options)
    log.set_up(settings.log_level)
    return settings


def sentences(command: Callable[P, T]) -> Callable[P, T]:
    """Turn what may be wrong with settings, store or call into one sentence on standard error and exit 1."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return command(*args, **kwargs)
        except (SettingsError, StorageError) as exc:
            raise click.ClickException(str(exc)) from exc
        except ServiceError as exc:
            raise click.ClickException(exc.message) from exc

    return run


def with_service(work: Callable[[Service], Awaitable[T]], *, sandbox: bool = False, data_dir: Path | None = None) -> T:
    """Run `work` with the assembled service, beside a running server or without one."""

    async def run() -> T:
        async with assemble(settings_of(data_dir=data_dir), sandbox=sandbox) as service:
            return await work(service)

    return asyncio.run(run())


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="webquarry")
def main() -> None:
    """Public web data as JSON and as clean markdown: a self-hosted HTTP service.

    `webquarry serve` starts it. Settings are WEBQUARRY_* variables; every command honours them.
    """


@main.command()
@sandbox_option
@data_dir_option
@click.option("--host", help="Address to listen on [127.0.0.1].")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 takes a free one [8080].")
@sentences
def serve(sandbox: bool, **options: Any) -> None:
    """Start the service. At the first start it prints an account's key."""
    import uvloop  # neither it nor the server is needed by other commands

    from webquarry.cli.serve import run

    uvloop.run(run(settings_of(**options), sandbox=sandbox))


@main.group()
def account() -> None:
    """Accounts."""


@account.command("create")
@click.argument("email")
@click.option("--credits", "given", type=click.IntRange(0, MAX_CREDITS), help="Credits to start with [10].")
@json_option
@sandbox_option
@data_dir_option
@sentences
def account_create(email: str, given: int | None, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Create an account; prints its key, which is shown this once."""

    async def create(service: Service) -> tuple[Account, str]:
        start = service.settings.new_account_credits if given is None else given
        return await service.accounts.create(email, start)

    made, key = with_service(create, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json({"account": made.id, "email": made.email, "key": key})
    else:
        click.echo(f"Account {made.id} ({made.email}) with {made.balance} credits.\nKey, shown this once: {key}")


@main.group("credits")
def credits_group() -> None:
    """Credits of accounts."""


@credits_group.command("grant")
@click.argument("email")
@click.argument("amount", type=click.IntRange(1, MAX_CREDITS))
@click.option("--note", default="granted by the operator", show_default=True, help="Why; kept in the ledger.")
@sandbox_option
@data_dir_option
@sentences
def credits_grant(email: str, amount: int, note: str, sandbox: bool, data_dir: Path | None) -> None:
    """Give an account credits."""

    async def grant(service: Service) -> int:
        return await service.ledger.grant((await found(service, email)).id, amount, note)

    click.echo(f"Balance of {email}: {with_service(grant, sandbox=sandbox, data_dir=data_dir)} credits.")


@main.group()
def key() -> None:
    """API keys of accounts."""


@key.command("create")
@click.argument("email")
@click.option("--name", default="from the command line", show_default=True, help="What the key is for.")
@sandbox_option
@data_dir_option
@sentences
def key_create(email: str, name: str, sandbox: bool, data_dir: Path | None) -> None:
    """Create a further key; it is shown this once."""

    async def create(service: Service) -> str:
        _, text = await service.accounts.create_key((await found(service, email)).id, name)
        return text

    click.echo(with_service(create, sandbox=sandbox, data_dir=data_dir))


@key.command("list")
@click.argument("email")
@sandbox_option
@data_dir_option
@sentences
def key_list(email: str, sandbox: bool, data_dir: Path | None) -> None:
    """List an account's keys by id and first characters."""

    async def listed(service: Service) -> Iterable[Any]:
        return await service.accounts.list_keys((await found(service, email)).id)

    for each in with_service(listed, sandbox=sandbox, data_dir=data_dir):
        state = f"revoked {each.revoked_at:%Y-%m-%d %H:%M}Z" if each.revoked_at else "active"
        click.echo(f"{each.id}  {each.prefix}…  {each.created_at:%Y-%m-%d}  {state}  {each.name}")


@key.command("revoke")
@click.argument("email")
@click.argument("key_id")
@sandbox_option
@data_dir_option
@sentences
def key_revoke(email: str, key_id: str, sandbox: bool, data_dir: Path | None) -> None:
    """End a key, named by the id that `key list` shows; running servers refuse it within 5 seconds."""

    async def revoke(service: Service) -> None:
        await service.accounts.revoke_key((await found(service, email)).id, key_id)

    with_service(revoke, sandbox=sandbox, data_dir=data_dir)
    click.echo(f"Revoked {key_id}.")


@main.group()
def ledger() -> None:
    """The credit ledger."""


@ledger.command("verify")
@sandbox_option
@data_dir_option
@sentences
def ledger_verify(sandbox: bool, data_dir: Path | None) -> None:
    """Recompute every balance and follow every hold; exit 1 when anything does not fit."""

    async def verify(service: Service) -> Iterable[Any]:
        return await service.ledger.verify()

    differences = list(with_service(verify, sandbox=sandbox, data_dir=data_dir))
    for difference in differences:
        click.echo(str(difference))
    click.echo("The ledger fits." if not differences else f"{len(differences)} differences.")
    sys.exit(1 if differences else 0)


@main.group()
def db() -> None:
    """The database."""


@db.command("upgrade")
@sandbox_option
@data_dir_option
@sentences
def db_upgrade(sandbox: bool, data_dir: Path | None) -> None:
    """Bring the database to this release's form (`serve` does so too)."""
    settings = settings_of(data_dir=data_dir)

    async def upgrade() -> None:
        database = await open_database(sandboxed(settings) if sandbox else settings, migrate=True)
        await database.close()

    asyncio.run(upgrade())
    click.echo("The database is up to date.")


@main.command()
@json_option
@sentences
def endpoints(as_json: bool) -> None:
    """List the endpoints with prices, freshness, parameters and sources."""
    listed = rows(load(), settings_of())
    if as_json:
        print_json(listed)
        return
    for row in listed:
        note = "" if row["available"] else f"  ({row['remedy']})"
        click.echo(f"{row['name']:32} {row['credits']} credit{'' if row['credits'] == 1 else 's'}  {row['path']}{note}")


@main.group()
def tape() -> None:
    """Tapes: the made exchanges that tests and sandbox play."""


@tape.command("accept")
@click.argument("name")
@click.option("--unreleased", is_flag=True, help="No server has used this version of the reader yet: keep its number.")
@sentences
def tape_accept(name: str, unreleased: bool) -> None:
    """Rewrite what is expected of NAME (an endpoint, or endpoint/case) from what the code makes now.

    A changed expectation needs a raised `version` of the endpoint.
    """
    from webquarry.cli.tapes import accept

    endpoint, _, wanted = name.partition("/")
    chosen = [case for case in cases(endpoint) if wanted in ("", case.folder.name)]
    if not chosen:
        raise click.ClickException(f"There is no tape {name}.")
    log.set_up("error")

    async def show() -> None:
        async for line in accept(chosen, unreleased=unreleased):
            click.echo(line)

    try:
        asyncio.run(show())
    except ValueError as exc:
        raise click.ClickException(str(exc)) from exc


@main.group()
def doctor() -> None:
    """Examinations of this installation."""


@doctor.command("egress")
@click.option("--only", multiple=True, help="Attacks whose names begin so; may be given again.")
@click.option("--list", "lists", is_flag=True, help="Name the attacks, and play none.")
@click.option("--no-browser", is_flag=True, help="Leave the browser out: it takes most of the time.")
@click.option("--quiet", "-q", is_flag=True, help="Leave out what was held.")
@json_option
@sentences
def doctor_egress(only: tuple[str, ...], lists: bool, no_browser: bool, quiet: bool, as_json: bool) -> None:
    """Attack the installed code with these settings, on loopback; exit 1 when something reaches its target.

    Nothing leaves this machine, no running server is touched, and nothing is stored.
    """
    from webquarry.cli.doctor import examine_egress, list_attacks

    if lists:
        list_attacks()
        return
    settings = Settings.from_environment(os.environ)
    log.set_up("error")  # attacks are told as findings, not as events
    examine_egress(settings, only, browser=not no_browser, as_json_text=as_json, quiet=quiet)


main.add_command(endpoint_group("get", "Call an endpoint from here: no server, no price, no limit."))
main.add_command(endpoint_group("read", "Read one recorded wire with a provider's reader."))


async def found(service: Service, email: str) -> Account:
    account = await service.accounts.by_email(email)
    if account is None:
        raise click.ClickException(f"There is no account of {email}.")
    return account


def print_json(value: Any) -> None:
    click.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2, default=_plain))


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else str(value)
