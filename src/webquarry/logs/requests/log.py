"""The log of one process: requests are noted in memory, and stored in the background.

Noting a request takes about a microsecond. The memory is limited: requests that exceed it are only counted.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from webquarry.core.background import try_round
from webquarry.core.clock import Clock, epoch_ms
from webquarry.core.errors import Overloaded
from webquarry.core.log import log
from webquarry.logs.requests import records
from webquarry.logs.requests.entries import Filter, LoggedRequest, Page
from webquarry.logs.requests.shortening import Query, shorten_query, shorten_raw_query
from webquarry.storage import Database, Operation, StorageError

STORED_EVERY_S: Final = 2.0
"""Seconds between two writes."""
MAX_WAITING: Final = 2000
"""Maximum number of requests that wait for the next write, enough for 1,000 requests per second.

Storing a request takes about 10 µs.
"""
MAX_WAITING_OF_ACCOUNT: Final = 500
MAX_LOOKS: Final = 10
"""Maximum number of operations per search. They examine 500,000 requests in about a second."""
NO_PARAMS: Final = frozenset(("id", "part", "heading", "format"))
"""Parameters of requests that are not for an endpoint, such as requests for a stored result or for the balance."""
_Note = tuple[datetime, str, Query, int, str, str, int, float, str, str]
"""A noted request: time, endpoint, query, status, code, cache, credits, seconds, request id, key id."""


class _Notes:
    """The notes of an account: requests, and the number of requests that did not fit."""

    __slots__ = ("requests", "skipped")

    def __init__(self) -> None:
        self.requests: list[_Note] = []
        self.skipped = 0


@dataclass(frozen=True, slots=True)
class _Batch:
    """Rows of an account to be stored, and a gap as (id, milliseconds, number) if some requests did not fit."""

    account_id: str
    rows: list[records.Row]
    gap: tuple[str, int, int] | None


class RequestLog:
    """The request log of one store.

    `keep` is how long requests are kept; without it nothing is logged. `params` are the names of each endpoint's
    parameters.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        keep: timedelta | None,
        params: Mapping[str, Collection[str]],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._database = database
        self._clock = clock
        self._params = {name: frozenset([*names, "format"]) for name, names in params.items()}
        self._sleep = sleep
        self.keep = keep
        self.missed = 0
        """Number of requests that this process could not log."""
        self._writer = secrets.token_hex(4)
        self._number = 0
        self._notes: dict[str, _Notes] = {}
        self._waiting = 0
        self._unstored: list[_Batch] = []
        self._storing = asyncio.Lock()

    def note(
        self,
        account_id: str,
        key_id: str,
        endpoint: str,
        query: Query,
        *,
        status: int,
        code: str,
        cache: str,
        credits: int,
        took_s: float,
        request_id: str,
    ) -> None:
        """Note an answered request. Never blocks or fails."""
        if self.keep is None:
            return
        notes = self._notes.get(account_id)
        if notes is None:
            notes = self._notes[account_id] = _Notes()
        if self._waiting >= MAX_WAITING or len(notes.requests) >= MAX_WAITING_OF_ACCOUNT:
            notes.skipped += 1
            self.missed += 1
            return
        self._waiting += 1
        now = self._clock.now()
        notes.requests.append((now, endpoint, query, status, code, cache, credits, took_s, request_id, key_id))

    async def store(self) -> None:
        """Store the noted requests. If the store does not respond, keep them for the next time."""
        async with self._storing:
            batches, self._unstored = self._unstored or self._take(), []
            if not batches:
                return
            try:
                await self._database.write(partial(_add, batches, shared=self._database.shared))
            except (Overloaded, StorageError) as exc:
                self._unstored = batches
                log.warning("request_log.not_stored", accounts=len(batches), fault=type(exc).__name__)

    async def run(self) -> None:
        """Store periodically, and once more when stopped."""
        try:
            while True:
                await self._sleep(STORED_EVERY_S)
                await try_round("request_log", self.store())
        finally:
            for _ in range(2):  # first the requests that an earlier round could not store, then the new ones
                await try_round("request_log", self.store())

    async def find(self, account_id: str, chosen: Filter, *, before: str | None = None, batch: int) -> Page:
        """Return the account's requests that match, newest first, optionally only those before an id.

        Other reads can run between the operations of a long search.
        """
        found: list[LoggedRequest] = []
        for _ in range(MAX_LOOKS):
            look = partial(records.find, account_id, chosen, before, batch - len(found))
            page = await self._database.read(look)
            found, before = found + page.requests, page.next
            if before is None or len(found) == batch:
                break
        return Page(found, before)

    async def count_missed(self, account_id: str, chosen: Filter) -> int:
        """Return how many of the account's requests in the period were not logged."""
        return await self._database.read(partial(records.count_gaps, account_id, chosen))

    async def sweep(self) -> bool:
        """Delete a batch of expired requests. Return whether more may be left."""
        keep = self.keep or timedelta()
        return await self._database.write(partial(records.sweep, self._clock.now() - keep))

    def _take(self) -> list[_Batch]:
        """Turn notes into rows, whose ids stay the same if they are stored again."""
        noted, self._notes, self._waiting = self._notes, {}, 0
        return [self._make_batch(account_id, notes) for account_id, notes in noted.items()]

    def _make_batch(self, account_id: str, notes: _Notes) -> _Batch:
        rows = [self._make_row(note) for note in notes.requests]
        if not notes.skipped:
            return _Batch(account_id, rows, None)
        now = epoch_ms(self._clock.now())
        return _Batch(account_id, rows, (self._make_id(now), now, notes.skipped))

    def _make_row(self, note: _Note) -> records.Row:
        at, endpoint, query, status, code, cache, credits, took_s, request_id, key_id = note
        at_ms, known = epoch_ms(at), self._params.get(endpoint, NO_PARAMS)
        params = shorten_raw_query(query, known) if isinstance(query, bytes) else shorten_query(query, known)
        took_ms = round(1000 * took_s)
        id = self._make_id(at_ms)
        return id, at_ms, endpoint, params, status, code, cache, credits, took_ms, request_id, key_id

    def _make_id(self, at_ms: int) -> str:
        self._number += 1
        return records.make_id(at_ms, self._number, self._writer)


def _add(batches: list[_Batch], *, shared: bool) -> Operation[None]:
    for batch in batches:
        yield from records.add(batch.account_id, batch.rows, shared=shared)
        if batch.gap is not None:
            yield from records.add_gap(batch.account_id, *batch.gap)
