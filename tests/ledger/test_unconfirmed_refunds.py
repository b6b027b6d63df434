"""An error is never charged, not even if the store had charged and its response was lost."""

import asyncio
import errno
import shutil
import tempfile
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from support.clock import ManualClock
from support.postgres import Postgres
from support.relay import Relay
from webquarry.accounts import Accounts
from webquarry.core.errors import Overloaded
from webquarry.core.settings import Settings
from webquarry.ledger import Hold, Ledger, Maintenance, Receipt
from webquarry.storage import Database, open_database, postgres
from webquarry.storage.conversions import Conversion, Conversions


class Books:
    """A ledger behind a relay, and an account of ten credits."""

    def __init__(self, database: Database, relay: Relay, folder: Path) -> None:
        self.database = database
        self.relay = relay
        self.clock = ManualClock()
        self.folder = folder
        self.ledger = self.another()

    def another(self, name: str = "one") -> Ledger:
        return Ledger(self.database, self.clock, name, unconfirmed_refunds=self.folder)

    async def hold(self) -> Hold:
        account, _ = await Accounts(self.database, self.clock).create("someone@example.com", 10)
        return await self.ledger.hold(account.id, 3, request_id="req", endpoint="e")

    def receipt(self, hold: Hold) -> Receipt:
        return Receipt("req", hold.account_id, "e", "overloaded", None, "Busy.", (), self.clock.now())

    def answer(self) -> Conversion:
        now = self.clock.now()
        return Conversion("cv_1", "e", 1, None, None, now, None, now, None, None, b"{}", b"")

    async def settle_unheard(self, hold: Hold) -> None:
        """Settle. The store commits, its response is lost, and the store becomes unavailable. The caller receives an
        error.
        """
        self.relay.lose_commit = True
        with pytest.raises(Overloaded):
            await self.ledger.settle(hold, 2, self.answer())
        assert self.relay.lost == 1
        await self.ledger.refund_surely(hold, self.receipt(hold))

    async def check(self, ledger: Ledger, hold: Hold, balance: int) -> None:
        assert await ledger.balance(hold.account_id) == balance
        assert await ledger.verify() == []


@pytest.fixture
async def books(postgres_server: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Books]:
    monkeypatch.setattr(postgres, "PATIENCE_S", 0.2)
    url = await postgres_server.database()
    to = Path(parse_qs(urlsplit(url).query)["host"][0])
    folder = Path(tempfile.mkdtemp(prefix="wqrl-", dir="/tmp"))  # a socket's path is short
    try:
        async with Relay(folder, to) as relay:
            through = url.replace(quote(str(to), safe=""), quote(str(folder), safe=""))
            database = await open_database(Settings(database_url=through), migrate=False)
            try:
                yield Books(database, relay, tmp_path / "doubts")
            finally:
                relay.away = False
                await database.close()
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def postgres_server(request: pytest.FixtureRequest) -> Postgres:
    server: Postgres = request.getfixturevalue("postgres")
    return server


async def test_unconfirmed_charge_is_refunded_when_the_store_is_available_again(books: Books) -> None:
    hold = await books.hold()
    await books.settle_unheard(hold)
    assert books.ledger.unconfirmed_refunds == 1
    books.relay.away = False
    assert await books.ledger.balance(hold.account_id) == 8  # the hold was charged
    for resolved in (1, 0):
        assert await books.ledger.resolve() == resolved
        await books.check(books.ledger, hold, 10)
    assert [receipt.code for receipt in await books.ledger.receipts(hold.account_id, "req")] == ["overloaded"]
    assert books.ledger.unconfirmed_refunds == 0
    assert list(books.folder.iterdir()) == []


async def test_next_process_makes_unconfirmed_refunds(books: Books) -> None:
    hold = await books.hold()
    await books.settle_unheard(hold)
    books.relay.away = False
    for name in ("two", "three"):  # the second process finds no work left
        heir = books.another(name)
        maintenance = Maintenance(heir, Conversions(books.database), books.clock, keep_receipts=timedelta(days=1))
        await maintenance.begin()
        await books.check(heir, hold, 10)
        assert heir.unconfirmed_refunds == 0
    await books.ledger.resolve()  # the first process would not find any work either
    await books.check(books.ledger, hold, 10)


async def test_refund_stays_unconfirmed_while_the_store_is_unavailable(books: Books) -> None:
    hold = await books.hold()
    await books.settle_unheard(hold)
    with pytest.raises(Overloaded):
        await books.ledger.resolve()
    assert books.ledger.unconfirmed_refunds == 1


async def test_hold_that_was_never_settled_is_refunded_with_its_receipt(books: Books) -> None:
    hold = await books.hold()
    books.relay.go_away()
    await books.ledger.refund_surely(hold, books.receipt(hold))
    assert books.ledger.unconfirmed_refunds == 1
    books.relay.away = False
    await books.ledger.resolve()
    await books.check(books.ledger, hold, 10)
    assert len(await books.ledger.receipts(hold.account_id, "req")) == 1


async def test_full_disk_leaves_no_partial_file_of_an_unconfirmed_refund(
    books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = await books.hold()

    def refuse(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    books.relay.go_away()
    await books.ledger.refund_surely(hold, books.receipt(hold))
    assert (books.ledger.unconfirmed_refunds, list(books.folder.iterdir())) == (1, [])


async def test_caller_gets_the_error_before_the_refund_is_confirmed(
    books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webquarry.ledger.ledger.CONFIRM_WITHIN_S", 0.0)
    monkeypatch.setattr(postgres, "PATIENCE_S", 3600.0)
    hold = await books.hold()
    books.relay.go_away()
    async with asyncio.timeout(20):
        await books.ledger.refund_surely(hold, books.receipt(hold))
    assert books.ledger.unconfirmed_refunds == 1
    books.relay.away = False
    await books.ledger.resolve()  # after the refund that still waited
    await books.check(books.ledger, hold, 10)
    assert len(await books.ledger.receipts(hold.account_id, "req")) == 1


async def test_each_write_has_its_own_time_limit(books: Books, monkeypatch: pytest.MonkeyPatch) -> None:
    async def one() -> None:
        await books.ledger.heartbeat()

    books.relay.go_away()
    first, second = asyncio.create_task(one()), asyncio.create_task(one())
    await asyncio.sleep(0)
    monkeypatch.setattr(postgres, "PATIENCE_S", 3600.0)  # for everything queued from now on
    patient = asyncio.create_task(one())
    async with asyncio.timeout(20):
        for impatient in (first, second):
            with pytest.raises(Overloaded):
                await impatient
    assert not patient.done()
    books.relay.away = False
    await patient


async def test_closing_does_not_wait_for_an_unreachable_server(books: Books, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "PATIENCE_S", 3600.0)
    monkeypatch.setattr(postgres, "CLOSE_TIMEOUT_S", 3600.0)
    books.relay.go_away()
    waiting = asyncio.create_task(books.ledger.heartbeat())
    await asyncio.sleep(0)
    async with asyncio.timeout(20):
        await books.database.close()
        with pytest.raises(Overloaded):
            await waiting


async def test_unreadable_file_is_skipped(books: Books) -> None:
    books.folder.mkdir()
    (books.folder / "x.json").write_text("{}")
    await books.ledger.load_unconfirmed_refunds()
    assert books.ledger.unconfirmed_refunds == 0
