"""The commands, each imported on demand: `webquarry --version` loads nothing of the service."""

from importlib import import_module
from typing import Any

import click

from webquarry.cli.lazy import LazyGroup

_COMMANDS = {
    "serve": "serve:serve",
    "get": "get:get",
    "read": "read:read",
    "endpoints": "endpoints:endpoints",
    "account": "accounts:account",
    "credits": "accounts:credits",
    "key": "keys:key",
    "app": "apps:app",
    "audit": "audit:audit",
    "ledger": "store:ledger",
    "db": "store:db",
    "ranks": "ranks:ranks",
    "tape": "tapes:tape",
    "doctor": "doctor:doctor",
    "notices": "notices:notices",
}
"""Module of this package and attribute, by command name."""


class _Commands(LazyGroup):
    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module, _, attribute = _COMMANDS[name].partition(":")
        command: click.Command = getattr(import_module(f"webquarry.cli.{module}"), attribute)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. An invalid declaration of an endpoint prints a sentence instead of a traceback."""
        try:
            return super().invoke(ctx)
        except ValueError as exc:
            from webquarry.endpoints.declare import DeclarationError  # already loaded where it is raised

            if isinstance(exc, DeclarationError):
                raise click.ClickException(str(exc)) from exc
            raise


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="webquarry")
def main() -> None:
    """Webquarry, a self-hosted HTTP service that returns public web data as JSON and clean markdown.

    `webquarry serve` starts it. Settings are WEBQUARRY_* variables; every command honours them.
    """
