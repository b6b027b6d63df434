"""Options, settings and error messages that all commands share.

Importing this module loads nothing else of the service, so that `--help` is fast.
"""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click
import orjson

if TYPE_CHECKING:
    from webquarry.core.settings import Settings

T = TypeVar("T")
P = ParamSpec("P")

sandbox_option = click.option(
    "--sandbox",
    is_flag=True,
    help="Use the sandbox: sample data and separate accounts. WEBQUARRY_DATABASE_URL and WEBQUARRY_REDIS_URL are "
    "ignored.",
)
data_dir_option = click.option("--data-dir", type=click.Path(path_type=Path), help="Data directory [./data].")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def read_settings(*, sandbox: bool = False, quiet: bool = False, **options: Any) -> "Settings":
    """Read settings from the environment and the given options. Raises SettingsError.

    `sandbox` prints a note for settings that the sandbox ignores. `quiet` logs only warnings and errors, unless another
    level is set.
    """
    from webquarry.core import log
    from webquarry.core.settings import PREFIX, Settings

    settings = Settings.from_environment(os.environ, **options)
    log.set_up("warning" if quiet and settings.log_level == "info" else settings.log_level, form=settings.log_format)
    if sandbox:
        for name in ("database_url", "redis_url"):
            if getattr(settings, name):
                click.echo(f"Note: the sandbox has its own database and ignores {PREFIX}{name.upper()}.", err=True)
    return settings


def tell_errors(command: Callable[P, T]) -> Callable[P, T]:
    """Decorate a command so that it prints expected errors (settings, store, request) as one line and exits with 1."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        from webquarry.core.errors import ServiceError
        from webquarry.core.settings import SettingsError
        from webquarry.storage import StorageError

        try:
            return command(*args, **kwargs)
        except (SettingsError, StorageError) as exc:
            raise click.ClickException(str(exc)) from exc
        except ServiceError as exc:
            raise click.ClickException(exc.message) from exc

    return run


def print_json(value: Any) -> None:
    click.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z))
