"""The courier: sends deliveries to their webhooks, one webhook at a time on one server, and records each attempt.

A delivery is sent at least once: if a server dies before an attempt is recorded, another server sends it again with
the same `webhook-id`.
"""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from webquarry.accounts import Seal
from webquarry.accounts.post import Post
from webquarry.core.background import try_round
from webquarry.core.clock import Clock
from webquarry.core.errors import Overloaded, ProviderError, UnsafeTarget
from webquarry.core.types import Deadline
from webquarry.net import Door
from webquarry.storage import Database
from webquarry.webhooks import table
from webquarry.webhooks.records import DisabledReason, Due, Outcome
from webquarry.webhooks.signature import make_headers

WITHIN_S: Final = 10.0
"""Seconds in which a receiver must respond."""
TRIES: Final = 6
FIRST_WAIT_S: Final = 30.0
WAIT_FACTOR: Final = 7.0
"""Waits between the attempts: 30 s, 3.5 min, 24.5 min, 2.9 h and 20 h, or 23 hours in total."""
JITTER: Final = 0.1
"""Maximum share by which a wait is randomly shortened or lengthened."""
LONGEST_RETRY_AFTER: Final = timedelta(hours=24)
SLICE_ITEMS: Final = 50
SLICE_S: Final = 60.0
EVERY_S: Final = 5.0
"""Seconds between the rounds that look for due deliveries that are not in the queue."""

Put = Callable[[Sequence[str]], Awaitable[object]]
"""Function that puts webhook ids into the queue."""


class Courier:
    """Sends deliveries. `seal` decrypts secrets. `post` sends emails about webhooks that are switched off.

    `counts` contains the number of attempts by outcome: delivered, refused (a response that is not 2xx), unreachable.
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
        base_url: str,
    ) -> None:
        self._database = database
        self._door = door
        self._clock = clock
        self._put = put
        self._seal = seal
        self._post = post
        self._base_url = base_url
        self.counts: Counter[str] = Counter(dict.fromkeys(("delivered", "refused", "unreachable"), 0))

    async def run(self) -> None:
        """Look for due deliveries forever. A round that fails is skipped."""
        while True:
            await try_round("webhooks.round", self.round())
            await asyncio.sleep(EVERY_S)

    async def look(self, _job_id: str) -> None:
        """Look for due deliveries, because a job has ended. If this fails, the next round finds them."""
        await try_round("webhooks.round", self.round())

    async def round(self) -> None:
        """Put each webhook that has a delivery to send."""
        await self._put(await self._database.read(partial(table.list_due, self._clock.now())))

    async def work(self, _kind: str, webhook_id: str) -> float | None:
        """Send due deliveries of a webhook for a while.

        Return the seconds until the next one, or None if no delivery is waiting. See `webquarry.jobs.port`.
        """
        slice = Deadline.after(SLICE_S, self._clock)
        for _ in range(SLICE_ITEMS):
            due = await self._database.read(partial(table.find_next, webhook_id, self._clock.now()))
            if not isinstance(due, Due):
                return due
            try:
                outcome = await self._send(due)
            except Overloaded as error:  # this server lacks resources, which is not a failure of the receiver
                return float(error.retry_after_s)
            await self._record(due, outcome)
            if slice.passed:
                break
        return 0.0

    async def _send(self, due: Due) -> Outcome:
        """Make one attempt. Raises Overloaded if this server can't send requests or can't decrypt the secrets."""
        body = self._write_body(due)
        secrets = [self._seal.open(secret) for secret in due.secrets]
        headers = make_headers(secrets, due.id, self._clock.now(), body)
        try:
            notified = await self._door.notify(due.url, headers, body, Deadline.after(WITHIN_S, self._clock))
        except UnsafeTarget:
            return Outcome(None, "The address is not public, or its port is not allowed.", is_final=True)
        except ProviderError as error:
            return Outcome(None, error.message)
        if 200 <= notified.status < 300:
            return Outcome(notified.status)
        hint = " Redirects are not followed." if 300 <= notified.status < 400 else ""
        wait_s = min(notified.retry_after_s, LONGEST_RETRY_AFTER.total_seconds())
        return Outcome(notified.status, f"The response had status {notified.status}.{hint}", retry_after_s=wait_s)

    def _write_body(self, due: Due) -> bytes:
        """Return the event as JSON with absolute links."""
        event = json.loads(due.event)
        if links := event["data"].get("links"):
            event["data"]["links"] = {name: f"{self._base_url}{path}" for name, path in links.items()}
        return json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()

    async def _record(self, due: Due, outcome: Outcome) -> None:
        self.counts[_name(outcome)] += 1
        now = self._clock.now()
        record = partial(table.record, due, outcome, find_next_time(due, outcome, now), now)
        reason = await self._database.write(record, account=due.account_id, admitted=True)
        if reason is not None and self._post is not None:
            host = urlsplit(due.url).hostname or ""
            self._post.tell_webhook_off(due.account_id, host, describe_reason(reason))


def find_next_time(due: Due, outcome: Outcome, now: datetime) -> datetime | None:
    """Return the time of a delivery's next attempt, or None if there is none."""
    if outcome.is_delivered or outcome.is_final or due.failures + 1 >= TRIES:
        return None
    wait_s = FIRST_WAIT_S * WAIT_FACTOR**due.failures * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311  # spreads
    return now + timedelta(seconds=max(wait_s, outcome.retry_after_s))


def describe_reason(reason: DisabledReason) -> str:
    """Return a sentence that states why a webhook is switched off."""
    if reason == "gone":
        return "It responded with status 410 (Gone)."
    return f"{table.MAX_FAILURES} attempts in a row failed."


def _name(outcome: Outcome) -> str:
    return "delivered" if outcome.is_delivered else "unreachable" if outcome.status is None else "refused"
