"""Codes in links that confirm an address or set a password. Each is stored as a digest and works once, for one purpose.

Most codes are sent by email. The operator can also create a code that sets a password, and pass it on.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from webquarry.accounts import factor_records, people_records, sessions
from webquarry.accounts.endings import Endings, end_access
from webquarry.accounts.factor_records import Attempt
from webquarry.accounts.sessions import NewSession
from webquarry.core.clock import epoch_ms
from webquarry.storage import Operation

VERIFY = "verify"
RESET = "reset"
LASTS = {VERIFY: timedelta(days=2), RESET: timedelta(hours=1)}
HANDED_OVER_LASTS = timedelta(days=1)
"""Time for which a code created by the operator is valid."""
PAUSE = timedelta(minutes=2)
"""Minimum time between two emails with the same purpose to one account."""
SWEEP_BATCH = 500

_RECENT = """
    SELECT 1 FROM mail_codes
    WHERE account_id = :account_id AND purpose = :purpose AND email = :email AND created_at > :since
        AND digest <> :digest"""
_DROP_OLD = "DELETE FROM mail_codes WHERE account_id = :account_id AND purpose = :purpose"
_ADD = """
    INSERT INTO mail_codes (digest, account_id, purpose, email, created_at, expires_at)
    VALUES (:digest, :account_id, :purpose, :email, :now, :until) ON CONFLICT (digest) DO NOTHING"""
_FIND = """
    SELECT account_id, mail_codes.email, accounts.email, accounts.password_hash
    FROM mail_codes JOIN accounts ON accounts.id = mail_codes.account_id
    WHERE digest = :digest AND purpose = :purpose AND expires_at > :now AND disabled_at IS NULL"""
_TAKE = "DELETE FROM mail_codes WHERE digest = :digest RETURNING digest"
_DROP_ALL = "DELETE FROM mail_codes WHERE account_id = :account_id"
_SWEEP = """
    DELETE FROM mail_codes WHERE digest IN (SELECT digest FROM mail_codes WHERE expires_at <= :now LIMIT :batch)
    RETURNING digest"""


@dataclass(frozen=True, slots=True)
class MailCode:
    """The data of a code.

    `email` is the address that the code was sent to; `current_email` is the account's address.
    """

    account_id: str
    email: str
    current_email: str
    password_hash: str | None


def add(digest: str, account_id: str, purpose: str, email: str, now: datetime) -> Operation[bool]:
    """Store a code, replacing earlier ones. Return False if a code was sent recently."""
    whose = {"account_id": account_id, "purpose": purpose}
    if (yield _RECENT, {**whose, "email": email, "since": epoch_ms(now - PAUSE), "digest": digest}):
        return False
    return (yield from replace_earlier(digest, account_id, purpose, email, now, LASTS[purpose]))


def replace_earlier(
    digest: str, account_id: str, purpose: str, email: str, now: datetime, lasts: timedelta
) -> Operation[bool]:
    """Store a code and return True. The account's earlier codes for this purpose become invalid."""
    whose = {"account_id": account_id, "purpose": purpose}
    yield _DROP_OLD, whose
    yield _ADD, {**whose, "digest": digest, "email": email, "now": epoch_ms(now), "until": epoch_ms(now + lasts)}
    return True


def find(digest: str, purpose: str, now: datetime) -> Operation[MailCode | None]:
    """Return the code's data.

    Return None if the code is unknown, used, expired or for another purpose, or if the account is disabled.
    """
    rows = yield _FIND, {"digest": digest, "purpose": purpose, "now": epoch_ms(now)}
    return MailCode(*rows[0]) if rows else None


def confirm(digest: str, code: MailCode, session: NewSession) -> Operation[bool]:
    """Consume the code, make its address the account's verified address, and open the session.

    Return False if the code was used before, if another account has the address, or if the password has changed since
    the code was found.
    """
    if (yield from sessions.is_open(session)):
        return True
    if not (yield from people_records.has_password(code.account_id, code.password_hash)):
        return False
    if not (yield _TAKE, {"digest": digest}):
        return False
    if not (yield from people_records.set_email(code.account_id, code.email, session.created_at)):
        return False
    yield from sessions.add(session)
    return True


def reset(
    digest: str, code: MailCode, hash: str, session: NewSession, attempt: Attempt, endings: Endings
) -> Operation[bool]:
    """Consume the code, set the password and open the session.

    Also end all other sessions, and revoke the access that `endings` selects. Return False if the code was used before.
    Raises InvalidParams if the account has a second factor and the attempt is wrong.
    """
    if (yield from sessions.is_open(session)):
        return True
    if not (yield _TAKE, {"digest": digest}):
        return False
    yield from people_records.set_hash(code.account_id, hash)
    yield from people_records.set_verified(code.account_id, session.created_at)
    factor = yield from factor_records.find(code.account_id)
    if factor is not None and factor.enabled_at is not None:
        yield from factor_records.take(attempt)
        session = replace(session, factor_at=session.created_at)
    yield from sessions.end_all(code.account_id)
    yield from end_access(code.account_id, endings, session.created_at)
    yield _DROP_ALL, {"account_id": code.account_id}
    yield from sessions.add(session)
    return True


def sweep(now: datetime) -> Operation[bool]:
    """Delete a batch of expired codes. Return whether more may be left."""
    rows = yield _SWEEP, {"now": epoch_ms(now), "batch": SWEEP_BATCH}
    return len(rows) == SWEEP_BATCH
