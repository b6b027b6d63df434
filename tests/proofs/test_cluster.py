"""Three servers behind nginx behave as one service, and lose nothing when parts of them are killed or restarted."""

import asyncio
import json
import os
import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import aiohttp
import asyncpg
import pytest

from support.clock import ManualClock
from support.cluster import Cluster, running_cluster
from support.origin import Asked, Origin
from support.pages import article, as_answer
from support.postgres import Postgres
from support.processes import is_running
from support.redis import Redis, running_redis
from support.relay import Relay
from support.server import Server
from webquarry.core.settings import Settings
from webquarry.ledger import Ledger
from webquarry.ledger.sweeping import SILENCE
from webquarry.storage import open_database

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        shutil.which("nginx") is None and not Path("/usr/sbin/nginx").exists(), reason="nginx is not installed"
    ),
]

SERVERS = 3
GRANTED = 100_000
CALLERS = 12
UPSTREAM_S = 0.1
ROUNDS = int(os.environ.get("WEBQUARRY_PROOF_ROUNDS", "12"))
"""Number of kills under load. The full proof has 100 kills."""
WITHIN_S = 5
"""Time within which a change on one server applies on all other servers."""
MARKDOWN = "/api/v1/markdown/url"


@asynccontextmanager
async def cluster_of(
    folder: Path, origin: Origin, database_url: str, *, kind: type[Server] = Server, **settings: object
) -> AsyncIterator[tuple[Cluster, Redis]]:
    """Start three servers of a kind, and a Redis for them."""
    usual = {
        "egress_allow": origin.target,
        "host_concurrency": CALLERS,
        "first_account_credits": GRANTED,
        "rate_limit_per_minute": 1_000_000,
    }
    with running_redis() as redis:
        async with running_cluster(
            folder, SERVERS, database_url=database_url, redis_url=redis.url, kind=kind, **{**usual, **settings}
        ) as cluster:
            yield cluster, redis


@dataclass
class Load:
    """Clients that request new pages through nginx until they are stopped.

    statuses: statuses of the responses. charged: credits charged according to the responses. broken: number of
    connections without a response.
    """

    cluster: Cluster
    origin: Origin
    statuses: Counter[int] = field(default_factory=Counter)
    charged: int = 0
    broken: int = 0

    def __post_init__(self) -> None:
        self._numbers = count()
        self._ends = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        self._ends = False
        async with self.cluster.session() as session, asyncio.TaskGroup() as callers:
            for _ in range(CALLERS):
                callers.create_task(self._call(session))
            await self.wait_for(2 * CALLERS)
            try:
                yield
            finally:
                self._ends = True

    async def wait_for(self, successes: int) -> None:
        """Wait until `successes` further responses were successful."""
        enough = self.statuses[200] + successes
        async with asyncio.timeout(120):
            while self.statuses[200] < enough:  # noqa: ASYNC110  # responses have no event
                await asyncio.sleep(0.01)

    async def _call(self, session: aiohttp.ClientSession) -> None:
        while not self._ends:
            url = self.origin.on(f"/load/{next(self._numbers)}", _send_slowly)
            try:
                async with session.get(MARKDOWN, params={"url": url}) as answer:
                    body = await answer.json(content_type=None) if answer.status == 200 else {}
            except (aiohttp.ClientError, ConnectionError):
                self.broken += 1
                continue
            self.statuses[answer.status] += 1
            self.charged += body.get("creditsCharged", 0)
            if answer.status != 200:
                await asyncio.sleep(0.05)


