"""The transactions of webhooks and deliveries.

Transactions lock a webhook before its deliveries. An attempt is recorded once, under its number.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.core.errors import InvalidParams
from webquarry.storage import Operation
from webquarry.webhooks.announce import add
from webquarry.webhooks.records import (
    TEST,
    Delivery,
    DeliveryState,
    DisabledReason,
    Due,
    EventType,
    Outcome,
    Webhook,
)

MAX_WEBHOOKS: Final = 10
"""Maximum number of webhooks per account."""
MAX_FAILURES: Final = 50
"""Number of consecutive failed attempts after which a webhook is switched off."""
FIRST_REST: Final = timedelta(seconds=5)
LONGEST_REST: Final = timedelta(minutes=10)
"""Maximum rest of a webhook.

After a failed attempt, a webhook rests, for twice as long after each further failure. A receiver that is down therefore
gets one attempt at a time, however many deliveries are waiting.
"""
GONE: Final = 410
"""Response status with which a receiver asks for no further deliveries."""
DELETE_BATCH: Final = 2000

_COLUMNS = """
    id, account_id, url, events, description, failures, disabled_at, disabled_reason, old_secret_until, created_at"""
_LOCK_ACCOUNT = "UPDATE accounts SET email = email WHERE id = :account_id AND deleted_at IS NULL RETURNING id"
_COUNT = "SELECT COUNT(*) FROM webhooks WHERE account_id = :account_id AND id <> :id"
_CREATE = """
    INSERT INTO webhooks (id, account_id, url, events, description, secret, created_at)
    VALUES (:id, :account_id, :url, :events, :description, :secret, :created_at)
    ON CONFLICT (id) DO NOTHING"""
_LIST = f"SELECT {_COLUMNS} FROM webhooks WHERE account_id = :account_id ORDER BY created_at, id"  # noqa: S608
_FIND = f"SELECT {_COLUMNS} FROM webhooks WHERE account_id = :account_id AND id = :id"  # noqa: S608
_DELETE = "DELETE FROM webhooks WHERE account_id = :account_id AND id = :id RETURNING id"
# if this is repeated after a lost confirmation, the new secret must not become the previous one
_ROTATE = """
    UPDATE webhooks SET old_secret = secret, old_secret_until = :until, secret = :secret
    WHERE account_id = :account_id AND id = :id AND secret <> :secret"""
_ENABLE = """
    UPDATE webhooks SET disabled_at = NULL, disabled_reason = NULL, failures = 0, rest_until = 0
    WHERE account_id = :account_id AND id = :id"""
_LOCK_OWN = "UPDATE webhooks SET url = url WHERE account_id = :account_id AND id = :id RETURNING disabled_at"
_LOCK = "UPDATE webhooks SET url = url WHERE id = :id RETURNING failures"

_DELIVERY = """
    d.id, d.webhook_id, d.type, d.state, d.attempts, d.failures, d.status, d.error, d.next_at, d.created_at, d.ended_at
    FROM webhook_deliveries d"""
_DELIVERIES = f"""
    SELECT {_DELIVERY}
    WHERE d.webhook_id = :webhook_id AND d.id < :before AND (CAST(:state AS TEXT) IS NULL OR d.state = :state)
    ORDER BY d.id DESC LIMIT :batch"""
_FIND_DELIVERY = f"""
    SELECT {_DELIVERY} JOIN webhooks w ON w.id = d.webhook_id WHERE d.id = :id AND w.account_id = :account_id"""
_REDELIVER = """
    UPDATE webhook_deliveries SET state = 'waiting', failures = 0, next_at = :now, ended_at = NULL
    WHERE id = :id AND state <> 'waiting'"""
_KNOWN = "SELECT 1 FROM webhook_deliveries WHERE id = :id"

_ACTIVE = """
    w.disabled_at IS NULL AND NOT EXISTS (
        SELECT 1 FROM accounts a WHERE a.id = w.account_id AND a.disabled_at IS NOT NULL)"""
_NEXT = f"""
    SELECT d.next_at, w.rest_until, w.account_id, w.url, w.secret, w.old_secret, w.old_secret_until, d.id, d.type,
        d.event, d.attempts, d.failures
    FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.webhook_id = :webhook_id AND d.state = 'waiting' AND {_ACTIVE}
    ORDER BY d.next_at, d.id LIMIT 1"""  # noqa: S608
_DUE = f"""
    SELECT w.id FROM webhooks w
    WHERE w.rest_until <= :now AND {_ACTIVE} AND EXISTS (
        SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.state = 'waiting' AND d.next_at <= :now)
    ORDER BY w.id"""  # noqa: S608
_RECORD = """
    UPDATE webhook_deliveries SET state = :state, attempts = attempts + 1, failures = :failures, status = :status,
        error = :error, next_at = :next_at, ended_at = :ended_at
    WHERE id = :id AND attempts = :attempts AND state = 'waiting' RETURNING id"""
_DELIVERED = "UPDATE webhooks SET failures = 0, rest_until = 0 WHERE id = :id AND (failures > 0 OR rest_until > 0)"
_FAILED = "UPDATE webhooks SET failures = :failures, rest_until = :rest_until WHERE id = :id"
_DISABLE = """
    UPDATE webhooks SET disabled_at = :now, disabled_reason = :reason WHERE id = :id AND disabled_at IS NULL
    RETURNING id"""
_GIVE_UP = """
    UPDATE webhook_deliveries SET state = 'failed', next_at = NULL, ended_at = :now, error = :error
    WHERE webhook_id = :id AND state = 'waiting'"""
_EXPIRED = """
    DELETE FROM webhook_deliveries WHERE id IN (
        SELECT id FROM webhook_deliveries WHERE id < :before ORDER BY id LIMIT :batch)
    RETURNING id"""


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """A webhook to be created. `secret` is in its stored form."""

    id: str
    account_id: str
    url: str
    events: Sequence[EventType]
    description: str
    secret: str
    created_at: datetime


def create(new: NewWebhook) -> Operation[bool]:
    """Store a webhook. Return False if there is no such account.

    Raises InvalidParams if the account has too many webhooks.
    """
    if not (yield _LOCK_ACCOUNT, {"account_id": new.account_id}):
        return False
    [(count,)] = yield _COUNT, {"account_id": new.account_id, "id": new.id}
    if count >= MAX_WEBHOOKS:
        raise InvalidParams(f"An account can have at most {MAX_WEBHOOKS} webhooks. Delete one you no longer need.")
    values = {
        "id": new.id,
        "account_id": new.account_id,
        "url": new.url,
        "events": " ".join(new.events),
        "description": new.description,
        "secret": new.secret,
        "created_at": epoch_ms(new.created_at),
    }
    yield _CREATE, values
    return True


def list_webhooks(account_id: str) -> Operation[list[Webhook]]:
    """Return the account's webhooks, oldest first."""
    rows = yield _LIST, {"account_id": account_id}
    return [_read_webhook(row) for row in rows]


