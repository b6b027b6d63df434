"""Statements for passkeys: public keys, counters, and challenges that await a signature."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from webquarry.accounts.ceremonies import NewCredential
from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.logs.audit import Event, add, is_kept
from webquarry.storage import Operation

MAX_PASSKEYS = 20
"""Maximum number of passkeys that an account may have."""
CHALLENGE_LASTS = timedelta(minutes=5)
SWEEP_BATCH = 500
Purpose = Literal["create", "get"]
"""Purpose of a challenge: creating a passkey, or signing with one."""

_BEGIN = """
    INSERT INTO passkey_challenges (browser, purpose, challenge, expires_at)
    VALUES (:browser, :purpose, :challenge, :until)
    ON CONFLICT (browser, purpose) DO UPDATE
        SET challenge = excluded.challenge, expires_at = excluded.expires_at, used_by = NULL"""
_CLAIM = """
    UPDATE passkey_challenges SET used_by = :claim
    WHERE browser = :browser AND purpose = :purpose AND expires_at > :now AND (used_by IS NULL OR used_by = :claim)
    RETURNING challenge"""
_SWEEP = """
    DELETE FROM passkey_challenges WHERE (browser, purpose) IN
        (SELECT browser, purpose FROM passkey_challenges WHERE expires_at <= :now LIMIT :batch)
    RETURNING browser"""
_ADD = """
    INSERT INTO passkeys (id, account_id, public_key, sign_count, name, created_at)
    SELECT CAST(:id AS TEXT), accounts.id, CAST(:public_key AS TEXT), CAST(:sign_count AS BIGINT), CAST(:name AS TEXT),
        CAST(:now AS BIGINT)
    FROM accounts WHERE accounts.id = :account_id AND deleted_at IS NULL
        AND (SELECT COUNT(*) FROM passkeys WHERE account_id = :account_id) < :most
    ON CONFLICT (id) DO NOTHING RETURNING id"""
_LIST = """
    SELECT id, account_id, name, created_at, last_used_at FROM passkeys WHERE account_id = :account_id
    ORDER BY created_at, id"""
_FIND = """
    SELECT account_id, email, name, public_key, sign_count FROM passkeys JOIN accounts ON accounts.id = account_id
    WHERE passkeys.id = :id AND disabled_at IS NULL"""
_USE = """
    UPDATE passkeys SET sign_count = :sign_count, last_used_at = :now, last_attempt = :attempt
    WHERE id = :id AND account_id = :account_id
        AND (sign_count < :sign_count OR (sign_count = 0 AND :sign_count = 0) OR last_attempt = :attempt)
    RETURNING id"""
_REMOVE = "DELETE FROM passkeys WHERE id = :id AND account_id = :account_id RETURNING id"
_REMOVE_ALL = "DELETE FROM passkeys WHERE account_id = :account_id RETURNING id"


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey as its owner sees it. `id` is the credential's id in base64url."""

    id: str
    account_id: str
    name: str
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class KeptKey:
    """Data for verifying a signature. `email` is the account's email address."""

    account_id: str
    email: str
    name: str
    public_key: bytes
    sign_count: int


@dataclass(frozen=True, slots=True)
class VerifiedPasskey:
    """A passkey with a verified signature. It counts as used only after `use` has stored its counter."""

    id: str
    account_id: str
    sign_count: int


def begin(browser: str, purpose: Purpose, challenge: bytes, now: datetime) -> Operation[None]:
    """Store a challenge for a browser, replacing its previous one."""
    until = epoch_ms(now + CHALLENGE_LASTS)
    yield _BEGIN, {"browser": browser, "purpose": purpose, "challenge": challenge.hex(), "until": until}


def claim(browser: str, purpose: Purpose, claim_id: str, now: datetime) -> Operation[bytes | None]:
    """Consume the browser's challenge and return it, or None if it is missing, expired or used.

    `claim_id` distinguishes a retried operation from a second use of the challenge.
    """
    rows = yield _CLAIM, {"browser": browser, "purpose": purpose, "claim": claim_id, "now": epoch_ms(now)}
    return bytes.fromhex(rows[0][0]) if rows else None


def sweep(now: datetime) -> Operation[bool]:
    """Delete a batch of expired challenges. Return whether more may be left."""
    rows = yield _SWEEP, {"now": epoch_ms(now), "batch": SWEEP_BATCH}
    return len(rows) == SWEEP_BATCH


def add_passkey(account_id: str, made: NewCredential, name: str, event: Event) -> Operation[bool]:
    """Store a passkey. Return False if it is already known or the account has `MAX_PASSKEYS`."""
    if (yield from is_kept(event)):
        return True
    values = {
        "id": made.id,
        "account_id": account_id,
        "public_key": made.public_key.hex(),
        "sign_count": made.sign_count,
        "name": name,
        "now": epoch_ms(event.at),
        "most": MAX_PASSKEYS,
    }
    if not (yield _ADD, values):
        return False
    yield from add(event)
    return True


def list_passkeys(account_id: str) -> Operation[list[Passkey]]:
    """Return the account's passkeys, oldest first."""
    rows = yield _LIST, {"account_id": account_id}
    return [
        Passkey(id, owner, name, from_epoch_ms(made), None if used is None else from_epoch_ms(used))
        for id, owner, name, made, used in rows
    ]


def find_key(id: str) -> Operation[KeptKey | None]:
    """Return the data for verifying a passkey's signatures, or None if it is unknown or its account is disabled."""
    rows = yield _FIND, {"id": id}
    if not rows:
        return None
    account_id, email, name, public_key, sign_count = rows[0]
    return KeptKey(account_id, email, name, bytes.fromhex(public_key), sign_count)


def use(passkey: VerifiedPasskey, account_id: str, attempt_id: str, now: datetime) -> Operation[bool]:
    """Store the counter of a signature.

    Return False if the passkey belongs to another account or was removed, or if its counter has not increased.
    Authenticators without a counter always send 0, which is accepted.
    """
    values = {
        "id": passkey.id,
        "account_id": account_id,
        "sign_count": passkey.sign_count,
        "attempt": attempt_id,
        "now": epoch_ms(now),
    }
    return bool((yield _USE, values))


def remove(id: str, account_id: str, event: Event) -> Operation[bool]:
    """Remove a passkey. Return False if the account has no such passkey."""
    if (yield from is_kept(event)):
        return True
    if not (yield _REMOVE, {"id": id, "account_id": account_id}):
        return False
    yield from add(event)
    return True


def remove_all(account_id: str) -> Operation[bool]:
    """Remove all passkeys of the account. Return whether it had any."""
    return bool((yield _REMOVE_ALL, {"account_id": account_id}))
