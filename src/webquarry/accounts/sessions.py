"""Sessions: a person who is signed in, known by a cookie of which only the digest is kept."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from webquarry.accounts.callers import Caller
from webquarry.accounts.credentials import digest
from webquarry.accounts.memory import ShortMemory
from webquarry.clock import Clock, epoch_ms
from webquarry.storage import Database, Operation

LASTS = timedelta(days=30)
COOKIE_BYTES = 32
COOKIE_CHARACTERS = 2 * COOKIE_BYTES
SWEEP_BATCH = 500

_ADD = """
    INSERT INTO sessions (id, account_id, digest, created_at, expires_at)
    SELECT CAST(:id AS TEXT), accounts.id, CAST(:digest AS TEXT), CAST(:now AS BIGINT), CAST(:until AS BIGINT)
    FROM accounts WHERE accounts.id = :account_id AND deleted_at IS NULL
    ON CONFLICT (id) DO NOTHING"""
_IDENTIFY = """
    SELECT sessions.id, account_id, email, is_admin, verified_at
    FROM sessions JOIN accounts ON accounts.id = sessions.account_id
    WHERE digest = :digest AND expires_at > :now AND disabled_at IS NULL"""
_OPEN = "SELECT 1 FROM sessions WHERE id = :id"
_END = "DELETE FROM sessions WHERE digest = :digest"
_END_ALL = "DELETE FROM sessions WHERE account_id = :account_id"
_SWEEP = """
    DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at <= :now LIMIT :batch) RETURNING id"""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks at a page, signed in. is_verified: it was shown that mail to the address is read."""

    account_id: str
    session_id: str
    email: str
    is_admin: bool = False
    is_verified: bool = False

    @property
    def caller(self) -> Caller:
        """Who makes the calls of this session."""
        return Caller(self.account_id, f"session:{self.session_id}")


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session that is about to be kept. cookie: 256 random bits in hex, known only now."""

    id: str
    account_id: str
    cookie: str
    created_at: datetime


class Sessions:
    """The sessions of one store, with a short memory of those used last."""

    def __init__(
        self, database: Database, clock: Clock, *, random_bytes: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        self._database = database
        self._clock = clock
        self._random_bytes = random_bytes
        self._visitors: ShortMemory[Visitor] = ShortMemory(clock)

    def make(self, account_id: str) -> NewSession:
        """A session for `add`, in the transaction that gives the right to it."""
        cookie = self._random_bytes(COOKIE_BYTES).hex()
        return NewSession(f"ses_{self._random_bytes(12).hex()}", account_id, cookie, self._clock.now())

    async def identify(self, cookie: str) -> Visitor | None:
        """Who has this cookie; does not suspend when it was looked up just now. None for nobody: signed out,
        expired, or of a disabled account."""
        if len(cookie) != COOKIE_CHARACTERS:
            return None
        return await self._visitors.find(digest(cookie), self._look_up)

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


def add(session: NewSession) -> Operation[None]:
    yield (
        _ADD,
        {
            "id": session.id,
            "account_id": session.account_id,
            "digest": digest(session.cookie),
            "now": epoch_ms(session.created_at),
            "until": epoch_ms(session.created_at + LASTS),
        },
    )


def is_open(session: NewSession) -> Operation[bool]:
    """Whether the session is kept already: what opens it was done before."""
    return bool((yield _OPEN, {"id": session.id}))


def end_all(account_id: str) -> Operation[bool]:
    """End all sessions of the account; True."""
    yield _END_ALL, {"account_id": account_id}
    return True


def _end(digest: str) -> Operation[None]:
    yield _END, {"digest": digest}


def _identify(digest: str, now: datetime) -> Operation[Visitor | None]:
    rows = yield _IDENTIFY, {"digest": digest, "now": epoch_ms(now)}
    if not rows:
        return None
    id, account_id, email, is_admin, verified_at = rows[0]
    return Visitor(account_id, id, email, is_admin == 1, verified_at is not None)


def _sweep(now: datetime) -> Operation[bool]:
    rows = yield _SWEEP, {"now": epoch_ms(now), "batch": SWEEP_BATCH}
    return len(rows) == SWEEP_BATCH