async def _send_slowly(asked: Asked, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(UPSTREAM_S)
    writer.write(as_answer(article(asked.target)))
    await writer.drain()


async def get(session: aiohttp.ClientSession, url: str, **headers: str) -> tuple[int, dict[str, object]]:
    async with session.get(MARKDOWN, params={"url": url}, headers=headers) as answer:
        return answer.status, await answer.json(content_type=None)


async def test_the_rate_limit_is_shared_by_all_servers(origin: Origin, postgres: Postgres, tmp_path: Path) -> None:
    url = origin.on("/", as_answer(article("limit")))
    database = await postgres.database()
    async with (
        cluster_of(tmp_path, origin, database, rate_limit_per_minute=60) as (cluster, _),
        cluster.session() as session,
    ):
        first, _ = await get(session, url)
        began = time.monotonic()
        others = await asyncio.gather(*(get(session, url) for _ in range(89)))
        took_s = time.monotonic() - began
    assert took_s < 60
    statuses = Counter([first, *(status for status, _ in others)])
    refilled = 1 + int(took_s)  # a request a second is free again
    assert 60 <= statuses[200] <= 60 + refilled
    assert statuses[200] + statuses[429] == 90


async def test_identical_requests_at_all_servers_fetch_once_and_are_cached_everywhere(
    origin: Origin, postgres: Postgres, tmp_path: Path
) -> None:
    url = origin.on("/", _send_slowly)
    async with cluster_of(tmp_path, origin, await postgres.database()) as (cluster, _), cluster.session() as session:
        answers = await asyncio.gather(*(get(session, url) for _ in range(30)))
        assert {status for status, _ in answers} == {200}
        assert sum(int(str(body["creditsCharged"])) for _, body in answers) == 1
        assert [asked.target for asked in origin.requests].count("/") == 1
        for server in cluster.servers:
            headers = {"Authorization": f"Bearer {cluster.key}"}
            async with aiohttp.ClientSession(server.url, headers=headers) as direct:
                status, body = await get(direct, url)
            assert (status, body["cached"], body["creditsCharged"]) == (200, True, 0)
    assert [asked.target for asked in origin.requests].count("/") == 1


async def test_a_revoked_key_is_refused_at_all_servers_within_five_seconds(
    origin: Origin, postgres: Postgres, tmp_path: Path
) -> None:
    url = origin.on("/", as_answer(article("keys")))
    async with cluster_of(tmp_path, origin, await postgres.database()) as (cluster, _):
        headers = {"Authorization": f"Bearer {cluster.key}"}
        for server in cluster.servers:
            async with aiohttp.ClientSession(server.url, headers=headers) as direct:
                assert (await get(direct, url))[0] == 200
        accounts = json.loads((await cluster.servers[0].command("account", "list", "--json")).out)
        keys = json.loads((await cluster.servers[0].command("key", "list", accounts[0]["email"], "--json")).out)
        revoked = await cluster.servers[0].command("key", "revoke", accounts[0]["email"], keys[0]["id"])
        assert revoked.code == 0, revoked.err
        await asyncio.sleep(WITHIN_S)
        for server in cluster.servers:
            async with aiohttp.ClientSession(server.url, headers=headers) as direct:
                assert (await get(direct, url))[0] == 401


async def test_a_rolling_restart_loses_no_request(origin: Origin, postgres: Postgres, tmp_path: Path) -> None:
    url = await postgres.database()
    async with cluster_of(tmp_path, origin, url) as (cluster, _):
        load = Load(cluster, origin)
        async with load.running():
            for server in cluster.servers:
                assert await server.stop() == 0
                await server.start()
                await load.wait_for(2 * CALLERS)
    assert load.broken == 0
    assert set(load.statuses) == {200}
    assert await _read_books(url) == (0, GRANTED - load.charged, load.charged)


async def test_killing_any_part_neither_loses_nor_creates_credits(
    origin: Origin, postgres: Postgres, tmp_path: Path
) -> None:
    url = await postgres.database()
    dice = random.Random(41)
    killed: set[int] = set()
    async with cluster_of(tmp_path, origin, url) as (cluster, redis):
        load = Load(cluster, origin)

        async def kill_server() -> None:
            server = dice.choice(cluster.servers)
            killed.add(server.pid)
            await server.kill()
            await server.start()

        async def kill_child() -> None:
            children = _list_descendants(dice.choice(cluster.servers).pid)
            if children:
                victim = dice.choice(sorted(children))
                killed.add(victim)
                os.kill(victim, signal.SIGKILL)

        async def restart_postgres() -> None:
            await asyncio.to_thread(postgres.restart)

        async def kill_redis() -> None:
            redis.kill()
            await asyncio.sleep(dice.random())
            redis.start()

        faults: tuple[Callable[[], Awaitable[None]], ...] = (kill_server, kill_child, restart_postgres, kill_redis)
        async with load.running():
            for _ in range(ROUNDS):
                await asyncio.sleep(dice.random())
                await dice.choice(faults)()
                await load.wait_for(CALLERS)
        pids = {pid for server in cluster.servers for pid in (server.pid, *_list_descendants(server.pid))}
        for server in cluster.servers:
            assert await server.stop() == 0
    assert not [pid for pid in pids | killed if is_running(pid)]
    # 422: a page whose converter was killed while reading it, which could also be caused by a hostile page
    assert set(load.statuses) <= {200, 422, 502, 503, 504}, load.statuses
    await _check_books(url, load)


FAKE_TIME = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)


