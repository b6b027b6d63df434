"""Statements for events: write, find and delete them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import orjson

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.logs.audit.events import Actor, Event
from webquarry.storage import Operation

T = TypeVar("T")
SWEEP_BATCH = 500

_ADD = """
    INSERT INTO audit_events (id, created_at, actor_role, actor_id, account_id, action, details)
    VALUES (:id, :at, :role, :actor_id, :account_id, :action, :details) ON CONFLICT (id) DO NOTHING"""
_KEPT = "SELECT 1 FROM audit_events WHERE id = :id"
_HIDE = "UPDATE audit_events SET details = '{}' WHERE account_id = :account_id"
_COLUMNS = """
    SELECT audit_events.seq, audit_events.id, audit_events.created_at, actor_role, actor_id, account_id, action,
        details, actors.email, subjects.email
    FROM audit_events
    LEFT JOIN accounts AS actors ON actors.id = actor_id AND actors.deleted_at IS NULL
    LEFT JOIN accounts AS subjects ON subjects.id = account_id AND subjects.deleted_at IS NULL"""
_ALL = f"""{_COLUMNS}
    WHERE seq < :before AND (CAST(:owners AS BIGINT) = 1 OR actor_role <> 'owner')
        AND (CAST(:action AS TEXT) = '' OR action = :action)
        AND (CAST(:account_id AS TEXT) = '' OR account_id = :account_id)
        AND (CAST(:actor_id AS TEXT) = '' OR actor_id = :actor_id)
    ORDER BY seq DESC LIMIT :batch"""
_OF_ACCOUNT = f"{_COLUMNS} WHERE seq < :before AND account_id = :account_id ORDER BY seq DESC LIMIT :batch"
_SWEEP = """
    DELETE FROM audit_events WHERE seq IN (
        SELECT seq FROM audit_events WHERE created_at < :before ORDER BY created_at LIMIT :batch) RETURNING seq"""
NEWEST = 2**62
"""A position after every event."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A listed event. `seq` is its position, which increases with each event.

    Emails are None for deleted accounts and the command line.
    """

    seq: int
    event: Event
    actor_email: str | None
    account_email: str | None


@dataclass(frozen=True, slots=True)
class Filter:
    """Filter for events. "" matches all events. `owners` includes owners' actions on their own accounts."""

    action: str = ""
    account_id: str = ""
    actor_id: str = ""
    owners: bool = False


def add(event: Event) -> Operation[None]:
    """Write an event, unless one with the same ID exists."""
    values = {
        "id": event.id,
        "at": epoch_ms(event.at),
        "role": event.actor.role,
        "actor_id": event.actor.account_id,
        "account_id": event.account_id,
        "action": event.action,
        "details": orjson.dumps(event.details).decode(),
    }
    yield _ADD, values


def is_kept(event: Event) -> Operation[bool]:
    """Return whether the event exists. If so, an earlier run of the same operation has already performed the action."""
    return bool((yield _KEPT, {"id": event.id}))


def record_after(work: Callable[[], Operation[T]], event: Event) -> Callable[[], Operation[T]]:
    """Return the operation `work` followed by the event, in one transaction.

    The event is omitted if `work` returns None or False, which means that it changed nothing.
    """

    def do() -> Operation[T]:
        result = yield from work()
        if result is not None and result is not False:
            yield from add(event)
        return result

    return do


def hide_details(account_id: str) -> Operation[None]:
    """Clear the details of all events of a deleted account, because they may name its owner."""
    yield _HIDE, {"account_id": account_id}


def list_all(chosen: Filter, before: int, batch: int) -> Operation[list[Entry]]:
    """Return events with positions below `before`, newest first."""
    rows = yield (
        _ALL,
        {
            "before": before,
            "owners": int(chosen.owners),
            "action": chosen.action,
            "account_id": chosen.account_id,
            "actor_id": chosen.actor_id,
            "batch": batch,
        },
    )
    return [_read_entry(*row) for row in rows]


def list_of_account(account_id: str, before: int, batch: int) -> Operation[list[Entry]]:
    """Return the events of one account with positions below `before`, newest first."""
    rows = yield _OF_ACCOUNT, {"account_id": account_id, "before": before, "batch": batch}
    return [_read_entry(*row) for row in rows]


def sweep(before: datetime) -> Operation[bool]:
    """Delete a batch of events that are older than `before`. Return whether more may be left."""
    rows = yield _SWEEP, {"before": epoch_ms(before), "batch": SWEEP_BATCH}
    return len(rows) == SWEEP_BATCH


def _read_entry(
    seq: int,
    id: str,
    at: int,
    role: str,
    actor_id: str | None,
    account_id: str,
    action: str,
    details: str,
    actor_email: str | None,
    account_email: str | None,
) -> Entry:
    actor = Actor(role, actor_id)  # type: ignore[arg-type]  # the table only allows the three roles
    event = Event(id, from_epoch_ms(at), actor, account_id, action, orjson.loads(details))
    return Entry(seq, event, actor_email, account_email)
