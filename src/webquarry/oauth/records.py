"""Statements for codes, grants and tokens.

Codes and tokens are identified by the digest of the issued text. Codes and refresh tokens work once: a second use
revokes the grant.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.storage import Operation, Rows

KEEP_CODES = timedelta(days=1)
"""Time for which an exchanged code is kept, so that a second exchange is detected."""
KEEP_ENDED = timedelta(days=30)
SWEEP_BATCH = 500


@dataclass(frozen=True, slots=True)
class Grant:
    """An app connected to an account.

    `name` and `address` are the values that the person approved; `used_at` is accurate to about an hour.
    """

    id: str
    account_id: str
    client_id: str
    name: str
    address: str
    resource: str
    scope: str
    created_at: datetime
    used_at: datetime


@dataclass(frozen=True, slots=True)
class Code:
    """A stored authorization code."""

    account_id: str
    client_id: str
    redirect_uri: str
    challenge: str
    resource: str
    scope: str
    expires_at: datetime
    grant_id: str | None


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token to be stored. `kind` is access or refresh."""

    digest: str
    kind: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class KnownToken:
    """A stored token. `replaced_by` is the digest of the refresh token that replaced it."""

    kind: str
    expires_at: datetime
    replaced_by: str | None
    grant: Grant


_ADD_CODE = """
    INSERT INTO oauth_codes (digest, account_id, client_id, redirect_uri, challenge, resource, scope, created_at,
        expires_at)
    VALUES (:digest, :account_id, :client_id, :redirect_uri, :challenge, :resource, :scope, :now, :until)
    ON CONFLICT (digest) DO NOTHING"""
_CODE = """
    SELECT oauth_codes.account_id, client_id, redirect_uri, challenge, resource, scope, expires_at, grant_id
    FROM oauth_codes JOIN accounts ON accounts.id = oauth_codes.account_id
    WHERE digest = :digest AND disabled_at IS NULL"""
_ADD_GRANT = """
    INSERT INTO oauth_grants (id, account_id, client_id, name, address, resource, scope, created_at, used_at)
    VALUES (:id, :account_id, :client_id, :name, :address, :resource, :scope, :now, :now)
    ON CONFLICT (id) DO NOTHING"""
_DROP_GRANT = "DELETE FROM oauth_grants WHERE id = :id"
_TAKE_CODE = """
    UPDATE oauth_codes SET grant_id = :grant_id
    WHERE digest = :digest AND (grant_id IS NULL OR grant_id = :grant_id) RETURNING digest"""
_CODES_GRANT = "SELECT grant_id FROM oauth_codes WHERE digest = :digest"
_KEEP = """
    INSERT INTO oauth_tokens (digest, grant_id, kind, created_at, expires_at)
    VALUES (:digest, :grant_id, :kind, :now, :until)
    ON CONFLICT (digest) DO NOTHING"""
_KNOWN = """
    SELECT kind, expires_at, replaced_by, oauth_grants.id, oauth_grants.account_id, oauth_grants.client_id,
        oauth_grants.name, oauth_grants.address,
        oauth_grants.resource, oauth_grants.scope, oauth_grants.created_at, oauth_grants.used_at
    FROM oauth_tokens JOIN oauth_grants ON oauth_grants.id = oauth_tokens.grant_id
    JOIN accounts ON accounts.id = oauth_grants.account_id
    WHERE oauth_tokens.digest = :digest AND oauth_grants.revoked_at IS NULL AND disabled_at IS NULL"""
_REPLACE = """
    UPDATE oauth_tokens SET replaced_by = :new
    WHERE digest = :old AND (replaced_by IS NULL OR replaced_by = :new) RETURNING digest"""
_USE_GRANT = "UPDATE oauth_grants SET used_at = :now WHERE id = :id AND revoked_at IS NULL RETURNING id"
_USE_CLIENT = "UPDATE oauth_clients SET used_at = :now WHERE id = :id"
_END = """
    UPDATE oauth_grants SET revoked_at = COALESCE(revoked_at, :now) WHERE id = :id RETURNING account_id"""
_END_OWN = """
    UPDATE oauth_grants SET revoked_at = COALESCE(revoked_at, :now)
    WHERE id = :id AND account_id = :account_id RETURNING id"""
_DROP_TOKENS = "DELETE FROM oauth_tokens WHERE grant_id = :id"
_LIST = """
    SELECT id, account_id, client_id, name, address, resource, scope, created_at, used_at FROM oauth_grants
    WHERE account_id = :account_id AND revoked_at IS NULL AND EXISTS (
        SELECT 1 FROM oauth_tokens WHERE grant_id = oauth_grants.id AND expires_at > :now)
    ORDER BY used_at DESC, id"""
_SWEEPS = (
    "DELETE FROM oauth_codes WHERE digest IN (SELECT digest FROM oauth_codes WHERE expires_at < :codes LIMIT :batch)"
    " RETURNING digest",
    "DELETE FROM oauth_tokens WHERE digest IN (SELECT digest FROM oauth_tokens WHERE expires_at < :now LIMIT :batch)"
    " RETURNING digest",
    "DELETE FROM oauth_grants WHERE id IN (SELECT id FROM oauth_grants WHERE used_at < :ended"
    " AND NOT EXISTS (SELECT 1 FROM oauth_tokens WHERE grant_id = oauth_grants.id) LIMIT :batch) RETURNING id",
)


