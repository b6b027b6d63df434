"""`webquarry account` and `credits`: accounts, their passwords and their credits."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from webquarry.cli.console import Console, on_store
from webquarry.cli.groups import Group
from webquarry.cli.keys import key_line, key_row
from webquarry.core.credits import MAX_CREDITS
from webquarry.logs.audit import CLI

if TYPE_CHECKING:
    from webquarry.accounts import Account, ApiKey, Listing
    from webquarry.cli.books import Books


@click.group(cls=Group)
def account() -> None:
    """Manage accounts."""


@account.command("create")
@click.argument("email")
@click.option("--credits", "given", type=click.IntRange(0, MAX_CREDITS), help="Initial credits [10].")
@on_store
def create_account(console: Console, email: str, given: int | None) -> None:
    """Create an account and print its API key. The key is shown only once."""

    async def create(books: "Books") -> "tuple[Account, str]":
        start = books.settings.new_account_credits if given is None else given
        return await books.accounts.create(email, start)

    made, key = console.run(create, makes_store=True)
    console.tell(
        {"account": made.id, "email": made.email, "key": key},
        f"Account {made.id} ({made.email}) with {made.balance} credits.",
        f"API key, shown only once: {key}",
    )


@account.command("list")
@on_store
def list_accounts(console: Console) -> None:
    """List all accounts with their balances, oldest first."""
    accounts = console.run(lambda books: books.accounts.list_all())
    lines = [f"{each.id}  {each.created_at:%Y-%m-%d}  {each.balance:>10}  {each.email}" for each in accounts]
    console.tell([_account_row(each) for each in accounts], *lines)


@account.command("show")
@click.argument("email")
@on_store
def show_account(console: Console, email: str) -> None:
    """Show an account, its balance and its keys."""

    async def find(books: "Books", found: "Account") -> "tuple[Account, Listing, list[ApiKey]]":
        return found, await books.directory.find(found.id), await books.accounts.list_keys(found.id)

    found, listing, keys = console.run_for(email, find)
    lines = [f"Account {found.id} ({found.email}), created {found.created_at:%Y-%m-%d}: {found.balance} credits."]
    if listing.disabled_at is not None:
        lines.append(f"Disabled since {listing.disabled_at:%Y-%m-%d %H:%M}Z.")
    if listing.is_admin:
        lines.append("Administrator.")
    if listing.has_factor:
        lines.append("Two-factor authentication is on.")
    if listing.passkeys:
        lines.append(f"Passkeys: {listing.passkeys}.")
    state: dict[str, object] = {
        "disabled_at": listing.disabled_at,
        "is_admin": listing.is_admin,
        "second_factor": listing.has_factor,
        "passkeys": listing.passkeys,
    }
    console.tell(
        {**_account_row(found), **state, "keys": [key_row(each) for each in keys]}, *lines, *map(key_line, keys)
    )


@account.command("disable")
@click.argument("email")
@on_store
def disable_account(console: Console, email: str) -> None:
    """Disable an account. Its keys, sessions and connected apps stop working within 5 seconds."""
    _set_disabled(console, email, True)


@account.command("enable")
@click.argument("email")
@on_store
def enable_account(console: Console, email: str) -> None:
    """Enable a disabled account."""
    _set_disabled(console, email, False)


@account.command("delete")
@click.argument("email")
@click.option("--yes", is_flag=True, help="Don't ask for confirmation.")
@on_store
def delete_account(console: Console, email: str, yes: bool) -> None:
    """Permanently delete an account and its personal data. Ledger entries are kept under the account ID."""
    if not yes:
        click.confirm(f"Delete the account of {email}? This can't be undone", abort=True)

    async def delete(books: "Books") -> str:
        found = await books.directory.find(email)
        await books.directory.delete(found.id)
        return found.id

    account_id = console.run(delete)
    console.tell({"account": account_id, "deleted": True}, f"Deleted {account_id} ({email}).")


@account.command("admin")
@click.argument("email")
@click.argument("state", type=click.Choice(["on", "off"]))
@on_store
def set_admin(console: Console, email: str, state: str) -> None:
    """Grant or remove administrator rights, which give access to /admin."""
    flag = state == "on"
    console.run_for(email, lambda books, found: books.people.set_admin(found.id, flag))
    console.tell(
        {"email": email, "is_admin": flag},
        f"{email} {'is now' if flag else 'is no longer'} an administrator.",
    )


@account.command("password")
@click.argument("email")
@click.password_option(help="New password. If omitted, you are prompted for it.")
@on_store
def set_password(console: Console, email: str, password: str) -> None:
    """Set the password of an account and sign it out everywhere."""
    console.run(lambda books: books.people.set_password(email, password))
    console.tell({"email": email, "password": "set"}, f"The password of {email} was set.")


@account.command("sign-in-link")
@click.argument("email")
@click.option("--base-url", help="URL at which you open the service [WEBQUARRY_BASE_URL].")
@on_store
def create_sign_in_link(console: Console, email: str, base_url: str | None) -> None:
    """Print a link that sets the password of an account and signs in.

    The link works once, within 24 hours. An earlier link stops working.
    """
    from webquarry.accounts.emails import make_sign_in_link

    async def create(books: "Books") -> tuple[str, str]:
        address = base_url.rstrip("/") if base_url else books.settings.base_url
        return address, make_sign_in_link(address, await books.people.make_sign_in_code(email))

    address, link = console.run(create)
    console.tell({"email": email, "link": link}, link)
    if base_url is None:
        click.echo(f"If you open the service at another address, replace {address} or use --base-url.", err=True)


@account.command("reset-second-factor")
@click.argument("email")
@on_store
def reset_second_factor(console: Console, email: str) -> None:
    """Turn off two-factor authentication for an account, remove its passkeys and sign it out everywhere.

    Use this if the owner lost their phone and their recovery codes. The owner then signs in with the password only. No
    email is sent.
    """
    console.run_for(email, lambda books, found: books.people.factors.reset(found.id, by=CLI))
    console.tell(
        {"email": email, "second_factor": False},
        f"Two-factor authentication of {email} was turned off. The account was signed out.",
    )


@account.command("usage")
@click.argument("email", required=False)
@click.option(
    "--days", type=click.IntRange(1, 366), default=30, show_default=True, help="Number of days before today to include."
)
@on_store
def show_usage(console: Console, email: str | None, days: int) -> None:
    """Show the credits charged to all accounts, or to one account by day and endpoint."""
    rows = console.run(lambda books: _sum_up(books, days)) if email is None else _list_days(console, email, days)
    console.tell(rows, *(_usage_line(row) for row in rows) if rows else ("No paid requests.",))


@click.group(cls=Group)
def credits() -> None:
    """Manage accounts' credits."""