def find(account_id: str, id: str) -> Operation[Webhook | None]:
    """Return the account's webhook with this id."""
    rows = yield _FIND, {"account_id": account_id, "id": id}
    return _read_webhook(rows[0]) if rows else None


def delete(account_id: str, id: str) -> Operation[bool]:
    """Delete a webhook with its deliveries. Return whether the account had it."""
    return bool((yield _DELETE, {"account_id": account_id, "id": id}))


def rotate(account_id: str, id: str, secret: str, until: datetime) -> Operation[Webhook | None]:
    """Set a new secret. The previous secret stays valid until `until`."""
    yield _ROTATE, {"account_id": account_id, "id": id, "secret": secret, "until": epoch_ms(until)}
    return (yield from find(account_id, id))


def enable(account_id: str, id: str) -> Operation[Webhook | None]:
    """Switch a webhook on."""
    yield _ENABLE, {"account_id": account_id, "id": id}
    return (yield from find(account_id, id))


def send_test(account_id: str, webhook_id: str, id: str, now: datetime) -> Operation[Delivery | None]:
    """Write a delivery of a test event. Return None if the account has no such webhook.

    Raises InvalidParams if the webhook is switched off.
    """
    rows = yield _LOCK_OWN, {"account_id": account_id, "id": webhook_id}
    if not rows:
        return None
    _check_enabled(rows)
    if not (yield _KNOWN, {"id": id}):
        yield from add(webhook_id, TEST, {"webhook_id": webhook_id}, now, id=id)
    return (yield from find_delivery(account_id, id))


def redeliver(account_id: str, id: str, now: datetime) -> Operation[Delivery | None]:
    """Begin a new series of attempts. Return None if the account has no such delivery.

    Raises InvalidParams if the webhook is switched off.
    """
    found = yield from find_delivery(account_id, id)
    if found is None:
        return None
    _check_enabled((yield _LOCK_OWN, {"account_id": account_id, "id": found.webhook_id}))
    yield _REDELIVER, {"id": id, "now": epoch_ms(now)}
    return (yield from find_delivery(account_id, id))


def find_delivery(account_id: str, id: str) -> Operation[Delivery | None]:
    rows = yield _FIND_DELIVERY, {"account_id": account_id, "id": id}
    return _read_delivery(rows[0]) if rows else None


