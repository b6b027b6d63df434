"""The rows of webhooks and their deliveries."""

import secrets
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, get_args

from webquarry.core.clock import epoch_ms

EventType = Literal["job.done", "job.failed", "job.paused", "job.cancelled"]
EVENTS: Final[tuple[EventType, ...]] = get_args(EventType)
TEST: Final = "webhook.test"
"""Type of the event that an owner sends to test a webhook. Every webhook receives it."""
DeliveryState = Literal["waiting", "delivered", "failed"]
DisabledReason = Literal["failures", "gone"]

WEBHOOK: Final = "webhook"
"""Kind of the queue keys that are webhook ids."""


def new_webhook_id() -> str:
    return f"wh_{secrets.token_hex(12)}"


def new_delivery_id(now: datetime) -> str:
    """Return an id that begins with the time, so that ids sort by age, and ends with 80 random bits."""
    return f"msg_{epoch_ms(now):012x}{secrets.token_hex(10)}"


@dataclass(frozen=True, slots=True)
class Webhook:
    """A URL that receives notifications.

    `failures` is the number of consecutive failed attempts. `disabled_at` is set while it is switched off.
    `old_secret_until` is set after a rotation: deliveries are signed with both secrets until then.
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

    `id` is the value of the header `webhook-id` in each attempt. `attempts` counts all attempts, and `failures` counts
    the failed attempts of the current series; a redelivery starts a new series. `status` and `error` describe the last
    attempt. `next_at` is None once the delivery has ended.
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
    """A delivery to be sent now. `event` is JSON; `secrets` are in their stored form, newest first."""

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
    """The outcome of an attempt. `status` is None if there was no response; `error` states why.

    `retry_after_s` is the time to wait that the receiver requested. `is_final` means that another attempt can't
    succeed.
    """

    status: int | None
    error: str | None = None
    retry_after_s: float = 0.0
    is_final: bool = False

    @property
    def is_delivered(self) -> bool:
        return self.error is None
