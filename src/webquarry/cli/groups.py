"""Command groups with help in sections, commands that are imported on demand, and suggestions for misspelled names."""

from collections.abc import Sequence
from dataclasses import dataclass

import click
from click.shell_completion import CompletionItem

_WIDEST_NAME = 40
"""Maximum length in characters of a command name whose description starts on the same line."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A command's entry in its group's help, available without importing the command."""

    name: str
    help: str
    section: str


class Group(click.Group):
    """A group whose help shows the first sentence of each command in full."""

    def outline(self, ctx: click.Context) -> Sequence[Outline]:
        """Return the visible commands in the order in which the help lists them."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        return [
            Outline(name, summarize(command), "Commands")
            for name, command in commands
            if command is not None and not command.hidden
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands below the headings of their sections."""
        outlines = self.outline(ctx)
        widest = max((len(each.name) for each in outlines), default=0)
        for section in dict.fromkeys(each.section for each in outlines):
            rows = [(each.name.ljust(widest), each.help) for each in outlines if each.section == section]
            with formatter.section(section):
                formatter.write_dl(rows, col_max=_WIDEST_NAME)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin with the incomplete word, then the group's options."""
        found = [
            CompletionItem(each.name, help=each.help) for each in self.outline(ctx) if each.name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name, the command and the remaining arguments.

        The error for an unknown name suggests similar names.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            known = self.list_commands(ctx)
            raise click.NoSuchCommand(error.command_name, possibilities=known, ctx=ctx) from None


def summarize(command: click.Command) -> str:
    """Return the short help of a command, or the first sentence of its help."""
    if command.short_help:
        return command.short_help
    paragraph = " ".join((command.help or "").strip().partition("\n\n")[0].split())
    return f"{paragraph.partition('. ')[0].removesuffix('.')}."