class Jumping(Server):
    """A server whose clock jumps to the offset that is written to `folder/clock`."""

    @property
    def program(self) -> tuple[str, ...]:
        (self.folder / "clock").touch()
        variables = {
            "LD_PRELOAD": FAKE_TIME,
            "FAKETIME_TIMESTAMP_FILE": self.folder / "clock",
            "FAKETIME_CACHE_DURATION": 1,
            "FAKETIME_DONT_FAKE_MONOTONIC": 1,
        }
        return ("env", *(f"{name}={value}" for name, value in variables.items()), *super().program)


@pytest.mark.skipif(FAKE_TIME is None, reason="libfaketime is not installed")
async def test_clock_jumps_neither_lose_nor_create_credits(origin: Origin, postgres: Postgres, tmp_path: Path) -> None:
    url = await postgres.database()
    dice = random.Random(43)
    async with cluster_of(tmp_path, origin, url, kind=Jumping) as (cluster, _):
        load = Load(cluster, origin)
        async with load.running():
            for _ in range(ROUNDS):
                clock = dice.choice(cluster.servers).folder / "clock"
                (clock.with_suffix(".new")).write_text(dice.choice(["-1h", "+1h", "+0"]))
                clock.with_suffix(".new").rename(clock)
                await asyncio.sleep(1 + dice.random())
                await load.wait_for(CALLERS)
        for server in cluster.servers:
            assert await server.stop() == 0
    assert load.broken == 0
    assert set(load.statuses) == {200}, load.statuses
    await _check_books(url, load)


async def test_lost_connections_to_postgresql_neither_lose_nor_create_credits(
    origin: Origin, postgres: Postgres, tmp_path: Path
) -> None:
    url = await postgres.database()
    socket = Path(await _read_setting(url, "unix_socket_directories"))
    (tmp_path / "relay").mkdir()
    dice = random.Random(42)
    async with Relay(tmp_path / "relay", socket) as relay:
        relayed = f"{url.partition('?')[0]}?host={tmp_path / 'relay'}"
        async with cluster_of(tmp_path, origin, relayed) as (cluster, _):
            load = Load(cluster, origin)
            async with load.running():
                for number in range(ROUNDS):
                    await asyncio.sleep(dice.random())
                    if number % 2:
                        relay.lose_commit = True
                        await asyncio.sleep(1)
                    else:
                        relay.go_away()
                        await asyncio.sleep(dice.random())
                    relay.lose_commit = relay.away = False
                    await load.wait_for(CALLERS)
            lost = relay.lost
            for server in cluster.servers:
                assert await server.stop() == 0
    assert lost > 0
    assert set(load.statuses) <= {200, 502, 503, 504}, load.statuses
    await _check_books(url, load)


async def _check_books(url: str, load: Load) -> None:
    """Check that each stored result was charged once, and that every other hold is refunded after its server has been
    silent.
    """
    held, balance, stored = await _read_books(url)
    assert balance + held + stored == GRANTED
    assert stored >= load.charged
    later = ManualClock(datetime.now(UTC) + SILENCE + timedelta(seconds=1))
    database = await open_database(Settings(database_url=url), migrate=False)
    try:
        ledger = Ledger(database, later, "in_another")
        await ledger.sweep()
        assert await ledger.verify() == []
    finally:
        await database.close()
    assert await _read_books(url) == (0, GRANTED - stored, stored)


_BOOKS = """
    SELECT (SELECT COALESCE(SUM(amount), 0) FROM open_holds), (SELECT SUM(balance) FROM accounts),
        (SELECT COUNT(*) FROM conversions)"""


async def _read_books(url: str) -> tuple[int, int, int]:
    """Return the credits held, the accounts' credits, and the stored conversions of one credit each."""
    connection = await asyncpg.connect(url)
    try:
        row = await connection.fetchrow(_BOOKS)
    finally:
        await connection.close()
    assert row is not None
    return int(row[0]), int(row[1]), int(row[2])


async def _read_setting(url: str, name: str) -> str:
    connection = await asyncpg.connect(url)
    try:
        return str(await connection.fetchval(f"SHOW {name}"))
    finally:
        await connection.close()


def _list_descendants(pid: int) -> set[int]:
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        try:
            tasks = list(Path(f"/proc/{parent}/task").iterdir())
            children = {int(each) for task in tasks for each in (task / "children").read_text().split()}
        except (FileNotFoundError, ProcessLookupError):
            continue
        found |= children
        waiting += children
    return found