@credits.command("grant")
@click.argument("email")
@click.argument("amount", type=click.IntRange(1, MAX_CREDITS))
@click.option("--note", default="granted by an administrator", show_default=True, help="Note for the ledger.")
@on_store
def grant_credits(console: Console, email: str, amount: int, note: str) -> None:
    """Grant credits to an account."""
    _tell_balance(
        console, email, console.run_for(email, lambda books, found: books.ledger.grant(found.id, amount, note))
    )


@credits.command("balance")
@click.argument("email")
@on_store
def show_balance(console: Console, email: str) -> None:
    """Show the balance of an account."""
    _tell_balance(console, email, console.run_for(email, lambda books, found: books.ledger.balance(found.id)))


def _set_disabled(console: Console, email: str, flag: bool) -> None:
    console.run_for(email, lambda books, found: books.people.set_disabled(found.id, flag))
    console.tell({"email": email, "disabled": flag}, f"{email} is {'disabled' if flag else 'enabled'}.")


async def _sum_up(books: "Books", days: int) -> list[dict[str, Any]]:
    """Return the charges of each account with requests, highest first."""
    from webquarry.ledger import last_days

    used = await books.ledger.usage_by_account(last_days(books.clock.now(), days))
    named = {each.id: each.email for each in await books.accounts.list_all()}
    rows = [{"email": named.get(each.account_id), **asdict(each)} for each in used.values()]
    return sorted(rows, key=lambda row: -row["credits"])


def _list_days(console: Console, email: str, days: int) -> list[dict[str, Any]]:
    from webquarry.ledger import last_days

    async def find(books: "Books", found: "Account") -> list[dict[str, Any]]:
        used = await books.ledger.usage(found.id, last_days(books.clock.now(), days))
        return [asdict(each) for each in used]

    return console.run_for(email, find)


def _usage_line(row: dict[str, Any]) -> str:
    named = f"{row['day']}  {row['endpoint']}" if "day" in row else row["email"] or f"{row['account_id']} (deleted)"
    return f"{row['credits']:>10} credits  {row['calls']:>8} requests  {row['refunded']:>6} refunded  {named}"


def _tell_balance(console: Console, email: str, balance: int) -> None:
    console.tell({"email": email, "balance": balance}, f"Balance of {email}: {balance} credits.")


def _account_row(account: "Account") -> dict[str, Any]:
    return {
        "account": account.id,
        "email": account.email,
        "balance": account.balance,
        "created_at": account.created_at,
    }
