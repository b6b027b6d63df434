"""`webquarry app`: apps that accounts have connected."""

from pathlib import Path
from typing import Any

import click

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
from webquarry.oauth import Grant


@click.group()
def app() -> None:
    """Apps that accounts have connected."""


@app.command("list")
@click.argument("email")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def list_apps(email: str, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """List the apps that an account has connected, the one used last first."""

    async def find(service: Service) -> list[Grant]:
        return await service.grants.list_grants((await find_account(service, email)).id)

    grants = run_with_service(find, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json([_app_row(each) for each in grants])
        return
    for each in grants:
        used = f"connected {each.created_at:%Y-%m-%d}, used {each.used_at:%Y-%m-%d}"
        click.echo(f"{each.id}  {used}  {each.name or 'no name'}  {each.address}".rstrip())


@app.command("revoke")
@click.argument("email")
@click.argument("app_id")
@json_option
@sandbox_option
@data_dir_option
@tell_errors
def revoke_app(email: str, app_id: str, as_json: bool, sandbox: bool, data_dir: Path | None) -> None:
    """Disconnect an app, named by the id that `app list` shows; running servers refuse it within 5 seconds."""

    async def revoke(service: Service) -> None:
        await service.grants.revoke_grant((await find_account(service, email)).id, app_id)

    run_with_service(revoke, sandbox=sandbox, data_dir=data_dir)
    if as_json:
        print_json({"revoked": app_id})
    else:
        click.echo(f"Disconnected {app_id}.")


def _app_row(grant: Grant) -> dict[str, Any]:
    return {
        "id": grant.id,
        "name": grant.name,
        "address": grant.address,
        "client_id": grant.client_id,
        "created_at": grant.created_at,
        "used_at": grant.used_at,
    }
