"""People who sign up in tests, with passwords that are cheap to hash."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from argon2 import PasswordHasher

from webquarry.accounts import Accounts, Passwords, People, Post, Seal
from webquarry.core.clock import Clock
from webquarry.storage import Database, Operation

T = TypeVar("T")
PASSWORD = "correct horse battery"


def run_writes_twice(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeat each write, as happens when its first acknowledgement is lost."""
    write = database.write

    async def write_twice(operation: Callable[[], Operation[T]], *, account: str = "", admitted: bool = False) -> T:
        await write(operation, account=account, admitted=admitted)
        return await write(operation, account=account, admitted=admitted)

    monkeypatch.setattr(database, "write", write_twice)


class QuickHasher(PasswordHasher):
    """Argon2 with minimum cost, which counts its operations."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.made = self.checked = 0

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.made += 1
        return super().hash(password, salt=salt)

    def verify(self, hash: str | bytes, password: str | bytes) -> bool:  # type: ignore[override]  # as argon2 has it
        self.checked += 1
        return super().verify(hash, password)


def make_people(
    database: Database,
    clock: Clock,
    *,
    accounts: Accounts | None = None,
    hasher: PasswordHasher | None = None,
    passwords: Passwords | None = None,
    is_open: bool = True,
    post: Post | None = None,
    first_credits: int = 10,
    forget: Callable[[str], None] = lambda _account_id: None,
    secret: str | None = None,
) -> People:
    return People(
        database,
        clock,
        accounts or Accounts(database, clock),
        passwords or Passwords(hasher or QuickHasher()),
        first_credits=first_credits,
        is_open=is_open,
        post=post,
        forget=forget,
        seal=Seal(secret),
    )
