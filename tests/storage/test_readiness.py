"""Results of /readyz for full stores and for unavailable shared services."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from support.clock import ManualClock
from support.processes import no_more_files
from support.redis import redis_server
from webquarry.app import assemble
from webquarry.core.clock import SystemClock
from webquarry.core.errors import Overloaded
from webquarry.core.settings import Settings
from webquarry.ledger import Ledger
from webquarry.storage import readiness, sqlite
from webquarry.storage.readiness import Readiness

ROOM_PAGES = 8


@pytest.fixture
def fill(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Limit every store opened afterwards to a few more pages. SQLite then reports a full disk."""
    connect = sqlite._connect

    def limited(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + ROOM_PAGES}")
        return connection

    return lambda: monkeypatch.setattr(sqlite, "_connect", limited)


async def hold_until_full(ledger: Ledger, account_id: str) -> None:
    for n in range(1000):
        await ledger.hold(account_id, 1, request_id=f"{n}" * 500, endpoint="e")


async def test_full_store_is_not_ready_and_charges_nothing(tmp_path: Path, fill: Callable[[], None]) -> None:
    settings = Settings(data_dir=tmp_path)
    async with assemble(settings, serving=True) as service:
        account, _ = await service.accounts.create("someone@example.com", 10_000)
        assert await service.missing() is None
    fill()
    async with assemble(settings, serving=True) as service:
        with pytest.raises(Overloaded):
            await hold_until_full(service.ledger, account.id)
        assert await service.missing() == (
            "The database can't be written to. Check that its server is running and that its disk is not full."
        )
        assert await service.ledger.verify() == []


async def test_process_without_free_descriptors_is_not_ready(tmp_path: Path) -> None:
    async def write() -> None:
        pass

    clock = ManualClock()
    ready = Readiness(clock, tmp_path, write, None)
    with no_more_files():
        assert await ready.missing() == (
            "The process can't open more files or connections. Its limit (ulimit -n) may be too low."
        )
    clock.advance(3)
    assert await ready.missing() is None


async def test_nearly_full_disk_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def write() -> None:
        pass

    assert await Readiness(SystemClock(), tmp_path, write, None).missing() is None
    monkeypatch.setattr(readiness, "MIN_FREE_BYTES", 1 << 60)
    text = await Readiness(SystemClock(), tmp_path, write, None).missing()
    assert text is not None
    assert "The data folder's disk is full" in text


async def test_store_is_checked_every_few_seconds_at_most(tmp_path: Path) -> None:
    clock, asked = ManualClock(), 0

    async def write() -> None:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise Overloaded

    verdicts = []
    tried = Readiness(clock, tmp_path, write, None)
    for seconds in (0, 1, 1.5, 1, 1.5):
        clock.advance(seconds)
        verdicts.append(await tried.missing() is None)
    assert (verdicts, asked) == ([True, True, False, False, True], 3)


async def test_service_without_its_redis_is_not_ready_and_overloaded(tmp_path: Path) -> None:
    with redis_server() as url:
        settings = Settings(data_dir=tmp_path, redis_url=url)
        stack = assemble(settings, serving=True)
        service = await stack.__aenter__()
        assert await service.missing() is None
    try:
        service.readiness._judged_at = None
        assert "WEBQUARRY_REDIS_URL) does not respond" in (await service.missing() or "")
        with pytest.raises(Overloaded, match="is unavailable"):
            await service.limiter.take("key")
        with pytest.raises(Overloaded, match="coordinate requests"):
            await service.pipeline._flights.board("question")
    finally:
        await stack.__aexit__(None, None, None)
