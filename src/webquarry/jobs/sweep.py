"""Repairs that start from the rows: of lanes that the queue has lost, of items of canceled jobs, and of jobs whose key
or account no longer exists.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from webquarry.core.background import try_round
from webquarry.core.clock import Clock, epoch_ms
from webquarry.jobs import pace, table
from webquarry.jobs.port import Queue
from webquarry.jobs.records import LANE
from webquarry.storage import Database, Operation

EVERY_S: Final = 30.0
STALE: Final = timedelta(hours=1)
"""Age of a job whose items were never completely stored, after which it is deleted."""

_LANES = """
    SELECT DISTINCT i.lane FROM jobs j JOIN job_items i ON i.job_id = j.id AND i.state IN ('ready', 'taken')
    WHERE j.state = 'running'"""
_UNSTOPPED = """
    SELECT id FROM jobs WHERE state = 'cancelled' AND EXISTS (
        SELECT 1 FROM job_items i WHERE i.job_id = jobs.id AND i.state IN ('ready', 'taken')) LIMIT 10"""
_HALT = """
    UPDATE jobs SET state = 'paused', reason = 'key' WHERE state = 'running' AND (
        EXISTS (SELECT 1 FROM api_keys k WHERE k.id = jobs.key_id AND (k.revoked_at <= :now OR k.expires_at <= :now))
        OR EXISTS (SELECT 1 FROM accounts a WHERE a.id = jobs.account_id AND a.disabled_at IS NOT NULL))
    RETURNING id"""
_EXPIRE = """
    UPDATE jobs SET expires_at = :now WHERE expires_at > :now AND account_id IN (
        SELECT id FROM accounts WHERE deleted_at IS NOT NULL)"""


_OPEN = """
    SELECT state, COUNT(*), CAST(COALESCE(SUM(items - done - failed - stopped), 0) AS BIGINT) FROM jobs
    WHERE state IN ('running', 'paused') GROUP BY state"""


@dataclass(frozen=True, slots=True)
class Load:
    """Open jobs of all servers, at the last round: jobs and items that have not ended, by state, and resting lanes."""

    jobs: dict[str, int] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    resting: int = 0


class Repairs:
    """Repairs jobs every 30 seconds, and deletes expired ones.

    counts: what was repaired since the start: `lanes` that no queue knew, `cancelled` jobs with open items, and jobs
    that were `paused` because of their key or account.
    """

    def __init__(self, database: Database, queue: Queue, clock: Clock) -> None:
        self._database = database
        self._queue = queue
        self._clock = clock
        self.counts: Counter[str] = Counter(lanes=0, cancelled=0, paused=0)
        self.load = Load()

    async def run(self) -> None:
        """Repair forever. A round that fails is skipped."""
        while True:
            await try_round("jobs.repairs", self.round())
            await asyncio.sleep(EVERY_S)

    async def round(self) -> None:
        """Put each lane that has open items, and finish interrupted work."""
        now = self._clock.now()
        self.counts["paused"] += await self._database.write(partial(_halt, now))
        for job_id in await self._database.read(_list_unstopped):
            while await self._database.write(partial(table.stop_rows, job_id, now)):
                pass
            self.counts["cancelled"] += 1
        await self._database.write(partial(pace.forget, now))
        self.counts["lanes"] += await self._queue.put(LANE, *await self._database.read(_list_lanes))
        self.load = await self._database.read(partial(_read_load, now))

    async def drop_expired(self) -> bool:
        """Delete a batch of the rows of an expired job. Return whether more may be left."""
        now = self._clock.now()
        job_id = await self._database.read(partial(table.find_expired, now, now - STALE))
        if job_id is None:
            return False
        await self._database.write(partial(table.drop, job_id))
        return True


def _halt(now: datetime) -> Operation[int]:
    """Pause jobs whose key or account may make no requests any more. Return how many there were.

    Jobs of deleted accounts expire.
    """
    halted = yield _HALT, {"now": epoch_ms(now)}
    for (job_id,) in halted:
        yield from table.announce_state(job_id, now)
    yield _EXPIRE, {"now": epoch_ms(now)}
    return len(halted)


def _read_load(now: datetime) -> Operation[Load]:
    rows = yield _OPEN, {}
    resting = yield from pace.count_resting(now)
    return Load({state: jobs for state, jobs, _ in rows}, {state: items for state, _, items in rows}, resting)


def _list_lanes() -> Operation[list[str]]:
    rows = yield _LANES, {}
    return [lane for (lane,) in rows]


def _list_unstopped() -> Operation[list[str]]:
    rows = yield _UNSTOPPED, {}
    return [id for (id,) in rows]
