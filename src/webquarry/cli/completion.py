"""`webquarry completion`: scripts for shell completion."""

import click
from click.shell_completion import get_completion_class

_PROGRAM = "webquarry"
_VARIABLE = "_WEBQUARRY_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a script that completes commands and options in your shell.

    \b
    bash, in ~/.bashrc:   source <(webquarry completion bash)
    zsh, in ~/.zshrc:     source <(webquarry completion zsh)
    fish, once:           webquarry completion fish > ~/.config/fish/completions/webquarry.fish

    bash must have version 4.4 or later.
    """
    found = get_completion_class(shell)
    if found is None:
        raise click.ClickException(f"There is no completion for {shell}.")
    root = click.get_current_context().find_root().command
    click.echo(found(root, {}, _PROGRAM, _VARIABLE).source())
