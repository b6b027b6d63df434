"""`webquarry serve`: starts the server."""

from pathlib import Path
from typing import Any

import click

from webquarry.cli.common import data_dir_option, sandbox_option, tell_errors


@click.command()
@sandbox_option
@data_dir_option
@click.option("--host", help="Address to listen on [127.0.0.1].")
@click.option("--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 selects a free port [8080].")
@click.option(
    "--log-format",
    type=click.Choice(["auto", "json", "text"]),
    help="Format of log lines [auto: text on a terminal, JSON otherwise].",
)
@click.option(
    "--tapes",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Directory of recorded responses to use instead of sending requests.",
)
@tell_errors
def serve(sandbox: bool, tapes: Path | None, **options: Any) -> None:
    """Start the service. The first start prints an API key and a link to sign in."""
    from webquarry.cli.serving import start  # not needed for the help

    start(sandbox=sandbox, tapes=tapes, **options)
