"""`webquarry key`: API keys of accounts."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from webquarry.cli.console import Console, on_store
from webquarry.cli.groups import Group
from webquarry.core.credits import MAX_CREDITS

if TYPE_CHECKING:
    from webquarry.accounts import ApiKey


@click.group(cls=Group)
def key() -> None:
    """Manage API keys."""


@key.command("create")
@click.argument("email")
@click.option("--name", default="from the command line", show_default=True, help="Name of the key.")
@click.option(
    "--expires",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="Last day the key works (UTC, such as 2027-12-31) [never expires].",
)
@click.option(
    "--cap",
    type=click.IntRange(0, MAX_CREDITS),
    metavar="CREDITS",
    help="Credits the key can spend per calendar month (UTC) [no cap].",
)
@on_store
def create_key(console: Console, email: str, name: str, expires: datetime | None, cap: int | None) -> None:
    """Create a key. It is shown only once."""
    from webquarry.accounts.accounts import end_last_day

    expires_at = None if expires is None else end_last_day(expires.date())
    made, text = console.run_for(
        email,
        lambda books, found: books.accounts.create_key(found.id, name, expires_at=expires_at, monthly_cap=cap),
    )
    console.tell({**key_row(made), "key": text}, text)


@key.command("list")
@click.argument("email")
@on_store
def list_keys(console: Console, email: str) -> None:
    """List the keys of an account."""
    keys = console.run_for(email, lambda books, found: books.accounts.list_keys(found.id))
    console.tell([key_row(each) for each in keys], *map(key_line, keys))


@key.command("cap")
@click.argument("email")
@click.argument("key_id")
@click.argument("cap", type=click.IntRange(0, MAX_CREDITS), required=False)
@on_store
def set_cap(console: Console, email: str, key_id: str, cap: int | None) -> None:
    """Set the monthly cap of a key to CAP credits, or remove the cap if CAP is omitted."""
    console.run_for(email, lambda books, found: books.accounts.set_key_cap(found.id, key_id, cap))
    text = f"{key_id} has no cap." if cap is None else f"{key_id} can spend {cap} credits per month."
    console.tell({"id": key_id, "monthly_cap": cap}, text)


@key.command("revoke")
@click.argument("email")
@click.argument("key_id")
@on_store
def revoke_key(console: Console, email: str, key_id: str) -> None:
    """Revoke a key by the ID shown in `key list`. It stops working within 5 seconds."""
    console.run_for(email, lambda books, found: books.accounts.revoke_key(found.id, key_id))
    console.tell({"revoked": key_id}, f"Revoked {key_id}.")


def key_row(key: "ApiKey") -> dict[str, Any]:
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


def key_line(key: "ApiKey") -> str:
    state = f"revoked {key.revoked_at:%Y-%m-%d %H:%M}Z" if key.revoked_at else "active"
    if key.revoked_at is None and key.expires_at is not None:
        state = f"{'active' if key.is_active(datetime.now(UTC)) else 'expired'}, last day {key.last_day}"
    cap = "" if key.monthly_cap is None else f"  {key.monthly_cap} credits per month"
    used = f"used {key.last_used_at:%Y-%m-%d}" if key.last_used_at else "never used"
    return f"{key.id}  {key.prefix}…  {key.created_at:%Y-%m-%d}  {state}{cap}  {used}  {key.name}"
