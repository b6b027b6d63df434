"""Sessions of signed-in people, identified by a cookie. Only the cookie's digest is stored."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from webquarry.accounts.credentials import digest
from webquarry.accounts.memory import ShortMemory
from webquarry.core.caller import Caller
from webquarry.core.clock import Clock, epoch_ms, from_epoch_ms
from webquarry.storage import Database, Operation

LASTS = timedelta(days=30)
COOKIE_BYTES = 32
COOKIE_CHARACTERS = 2 * COOKIE_BYTES
FRESH = timedelta(minutes=15)
"""Time for which a session allows sensitive actions after a password or code was entered."""
CODE_WITHIN = timedelta(minutes=10)
"""Time for which a sign-in waits for the second-factor code."""
SWEEP_BATCH = 500

_ADD = """
    INSERT INTO sessions (id, account_id, digest, created_at, expires_at, password_at, factor_at)
    SELECT CAST(:id AS TEXT), accounts.id, CAST(:digest AS TEXT), CAST(:now AS BIGINT),
        CASE WHEN confirmed_at IS NULL OR CAST(:factor_at AS BIGINT) IS NOT NULL
            THEN CAST(:until AS BIGINT) ELSE CAST(:code_until AS BIGINT) END,
        CAST(:password_at AS BIGINT), CAST(:factor_at AS BIGINT)
    FROM accounts LEFT JOIN second_factors ON second_factors.account_id = accounts.id
    WHERE accounts.id = :account_id AND deleted_at IS NULL
    ON CONFLICT (id) DO NOTHING RETURNING expires_at"""
_FIND = """
    SELECT sessions.id, sessions.account_id, email, is_admin, verified_at, password_at, factor_at, confirmed_at
    FROM sessions JOIN accounts ON accounts.id = sessions.account_id
    LEFT JOIN second_factors ON second_factors.account_id = accounts.id
    WHERE digest = :digest AND expires_at > :now AND disabled_at IS NULL"""
_CONFIRM = """
    UPDATE sessions SET password_at = COALESCE(:password_at, password_at), factor_at = COALESCE(:factor_at, factor_at)
    WHERE id = :id"""
_TIMES = """
    SELECT password_at, factor_at, confirmed_at
    FROM sessions LEFT JOIN second_factors ON second_factors.account_id = sessions.account_id WHERE id = :id"""
_FORGET_FACTOR = "UPDATE sessions SET factor_at = NULL WHERE account_id = :account_id"
_END_PENDING = "DELETE FROM sessions WHERE account_id = :account_id AND factor_at IS NULL"
_END_ONE = "DELETE FROM sessions WHERE id = :id RETURNING id"
_OPEN = "SELECT 1 FROM sessions WHERE id = :id"
_END = "DELETE FROM sessions WHERE digest = :digest"
_END_ALL = "DELETE FROM sessions WHERE account_id = :account_id"
_SWEEP = """
    DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at <= :now LIMIT :batch) RETURNING id"""


@dataclass(frozen=True, slots=True)
class Times:
    """Times when the password and the second factor were last entered in a session; None if never.

    `has_factor` tells whether the account has a second factor.
    """

    password_at: datetime | None = None
    factor_at: datetime | None = None
    has_factor: bool = False

    def needs_code(self, now: datetime) -> bool:
        """Return whether a sensitive action requires a second-factor code."""
        return self.has_factor and not _is_fresh(self.factor_at, now)

    def are_fresh(self, now: datetime) -> bool:
        """Return whether the password and code that a sensitive action requires were entered within `FRESH`."""
        return _is_fresh(self.password_at, now) and not self.needs_code(now)


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in user. `is_verified` means that the address was confirmed by email."""

    account_id: str
    session_id: str
    email: str
    is_admin: bool = False
    is_verified: bool = False
    times: Times = Times()

    @property
    def caller(self) -> Caller:
        """The caller of requests made in this session."""
        return Caller(self.account_id, f"session:{self.session_id}")


