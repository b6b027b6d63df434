"""Writes an event's deliveries in the transaction in which the event happens."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from webquarry.core.clock import epoch_ms
from webquarry.storage import Operation
from webquarry.webhooks.records import EventType, new_delivery_id

# an update that changes nothing locks the rows: a webhook that is deleted at the same time gets no delivery
_LOCK = """
    UPDATE webhooks SET url = url
    WHERE account_id = :account_id AND disabled_at IS NULL
        AND (CAST(:only AS TEXT) IS NULL OR id = :only OR url = :only)
    RETURNING id, events"""
_ADD = """
    INSERT INTO webhook_deliveries (id, webhook_id, type, event, state, next_at, created_at)
    VALUES (:id, :webhook_id, :type, :event, 'waiting', :now, :now)"""


def announce(
    account_id: str, type: EventType, data: Mapping[str, Any], now: datetime, *, only: str | None = None
) -> Operation[None]:
    """Write a delivery for each webhook of the account that receives events of this type.

    `data` is small and describes the event; the values of its `links` are paths. `only` limits the event to the webhook
    with this id or address. The caller must not repeat the transaction, because a repetition would be another event.
    """
    rows = yield _LOCK, {"account_id": account_id, "only": only}
    for webhook_id, events in sorted(rows):
        if type in events.split():
            yield from add(webhook_id, type, data, now)


def add(
    webhook_id: str, type: str, data: Mapping[str, Any], now: datetime, *, id: str | None = None
) -> Operation[None]:
    """Write a delivery. The webhook must be locked."""
    event = json.dumps({"type": type, "timestamp": now.isoformat(), "data": data})
    delivery = id or new_delivery_id(now)
    values = {"id": delivery, "webhook_id": webhook_id, "type": type, "event": event, "now": epoch_ms(now)}
    yield _ADD, values
