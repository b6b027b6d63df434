"""Records of people: the statements about passwords, addresses and flags of accounts."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from webquarry.accounts import records
from webquarry.clock import epoch_ms
from webquarry.ledger import booking
from webquarry.storage import Operation

_COLUMNS = "SELECT id, email, password_hash, disabled_at, verified_at FROM accounts"
_BY_EMAIL = f"{_COLUMNS} WHERE email = :email"
_BY_ID = f"{_COLUMNS} WHERE id = :id"
_SET_HASH = "UPDATE accounts SET password_hash = :hash WHERE id = :id"
_SET_EMAIL = "UPDATE accounts SET email = :email, verified_at = :verified_at WHERE id = :id RETURNING id"
_VERIFY = "UPDATE accounts SET verified_at = :now WHERE id = :id"
_SET_DISABLED = "UPDATE accounts SET disabled_at = :at WHERE id = :id RETURNING id"
_SET_ADMIN = "UPDATE accounts SET is_admin = :flag WHERE id = :id RETURNING id"


@dataclass(frozen=True, slots=True)
class Person:
    """An account as signing in sees it. password_hash: None where nobody can sign in by password."""

    id: str
    email: str
    password_hash: str | None
    is_disabled: bool
    is_verified: bool


def find_by_email(email: str) -> Operation[Person | None]:
    return (yield from _find(_BY_EMAIL, {"email": email}))


def find_by_id(id: str) -> Operation[Person | None]:
    return (yield from _find(_BY_ID, {"id": id}))


def register(
    id: str, email: str, hash: str, credits: int, now: datetime, then: Callable[[], Operation[None]]
) -> Operation[bool]:
    """Make an account with its password and first credits, and do `then`; False when the address is taken."""
    if not (yield from records.add_account(id, email, now)):
        return False
    yield _SET_HASH, {"id": id, "hash": hash}
    if credits:
        yield from booking.grant(id, credits, request_id=f"new-{id}", note="new account", now=now)
    yield from then()
    return True


def set_hash(id: str, hash: str) -> Operation[None]:
    yield _SET_HASH, {"id": id, "hash": hash}


def set_email(id: str, email: str, verified_at: datetime | None) -> Operation[bool]:
    """Whether the account has the address now; False when another one has it."""
    holder = yield from records.by_email(email)
    if holder is not None and holder.id != id:
        return False
    at = None if verified_at is None else epoch_ms(verified_at)
    yield _SET_EMAIL, {"id": id, "email": email, "verified_at": at}
    return True


def set_verified(id: str, now: datetime) -> Operation[None]:
    yield _VERIFY, {"id": id, "now": epoch_ms(now)}


def set_disabled(id: str, at: datetime | None) -> Operation[bool]:
    """False when there is no such account."""
    rows = yield _SET_DISABLED, {"id": id, "at": None if at is None else epoch_ms(at)}
    return bool(rows)


def set_admin(id: str, flag: bool) -> Operation[bool]:
    """False when there is no such account."""
    rows = yield _SET_ADMIN, {"id": id, "flag": int(flag)}
    return bool(rows)


def _find(sql: str, values: dict[str, str]) -> Operation[Person | None]:
    rows = yield sql, values
    if not rows:
        return None
    id, email, password_hash, disabled_at, verified_at = rows[0]
    return Person(id, email, password_hash, disabled_at is not None, verified_at is not None)