@dataclass(frozen=True, slots=True)
class PendingSignIn:
    """A session whose password has been verified, but not yet its second factor."""

    account_id: str
    session_id: str
    email: str
    password_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session to be stored.

    `cookie` is 256 random bits in hex and is not stored. `password_at` and `factor_at` are the times when the password
    and the second factor were given.
    """

    id: str
    account_id: str
    cookie: str
    created_at: datetime
    password_at: datetime | None
    factor_at: datetime | None = None


class Sessions:
    """The sessions of one store, with a short-lived cache."""

    def __init__(
        self, database: Database, clock: Clock, *, random_bytes: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        self._database = database
        self._clock = clock
        self._random_bytes = random_bytes
        self._visitors: ShortMemory[Visitor] = ShortMemory(clock)

    def make(
        self,
        account_id: str,
        *,
        password_at: datetime | None = None,
        factor_at: datetime | None = None,
        with_password: bool = True,
    ) -> NewSession:
        """Return a session for `add`.

        Call `add` in the transaction that authorizes the session. `password_at` defaults to now; set `with_password` to
        False if no password was entered. `factor_at` is the time when the second factor was verified. If it is None and
        the account has a second factor, the session is a pending sign-in.
        """
        cookie, now = self._random_bytes(COOKIE_BYTES).hex(), self._clock.now()
        session_id = f"ses_{self._random_bytes(12).hex()}"
        given_at = (password_at or now) if with_password else None
        return NewSession(session_id, account_id, cookie, now, given_at, factor_at)

    async def identify(self, cookie: str) -> Visitor | None:
        """Return the user whose session has this cookie. Does not suspend if the cookie was looked up recently.

        Returns None if the session is unknown, ended, expired or waiting for a second factor, or if the account is
        disabled.
        """
        if len(cookie) != COOKIE_CHARACTERS:
            return None
        return await self._visitors.find(digest(cookie), self._look_up)

    async def find_pending(self, cookie: str) -> PendingSignIn | None:
        """Return the sign-in that waits for a second-factor code, or None."""
        if len(cookie) != COOKIE_CHARACTERS:
            return None
        return await self._database.read(partial(_find_pending, digest(cookie), self._clock.now()))

    async def end(self, cookie: str) -> None:
        """End the session: immediately in this process, within 5 s in others."""
        ended = digest(cookie)
        await self._database.write(partial(_end, ended))
        self._visitors.forget(ended)

    def forget(self, account_id: str) -> None:
        """Drop the cached sessions of an account that has changed."""
        self._visitors.forget_all(lambda visitor: visitor.account_id == account_id)

    async def sweep(self) -> bool:
        """Delete a batch of expired sessions. Return whether more may be left."""
        return await self._database.write(partial(_sweep, self._clock.now()))

    async def _look_up(self, digest: str) -> Visitor | None:
        return await self._database.read(partial(_identify, digest, self._clock.now()))


def add(session: NewSession) -> Operation[bool]:
    """Store a session. Return False if it must verify the second factor first."""
    until = epoch_ms(session.created_at + LASTS)
    values = {
        "id": session.id,
        "account_id": session.account_id,
        "digest": digest(session.cookie),
        "now": epoch_ms(session.created_at),
        "until": until,
        "code_until": epoch_ms(session.created_at + CODE_WITHIN),
        "password_at": _stored(session.password_at),
        "factor_at": _stored(session.factor_at),
    }
    rows = yield _ADD, values
    return bool(rows) and rows[0][0] == until


def is_open(session: NewSession) -> Operation[bool]:
    """Return whether the session is already stored. This is the case if the same operation ran before."""
    return bool((yield _OPEN, {"id": session.id}))


def end_all(account_id: str) -> Operation[bool]:
    """End all sessions of the account. Return True."""
    yield _END_ALL, {"account_id": account_id}
    return True


def end(session_id: str) -> Operation[bool]:
    """End one session. Return False if it has ended before."""
    return bool((yield _END_ONE, {"id": session_id}))


def confirm(session_id: str, password_at: datetime | None, factor_at: datetime | None) -> Operation[None]:
    """Store when the password and the second factor were given in the session. None keeps the stored value."""
    values = {"id": session_id, "password_at": _stored(password_at), "factor_at": _stored(factor_at)}
    yield _CONFIRM, values


def read_times(session_id: str) -> Operation[Times | None]:
    """Return when the password and the second factor were last given in the session, or None if it has ended."""
    rows = yield _TIMES, {"id": session_id}
    if not rows:
        return None
    password_at, factor_at, confirmed_at = rows[0]
    return Times(_instant(password_at), _instant(factor_at), confirmed_at is not None)


def forget_factor(account_id: str) -> Operation[None]:
    """Clear the verification of a removed second factor, and end sessions that were still waiting for it."""
    yield _END_PENDING, {"account_id": account_id}
    yield _FORGET_FACTOR, {"account_id": account_id}


def _end(digest: str) -> Operation[None]:
    yield _END, {"digest": digest}


def _identify(digest: str, now: datetime) -> Operation[Visitor | None]:
    rows = yield _FIND, {"digest": digest, "now": epoch_ms(now)}
    if not rows:
        return None
    id, account_id, email, is_admin, verified_at, password_at, factor_at, confirmed_at = rows[0]
    if confirmed_at is not None and factor_at is None:
        return None
    given = Times(_instant(password_at), _instant(factor_at), confirmed_at is not None)
    return Visitor(account_id, id, email, is_admin == 1, verified_at is not None, given)


def _find_pending(digest: str, now: datetime) -> Operation[PendingSignIn | None]:
    rows = yield _FIND, {"digest": digest, "now": epoch_ms(now)}
    if not rows:
        return None
    id, account_id, email, _, _, password_at, factor_at, confirmed_at = rows[0]
    if confirmed_at is None or factor_at is not None:
        return None
    return PendingSignIn(account_id, id, email, _instant(password_at))


def _sweep(now: datetime) -> Operation[bool]:
    rows = yield _SWEEP, {"now": epoch_ms(now), "batch": SWEEP_BATCH}
    return len(rows) == SWEEP_BATCH


def _is_fresh(at: datetime | None, now: datetime) -> bool:
    """Return whether `at` is within `FRESH` of `now`.

    A time far in the future, for example after a clock was set back, counts as long past.
    """
    return at is not None and abs(now - at) < FRESH


def _stored(instant: datetime | None) -> int | None:
    return None if instant is None else epoch_ms(instant)


def _instant(stored: int | None) -> datetime | None:
    return None if stored is None else from_epoch_ms(stored)
