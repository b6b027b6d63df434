"""Records of people: the statements about passwords, addresses and flags of accounts."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from webquarry.accounts import records, sessions
from webquarry.accounts.sessions import NewSession
from webquarry.clock import epoch_ms
from webquarry.ledger import booking
from webquarry.storage import Operation

_COLUMNS = "SELECT id, email, password_hash, disabled_at, verified_at FROM accounts"
_BY_EMAIL = f"{_COLUMNS} WHERE email = :email AND deleted_at IS NULL"
_BY_ID = f"{_COLUMNS} WHERE id = :id AND deleted_at IS NULL"
_HAS_HASH = "UPDATE accounts SET password_hash = :hash WHERE id = :id AND password_hash = :hash RETURNING id"
# of an account that is deleted nothing changes any more
_SET_HASH = "UPDATE accounts SET password_hash = :hash WHERE id = :id AND deleted_at IS NULL RETURNING id"
_SET_EMAIL = """
    UPDATE accounts SET email = :email, verified_at = :verified_at WHERE id = :id AND deleted_at IS NULL RETURNING id"""
_VERIFY = "UPDATE accounts SET verified_at = :now WHERE id = :id AND deleted_at IS NULL"
_SET_DISABLED = "UPDATE accounts SET disabled_at = :at WHERE id = :id AND deleted_at IS NULL RETURNING id"
_SET_ADMIN = "UPDATE accounts SET is_admin = :flag WHERE id = :id AND deleted_at IS NULL RETURNING id"


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


def has_password(id: str, hash: str | None) -> Operation[bool]:
    """Whether the account has the password of this hash still, which nobody changes before the transaction ends."""
    return bool((yield _HAS_HASH, {"id": id, "hash": hash}))


def sign_in(person: Person, anew: str | None, session: NewSession) -> Operation[bool]:
    """Open the session of a person whose password was right, and keep its hash `anew` where there is one. False when
    the password was changed meanwhile."""
    if (yield from sessions.is_open(session)):
        return True
    if not (yield from has_password(person.id, person.password_hash)):
        return False
    if anew is not None:
        yield from set_hash(person.id, anew)
    yield from sessions.add(session)
    return True


def replace_password(person: Person, hash: str, session: NewSession) -> Operation[bool]:
    """Set the password, end all sessions and open this one. False when the password was changed meanwhile."""
    if (yield from sessions.is_open(session)):
        return True
    if not (yield from has_password(person.id, person.password_hash)):
        return False
    yield from set_hash(person.id, hash)
    yield from sessions.end_all(person.id)
    yield from sessions.add(session)
    return True


def vouch(id: str, hash: str, now: datetime) -> Operation[bool]:
    """Set the password, for whoever answers for the address; end all sessions. False for an account that is deleted."""
    if not (yield from set_hash(id, hash)):
        return False
    yield from set_verified(id, now)
    yield from sessions.end_all(id)
    return True


def change_email(person: Person, email: str) -> Operation[bool | None]:
    """Give the account an address that nobody has confirmed. False when another one has it; None when the password was
    changed meanwhile."""
    if not (yield from has_password(person.id, person.password_hash)):
        return None
    return (yield from set_email(person.id, email, None))


def set_hash(id: str, hash: str) -> Operation[bool]:
    """False when there is no such account."""
    return bool((yield _SET_HASH, {"id": id, "hash": hash}))


def set_email(id: str, email: str, verified_at: datetime | None) -> Operation[bool]:
    """Whether the account has the address now; False when another one has it."""
    holder = yield from records.by_email(email)
    if holder is not None and holder.id != id:
        return False
    at = None if verified_at is None else epoch_ms(verified_at)
    return bool((yield _SET_EMAIL, {"id": id, "email": email, "verified_at": at}))


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
