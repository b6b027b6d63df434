"""Sessions: a person who is signed in, known by a cookie of which only the digest is kept."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from webquarry.accounts.callers import Caller
from webquarry.accounts.credentials import digest
from webquarry.accounts.memory import ShortMemory
from webquarry.core.clock import Clock, epoch_ms, from_epoch_ms
from webquarry.storage import Database, Operation

LASTS = timedelta(days=30)
COOKIE_BYTES = 32
COOKIE_CHARACTERS = 2 * COOKIE_BYTES
FRESH = timedelta(minutes=15)
"""For how long a password, or a code, that was given in a session stands for the next action that asks for it."""
CODE_WITHIN = timedelta(minutes=10)
"""How long a sign-in waits for the code of the second factor."""
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
    """When password and second factor were last given in a session; None for never, or longer ago than is known.

    has_factor: whether the account has a second factor.
    """

    password_at: datetime | None = None
    factor_at: datetime | None = None
    has_factor: bool = False

    def needs_code(self, now: datetime) -> bool:
        """Return whether an action that matters asks for a code of the second factor."""
        return self.has_factor and not _is_fresh(self.factor_at, now)

    def are_fresh(self, now: datetime) -> bool:
        """Return whether an action that matters asks for nothing: all was given within `FRESH`."""
        return _is_fresh(self.password_at, now) and not self.needs_code(now)


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks at a page, signed in. is_verified: it was shown that mail to the address is read."""

    account_id: str
    session_id: str
    email: str
    is_admin: bool = False
    is_verified: bool = False
    times: Times = Times()

    @property
    def caller(self) -> Caller:
        """Who makes the calls of this session."""
        return Caller(self.account_id, f"session:{self.session_id}")


@dataclass(frozen=True, slots=True)
class PendingSignIn:
    """A session whose password was right, of an account whose second factor it has not shown."""

    account_id: str
    session_id: str
    email: str
    password_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session that is about to be kept. cookie: 256 random bits in hex, known only now; password_at, factor_at: when
    password and second factor were given."""

    id: str
    account_id: str
    cookie: str
    created_at: datetime
    password_at: datetime | None
    factor_at: datetime | None = None


class Sessions:
    """The sessions of one store, with a short memory of those used last."""

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
        """A session for `add`, in the transaction that gives the right to it.

        password_at: now unless given; factor_at: where the second factor was shown. A session of an account that has a
        second factor and has not shown it is a pending sign-in. with_password: False where no password was given.
        """
        cookie, now = self._random_bytes(COOKIE_BYTES).hex(), self._clock.now()
        session_id = f"ses_{self._random_bytes(12).hex()}"
        given_at = (password_at or now) if with_password else None
        return NewSession(session_id, account_id, cookie, now, given_at, factor_at)

    async def identify(self, cookie: str) -> Visitor | None:
        """Who has this cookie; does not suspend when it was looked up just now. None for nobody: signed out,
        expired, of a disabled account, or of one whose second factor the session has not shown."""
        if len(cookie) != COOKIE_CHARACTERS:
            return None
        return await self._visitors.find(digest(cookie), self._look_up)

    async def find_pending(self, cookie: str) -> PendingSignIn | None:
        """Return the sign-in that waits for the code of the second factor; None for none."""
        if len(cookie) != COOKIE_CHARACTERS:
            return None
        return await self._database.read(partial(_find_pending, digest(cookie), self._clock.now()))

    async def end(self, cookie: str) -> None:
        """Sign out: here at once, in other processes within 5 s."""
        ended = digest(cookie)
        await self._database.write(partial(_end, ended))
        self._visitors.forget(ended)

    def forget(self, account_id: str) -> None:
        """Ask the store anew who is signed in to this account: something about it has just changed."""
        self._visitors.forget_all(lambda visitor: visitor.account_id == account_id)

    async def sweep(self) -> bool:
        """Drop a batch of what has expired; whether more may be left."""
        return await self._database.write(partial(_sweep, self._clock.now()))

    async def _look_up(self, digest: str) -> Visitor | None:
        return await self._database.read(partial(_identify, digest, self._clock.now()))


def add(session: NewSession) -> Operation[bool]:
    """Keep a session. False where it has to show the second factor before it counts."""
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
    """Whether the session is kept already: what opens it was done before."""
    return bool((yield _OPEN, {"id": session.id}))


def end_all(account_id: str) -> Operation[bool]:
    """End all sessions of the account; True."""
    yield _END_ALL, {"account_id": account_id}
    return True


def end(session_id: str) -> Operation[bool]:
    """End one session; False where it has ended before."""
    return bool((yield _END_ONE, {"id": session_id}))


def confirm(session_id: str, password_at: datetime | None, factor_at: datetime | None) -> Operation[None]:
    """Keep when password and second factor were given in the session; None leaves what is kept."""
    values = {"id": session_id, "password_at": _stored(password_at), "factor_at": _stored(factor_at)}
    yield _CONFIRM, values


def read_times(session_id: str) -> Operation[Times | None]:
    """Return when password and second factor were last given in the session; None for a session that has ended."""
    rows = yield _TIMES, {"id": session_id}
    if not rows:
        return None
    password_at, factor_at, confirmed_at = rows[0]
    return Times(_instant(password_at), _instant(factor_at), confirmed_at is not None)


def forget_factor(account_id: str) -> Operation[None]:
    """Forget who has shown the second factor, which the account has no longer; end the sessions that had not."""
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
    """Return whether something was given within `FRESH`. An instant that lies far ahead, as after a clock was set back,
    counts as long ago."""
    return at is not None and abs(now - at) < FRESH


def _stored(instant: datetime | None) -> int | None:
    return None if instant is None else epoch_ms(instant)


def _instant(stored: int | None) -> datetime | None:
    return None if stored is None else from_epoch_ms(stored)
