"""The list of an account's sessions that its owner sees: where each session was opened and when it was last used.
Owners can end sessions.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from webquarry.accounts.sessions import Sessions, Visitor
from webquarry.accounts.user_agents import name_device
from webquarry.core.clock import Clock, epoch_ms, from_epoch_ms
from webquarry.core.errors import NotFound
from webquarry.logs.audit import act_as_owner, make_event, record_after
from webquarry.storage import Database, Operation

MAX_LISTED = 200
"""Maximum number of listed sessions, most recently used first. Sessions that are not listed can only be ended all
together.
"""

_LIST = """
    SELECT sessions.id, created_at, seen_at, device, network FROM sessions
    WHERE account_id = :account_id AND expires_at > :now AND (factor_at IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM second_factors WHERE account_id = sessions.account_id AND confirmed_at IS NOT NULL))
    ORDER BY COALESCE(seen_at, created_at) DESC, sessions.id LIMIT :batch"""
_SEEN = """
    UPDATE sessions SET seen_at = :at, device = :device, network = :network
    WHERE id = :id AND (seen_at IS NULL OR seen_at < :at)"""
_END_OF_ACCOUNT = "DELETE FROM sessions WHERE id = :id AND account_id = :account_id RETURNING id"
_END_OTHERS = "DELETE FROM sessions WHERE account_id = :account_id AND id <> :id RETURNING id"


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a session: when, by which browser (its User-Agent header) and from which network."""

    at: datetime
    user_agent: str
    network: str


@dataclass(frozen=True, slots=True)
class ListedSession:
    """A session in a list.

    `seen_at`, `device` (such as `Firefox on Linux`) and `network` (named as in `Addresses`) describe the last use,
    accurate to about a minute. They are None or "" before the first use.
    """

    id: str
    created_at: datetime
    seen_at: datetime | None
    device: str
    network: str


class SessionList:
    """Lists and ends sessions of an account."""

    def __init__(self, database: Database, clock: Clock, sessions: Sessions) -> None:
        self._database = database
        self._clock = clock
        self._sessions = sessions

    async def read(self, account_id: str) -> list[ListedSession]:
        """Return the account's sessions, most recently used first."""
        return await self._database.read(partial(_list, account_id, self._clock.now()))

    async def end(self, account_id: str, session_id: str) -> None:
        """End a session: immediately in this process, within 5 s in others.

        Raises NotFound if the account has no such session.
        """
        event = make_event(act_as_owner(account_id), account_id, "session.ended", self._clock.now())
        end = partial(_end, account_id, session_id)
        if not await self._database.write(record_after(end, event), account=account_id):
            raise NotFound("This session has already ended.")
        self._sessions.forget(account_id)

    async def end_others(self, visitor: Visitor) -> None:
        """End all sessions of the user's account except the current one."""
        account_id = visitor.account_id
        event = make_event(act_as_owner(account_id), account_id, "sessions.others_ended", self._clock.now())
        end = partial(_end_others, account_id, visitor.session_id)
        await self._database.write(record_after(end, event), account=account_id)
        self._sessions.forget(account_id)


def note_uses(used: Mapping[str, Use]) -> Operation[None]:
    """Store the last uses of sessions. A use earlier than the stored one changes nothing."""
    for session_id, use in sorted(used.items()):  # sorted, so that servers lock rows in the same order
        values = {"at": epoch_ms(use.at), "device": name_device(use.user_agent), "network": use.network}
        yield _SEEN, {"id": session_id, **values}


def _list(account_id: str, now: datetime) -> Operation[list[ListedSession]]:
    rows = yield _LIST, {"account_id": account_id, "now": epoch_ms(now), "batch": MAX_LISTED}
    return [_read(row) for row in rows]


def _end(account_id: str, session_id: str) -> Operation[bool]:
    return bool((yield _END_OF_ACCOUNT, {"account_id": account_id, "id": session_id}))


def _end_others(account_id: str, session_id: str) -> Operation[bool]:
    return bool((yield _END_OTHERS, {"account_id": account_id, "id": session_id}))


def _read(row: tuple[Any, ...]) -> ListedSession:
    id, created_at, seen_at, device, network = row
    seen = None if seen_at is None else from_epoch_ms(seen_at)
    return ListedSession(id, from_epoch_ms(created_at), seen, device or "", network or "")
