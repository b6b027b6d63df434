"""Webhooks and their deliveries, as rows."""

import secrets
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, get_args

from webquarry.core.clock import epoch_ms

EventType = Literal["job.done", "job.failed", "job.paused", "job.cancelled"]
EVENTS: Final[tuple[EventType, ...]] = get_args(EventType)
TEST: Final = "webhook.test"
"""Type of the event that an owner sends to try a webhook. Every webhook receives it."""
DeliveryState = Literal["waiting", "delivered", "failed"]
DisabledReason = Literal["failures", "gone"]

WEBHOOK: Final = "webhook"
"""Kind of engine keys that are IDs of webhooks."""


def new_webhook_id() -> str:
    return f"wh_{secrets.token_hex(12)}"


def new_delivery_id(now: datetime) -> str:
    """Return an id that begins with the time, so that ids sort by age, and ends with 80 random bits."""
    return f"msg_{epoch_ms(now):012x}{secrets.token_hex(10)}"


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that is notified.

    `failures` are failed attempts in a row. `disabled_at` is set while it is switched off. `old_secret_until` is set
    after a rotation: deliveries are signed with both secrets until then.
    """

    id: str
    account_id: str
    url: str
    events: tuple[EventType, ...]
    description: str
    failures: int
    disabled_at: datetime | None
    disabled_reason: DisabledReason | None
    old_secret_until: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Delivery:
    """An event that is sent to a webhook.

    `id` is the header `webhook-id` of each attempt. `attempts` counts all, `failures` those of the current series,
    which begins anew with a redelivery. `status` and `error` are those of the last attempt. `next_at` is None once it
    has ended.
    """

    id: str
    webhook_id: str
    type: str
    state: DeliveryState
    attempts: int
    failures: int
    status: int | None
    error: str | None
    next_at: datetime | None
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Due:
    """A delivery to be sent now. `event` is JSON; `secrets` are as stored, the newest first."""

    webhook_id: str
    account_id: str
    url: str
    secrets: tuple[str, ...] = field(repr=False)
    id: str
    type: str
    event: str
    attempts: int
    failures: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an attempt. `status` is None if there was no response; `error` says why.

    `retry_after_s` is the wait that the receiver asked for. `is_final` means that another attempt can't succeed.
    """

    status: int | None
    error: str | None = None
    retry_after_s: float = 0.0
    is_final: bool = False

    @property
    def is_delivered(self) -> bool:
        return self.error is None
