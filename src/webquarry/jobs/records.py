"""The rows of jobs and their items."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from webquarry.core.clock import epoch_ms
from webquarry.ledger.spending import item_hold_id

JobState = Literal["running", "paused", "done", "cancelled"]
"""States that callers see. A job that is still being stored is `loading`, and no caller sees it."""
ItemState = Literal["ready", "taken", "done", "failed", "stopped"]
ITEM_STATES: tuple[ItemState, ...] = get_args(ItemState)
EndState = Literal["done", "failed", "stopped"]
PauseReason = Literal["user", "credits", "monthly_cap"]

LANE = "lane"
"""Kind of the queue keys that are names of lanes."""


def new_job_id(now: datetime) -> str:
    """Return an id that begins with the time, so that ids sort by age, and ends with 80 random bits."""
    return f"job_{epoch_ms(now):012x}{secrets.token_hex(10)}"


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of items by state.

    `running` counts taken items; all other states are of items that have ended or are waiting.
    """

    items: int
    done: int
    failed: int
    stopped: int
    running: int = 0

    @property
    def ended(self) -> int:
        return self.done + self.failed + self.stopped

    @property
    def ready(self) -> int:
        return max(0, self.items - self.ended - self.running)

    @property
    def by_state(self) -> dict[str, int]:
        names = ("ready", "running", "done", "failed", "stopped")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Job:
    """A job.

    `key_id` is the caller's key, to which credits are booked. `shared` contains parameters of all items, and `options`
    contains options of the kind. `spent` includes holds; `charged` is the sum of ended items' charges. `endings` is the
    number of the latest ending.
    """

    id: str
    account_id: str
    key_id: str
    kind: str
    endpoint: str
    shared: Mapping[str, str]
    options: Mapping[str, Any]
    state: JobState
    reason: str | None
    name: str | None
    webhook: str | None
    max_credits: int | None
    concurrency: int | None
    spent: int
    charged: int
    cached: int
    endings: int
    counts: Counts
    created_at: datetime
    ended_at: datetime | None
    expires_at: datetime

    @property
    def is_over(self) -> bool:
        return self.state in ("done", "cancelled")


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to be created. `digest` identifies the request, for comparison with another request that has the same
    idempotency key.
    """

    id: str
    account_id: str
    key_id: str
    kind: str
    endpoint: str
    shared: Mapping[str, str]
    created_at: datetime
    expires_at: datetime
    options: Mapping[str, Any] = field(default_factory=dict)
    name: str | None = None
    webhook: str | None = None
    max_credits: int | None = None
    concurrency: int | None = None


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item to be added.

    `input` contains its parameters, without the parameters that all items share. `digest` is set if a job may have only
    one such item; another item with the same digest is ignored. Items with a lower `place` are taken first.
    """

    input: Mapping[str, str]
    lane: str
    digest: str | None = None
    place: int = 0
    spacing_ms: int = 0
    details: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """An item that a lane works on.

    `attempt` counts how often it was taken, and `failures` counts its temporary failures.
    """

    job: Job
    n: int
    input: Mapping[str, str]
    attempt: int
    failures: int
    details: Mapping[str, Any] | None = None

    @property
    def request_id(self) -> str:
        """Request id of all attempts, by which their receipts are found."""
        return f"{self.job.id}-{self.n}"

    @property
    def hold_id(self) -> str:
        return item_hold_id(self.job.id, self.n, self.attempt)


@dataclass(frozen=True, slots=True)
class Ending:
    """The ending of an item. `code`, `reason` and `message` describe the error, or are None."""

    state: EndState
    conversion_id: str | None = None
    cached: bool = False
    code: str | None = None
    reason: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """An item as callers see it.

    `ending` is its position in the order in which items ended, or None if it has not ended.
    """

    n: int
    input: Mapping[str, str]
    state: ItemState
    attempt: int
    conversion_id: str | None
    code: str | None
    reason: str | None
    message: str | None
    details: Mapping[str, Any] | None
    charged: int
    cached: bool
    ending: int | None
    ended_at: datetime | None
