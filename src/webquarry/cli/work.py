"""`webquarry work`: a process that only works on jobs."""

import os
from typing import Any, Final

import click

from webquarry.cli.common import data_dir_option, tell_errors

PORT: Final = 8081
"""Default port, which is not the one of a server on the same machine."""


@click.command()
@data_dir_option
@click.option("--host", help="Address for health and metrics [127.0.0.1].")
@click.option(
    "--port", type=click.IntRange(0, 65535), help=f"Port for health and metrics; 0 selects a free port [{PORT}]."
)
@click.option(
    "--log-format",
    type=click.Choice(["auto", "json", "text"]),
    help="Form of log lines [auto: text on a terminal, JSON otherwise].",
)
@tell_errors
def work(port: int | None, **options: Any) -> None:
    """Work on jobs that servers accept. This needs WEBQUARRY_DATABASE_URL.

    Without PostgreSQL, the server itself works on jobs.
    """
    import uvloop  # the help does not need the service

    from webquarry.cli.serving import prepare, run
    from webquarry.core.settings import SettingsError

    if port is None and not os.environ.get("WEBQUARRY_PORT"):
        port = PORT
    settings = prepare(port=port, **options)
    if settings.database_url is None:
        raise SettingsError(
            "`webquarry work` needs WEBQUARRY_DATABASE_URL, the PostgreSQL that servers share. Without it, `webquarry "
            "serve` works on jobs itself."
        )
    uvloop.run(run(settings.model_copy(update={"jobs": True}), only_jobs=True))
