"""Subcommands for endpoints: options from their declared parameters, help and output."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from webquarry.api.responses import error_body
from webquarry.cli.lazy import LazyGroup
from webquarry.core.errors import ServiceError
from webquarry.core.settings import SettingsError
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import ParamSpec
from webquarry.endpoints.registry import load
from webquarry.endpoints.wording import choices, freshness, price
from webquarry.storage import StorageError

REFUSED = 3
"""Exit code if an endpoint or a reader returns an error; its JSON body is printed."""
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


class Endpoints(LazyGroup):
    """A group with a subcommand for each endpoint, created on demand."""

    def __init__(self, make: Callable[[Extractor], click.Command], **attributes: Any) -> None:
        super().__init__(**attributes)
        self._make = make

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [extractor.name for extractor in load()]

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        extractor = load().by_name.get(name)
        return None if extractor is None else self._make(extractor)


def make_option(spec: ParamSpec) -> click.Option:
    """Return an option for a parameter. The endpoint validates its value, as over HTTP."""
    default = f" [{spec.default}]" if spec.default is not None else ""
    return click.Option([f"--{spec.name}"], metavar=spec.type.upper(), help=f"{spec.description}{default}")


def write_help(extractor: Extractor) -> str:
    costs = f"Over HTTP: {price(extractor)}; {freshness(extractor)}."
    sentences = (extractor.description.strip(), choices(extractor), costs)
    return "\n\n".join(sentence for sentence in sentences if sentence)


def print_or_refuse(work: Callable[[], bytes], output: Path | None = None) -> None:
    """Print or write the result of `work`, or print the JSON body of its error."""
    try:
        made = work()
    except (SettingsError, StorageError) as exc:
        raise click.ClickException(str(exc)) from exc
    except ServiceError as error:
        click.echo(error_body(error))
        sys.exit(REFUSED)
    if output is None:
        click.echo(made, nl=not made.endswith(b"\n"))
        return
    try:
        output.write_bytes(made)
    except OSError as exc:
        raise click.ClickException(f"Cannot write {output}: {exc.strerror}.") from exc
