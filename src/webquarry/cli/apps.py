"""`webquarry app`: apps that accounts have connected."""

from typing import TYPE_CHECKING, Any

import click

from webquarry.cli.console import Console, on_store
from webquarry.cli.groups import Group

if TYPE_CHECKING:
    from webquarry.oauth import Grant


@click.group(cls=Group)
def app() -> None:
    """Manage connected apps."""


@app.command("list")
@click.argument("email")
@on_store
def list_apps(console: Console, email: str) -> None:
    """List the connected apps of an account, most recently used first."""
    grants = console.run_for(email, lambda books, found: books.grants.list_grants(found.id))
    console.tell([_app_row(each) for each in grants], *map(_app_line, grants))


@app.command("revoke")
@click.argument("email")
@click.argument("app_id")
@on_store
def revoke_app(console: Console, email: str, app_id: str) -> None:
    """Disconnect an app by the ID shown in `app list`. The app loses access within 5 seconds."""
    console.run_for(email, lambda books, found: books.grants.revoke_grant(found.id, app_id))
    console.tell({"revoked": app_id}, f"Disconnected {app_id}.")


def _app_row(grant: "Grant") -> dict[str, Any]:
    return {
        "id": grant.id,
        "name": grant.name,
        "address": grant.address,
        "client_id": grant.client_id,
        "created_at": grant.created_at,
        "used_at": grant.used_at,
    }


def _app_line(grant: "Grant") -> str:
    used = f"connected {grant.created_at:%Y-%m-%d}, used {grant.used_at:%Y-%m-%d}"
    return f"{grant.id}  {used}  {grant.name or 'no name'}  {grant.address}".rstrip()
