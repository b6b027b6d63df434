"""Groups whose commands are made when they are asked for."""

import click


class LazyGroup(click.Group):
    """A group that has `list_commands` and `get_command` of its own, and asks back where a name is misspelt."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            known = self.list_commands(ctx)
            raise click.NoSuchCommand(error.command_name, possibilities=known, ctx=ctx) from None
