"""Statements for passwords, addresses and flags of accounts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from webquarry.accounts import factor_records, records, sessions
from webquarry.accounts.endings import Endings, end_access
from webquarry.accounts.factor_records import Attempt, Kind
from webquarry.accounts.sessions import NewSession
from webquarry.core.clock import epoch_ms
from webquarry.core.errors import InvalidParams
from webquarry.ledger import booking
from webquarry.logs.audit import Event, add
from webquarry.storage import Operation

_COLUMNS = "SELECT id, email, password_hash, disabled_at, verified_at FROM accounts"
_BY_EMAIL = f"{_COLUMNS} WHERE email = :email AND deleted_at IS NULL"
_BY_ID = f"{_COLUMNS} WHERE id = :id AND deleted_at IS NULL"
_HAS_HASH = "UPDATE accounts SET password_hash = :hash WHERE id = :id AND password_hash = :hash RETURNING id"
# every statement excludes deleted accounts, which never change
_SET_HASH = "UPDATE accounts SET password_hash = :hash WHERE id = :id AND deleted_at IS NULL RETURNING id"
_SET_EMAIL = """
    UPDATE accounts SET email = :email, verified_at = :verified_at WHERE id = :id AND deleted_at IS NULL RETURNING id"""
_VERIFY = "UPDATE accounts SET verified_at = :now WHERE id = :id AND deleted_at IS NULL"
_SET_DISABLED = "UPDATE accounts SET disabled_at = :at WHERE id = :id AND deleted_at IS NULL RETURNING id"
# the update changes no values; it only locks the rows, so that two administrators cannot remove each other
_LOCK_ADMINS = """
    UPDATE accounts SET is_admin = 1 WHERE is_admin = 1 AND disabled_at IS NULL AND deleted_at IS NULL RETURNING id"""
_SET_ADMIN = "UPDATE accounts SET is_admin = :flag WHERE id = :id AND deleted_at IS NULL RETURNING id"


@dataclass(frozen=True, slots=True)
class Person:
    """An account and the data needed to sign in. `password_hash` is None if signing in by password is impossible."""

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
    id: str, email: str, hash: str, credits: int, now: datetime, then: Callable[[], Operation[object]]
) -> Operation[bool]:
    """Create an account with its password and first credits, and run the operation `then`.

    Return False if the address is taken.
    """
    if not (yield from records.add_account(id, email, now)):
        return False
    yield _SET_HASH, {"id": id, "hash": hash}
    if credits:
        yield from booking.grant(id, credits, request_id=f"new-{id}", note="new account", now=now)
    yield from then()
    return True


def has_password(id: str, hash: str | None) -> Operation[bool]:
    """Return whether the account still has this password hash. Locks the account until the end of the transaction."""
    return bool((yield _HAS_HASH, {"id": id, "hash": hash}))


def sign_in(person: Person, anew: str | None, session: NewSession, event: Event) -> Operation[bool]:
    """Open a session for a person whose password was correct. Also store the hash `anew`, if it is given.

    Return False if the password has changed since. `event` is recorded, unless the session still has to verify the
    second factor.
    """
    if (yield from sessions.is_open(session)):
        return True
    if not (yield from has_password(person.id, person.password_hash)):
        return False
    if anew is not None:
        yield from set_hash(person.id, anew)
    if (yield from sessions.add(session)):
        yield from add(event)
    return True


def confirm(person: Person, session_id: str, attempt: Attempt, *, with_code: bool) -> Operation[Kind | None]:
    """Record in a session that the password was given again, and the code if one is needed. Return the code's kind.

    `with_code` requires a code even if a recent one is still valid. Raises InvalidParams for a wrong code, a password
    that has changed since, or a session that has ended.
    """
    times = yield from sessions.read_times(session_id)
    if times is None or not (yield from has_password(person.id, person.password_hash)):
        raise make_password_error()
    needs_code = times.has_factor and (with_code or times.needs_code(attempt.at))
    kind = (yield from factor_records.take(attempt)) if needs_code else None
    yield from sessions.confirm(session_id, attempt.at, attempt.at if needs_code else None)
    return kind


def replace_password(
    person: Person, hash: str, session: NewSession, before_id: str, endings: Endings
) -> Operation[bool]:
    """Set the password, end all sessions, revoke the access that `endings` selects, and open this session.

    The new session replaces the session `before_id`. Return False if the password has changed since or if session
    `before_id` has ended.
    """
    if (yield from sessions.is_open(session)):
        return True
    times = yield from sessions.read_times(before_id)
    if times is None or not (yield from has_password(person.id, person.password_hash)):
        return False
    session = replace(session, factor_at=times.factor_at)
    yield from set_hash(person.id, hash)
    yield from sessions.end_all(person.id)
    yield from end_access(person.id, endings, session.created_at)
    yield from sessions.add(session)
    return True


def vouch(id: str, hash: str, now: datetime) -> Operation[bool]:
    """Set the password on behalf of the operator and end all sessions. Return False if the account was deleted."""
    if not (yield from set_hash(id, hash)):
        return False
    yield from set_verified(id, now)
    yield from sessions.end_all(id)
    return True


def change_email(person: Person, email: str) -> Operation[bool | None]:
    """Set an unconfirmed address.

    Return False if another account has it, and None if the password has changed since.
    """
    if not (yield from has_password(person.id, person.password_hash)):
        return None
    return (yield from set_email(person.id, email, None))


def set_hash(id: str, hash: str) -> Operation[bool]:
    """Set the password hash. Return False if there is no such account."""
    return bool((yield _SET_HASH, {"id": id, "hash": hash}))


def set_email(id: str, email: str, verified_at: datetime | None) -> Operation[bool]:
    """Set the account's address. Return False if another account has it."""
    holder = yield from records.by_email(email)
    if holder is not None and holder.id != id:
        return False
    at = None if verified_at is None else epoch_ms(verified_at)
    return bool((yield _SET_EMAIL, {"id": id, "email": email, "verified_at": at}))


def set_verified(id: str, now: datetime) -> Operation[None]:
    yield _VERIFY, {"id": id, "now": epoch_ms(now)}


def set_disabled(id: str, at: datetime | None) -> Operation[bool]:
    """Set the time when the account was disabled; None enables it. Return False if there is no such account."""
    rows = yield _SET_DISABLED, {"id": id, "at": None if at is None else epoch_ms(at)}
    return bool(rows)


def set_admin(id: str, flag: bool) -> Operation[bool]:
    """Set the account's administrator flag. Return False if there is no such account.

    Raises InvalidParams instead of removing the last administrator.
    """
    if not flag:
        admins = yield _LOCK_ADMINS, {}
        if [each for (each,) in admins] == [id]:
            raise InvalidParams("admin: this is the last administrator. Make another account an administrator first.")
    rows = yield _SET_ADMIN, {"id": id, "flag": int(flag)}
    return bool(rows)


def make_password_error() -> InvalidParams:
    return InvalidParams("current: incorrect password.")


def _find(sql: str, values: dict[str, str]) -> Operation[Person | None]:
    rows = yield sql, values
    if not rows:
        return None
    id, email, password_hash, disabled_at, verified_at = rows[0]
    return Person(id, email, password_hash, disabled_at is not None, verified_at is not None)
