"""Stored data is deleted in time: after more than a year of activity, each table has only the rows of its retention
period.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from conftest import Store
from support.clock import ManualClock
from support.year import CALLS_A_MONTH, Life, make_registry
from webquarry.accounts import mail_codes, passkey_records, sessions
from webquarry.accounts.history import KEPT as PLAYGROUND_CALLS
from webquarry.app import assemble, make_maintenance
from webquarry.core.settings import Settings
from webquarry.ledger import Maintenance
from webquarry.ledger.spending import KEPT_MONTHS
from webquarry.ledger.sweeping import FORGET_INSTANCES, SILENCE
from webquarry.logs.figures.records import KEPT_DAYS
from webquarry.net.player import Player
from webquarry.oauth.client_records import UNUSED
from webquarry.oauth.grants import REFRESH_LASTS
from webquarry.oauth.records import KEEP_CODES, KEEP_ENDED
from webquarry.pipeline.entries import PICTURES_KEPT
from webquarry.service import Service
from webquarry.storage.database import query
from webquarry.storage.schema import metadata

DOCS = Path(__file__).parents[2] / "docs/monitoring.md"
HEADING = "## What is stored, and for how long"
MONTH = timedelta(days=31)
MONTHS = 15
"""Number of months, longer than any retention time. Images are kept for a year."""
AUDIT_DAYS = 70
DEFAULTS = Settings()


@dataclass(frozen=True)
class Kept:
    """How long a table's rows are kept.

    words: the wording in the documentation. months: number of latest months whose rows are left at the end of the last
    month, None for all. rows: number of rows left, if it does not follow from `months`.
    """

    words: str
    months: int | None = None
    rows: int | None = None


def days(time: timedelta) -> str:
    return f"{time.days} day" if time.days == 1 else f"{time.days} days"


def seconds(time: timedelta) -> str:
    return f"{int(time.total_seconds())} seconds"


def minutes(time: timedelta) -> str:
    return f"{int(time.total_seconds()) // 60} minutes"


FOR_EVER = "forever"
BY_OWNER = "until the owner"
AUDIT = f"{DEFAULTS.audit_days} days"
REQUESTS = f"{DEFAULTS.request_log_days} days"
RESULTS = f"{DEFAULTS.keep_days} days"
JOBS = "`keep_days` after its start"

TABLES: Mapping[str, Kept] = {
    "accounts": Kept(FOR_EVER),
    "api_keys": Kept(f"{AUDIT} after", months=2),
    "artifacts": Kept(RESULTS, months=0),
    "audit_events": Kept(AUDIT, months=2),
    "conversions": Kept(RESULTS, months=0),
    "daily_figures": Kept(f"{KEPT_DAYS} days", months=timedelta(days=KEPT_DAYS - 1) // MONTH),
    "instances": Kept(days(FORGET_INSTANCES), rows=1),
    "job_items": Kept(JOBS, months=0),
    "jobs": Kept(JOBS, months=0),
    "lanes": Kept("while its items are open", months=0),
    "ledger": Kept(FOR_EVER, rows=1 + 9 * MONTHS),  # the maintenance writes some of them: refunds of abandoned requests
    "mail_codes": Kept(days(mail_codes.LASTS[mail_codes.VERIFY]), months=0),
    "oauth_clients": Kept(f"{days(UNUSED)} after", months=1),
    "oauth_codes": Kept(days(KEEP_CODES), months=0),
    "oauth_grants": Kept(f"{days(KEEP_ENDED)} after", months=1),
    "oauth_tokens": Kept(f"{days(REFRESH_LASTS)}", rows=1),
    "open_holds": Kept(seconds(SILENCE), months=0),
    "passkey_challenges": Kept(minutes(passkey_records.CHALLENGE_LASTS), months=0),
    "passkeys": Kept(BY_OWNER, rows=1),
    "pictures": Kept(days(PICTURES_KEPT), months=PICTURES_KEPT // MONTH),
    "playground_calls": Kept(f"{PLAYGROUND_CALLS} of each account", rows=PLAYGROUND_CALLS),
    "receipts": Kept(RESULTS, months=0),
    "recovery_codes": Kept(BY_OWNER, rows=10),
    "request_log": Kept(REQUESTS, months=0),
    "request_log_gaps": Kept(REQUESTS, months=0),
    "second_factors": Kept(BY_OWNER, rows=1),
    "sessions": Kept(days(sessions.LASTS), months=0),
    "shares": Kept("with the response", months=0),
    "spending": Kept(f"{KEPT_MONTHS} months", months=KEPT_MONTHS),
    "webhook_deliveries": Kept(f"{DEFAULTS.webhook_days} days", months=0),
    "webhooks": Kept(BY_OWNER, rows=1),
}
"""Every table. A new one needs a row here, activity in `support.year`, and a row in the documentation."""


def test_every_table_has_a_retention_time() -> None:
    assert set(TABLES) == set(metadata.tables)


def read_section() -> str:
    return DOCS.read_text().partition(f"\n{HEADING}\n")[2].partition("\n## ")[0]


def test_documentation_has_a_row_for_every_table() -> None:
    tables = read_section().partition("\n| file |")[0]
    rows = dict(re.findall(r"^\| `([a-z_]+)`[^|]*\|([^|]+)\|", tables, re.MULTILINE))
    assert set(rows) == set(TABLES)
    for name, kept in TABLES.items():
        assert kept.words in rows[name], name


async def count_rows(service: Service) -> Counter[str]:
    counts: Counter[str] = Counter()
    for name in metadata.tables:
        rows = await service.database.read(lambda name=name: query(f"SELECT COUNT(*) FROM {name}", {}))  # type: ignore[misc]
        counts[name] = rows[0][0]
    return counts


async def count_wires(service: Service) -> int:
    rows = await service.database.read(lambda: query("SELECT COUNT(*) FROM artifacts WHERE wire IS NOT NULL", {}))
    return int(rows[0][0])


async def pass_time(service: Service, clock: ManualClock, maintenance: Maintenance, time: timedelta) -> None:
    """Let the time pass, then do the maintenance that is due."""
    clock.advance(time.total_seconds())
    await maintenance.begin()
    while await maintenance.round():
        pass
    await service.workshop.repairs.round()


def list_files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


async def test_after_a_year_each_table_has_only_rows_within_its_retention_time(store: Store) -> None:
    clock = ManualClock()
    settings = store.settings.model_copy(
        update={"audit_days": AUDIT_DAYS, "new_account_credits": 1000, "request_log_days": 28}
    )
    made = make_registry()
    async with assemble(settings, serving=True, transport=Player([]), registry=made, clock=clock) as service:
        maintenance, life = make_maintenance(service), Life(service, clock)
        before = first = await count_rows(service)
        files = await asyncio.to_thread(list_files, settings.data_dir)
        added: list[Counter[str]] = []
        for month in range(MONTHS):
            await life.live_a_month(month)
            after = await count_rows(service)
            assert [name for name in TABLES if not after[name]] == []
            assert await count_wires(service) > 0
            added.append(Counter({name: after[name] - before[name] for name in TABLES}))
            await pass_time(service, clock, maintenance, timedelta(hours=settings.keep_wire_hours))
            assert await count_wires(service) == 0
            await pass_time(service, clock, maintenance, MONTH - timedelta(hours=settings.keep_wire_hours))
            before = await count_rows(service)

        expected = {}
        for name, kept in TABLES.items():
            latest = added if kept.months is None else added[MONTHS - kept.months :]
            left = first[name] + sum(each[name] for each in latest)
            expected[name] = left if kept.rows is None else kept.rows
        assert before == expected
        assert MONTHS * CALLS_A_MONTH > PLAYGROUND_CALLS
        assert await service.ledger.verify() == []
        assert await asyncio.to_thread(list_files, settings.data_dir) == files
        assert [name for name in files if f"`{name}`" not in read_section()] == []
