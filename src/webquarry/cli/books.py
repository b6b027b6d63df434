"""The parts of a store that commands use."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from webquarry.accounts import Accounts, Directory, Passwords, People
from webquarry.core.clock import Clock, SystemClock
from webquarry.core.settings import Settings
from webquarry.ledger import Ledger
from webquarry.logs.audit import AuditLog
from webquarry.oauth import Grants, Tokens
from webquarry.storage import open_database


@dataclass(frozen=True, slots=True)
class Books:
    """The parts of a store that concern accounts, without the rest of the service."""

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
