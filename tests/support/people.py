"""People who sign up in tests, with passwords that cost next to nothing to check."""

from argon2 import PasswordHasher

from webquarry.accounts import Accounts, Passwords, People, Post
from webquarry.clock import Clock
from webquarry.storage import Database

PASSWORD = "correct horse battery"


class QuickHasher(PasswordHasher):
    """Argon2 at its cheapest, which counts the work that it does."""

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
    hasher: PasswordHasher | None = None,
    is_open: bool = True,
    post: Post | None = None,
    first_credits: int = 10,
) -> People:
    return People(
        database,
        clock,
        Accounts(database, clock),
        Passwords(hasher or QuickHasher()),
        first_credits=first_credits,
        is_open=is_open,
        post=post,
    )
