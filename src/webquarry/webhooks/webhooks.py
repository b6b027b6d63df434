"""The operations on webhooks that interfaces offer."""

import secrets
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Final, TypeVar
from urllib.parse import urlsplit

from webquarry.accounts import Seal
from webquarry.accounts.post import Post
from webquarry.core.clock import Clock
from webquarry.core.errors import InvalidParams, NotFound
from webquarry.core.urls import normalise_url
from webquarry.logs.audit import act_as_owner, make_event, record_after
from webquarry.net import Door
from webquarry.storage import Database
from webquarry.webhooks import table
from webquarry.webhooks.courier import Courier, Put
from webquarry.webhooks.records import (
    Delivery,
    DeliveryState,
    EventType,
    Webhook,
    new_delivery_id,
    new_webhook_id,
)
from webquarry.webhooks.signature import make_secret

T = TypeVar("T")
ROTATION: Final = timedelta(hours=24)
"""Time for which the previous secret stays valid."""
MAX_URL: Final = 2000
MAX_DESCRIPTION: Final = 200
LAST: Final = "msg_~"
"""A text that sorts after every delivery id."""


class Webhooks:
    """The webhooks of all accounts. For a webhook of another account, NotFound is raised, as for a webhook that does
    not exist.

    `seal` encrypts secrets. `put` puts webhooks that have deliveries into the queue. `post` sends emails. `keep` is how
    long deliveries are kept. `base_url` is the beginning of the links in events.
    """

    def __init__(
        self,
        database: Database,
        door: Door,
        clock: Clock,
        put: Put,
        *,
        seal: Seal,
        post: Post | None,
        keep: timedelta,
        base_url: str,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._database = database
        self._door = door
        self._clock = clock
        self._put = put
        self._seal = seal
        self._random_bytes = random_bytes
        self.keep = keep
        self.courier = Courier(database, door, clock, put, seal=seal, post=post, base_url=base_url)

    async def create(
        self, account_id: str, url: str, events: Sequence[EventType], description: str = ""
    ) -> tuple[Webhook, str]:
        """Create a webhook. Return the webhook and its secret, which is never shown again.

        Raises InvalidParams, UnsafeTarget if connections to the URL are not allowed, and NotFound if there is no
        account.
        """
        address = self._check_url(url)
        if not events:
            raise InvalidParams("events: name at least one event.")
        if len(description) > MAX_DESCRIPTION or not description.isprintable():
            raise InvalidParams(f"description: must have at most {MAX_DESCRIPTION} printable characters.")
        secret, now = make_secret(self._random_bytes), self._clock.now()
        new = table.NewWebhook(
            new_webhook_id(), account_id, address, sorted(set(events)), description, self._seal.close(secret), now
        )
        host = urlsplit(address).hostname or ""  # the rest of the URL may be secret
        event = make_event(act_as_owner(account_id), account_id, "webhook.created", now, webhook=new.id, host=host)
        if not await self._database.write(record_after(partial(table.create, new), event), account=account_id):
            raise NotFound("Account not found.")
        return await self.find(account_id, new.id), secret

    async def list_webhooks(self, account_id: str) -> list[Webhook]:
        """Return the account's webhooks, oldest first."""
        return await self._database.read(partial(table.list_webhooks, account_id))

    async def find(self, account_id: str, id: str) -> Webhook:
        """Return the account's webhook. Raises NotFound."""
        return _found(await self._database.read(partial(table.find, account_id, id)))

    async def delete(self, account_id: str, id: str) -> None:
        """Delete a webhook with its deliveries. Raises NotFound."""
        event = make_event(act_as_owner(account_id), account_id, "webhook.deleted", self._clock.now(), webhook=id)
        await self.find(account_id, id)
        await self._database.write(record_after(partial(table.delete, account_id, id), event), account=account_id)

    async def rotate(self, account_id: str, id: str) -> tuple[Webhook, str]:
        """Return a webhook with a new secret. The previous secret stays valid for a day. Raises NotFound."""
        secret, now = make_secret(self._random_bytes), self._clock.now()
        event = make_event(act_as_owner(account_id), account_id, "webhook.rotated", now, webhook=id)
        rotate = partial(table.rotate, account_id, id, self._seal.close(secret), now + ROTATION)
        return _found(await self._database.write(record_after(rotate, event), account=account_id)), secret

    async def enable(self, account_id: str, id: str) -> Webhook:
        """Switch a webhook on again. Raises NotFound."""
        return _found(await self._database.write(partial(table.enable, account_id, id), account=account_id))

    async def test(self, account_id: str, id: str) -> Delivery:
        """Send a test event. Raises NotFound, and InvalidParams if the webhook is switched off."""
        now = self._clock.now()
        send = partial(table.send_test, account_id, id, new_delivery_id(now), now)
        delivery = _found(await self._database.write(send, account=account_id))
        await self._put([id])
        return delivery

    async def list_deliveries(
        self, account_id: str, id: str, *, state: DeliveryState | None = None, before: str = LAST, batch: int = 50
    ) -> list[Delivery]:
        """Return deliveries of a webhook with ids before `before`, newest first. Raises NotFound."""
        webhook = await self.find(account_id, id)
        listing = partial(table.list_deliveries, webhook.id, state=state, before=before, batch=batch)
        return await self._database.read(listing)

    async def redeliver(self, account_id: str, delivery_id: str) -> Delivery:
        """Send a delivery again, with the same id. Raises NotFound, and InvalidParams if the webhook is off."""
        again = partial(table.redeliver, account_id, delivery_id, self._clock.now())
        delivery = await self._database.write(again, account=account_id)
        if delivery is None:
            raise NotFound("Delivery not found: it does not exist, has expired, or belongs to another account.")
        await self._put([delivery.webhook_id])
        return delivery

    async def sweep(self) -> bool:
        """Delete a batch of expired deliveries. Return whether more may be left."""
        before = new_delivery_id(self._clock.now() - self.keep)
        return await self._database.write(partial(table.drop_expired, before))

    def _check_url(self, text: str) -> str:
        """Return a normalized URL.

        Raises InvalidParams if it is not an https URL, and UnsafeTarget if connections to it are not allowed. Plain
        http is allowed for targets that the operator's settings list.
        """
        if len(text) > MAX_URL:
            raise InvalidParams(f"url: must have at most {MAX_URL} characters.")
        try:
            url = normalise_url(text)
        except ValueError as exc:
            raise InvalidParams(f"url: {exc}.") from exc
        if urlsplit(url).scheme != "https" and not self._door.is_opened(url):
            raise InvalidParams("url: must start with https://.")
        self._door.check_target(url)
        return url


def _found(value: T | None) -> T:
    if value is None:
        raise NotFound("Webhook not found: it does not exist or belongs to another account.")
    return value
