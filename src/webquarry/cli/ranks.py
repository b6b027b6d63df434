"""`webquarry ranks`: the list of domain ranks in the data folder."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webquarry.cli.common import data_dir_option, json_option, print_json, read_settings, tell_errors
from webquarry.cli.groups import Group

if TYPE_CHECKING:
    from webquarry.core.settings import Settings
    from webquarry.net import Net
    from webquarry.providers.rank_list.index import About

_TOLD_EVERY_BYTES = 16 * 1024 * 1024


@click.group(cls=Group)
def ranks() -> None:
    """Manage the local copy of Open PageRank, a public list that rates domains. It needs no key."""


@ranks.command("update")
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Index this list (CSV or zip) instead of downloading one.",
)
@json_option
@data_dir_option
@tell_errors
def update_ranks(file: Path | None, as_json: bool, data_dir: Path | None) -> None:
    """Download the list (117 MB), or use a local file, and index it. Running servers use the new index immediately.

    An interrupted download resumes. The current index is used until the new one is complete.
    """
    from webquarry.providers.rank_list.rows import RankListError
    from webquarry.providers.rank_list.update import index_file

    settings = read_settings(quiet=True, data_dir=data_dir)
    here = file or settings.ranks_file
    try:
        if here is not None:
            click.echo(f"Indexing {here}.", err=True)
            about = index_file(here, settings.data_dir)
        else:
            about = asyncio.run(_fetch(settings))
    except RankListError as exc:
        raise click.ClickException(str(exc)) from exc
    if as_json:
        print_json({"ok": True, "domains": about.rows, "as_of": about.as_of})
    else:
        click.echo(f"{about.rows:,} domains, of {about.as_of.date()}.")


async def _fetch(settings: "Settings") -> "About":
    from webquarry.core.clock import SystemClock
    from webquarry.core.types import Deadline
    from webquarry.net import Door
    from webquarry.providers.rank_list.update import PIECE_S, RANK_LIST, update

    clock = SystemClock()
    door = Door(settings, clock)

    def open_net() -> "Net":
        return door.net(RANK_LIST, Deadline.after(PIECE_S, clock))

    shown = 0

    def tell(fetched: int, whole: int) -> None:
        nonlocal shown
        if fetched - shown >= _TOLD_EVERY_BYTES or fetched == whole:
            shown = fetched
            click.echo(f"{fetched:,} of {whole:,} bytes.", err=True)

    try:
        return await update(open_net, settings.ranks_url, settings.data_dir, tell)
    finally:
        await door.close()