def add_code(digest: str, code: Code, now: datetime) -> Operation[bool]:
    """Store a code. Return True."""
    yield (
        _ADD_CODE,
        {
            "digest": digest,
            "account_id": code.account_id,
            "client_id": code.client_id,
            "redirect_uri": code.redirect_uri,
            "challenge": code.challenge,
            "resource": code.resource,
            "scope": code.scope,
            "now": epoch_ms(now),
            "until": epoch_ms(code.expires_at),
        },
    )
    yield _USE_CLIENT, {"id": code.client_id, "now": epoch_ms(now)}
    return True


def find_code(digest: str) -> Operation[Code | None]:
    """Return the code, used or not; None if it is unknown or its account is disabled."""
    rows = yield _CODE, {"digest": digest}
    if not rows:
        return None
    account_id, client_id, redirect_uri, challenge, resource, scope, expires_at, grant_id = rows[0]
    return Code(account_id, client_id, redirect_uri, challenge, resource, scope, from_epoch_ms(expires_at), grant_id)


def exchange_code(digest: str, grant: Grant, tokens: list[NewToken]) -> Operation[bool]:
    """Create a code's grant with its tokens.

    Return False if the code was already exchanged, and revoke the grant from that exchange.
    """
    yield _ADD_GRANT, _grant_values(grant)
    if not (yield _TAKE_CODE, {"digest": digest, "grant_id": grant.id}):
        yield _DROP_GRANT, {"id": grant.id}
        rows = yield _CODES_GRANT, {"digest": digest}
        if rows and rows[0][0] is not None:
            yield from end(rows[0][0], grant.created_at)
        return False
    yield from _add_tokens(grant.id, tokens, grant.created_at)
    return True


def find_token(digest: str) -> Operation[KnownToken | None]:
    """Return the token, even if expired or replaced; None if it is unknown or its grant or account is inactive."""
    rows = yield _KNOWN, {"digest": digest}
    if not rows:
        return None
    kind, expires_at, replaced_by, *grant = rows[0]
    return KnownToken(kind, from_epoch_ms(expires_at), replaced_by, _grant(grant))


def replace_token(grant_id: str, old: str, tokens: list[NewToken], now: datetime) -> Operation[bool]:
    """Replace a refresh token with new tokens. The last new token is a refresh token.

    Return False if the grant was revoked. Also return False, and revoke the grant, if the token was already replaced.
    """
    is_first = yield _REPLACE, {"old": old, "new": tokens[-1].digest}
    if not is_first or not (yield _USE_GRANT, {"id": grant_id, "now": epoch_ms(now)}):
        yield from end(grant_id, now)
        return False
    yield from _add_tokens(grant_id, tokens, now)
    return True


def end(grant_id: str, now: datetime) -> Operation[None]:
    """Revoke a grant and delete its tokens."""
    yield _END, {"id": grant_id, "now": epoch_ms(now)}
    yield _DROP_TOKENS, {"id": grant_id}


def end_own(account_id: str, grant_id: str, now: datetime) -> Operation[bool]:
    """Revoke a grant of this account. Return False if the account has no such grant."""
    if not (yield _END_OWN, {"id": grant_id, "account_id": account_id, "now": epoch_ms(now)}):
        return False
    yield _DROP_TOKENS, {"id": grant_id}
    return True


def list_grants(account_id: str, now: datetime) -> Operation[list[Grant]]:
    """Return the account's active grants, most recently used first."""
    rows = yield _LIST, {"account_id": account_id, "now": epoch_ms(now)}
    return [_grant(row) for row in rows]


def sweep(now: datetime) -> Operation[bool]:
    """Delete a batch of expired codes, tokens and grants. Return whether more may be left."""
    ends = {"now": epoch_ms(now), "codes": epoch_ms(now - KEEP_CODES), "ended": epoch_ms(now - KEEP_ENDED)}
    left = False
    for statement in _SWEEPS:
        rows: Rows = yield statement, {**ends, "batch": SWEEP_BATCH}
        left = left or len(rows) == SWEEP_BATCH
    return left


def _add_tokens(grant_id: str, tokens: list[NewToken], now: datetime) -> Operation[None]:
    for token in tokens:
        values = {"digest": token.digest, "grant_id": grant_id, "kind": token.kind, "now": epoch_ms(now)}
        yield _KEEP, {**values, "until": epoch_ms(token.expires_at)}


def _grant_values(grant: Grant) -> dict[str, Any]:
    return {
        "id": grant.id,
        "account_id": grant.account_id,
        "client_id": grant.client_id,
        "name": grant.name,
        "address": grant.address,
        "resource": grant.resource,
        "scope": grant.scope,
        "now": epoch_ms(grant.created_at),
    }


def _grant(row: Any) -> Grant:
    id, account_id, client_id, name, address, resource, scope, created_at, used_at = row
    return Grant(
        id,
        account_id,
        client_id,
        name,
        address,
        resource,
        scope,
        from_epoch_ms(created_at),
        from_epoch_ms(used_at),
    )
