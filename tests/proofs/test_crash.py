"""The server is repeatedly killed during its work: no credit is lost or created.

Each charged result is stored in the transaction that charges it, so the charges are known without the ledger: they
equal the number of stored conversions.
"""

import asyncio
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import aiohttp
import asyncpg
import pytest

from support.caller import Caller
from support.clock import ManualClock
from support.origin import Asked, Origin
from support.pages import article, as_answer
from support.postgres import Postgres
from support.server import Server
from webquarry.core.settings import Settings
from webquarry.ledger import Ledger
from webquarry.ledger.sweeping import SILENCE
from webquarry.storage import open_database

GRANTED = 10_000
CALLERS = 16
UPSTREAM_S = 0.2
FIRST_PAGES = 2 * CALLERS
"""Number of requested pages before a kill: by then, some requests are settled and others are in progress."""


class Crowd:
    """Clients that request new pages of a slow upstream until the server has ended.

    charged: successful responses that a client received, in all rounds; answered: one of these responses' URLs.
    """

    def __init__(self, origin: Origin) -> None:
        self.charged = 0
        self.answered = ""
        self._origin = origin
        self._numbers = count()
        self._asked = 0
        self._enough = asyncio.Event()
        self._limit = 0

    @asynccontextmanager
    async def calling(self, server: Server, key: str, pages: int) -> AsyncIterator[None]:
        """Enter the context after the upstream was asked for `pages` pages, and leave it when every client has lost its
        server.
        """
        self._asked, self._limit = 0, pages
        self._enough.clear()
        async with Caller(server, key) as caller, asyncio.TaskGroup() as callers:
            for _ in range(CALLERS):
                callers.create_task(self._call(caller))
            async with asyncio.timeout(30):
                await self._enough.wait()
            yield

    async def _call(self, caller: Caller) -> None:
        for number in self._numbers:
            url = self._origin.on(f"/{number}", self._slow_page)
            try:
                reply = await caller.markdown(url)
            except (aiohttp.ClientError, ConnectionError):
                return
            assert reply.status == 200, reply
            self.charged += reply.body["creditsCharged"]
            self.answered = url

    async def _slow_page(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        self._asked += 1
        if self._asked >= self._limit:
            self._enough.set()
        await asyncio.sleep(UPSTREAM_S)
        writer.write(as_answer(article(asked.target)))
        await writer.drain()


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.long)])
async def test_kills_during_requests_neither_lose_nor_create_credits(
    kills: int, origin: Origin, tmp_path: Path
) -> None:
    dice = random.Random(20)
    crowd = Crowd(origin)
    async with Server(tmp_path, **_settings(origin)) as server:
        key = await server.first_key()
        for _ in range(kills):
            async with crowd.calling(server, key, FIRST_PAGES + dice.randrange(CALLERS)):
                await server.kill()
            in_flight, balance, stored = _books(tmp_path)
            assert in_flight > 0
            assert balance + in_flight + stored == GRANTED
            assert stored >= crowd.charged

            await server.start()
            async with Caller(server, key) as caller:
                ready, again = await caller.get("/readyz"), await caller.markdown(crowd.answered)
            assert (ready.status, again.status) == (200, 200)
            assert (again.body["cached"], again.body["creditsCharged"]) == (True, 0)
            assert _books(tmp_path) == (0, GRANTED - stored, stored)
            assert await _differences(server) == []
        assert await server.stop() == 0


@pytest.mark.long
async def test_holds_of_a_killed_server_on_a_shared_store_are_given_back_when_it_has_been_silent(
    origin: Origin, tmp_path: Path, postgres: Postgres
) -> None:
    crowd = Crowd(origin)
    url = await postgres.database()
    abandoned = 0
    async with Server(tmp_path, database_url=url, **_settings(origin)) as server:
        key = await server.first_key()
        for _ in range(2):
            async with crowd.calling(server, key, FIRST_PAGES):
                await server.kill()
            in_flight, balance, stored = await _shared_books(url)
            assert in_flight > abandoned
            assert balance + in_flight + stored == GRANTED
            abandoned = in_flight

            await server.start()
            async with Caller(server, key) as caller:
                assert (await caller.markdown(crowd.answered)).body["cached"]
            # the killed server may be slow, not dead: its holds stay until it has been silent for longer than any
            # request
            assert await _shared_books(url) == (in_flight, balance, stored)
        assert await server.stop() == 0

        later = ManualClock(datetime.now(UTC) + SILENCE + timedelta(seconds=1))
        database = await open_database(Settings(database_url=url), migrate=False)
        try:
            ledger = Ledger(database, later, "in_another")
            assert await ledger.sweep() == abandoned
            assert await ledger.verify() == []
        finally:
            await database.close()
    assert await _shared_books(url) == (0, GRANTED - stored, stored)
    assert stored >= crowd.charged


def _settings(origin: Origin) -> dict[str, object]:
    return {
        "egress_allow": origin.target,
        "host_concurrency": CALLERS,
        "first_account_credits": GRANTED,
        "rate_limit_per_minute": 100_000,
    }


_BOOKS = """
    SELECT (SELECT COALESCE(SUM(amount), 0) FROM open_holds), (SELECT SUM(balance) FROM accounts),
        (SELECT COUNT(*) FROM conversions)"""


def _books(folder: Path) -> tuple[int, int, int]:
    """Return the credits held, the accounts' credits, and the stored conversions of one credit each, from the file."""
    store = sqlite3.connect(folder / "webquarry.db")
    try:
        held, balance, stored = store.execute(_BOOKS).fetchone()
    finally:
        store.close()
    return held, balance, stored


async def _shared_books(url: str) -> tuple[int, int, int]:
    connection = await asyncpg.connect(url)
    try:
        row = await connection.fetchrow(_BOOKS)
    finally:
        await connection.close()
    assert row is not None
    return int(row[0]), int(row[1]), int(row[2])


async def _differences(server: Server) -> list[object]:
    """Return the findings of `webquarry ledger verify` without starting a process."""
    settings = Settings(data_dir=server.folder)
    database = await open_database(settings, migrate=False)
    try:
        return list(await Ledger(database, ManualClock(), "in_verify").verify())
    finally:
        await database.close()