def list_deliveries(
    webhook_id: str, *, state: DeliveryState | None, before: str, batch: int
) -> Operation[list[Delivery]]:
    """Return deliveries with ids before `before`, newest first."""
    rows = yield _DELIVERIES, {"webhook_id": webhook_id, "state": state, "before": before, "batch": batch}
    return [_read_delivery(row) for row in rows]


def find_next(webhook_id: str, now: datetime) -> Operation[Due | float | None]:
    """Return the delivery to send now, the seconds until the next one, or None if no delivery is waiting."""
    rows = yield _NEXT, {"webhook_id": webhook_id}
    if not rows:
        return None
    next_at, rest_until, account_id, url, secret, old_secret, old_until, *rest = rows[0]
    now_ms = epoch_ms(now)
    if (wait_ms := max(next_at, rest_until) - now_ms) > 0:
        return float(wait_ms) / 1000
    is_rotating = old_secret is not None and old_until > now_ms
    secrets = (secret, old_secret) if is_rotating else (secret,)
    return Due(webhook_id, account_id, url, secrets, *rest)


def list_due(now: datetime) -> Operation[list[str]]:
    """Return the ids of webhooks with a delivery to send now."""
    rows = yield _DUE, {"now": epoch_ms(now)}
    return [id for (id,) in rows]


def record(due: Due, outcome: Outcome, next_at: datetime | None, now: datetime) -> Operation[DisabledReason | None]:
    """Record an attempt. `next_at` is the time of the next attempt, or None if this attempt was the last.

    If the attempt caused the webhook to be switched off, return the reason.
    """
    rows = yield _LOCK, {"id": due.webhook_id}
    if not rows:  # deleted meanwhile
        return None
    values = {
        "id": due.id,
        "attempts": due.attempts,
        "state": "delivered" if outcome.is_delivered else "waiting" if next_at is not None else "failed",
        "failures": due.failures + int(not outcome.is_delivered),
        "status": outcome.status,
        "error": outcome.error,
        "next_at": None if next_at is None else epoch_ms(next_at),
        "ended_at": None if next_at is not None else epoch_ms(now),
    }
    if not (yield _RECORD, values):  # another worker, or an earlier run of this operation, has recorded the attempt
        return None
    if outcome.is_delivered:
        yield _DELIVERED, {"id": due.webhook_id}
        return None
    return (yield from _count_failure(due.webhook_id, rows[0][0] + 1, outcome, now))


def _count_failure(id: str, failures: int, outcome: Outcome, now: datetime) -> Operation[DisabledReason | None]:
    """Let the webhook rest, or switch it off. Return the reason if the webhook was switched off."""
    rest_s = min(LONGEST_REST.total_seconds(), FIRST_REST.total_seconds() * 2.0 ** min(failures - 1, 30))
    until = now + timedelta(seconds=max(rest_s, outcome.retry_after_s))
    yield _FAILED, {"id": id, "failures": failures, "rest_until": epoch_ms(until)}
    reason: DisabledReason = "gone" if outcome.status == GONE else "failures"
    if reason == "failures" and failures < MAX_FAILURES:
        return None
    if not (yield _DISABLE, {"id": id, "now": epoch_ms(now), "reason": reason}):
        return None
    yield _GIVE_UP, {"id": id, "now": epoch_ms(now), "error": "The webhook was switched off."}
    return reason


def drop_expired(before: str) -> Operation[bool]:
    """Delete a batch of deliveries with ids before `before`. Return whether more may be left."""
    return len((yield _EXPIRED, {"before": before, "batch": DELETE_BATCH})) == DELETE_BATCH


def _check_enabled(rows: Sequence[Sequence[Any]]) -> None:
    if rows and rows[0][0] is not None:
        raise InvalidParams("This webhook is switched off. Enable the webhook first.")


def _read_webhook(row: Sequence[Any]) -> Webhook:
    id, account_id, url, events, description, failures, disabled_at, reason, old_until, created_at = row
    return Webhook(
        id=id,
        account_id=account_id,
        url=url,
        events=tuple(events.split()),
        description=description,
        failures=failures,
        disabled_at=_read_time(disabled_at),
        disabled_reason=reason,
        old_secret_until=_read_time(old_until),
        created_at=from_epoch_ms(created_at),
    )


def _read_delivery(row: Sequence[Any]) -> Delivery:
    id, webhook_id, type, state, attempts, failures, status, error, next_at, created_at, ended_at = row
    return Delivery(
        id=id,
        webhook_id=webhook_id,
        type=type,
        state=state,
        attempts=attempts,
        failures=failures,
        status=status,
        error=error,
        next_at=_read_time(next_at),
        created_at=from_epoch_ms(created_at),
        ended_at=_read_time(ended_at),
    )


def _read_time(value: int | None) -> datetime | None:
    return None if value is None else from_epoch_ms(value)
