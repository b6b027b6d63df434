"""The command `webquarry`. Its commands are imported on demand, so help and completion don't load the service."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from webquarry.cli.catalogue import read_catalogue
from webquarry.cli.groups import Group, Outline

_COMMANDS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "Get data": {
        "get": ("get", "Send a request to an endpoint, with or without a server."),
        "job": ("job", "Run an endpoint for many inputs, and manage jobs."),
        "crawl": ("crawl", "Read the pages of a site, and write each as a markdown file."),
        "endpoints": ("endpoints", "List the endpoints with their prices, cache durations, parameters and providers."),
        "completion": ("completion", "Print a script that completes commands and options in your shell."),
    },
    "Run a server": {
        "serve": ("serve", "Start the service."),
        "work": ("work", "Work on jobs that servers accept."),
        "doctor": ("doctor", "Check this installation and explain how to fix problems."),
        "ranks": ("ranks", "Manage the local copy of Open PageRank, a public list that rates domains."),
    },
    "Manage accounts and data": {
        "account": ("accounts", "Manage accounts."),
        "credits": ("accounts", "Manage accounts' credits."),
        "key": ("keys", "Manage API keys."),
        "app": ("apps", "Manage connected apps."),
        "audit": ("audit", "List audit log events, newest first."),
        "ledger": ("store", "Check the credit ledger."),
        "db": ("store", "Manage the database."),
    },
    "Develop and inspect": {
        "read": ("read", "Parse one recorded response with a provider's reader."),
        "tape": ("tapes", "Manage tapes, the recorded exchanges that tests and the sandbox use."),
        "notices": ("notices", "List the installed dependencies and their licenses."),
    },
}
"""Module in this package, and first sentence of the help, by section and command."""
_OUTLINES = tuple(
    Outline(name, sentence, section) for section, listed in _COMMANDS.items() for name, (_, sentence) in listed.items()
)
_MODULES = {name: module for listed in _COMMANDS.values() for name, (module, _) in listed.items()}


class _Commands(Group):
    def outline(self, _ctx: click.Context) -> Sequence[Outline]:
        return _OUTLINES

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [each.name for each in _OUTLINES]

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in _MODULES:
            return None
        command: click.Command = getattr(import_module(f"webquarry.cli.{_MODULES[name]}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name, the command and the remaining arguments.

        An endpoint's name without `get` raises an error that suggests `get`.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            name = error.command_name.replace("-", "_")
            if name in read_catalogue():
                hint = f"'{name}' is an endpoint: use `webquarry get {name}`."
                raise click.UsageError(hint, ctx) from None
            raise

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. An invalid declaration of an endpoint prints a sentence instead of a traceback."""
        try:
            return super().invoke(ctx)
        except ValueError as exc:
            from webquarry.endpoints.declare import DeclarationError  # already loaded if this error was raised

            if isinstance(exc, DeclarationError):
                raise click.ClickException(str(exc)) from exc
            raise


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="webquarry")
def main() -> None:
    """Webquarry returns public web data as JSON and clean markdown.

    `webquarry get` requests data, with or without a server, and `webquarry serve` starts a server. Settings are
    WEBQUARRY_* variables; every command honours them.
    """
