"""A server that is killed while handling requests loses no credit and creates none."""

import asyncio
import sys
from pathlib import Path

from conftest import Store
from support.clock import ManualClock
from webquarry.accounts import Accounts
from webquarry.core.clock import SystemClock
from webquarry.ledger import Ledger
from webquarry.storage import Database
from webquarry.storage.database import query

VICTIM = Path(__file__).with_name("victim.py")
GRANTED = 1_000_000
ROUNDS = 3


async def one(database: Database, sql: str) -> int:
    rows = await database.read(lambda: query(sql, {}))
    return int(rows[0][0] or 0)


async def kill_in_the_middle(store: Store, account_ids: list[str], calls: int) -> None:
    """Run a victim until it has ended at least `calls` requests, then kill it."""
    arguments = store.settings.model_dump_json(include={"data_dir", "database_url"})
    victim = await asyncio.create_subprocess_exec(
        sys.executable, str(VICTIM), arguments, *account_ids, stdout=asyncio.subprocess.PIPE
    )
    assert victim.stdout is not None
    try:
        async with asyncio.timeout(30):
            while int(await victim.stdout.readline()) < calls:
                pass
    finally:
        victim.kill()
        await victim.wait()


async def test_a_killed_server_neither_loses_nor_creates_credits(store: Store) -> None:
    database = await store.open()
    accounts = Accounts(database, SystemClock())
    ids = [(await accounts.create(f"{n}@example.com", GRANTED))[0].id for n in range(2)]
    charged = (
        "SELECT -CAST(SUM(amount) AS BIGINT) FROM ledger "
        "WHERE kind <> 'grant' AND hold_id NOT IN (SELECT hold_id FROM open_holds)"
    )
    for round in range(ROUNDS):
        await kill_in_the_middle(store, ids, 50 * (1 + round))
        if database.shared:  # the victim's last transaction may still be ending
            await database.write(lambda: query("LOCK TABLE open_holds", {}))
        in_flight = await one(database, "SELECT COUNT(*) FROM open_holds")
        assert in_flight > 0

        # every credit belongs to its account, is held, or was paid for a stored result
        held = await one(database, "SELECT CAST(SUM(amount) AS BIGINT) FROM open_holds")
        paid = await one(database, charged)
        balances = await one(database, "SELECT CAST(SUM(balance) AS BIGINT) FROM accounts")
        assert balances + held + paid == 2 * GRANTED
        without_answer = (
            "SELECT COUNT(*) FROM ledger WHERE kind = 'settle' AND hold_id NOT IN (SELECT id FROM conversions)"
        )
        assert await one(database, without_answer) == 0

        # the next start, after the silence that PostgreSQL waits for
        next_start = Ledger(database, ManualClock(SystemClock().now()), f"next {round}")
        assert await next_start.verify() == []
        later = ManualClock(SystemClock().now())
        later.advance(151)
        assert await Ledger(database, later, f"next {round}").sweep() == in_flight
        assert await one(database, "SELECT COUNT(*) FROM open_holds") == 0
        assert await one(database, "SELECT CAST(SUM(balance) AS BIGINT) FROM accounts") == balances + held
        assert await next_start.verify() == []
