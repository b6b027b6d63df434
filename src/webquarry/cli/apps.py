"""`webquarry app`: apps that accounts have connected."""

from typing import Any

import click

from webquarry.cli.console import Console, on_store
from webquarry.oauth import Grant


@click.group()
def app() -> None:
    """Apps that accounts have connected."""


@app.command("list")
@click.argument("email")
@on_store
def list_apps(console: Console, email: str) -> None:
    """List the apps that an account has connected, the one used last first."""
    grants = console.run_for(email, lambda books, found: books.grants.list_grants(found.id))
    console.tell([_app_row(each) for each in grants], *map(_app_line, grants))


@app.command("revoke")
@click.argument("email")
@click.argument("app_id")
@on_store
def revoke_app(console: Console, email: str, app_id: str) -> None:
    """Disconnect an app, named by the id that `app list` shows; running servers refuse it within 5 seconds."""
    console.run_for(email, lambda books, found: books.grants.revoke_grant(found.id, app_id))
    console.tell({"revoked": app_id}, f"Disconnected {app_id}.")


def _app_row(grant: Grant) -> dict[str, Any]:
    return {
        "id": grant.id,
        "name": grant.name,
        "address": grant.address,
        "client_id": grant.client_id,
        "created_at": grant.created_at,
        "used_at": grant.used_at,
    }


def _app_line(grant: Grant) -> str:
    used = f"connected {grant.created_at:%Y-%m-%d}, used {grant.used_at:%Y-%m-%d}"
    return f"{grant.id}  {used}  {grant.name or 'no name'}  {grant.address}".rstrip()
