"""Statements for second factors: secrets of authenticator apps and digests of recovery codes.

Each code from an app works once: the time step of the last code is stored, and only a later step is accepted. Rows are
always locked in the order account, second factor, session, so that two servers cannot deadlock.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from webquarry.accounts import passkey_records, sessions, totp
from webquarry.accounts.credentials import digest
from webquarry.accounts.passkey_records import VerifiedPasskey
from webquarry.accounts.seal import Seal
from webquarry.accounts.sessions import NewSession, PendingSignIn
from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.core.errors import InvalidParams
from webquarry.logs.audit import Event, act_as_owner, add, is_kept, make_event
from webquarry.storage import Operation

Kind = Literal["app", "recovery", "passkey"]
"""Kind of second factor that was used: a code from an authenticator app, a recovery code, or a passkey."""
Code = str | VerifiedPasskey
"""Input for a second factor: text, or a passkey with a verified signature."""

_FIND = """
    SELECT secret, confirmed_at,
        (SELECT COUNT(*) FROM recovery_codes WHERE account_id = :account_id AND used_at IS NULL)
    FROM second_factors WHERE account_id = :account_id"""
_BEGIN = """
    INSERT INTO second_factors (account_id, secret, created_at)
    SELECT accounts.id, CAST(:secret AS TEXT), CAST(:now AS BIGINT) FROM accounts
    WHERE accounts.id = :account_id AND deleted_at IS NULL
    ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
        WHERE second_factors.confirmed_at IS NULL"""
_ENABLE = """
    UPDATE second_factors SET confirmed_at = :now, last_step = :step
    WHERE account_id = :account_id AND secret = :secret AND confirmed_at IS NULL RETURNING account_id"""
_TAKE_STEP = """
    UPDATE second_factors SET last_step = :step, last_attempt = :attempt
    WHERE account_id = :account_id AND secret = :secret AND confirmed_at IS NOT NULL
        AND (last_step < :step OR last_attempt = :attempt)
    RETURNING account_id"""
_TAKE_RECOVERY = """
    UPDATE recovery_codes SET used_at = :now WHERE account_id = :account_id AND digest = :digest AND used_at IS NULL
    RETURNING digest"""
_DROP = "DELETE FROM second_factors WHERE account_id = :account_id RETURNING confirmed_at"
_DROP_CODES = "DELETE FROM recovery_codes WHERE account_id = :account_id"
_ADD_CODE = """
    INSERT INTO recovery_codes (account_id, digest) VALUES (:account_id, :digest)
    ON CONFLICT (account_id, digest) DO NOTHING"""
_CODES = "SELECT digest FROM recovery_codes WHERE account_id = :account_id"


@dataclass(frozen=True, slots=True)
class Factor:
    """An account's second factor.

    `secret` is in base32, in the form that `Seal` stores. `enabled_at` is None until a code has confirmed it.
    """

    secret: str
    enabled_at: datetime | None
    codes_left: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to verify a second factor of an account.

    `code` is "" if a passkey was used. `event` is recorded when a recovery code is used; its id distinguishes a retried
    operation from a second use of the code. `seal` decrypts the secret.
    """

    account_id: str
    code: str
    at: datetime
    event: Event
    seal: Seal
    passkey: VerifiedPasskey | None = None

    @property
    def kind(self) -> Kind:
        if self.passkey is not None:
            return "passkey"
        return "app" if totp.is_app_code(self.code) else "recovery"


def make_attempt(account_id: str, code: Code, now: datetime, seal: Seal) -> Attempt:
    event = make_event(act_as_owner(account_id), account_id, "recovery_code.used", now)
    if isinstance(code, VerifiedPasskey):
        return Attempt(account_id, "", now, event, seal, code)
    return Attempt(account_id, totp.read_code(code), now, event, seal)


def find(account_id: str) -> Operation[Factor | None]:
    """Return the second factor, confirmed or not, or None if there is none."""
    rows = yield _FIND, {"account_id": account_id}
    if not rows:
        return None
    secret, confirmed_at, codes_left = rows[0]
    return Factor(secret, None if confirmed_at is None else from_epoch_ms(confirmed_at), codes_left)


def begin(account_id: str, secret: str, now: datetime) -> Operation[None]:
    """Store a secret that is not confirmed yet, replacing an earlier unconfirmed secret."""
    yield _BEGIN, {"account_id": account_id, "secret": secret, "now": epoch_ms(now)}


def enable(attempt: Attempt, session_id: str, codes: Sequence[str], event: Event) -> Operation[None]:
    """Confirm the secret with one of its codes, and store recovery codes.

    Raises InvalidParams for a wrong code, or if the second factor is already enabled or setup was not started.
    """
    if (yield from is_kept(event)):
        return
    factor = yield from find(attempt.account_id)
    if factor is None or factor.enabled_at is not None:
        raise InvalidParams("Two-factor setup is not in progress. Start again.")
    step = _find_step(factor, attempt) if totp.is_app_code(attempt.code) else None
    if step is None:
        raise make_code_error(attempt)
    values = {"account_id": attempt.account_id, "secret": factor.secret, "step": step, "now": epoch_ms(attempt.at)}
    if not (yield _ENABLE, values):
        raise InvalidParams("Two-factor setup was restarted in another window. Start again.")
    yield from replace_codes(attempt.account_id, codes)
    yield from sessions.confirm(session_id, None, attempt.at)
    yield from add(event)


