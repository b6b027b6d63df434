"""Options of commands that send requests to a server or run in this process."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

import click
from click.core import ParameterSource

SERVER_VARIABLE = "WEBQUARRY_SERVER"


@dataclass(frozen=True, slots=True)
class Choices:
    """The options that all endpoints share."""

    server: str | None
    key: str | None
    sandbox: bool
    data_dir: Path | None
    as_json: bool
    raw: bool
    output: str | None
    force: bool
    jobs: int
    fresh: bool = False
    file: str | None = None

    @property
    def ending(self) -> str:
        """The extension of the file that the response is written to."""
        return ".md" if self.raw else ".json"


def list_server_options(help: str, *, sandbox: str) -> list[click.Parameter]:
    """Return the options that choose a server or the data of this process. `sandbox` describes the sandbox's data."""
    return [
        click.Option(["--server"], metavar="URL", envvar=SERVER_VARIABLE, help=f"{help} [{SERVER_VARIABLE}]"),
        click.Option(
            ["--key"],
            metavar="KEY|@FILE",
            help="API key for --server. Other users of this machine can see a key in a command, so prefer the variable "
            "or a file. [WEBQUARRY_API_KEY]",
        ),
        click.Option(["--sandbox"], is_flag=True, help=f"Use the sandbox: {sandbox}."),
        click.Option(["--data-dir"], type=click.Path(path_type=Path), help="Data directory. [default ./data]"),
    ]


def check_choices(choices: Choices) -> Choices:
    """Validate the options. Local options override a server from the environment. Raises UsageError."""
    if choices.raw and choices.as_json:
        raise click.UsageError("Use either --raw or --json.")
    return replace(choices, server=choose_server(choices.server, is_local=bool(choices.sandbox or choices.data_dir)))


def choose_server(server: str | None, *, is_local: bool) -> str | None:
    """Return the server to use, or None for this process.

    `is_local`: an option for requests without a server was given. It overrides a server from the environment. Raises
    UsageError if --server was given too.
    """
    if server is None or not is_local:
        return server
    if click.get_current_context().get_parameter_source("server") is ParameterSource.ENVIRONMENT:
        return None
    raise click.UsageError("--sandbox and --data-dir only apply to requests without --server.")


def choose_directory(choices: Choices, count: int) -> Path | None:
    """Return the directory for results, or None if there is a single result for a file or standard output."""
    if choices.output is None:
        if count > 1:
            raise click.UsageError(
                f"Use -o DIR to write {count} responses to files in a directory. "
                "If they are a single argument, put it in quotes."
            )
        return None
    path = Path(choices.output)
    if count == 1 and not choices.output.endswith(os.sep) and not path.is_dir():
        return None
    if path.exists() and not path.is_dir():
        raise click.UsageError(f"-o: {path} is a file. Several responses need a directory.")
    return path
