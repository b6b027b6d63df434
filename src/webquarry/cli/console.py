"""Consoles: what commands on a store share: where it lies, how they ask it, and how they answer."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import click

from webquarry.accounts import Account
from webquarry.app import assemble, make_sandbox_settings
from webquarry.cli.common import data_dir_option, json_option, print_json, read_settings, sandbox_option, tell_errors
from webquarry.service import Service
from webquarry.storage import check_store

T = TypeVar("T")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Console:
    """The options of a command on a store. as_json: answer programs, not people."""

    as_json: bool
    sandbox: bool
    data_dir: Path | None

    def run(self, work: Callable[[Service], Awaitable[T]], *, makes_store: bool = False) -> T:
        """Ask the service of this store, beside a running server or without one. StorageError where there is none,
        unless it is to be made: a folder that was misspelt is not to be told as a store without accounts."""

        async def run() -> T:
            settings = read_settings(sandbox=self.sandbox, data_dir=self.data_dir)
            if not makes_store:
                check_store(make_sandbox_settings(settings) if self.sandbox else settings)
            async with assemble(settings, sandbox=self.sandbox) as service:
                return await work(service)

        return asyncio.run(run())

    def run_for(self, email: str, work: Callable[[Service, Account], Awaitable[T]]) -> T:
        """Ask it about the account of an address. ClickException when there is none."""

        async def find_and_work(service: Service) -> T:
            account = await service.accounts.by_email(email)
            if account is None:
                raise click.ClickException(f"There is no account of {email}.")
            return await work(service, account)

        return self.run(find_and_work)

    def tell(self, value: Any, *lines: str) -> None:
        """Answer with the value to programs, with the lines to people."""
        if self.as_json:
            print_json(value)
            return
        for line in lines:
            click.echo(line)


def on_store(command: Callable[Concatenate[Console, P], T]) -> Callable[..., T]:
    """A command with a console, and the options that make it: --json, --sandbox, --data-dir."""

    @json_option
    @sandbox_option
    @data_dir_option
    @tell_errors
    @wraps(command)
    def run(as_json: bool, sandbox: bool, data_dir: Path | None, *args: P.args, **kwargs: P.kwargs) -> T:
        return command(Console(as_json, sandbox, data_dir), *args, **kwargs)

    return run
