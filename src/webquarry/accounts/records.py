"""Statements for accounts and their keys."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.storage import Operation

SWEEP_BATCH = 500


@dataclass(frozen=True, slots=True)
class Account:
    id: str
    email: str
    balance: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is listed: with its prefix, never the whole key.

    `monthly_cap` is the number of credits it may spend per calendar month (UTC). `last_used_at` is accurate to about a
    minute.
    """

    id: str
    account_id: str
    prefix: str
    name: str
    created_at: datetime
    revoked_at: datetime | None
    expires_at: datetime | None = None
    monthly_cap: int | None = None
    last_used_at: datetime | None = None

    def is_active(self, now: datetime) -> bool:
        """Return whether the key is valid (not revoked, not expired)."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > now)

    @property
    def last_day(self) -> date | None:
        """The last day (UTC) on which the key is valid, or None if it never expires."""
        return None if self.expires_at is None else (self.expires_at - timedelta(microseconds=1)).date()


_ADD_ACCOUNT = """
    INSERT INTO accounts (id, email, balance, created_at) VALUES (:id, :email, 0, :created_at)
    ON CONFLICT (email) DO NOTHING RETURNING id"""
_BY_EMAIL = "SELECT id, email, balance, created_at FROM accounts WHERE email = :email AND deleted_at IS NULL"
_BY_ID = "SELECT id, email, balance, created_at FROM accounts WHERE id = :id AND deleted_at IS NULL"
_ALL = "SELECT id, email, balance, created_at FROM accounts WHERE deleted_at IS NULL ORDER BY created_at, id"
_ANY = "SELECT 1 FROM accounts LIMIT 1"
_ADD_KEY = """
    INSERT INTO api_keys (id, account_id, digest, prefix, name, created_at, expires_at, monthly_cap)
    SELECT CAST(:id AS TEXT), accounts.id, CAST(:digest AS TEXT), CAST(:prefix AS TEXT), CAST(:name AS TEXT),
        CAST(:created_at AS BIGINT), CAST(:expires_at AS BIGINT), CAST(:monthly_cap AS BIGINT)
    FROM accounts WHERE accounts.id = :account_id AND deleted_at IS NULL
    ON CONFLICT (id) DO NOTHING"""
_KEYS = """
    SELECT id, account_id, prefix, name, created_at, revoked_at, expires_at, monthly_cap, last_used_at FROM api_keys"""
_KEYS_OF = f"{_KEYS} WHERE account_id = :account_id ORDER BY created_at, id"
_KEY = f"{_KEYS} WHERE id = :id"
_KEY_BY_DIGEST = f"{_KEYS} WHERE digest = :digest"
_SET_CAP = """
    UPDATE api_keys SET monthly_cap = :monthly_cap WHERE id = :id AND account_id = :account_id
    RETURNING id"""
_USED = """
    UPDATE api_keys SET last_used_at = :at WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)"""
_REVOKE = """
    UPDATE api_keys SET revoked_at = COALESCE(revoked_at, :now) WHERE id = :id AND account_id = :account_id
    RETURNING digest"""
_SWEEP_KEYS = """
    DELETE FROM api_keys WHERE id IN (
        SELECT id FROM api_keys WHERE revoked_at < :before OR expires_at < :before LIMIT :batch) RETURNING id"""
_IDENTIFY = """
    SELECT api_keys.id, api_keys.account_id FROM api_keys JOIN accounts ON accounts.id = api_keys.account_id
    WHERE digest = :digest AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
        AND accounts.disabled_at IS NULL"""


def add_account(id: str, email: str, now: datetime) -> Operation[bool]:
    """Add the account. Return False if another account has this email."""
    rows = yield _ADD_ACCOUNT, {"id": id, "email": email, "created_at": epoch_ms(now)}
    if rows:
        return True
    known = yield from by_email(email)
    return known is not None and known.id == id


def by_email(email: str) -> Operation[Account | None]:
    rows = yield _BY_EMAIL, {"email": email}
    return _account(rows[0]) if rows else None


def by_id(id: str) -> Operation[Account | None]:
    rows = yield _BY_ID, {"id": id}
    return _account(rows[0]) if rows else None


def list_all() -> Operation[list[Account]]:
    rows = yield _ALL, {}
    return [_account(row) for row in rows]


def exist() -> Operation[bool]:
    rows = yield _ANY, {}
    return bool(rows)


def add_key(key: ApiKey, digest: str) -> Operation[bool]:
    """Add the key. Return False if there is no such account."""
    values = {
        "id": key.id,
        "account_id": key.account_id,
        "digest": digest,
        "prefix": key.prefix,
        "name": key.name,
        "created_at": epoch_ms(key.created_at),
        "expires_at": None if key.expires_at is None else epoch_ms(key.expires_at),
        "monthly_cap": key.monthly_cap,
    }
    yield _ADD_KEY, values
    rows = yield _KEY, {"id": key.id}
    return bool(rows)


def keys(account_id: str) -> Operation[list[ApiKey]]:
    rows = yield _KEYS_OF, {"account_id": account_id}
    return [_key(row) for row in rows]


def revoke(account_id: str, key_id: str, now: datetime) -> Operation[str | None]:
    """Revoke the key if it is not revoked. Return its digest, or None if the account has no such key."""
    rows = yield _REVOKE, {"id": key_id, "account_id": account_id, "now": epoch_ms(now)}
    return rows[0][0] if rows else None


def sweep_keys(before: datetime) -> Operation[bool]:
    """Delete a batch of keys that were revoked or expired before this time. Return whether more may be left."""
    rows = yield _SWEEP_KEYS, {"before": epoch_ms(before), "batch": SWEEP_BATCH}
    return len(rows) == SWEEP_BATCH


def set_cap(account_id: str, key_id: str, monthly_cap: int | None) -> Operation[bool]:
    """Set the key's cap. Return whether the account has such a key."""
    rows = yield _SET_CAP, {"id": key_id, "account_id": account_id, "monthly_cap": monthly_cap}
    return bool(rows)