def take(attempt: Attempt) -> Operation[Kind]:
    """Consume a code and return its kind.

    Raises InvalidParams for a code that is wrong, expired or already used, and for a passkey of another account.
    """
    if attempt.passkey is not None:
        if not (yield from passkey_records.use(attempt.passkey, attempt.account_id, attempt.event.id, attempt.at)):
            raise make_code_error(attempt)
        return "passkey"
    if totp.is_app_code(attempt.code):
        factor = yield from find(attempt.account_id)
        if factor is None or factor.enabled_at is None:
            raise make_code_error(attempt)
        step = _find_step(factor, attempt)
        whose = {"account_id": attempt.account_id, "secret": factor.secret}
        values = {**whose, "step": step, "attempt": attempt.event.id}
        if step is None or not (yield _TAKE_STEP, values):
            raise make_code_error(attempt)
        return "app"
    if (yield from is_kept(attempt.event)):
        return "recovery"
    values = {"account_id": attempt.account_id, "digest": digest(attempt.code), "now": epoch_ms(attempt.at)}
    if not attempt.code or not (yield _TAKE_RECOVERY, values):
        raise make_code_error(attempt)
    yield from add(attempt.event)
    return "recovery"


def finish_sign_in(pending: PendingSignIn, attempt: Attempt, session: NewSession, event: Event) -> Operation[Kind]:
    """Replace a pending session with a session whose second factor was verified.

    Raises InvalidParams for a wrong code, or if the pending session has ended.
    """
    if not (yield from sessions.is_open(session)):
        kind = yield from take(attempt)
        if not (yield from sessions.end(pending.session_id)):
            raise InvalidParams("This sign-in has expired. Enter your password again.")
        yield from sessions.add(session)
        yield from add(replace(event, details={**event.details, "second_factor": kind}))
        return kind
    return attempt.kind


def sign_in_by_passkey(attempt: Attempt, session: NewSession, event: Event) -> Operation[None]:
    """Open a session for a person who signed in with a passkey. Raises InvalidParams if the passkey is not valid.

    If the account has a second factor, it counts as verified in this session. A second factor that is set up later must
    still be verified.
    """
    if (yield from sessions.is_open(session)):
        return
    yield from take(attempt)
    factor = yield from find(attempt.account_id)
    if factor is not None and factor.enabled_at is not None:
        session = replace(session, factor_at=attempt.at)
    yield from sessions.add(session)
    yield from add(event)


def drop(account_id: str, event: Event) -> Operation[bool]:
    """Remove the second factor and its recovery codes. Return False if it was not enabled.

    Also end sessions that have not verified the second factor, because they would otherwise count as signed in.
    """
    if (yield from is_kept(event)):
        return True
    rows = yield _DROP, {"account_id": account_id}
    yield _DROP_CODES, {"account_id": account_id}
    if not rows or rows[0][0] is None:
        return False
    yield from sessions.forget_factor(account_id)
    yield from add(event)
    return True


def reset(account_id: str, event: Event) -> Operation[bool]:
    """Remove the second factor and all passkeys and end all sessions, on behalf of the operator.

    Return False if the account had no second factor and no passkeys.
    """
    had_passkeys = yield from passkey_records.remove_all(account_id)
    if not (yield from drop(account_id, event)):
        if not had_passkeys:
            return False
        yield from add(event)
    yield from sessions.end_all(account_id)
    return True


def replace_codes(account_id: str, codes: Sequence[str]) -> Operation[bool]:
    """Store the digests of new recovery codes, replacing all earlier ones. Return True."""
    yield _DROP_CODES, {"account_id": account_id}
    for code in codes:
        yield _ADD_CODE, {"account_id": account_id, "digest": digest(totp.read_code(code))}
    return True


def own_codes(account_id: str, codes: Sequence[str]) -> Operation[bool]:
    """Return whether all these codes are recovery codes of the account."""
    rows = yield _CODES, {"account_id": account_id}
    known = {row[0] for row in rows}
    return bool(codes) and all(digest(totp.read_code(code)) in known for code in codes)


def _find_step(factor: Factor, attempt: Attempt) -> int | None:
    return totp.find_step(attempt.seal.open(factor.secret), attempt.code, attempt.at)


def make_code_error(attempt: Attempt) -> InvalidParams:
    if attempt.passkey is not None:
        return InvalidParams(
            "code: this passkey doesn't belong to this account, or was used elsewhere just now. Try again."
        )
    if not attempt.code:
        return InvalidParams("code: enter the 6-digit code from your authenticator app.")
    return InvalidParams("code: this code is incorrect or was already used. Wait for the next one and try again.")
