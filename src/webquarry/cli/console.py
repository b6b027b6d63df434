"""Code that commands on a store share: its location, access and output."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import click

from webquarry.accounts import Account, Accounts, Directory, Passwords, People
from webquarry.audit import AuditLog
from webquarry.cli.common import data_dir_option, json_option, print_json, read_settings, sandbox_option, tell_errors
from webquarry.core.clock import Clock, SystemClock
from webquarry.core.settings import Settings
from webquarry.ledger import Ledger
from webquarry.oauth import Grants, Tokens
from webquarry.storage import check_store, open_database

T = TypeVar("T")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Books:
    """The parts of a store that manage accounts, without the rest of the service."""

    settings: Settings
    clock: Clock
    ledger: Ledger
    accounts: Accounts
    people: People
    directory: Directory
    audit: AuditLog
    grants: Grants


@asynccontextmanager
async def open_books(settings: Settings, *, sandbox: bool) -> AsyncIterator[Books]:
    """Open the store, whether or not a server is running. Raises StorageError."""
    clock, passwords = SystemClock(), Passwords()
    database = await open_database(settings, migrate=False)
    try:
        accounts, tokens = Accounts(database, clock, sandbox=sandbox), Tokens(database, clock)
        people = People(
            database,
            clock,
            accounts,
            passwords,
            first_credits=settings.new_account_credits,
            is_open=settings.registration == "open",
            forget=tokens.forget_account,
        )
        yield Books(
            settings,
            clock,
            Ledger(database, clock, f"in_{secrets.token_hex(8)}"),
            accounts,
            people,
            Directory(database, clock, people),
            AuditLog(database, clock, keep=timedelta(days=settings.audit_days)),
            Grants(database, clock, tokens),
        )
    finally:
        passwords.close()
        await database.close()


@dataclass(frozen=True, slots=True)
class Console:
    """Options of a command on a store. `as_json` prints JSON for programs."""

    as_json: bool
    sandbox: bool
    data_dir: Path | None

    def run(self, work: Callable[[Books], Awaitable[T]], *, makes_store: bool = False) -> T:
        """Run `work` on the store and return its result.

        `makes_store` creates a missing store. Otherwise, a missing store raises StorageError, because the folder may be
        misspelt.
        """

        async def run() -> T:
            settings = read_settings(sandbox=self.sandbox, data_dir=self.data_dir)
            if self.sandbox:
                settings = settings.in_sandbox()
            if not makes_store:
                check_store(settings)
            async with open_books(settings, sandbox=self.sandbox) as books:
                return await work(books)

        return asyncio.run(run())

    def run_for(self, email: str, work: Callable[[Books, Account], Awaitable[T]]) -> T:
        """Run `work` for the account with this email. Raises ClickException if there is none."""

        async def find_and_work(books: Books) -> T:
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
    """Decorate a command to receive a console and its options: --json, --sandbox, --data-dir."""

    @json_option
    @sandbox_option
    @data_dir_option
    @tell_errors
    @wraps(command)
    def run(as_json: bool, sandbox: bool, data_dir: Path | None, *args: P.args, **kwargs: P.kwargs) -> T:
        return command(Console(as_json, sandbox, data_dir), *args, **kwargs)

    return run