def find_key(key_id: str) -> Operation[ApiKey | None]:
    rows = yield _KEY, {"id": key_id}
    return _key(rows[0]) if rows else None


def find_by_digest(digest: str) -> Operation[ApiKey | None]:
    rows = yield _KEY_BY_DIGEST, {"digest": digest}
    return _key(rows[0]) if rows else None


def note_uses(used: Mapping[str, datetime]) -> Operation[None]:
    """Store when keys were last used. A time earlier than the stored one changes nothing."""
    for key_id, at in sorted(used.items()):  # sorted, so that servers lock rows in the same order
        yield _USED, {"id": key_id, "at": epoch_ms(at)}


def identify(digest: str, now: datetime) -> Operation[tuple[str, str] | None]:
    """Return the (key id, account id) of a valid key (not revoked, not expired) whose account is enabled."""
    rows = yield _IDENTIFY, {"digest": digest, "now": epoch_ms(now)}
    return (rows[0][0], rows[0][1]) if rows else None


def _account(row: tuple[Any, ...]) -> Account:
    return Account(row[0], row[1], row[2], from_epoch_ms(row[3]))


def _key(row: tuple[Any, ...]) -> ApiKey:
    id, account_id, prefix, name, created_at, revoked_at, expires_at, monthly_cap, last_used_at = row
    return ApiKey(
        id=id,
        account_id=account_id,
        prefix=prefix,
        name=name,
        created_at=from_epoch_ms(created_at),
        revoked_at=_instant(revoked_at),
        expires_at=_instant(expires_at),
        monthly_cap=monthly_cap,
        last_used_at=_instant(last_used_at),
    )


def _instant(stored: int | None) -> datetime | None:
    return None if stored is None else from_epoch_ms(stored)
