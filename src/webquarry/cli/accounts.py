"""`webquarry account`, `credits` and `key`: who may call, with how much, by which keys."""

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from webquarry.accounts import Account, ApiKey, Listing
from webquarry.app import Service
from webquarry.cli.common import (
    data_dir_option,
    find_account,
    json_option,
    print_json,
    run_with_service,
    sandbox_option,
    tell_errors,
)
from webquarry.clock import end_of_day
from webquarry.ledger import MAX_CREDITS, last_days

cap_option = click.option(
    "--cap",
    type=click.IntRange(0, MAX_CREDITS),
    metavar="CREDITS",
    help="Credits that it may spend in a calendar month (UTC) [no cap].",
)


@click.group()
def account() -> None:
    """Accounts."""


@account.command("create")
@click.argument("email")
@click.option("--credits", "given", type=click.IntRange(0, MAX_CREDITS), help="Credits to start with [10].")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def create_account(email: str, given: int | None, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Create an account; prints its key, which is shown this once."""

    async def create(service: Service) -> tuple[Account, str]:
        start = service.settings.new_account_credits if given is None else given
        return await service.accounts.create(email, start)

    made, key = run_with_service(create, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json({"account": made.id, "email": made.email, "key": key})
    else:
        click.echo(f"Account {made.id} ({made.email}) with {made.balance} credits.\nKey, shown this once: {key}")


@account.command("list")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def list_accounts(as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """List all accounts with their balances, oldest first."""

    async def find(service: Service) -> list[Account]:
        return await service.accounts.list_all()

    accounts = run_with_service(find, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json([_account_row(each) for each in accounts])
        return
    for each in accounts:
        click.echo(f"{each.id}  {each.created_at:%Y-%m-%d}  {each.balance:>10}  {each.email}")


@account.command("show")
@click.argument("email")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def show_account(email: str, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Show an account: its balance and its keys."""

    async def find(service: Service) -> tuple[Account, Listing, list[ApiKey]]:
        found = await find_account(service, email)
        return found, await service.directory.find(found.id), await service.accounts.list_keys(found.id)

    found, listing, keys = run_with_service(find, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        state = {"disabled_at": listing.disabled_at, "is_admin": listing.is_admin}
        print_json({**_account_row(found), **state, "keys": [_key_row(each) for each in keys]})
        return
    click.echo(f"Account {found.id} ({found.email}), created {found.created_at:%Y-%m-%d}: {found.balance} credits.")
    if listing.disabled_at is not None:
        click.echo(f"Disabled since {listing.disabled_at:%Y-%m-%d %H:%M}Z.")
    if listing.is_admin:
        click.echo("Administers this service.")
    for each in keys:
        click.echo(_key_line(each))


@account.command("disable")
@click.argument("email")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def disable_account(email: str, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Refuse an account's keys, sessions and connected apps; running servers do so within 5 seconds."""
    _set_disabled(email, True, as_json=as_json, sandbox=sandbox, data_dir=data_dir)


@account.command("enable")
@click.argument("email")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def enable_account(email: str, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Take the calls of a disabled account again."""
    _set_disabled(email, False, as_json=as_json, sandbox=sandbox, data_dir=data_dir)


@account.command("delete")
@click.argument("email")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def delete_account(email: str, yes: bool, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Delete an account for good, with all that is personal; its rows stay in the ledger, under its id alone."""
    if not yes:
        click.confirm(f"Delete the account of {email}? This cannot be undone", abort=True)

    async def delete(service: Service) -> str:
        found = await service.directory.find(email)
        await service.directory.delete(found.id)
        return found.id

    account_id = run_with_service(delete, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json({"account": account_id, "deleted": True})
    else:
        click.echo(f"Deleted {account_id} ({email}).")


@account.command("admin")
@click.argument("email")
@click.argument("state", type=click.Choice(["on", "off"]))
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def set_admin(email: str, state: str, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Let an account administer all others on the pages below /admin, or no longer."""

    async def change(service: Service) -> None:
        await service.people.set_admin((await find_account(service, email)).id, state == "on")

    run_with_service(change, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json({"email": email, "is_admin": state == "on"})
    else:
        click.echo(f"{email} {'administers' if state == 'on' else 'no longer administers'} this service.")


@account.command("password")
@click.argument("email")
@click.password_option(help="The new password; asked for where it is not given.")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def set_password(email: str, password: str, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Set an account's password, and sign it out everywhere."""

    async def change(service: Service) -> None:
        await service.people.set_password(email, password)

    run_with_service(change, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json({"email": email, "password": "set"})
    else:
        click.echo(f"{email} signs in with the new password.")


@account.command("usage")
@click.argument("email", required=False)
@click.option("--days", type=click.IntRange(1, 366), default=30, show_default=True, help="Today and so many before.")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def show_usage(email: str | None, days: int, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Show what accounts were charged: all of them, or one by day and endpoint."""

    async def find(service: Service) -> list[dict[str, Any]]:
        period = last_days(service.clock.now(), days)
        if email is None:
            used = await service.ledger.usage_by_account(period)
            named = {each.id: each.email for each in await service.accounts.list_all()}
            rows = [{"email": named.get(each.account_id), **asdict(each)} for each in used.values()]
            return sorted(rows, key=lambda row: -row["credits"])
        account_id = (await find_account(service, email)).id
        return [asdict(each) for each in await service.ledger.usage(account_id, period)]

    rows = run_with_service(find, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json(rows)
        return
    for row in rows:
        named = f"{row['day']}  {row['endpoint']}" if email else row["email"] or f"{row['account_id']} (deleted)"
        click.echo(f"{row['credits']:>10} credits  {row['calls']:>8} calls  {row['refunded']:>6} refunded  {named}")
    if not rows:
        click.echo("No calls that cost anything.")


@click.group()
def credits() -> None:
    """Credits of accounts."""


@credits.command("grant")
@click.argument("email")
@click.argument("amount", type=click.IntRange(1, MAX_CREDITS))
@click.option("--note", default="granted by the operator", show_default=True, help="Why; kept in the ledger.")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def grant_credits(email: str, amount: int, note: str, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Give an account credits."""

    async def grant(service: Service) -> int:
        return await service.ledger.grant((await find_account(service, email)).id, amount, note)

    _print_balance(email, run_with_service(grant, sandbox=sandbox, data_dir=data_dir), as_json=as_json)


@credits.command("balance")
@click.argument("email")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def show_balance(email: str, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Show what an account has."""

    async def find(service: Service) -> int:
        return (await find_account(service, email)).balance

    _print_balance(email, run_with_service(find, sandbox=sandbox, data_dir=data_dir), as_json=as_json)


@click.group()
def key() -> None:
    """API keys of accounts."""


@key.command("create")
@click.argument("email")
@click.option("--name", default="from the command line", show_default=True, help="What the key is for.")
@click.option(
    "--expires",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="Last day (UTC, such as 2027-12-31) on which it is taken [never expires].",
)
@cap_option
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def create_key(
    email: str,
    name: str,
    expires: datetime | None,
    cap: int | None,
    as_json: bool,
    sandbox: bool,
    data_dir: Path | None,
) -> None:
    """Create a further key; it is shown this once."""
    expires_at = None if expires is None else end_of_day(expires.date())

    async def create(service: Service) -> tuple[ApiKey, str]:
        account_id = (await find_account(service, email)).id
        return await service.accounts.create_key(account_id, name, expires_at=expires_at, monthly_cap=cap)

    made, text = run_with_service(create, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json({**_key_row(made), "key": text})
    else:
        click.echo(text)


@key.command("list")
@click.argument("email")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def list_keys(email: str, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """List an account's keys by id and first characters."""

    async def find(service: Service) -> list[ApiKey]:
        return await service.accounts.list_keys((await find_account(service, email)).id)

    keys = run_with_service(find, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json([_key_row(each) for each in keys])
        return
    for each in keys:
        click.echo(_key_line(each))


@key.command("cap")
@click.argument("email")
@click.argument("key_id")
@click.argument("cap", type=click.IntRange(0, MAX_CREDITS), required=False)
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def set_cap(email: str, key_id: str, cap: int | None, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Let a key spend at most CAP credits in a calendar month; without CAP it has none from now on."""

    async def change(service: Service) -> None:
        await service.accounts.set_key_cap((await find_account(service, email)).id, key_id, cap)

    run_with_service(change, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json({"id": key_id, "monthly_cap": cap})
    else:
        click.echo(f"{key_id} has no cap now." if cap is None else f"{key_id} may spend {cap} credits a month.")


@key.command("revoke")
@click.argument("email")
@click.argument("key_id")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def revoke_key(email: str, key_id: str, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """End a key, named by the id that `key list` shows; running servers refuse it within 5 seconds."""

    async def revoke(service: Service) -> None:
        await service.accounts.revoke_key((await find_account(service, email)).id, key_id)

    run_with_service(revoke, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json({"revoked": key_id})
    else:
        click.echo(f"Revoked {key_id}.")


def _set_disabled(email: str, flag: bool, *, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    async def change(service: Service) -> None:
        await service.people.set_disabled((await find_account(service, email)).id, flag)

    run_with_service(change, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json({"email": email, "disabled": flag})
    else:
        click.echo(f"{email} is {'disabled' if flag else 'enabled'}.")


def _print_balance(email: str, balance: int, *, as_json: bool) -> None:
    if as_json:
        print_json({"email": email, "balance": balance})
    else:
        click.echo(f"Balance of {email}: {balance} credits.")


def _account_row(account: Account) -> dict[str, Any]:
    return {
        "account": account.id,
        "email": account.email,
        "balance": account.balance,
        "created_at": account.created_at,
    }


def _key_row(key: ApiKey) -> dict[str, Any]:
    return {
        "id": key.id,
        "name": key.name,
        "prefix": key.prefix,
        "created_at": key.created_at,
        "revoked_at": key.revoked_at,
        "expires_at": key.expires_at,
        "monthly_cap": key.monthly_cap,
        "last_used_at": key.last_used_at,
    }


def _key_line(key: ApiKey) -> str:
    state = f"revoked {key.revoked_at:%Y-%m-%d %H:%M}Z" if key.revoked_at else "active"
    if key.revoked_at is None and key.expires_at is not None:
        state = f"{'active until' if key.is_active(datetime.now(UTC)) else 'expired'} {key.expires_at:%Y-%m-%d %H:%M}Z"
    cap = "" if key.monthly_cap is None else f"  {key.monthly_cap} credits a month"
    used = f"used {key.last_used_at:%Y-%m-%d}" if key.last_used_at else "never used"
    return f"{key.id}  {key.prefix}…  {key.created_at:%Y-%m-%d}  {state}{cap}  {used}  {key.name}"
