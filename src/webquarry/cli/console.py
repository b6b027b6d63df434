"""Access to the store, and output, for commands that use a store."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import click

from webquarry.cli.common import data_dir_option, json_option, print_json, read_settings, sandbox_option, tell_errors

if TYPE_CHECKING:
    from webquarry.accounts import Account
    from webquarry.cli.books import Books

T = TypeVar("T")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Console:
    """Options of a command that uses a store. `as_json` prints JSON for programs."""

    as_json: bool
    sandbox: bool
    data_dir: Path | None

    def run(self, work: Callable[["Books"], Awaitable[T]], *, makes_store: bool = False) -> T:
        """Run `work` on the store and return its result.

        `makes_store` creates a missing store. Without it, a missing store raises StorageError, because the folder's
        name may be misspelt.
        """
        from webquarry.cli.books import open_books
        from webquarry.storage import check_store

        async def run() -> T:
            settings = read_settings(sandbox=self.sandbox, data_dir=self.data_dir)
            if self.sandbox:
                settings = settings.in_sandbox()
            if not makes_store:
                check_store(settings)
            async with open_books(settings, sandbox=self.sandbox) as books:
                return await work(books)

        return asyncio.run(run())

    def run_for(self, email: str, work: Callable[["Books", "Account"], Awaitable[T]]) -> T:
        """Run `work` for the account with this email. Raises ClickException if there is no such account."""

        async def find_and_work(books: "Books") -> T:
            account = await books.accounts.by_email(email)
            if account is None:
                raise click.ClickException(f"No account has the email address {email}.")
            return await work(books, account)

        return self.run(find_and_work)

    def tell(self, value: Any, *lines: str) -> None:
        """Print the value as JSON for programs, or the lines for people."""
        if self.as_json:
            print_json(value)
            return
        for line in lines:
            click.echo(line)


def on_store(command: Callable[Concatenate[Console, P], T]) -> Callable[..., T]:
    """Decorate a command with a console and its options: --json, --sandbox, --data-dir."""

    @json_option
    @sandbox_option
    @data_dir_option
    @tell_errors
    @wraps(command)
    def run(as_json: bool, sandbox: bool, data_dir: Path | None, *args: P.args, **kwargs: P.kwargs) -> T:
        return command(Console(as_json, sandbox, data_dir), *args, **kwargs)

    return run
