"""Webhooks on a store, a receiver on loopback, and a clock that the test moves."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import standardwebhooks

from accounts.test_people import Box
from conftest import Store
from support.clock import ManualClock
from support.origin import Asked, Origin, answer
from webquarry.accounts import Accounts, Seal
from webquarry.core.settings import Settings
from webquarry.net import Door
from webquarry.storage import Database
from webquarry.webhooks import WEBHOOK, EventType, Webhook, Webhooks, announce
from webquarry.webhooks.records import EVENTS

BASE_URL = "https://webquarry.example"
SECRET = "s" * 40


@dataclass
class Office:
    """The webhooks of one account. `queue` contains the ids that were put."""

    database: Database
    clock: ManualClock
    origin: Origin
    settings: Settings
    box: Box = field(default_factory=Box)
    queue: list[str] = field(default_factory=list)
    account_id: str = ""

    def __post_init__(self) -> None:
        self.door = Door(self.settings, self.clock)
        self.webhooks = self.make(self.door)

    def make(self, door: Door) -> Webhooks:
        return Webhooks(
            self.database,
            door,
            self.clock,
            self.put,
            seal=Seal(SECRET),
            post=self.box,
            keep=timedelta(days=30),
            base_url=BASE_URL,
        )

    async def put(self, ids: Any) -> None:
        self.queue.extend(ids)

    async def open(self, path: str = "/hook", events: tuple[EventType, ...] = EVENTS) -> tuple[Webhook, str]:
        """Return a webhook for a path of the receiver, with its secret."""
        return await self.webhooks.create(self.account_id, self.origin.url(path), events)

    async def announce(self, type: EventType = "job.done", only: str | None = None, **data: Any) -> None:
        now = self.clock.now()
        await self.database.write(lambda: announce(self.account_id, type, data, now, only=only))

    async def work(self, webhook: Webhook) -> float | None:
        return await self.webhooks.courier.work(WEBHOOK, webhook.id)

    async def work_until_idle(self, webhook: Webhook) -> list[float]:
        """Send everything, moving the clock over the waits. Return the waits in seconds."""
        waits = []
        while (wait_s := await self.work(webhook)) is not None:
            waits.append(wait_s)
            self.clock.advance(wait_s)
        return waits

    async def deliveries(self, webhook: Webhook) -> list[Any]:
        return await self.webhooks.list_deliveries(self.account_id, webhook.id)

    @property
    def received(self) -> list[Asked]:
        return self.origin.requests


def verify(secret: str, asked: Asked) -> Any:
    """Return the event of a request, checked by the public library except for its age."""
    hook = standardwebhooks.Webhook(secret)
    at = datetime.fromtimestamp(int(asked.headers["webhook-timestamp"]), UTC)
    expected = hook.sign(asked.headers["webhook-id"], at, asked.body.decode())
    assert expected in asked.headers["webhook-signature"].split(" ")
    return json.loads(asked.body)


@pytest.fixture
async def office(store: Store) -> AsyncIterator[Office]:
    async with Origin() as origin:
        origin.on("/hook", answer(204))
        settings = store.settings.model_copy(update={"egress_allow": (origin.target,)})
        clock = ManualClock()
        office = Office(await store.open(), clock, origin, settings)
        account, _ = await Accounts(office.database, clock).create("owner@example.com", 10)
        office.account_id = account.id
        yield office
        await office.door.close()
