"""Subcommands for endpoints, built from the catalogue: help, sections and options."""

from collections.abc import Callable, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from webquarry.cli.catalogue import Entry, Parameter, read_catalogue
from webquarry.cli.groups import Group, Outline


class Endpoints(Group):
    """A group with a subcommand for each endpoint, created on demand."""

    def __init__(self, make: Callable[[Entry], click.Command], **attributes: Any) -> None:
        super().__init__(**attributes)
        self._make = make

    def outline(self, _ctx: click.Context) -> Sequence[Outline]:
        return [Outline(entry.name, entry.title, entry.section) for entry in read_catalogue().values()]

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(read_catalogue())

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        entry = read_catalogue().get(name)
        return None if entry is None else self._make(entry)


def make_option(parameter: Parameter) -> click.Option:
    """Return an option for a parameter. As over HTTP, the endpoint validates the value."""

    return _make_option(parameter, metavar=parameter.type.upper())


def make_field_option(parameter: Parameter) -> click.Option:
    """Return an option for a field of a request's body: a flag, a whole number, a text, or a text that can repeat.

    The service validates its value, as over HTTP.
    """
    if parameter.type == "boolean":
        return _make_option(parameter, is_flag=True, default=None)
    if parameter.type == "array":
        return _make_option(parameter, metavar="TEXT", multiple=True, note="can be repeated")
    kind = click.INT if parameter.type == "integer" else click.STRING
    return _make_option(parameter, metavar=parameter.type.upper(), type=kind)


def _make_option(parameter: Parameter, *, note: str = "", **attributes: Any) -> click.Option:
    def complete(_ctx: click.Context, _option: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(choice) for choice in parameter.choices if choice.startswith(incomplete)]

    choices = f"one of {', '.join(parameter.choices)}" if parameter.choices else ""
    rules = "; ".join(filter(None, (choices, parameter.rules, note)))
    return click.Option(
        [f"--{parameter.name}"],
        help=f"{parameter.description}{f' [{rules}]' if rules else ''}",
        shell_complete=complete,
        **attributes,
    )


def write_help(entry: Entry) -> str:
    return "\n\n".join(entry.notes)
