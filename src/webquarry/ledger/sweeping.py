"""Detection of holds whose server is dead. The ledger refunds them.

SQLite has one server at a time (the folder lock), so at its start every hold of another instance is abandoned. On
PostgreSQL, servers send heartbeats, and a hold is abandoned when its instance has been silent for longer than any
request may take. On both databases, a server's own hold is abandoned when it is older than any request may be.

Heartbeats carry the time of the server that writes them, and servers' clocks differ. A server therefore also measures
on its own clock how long other servers' heartbeats have not changed (`Ledger.watch`), and treats a server as dead only
if both measurements show that it is silent.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from webquarry.core.clock import epoch_ms
from webquarry.core.types import GIVEN_UP_AFTER_S
from webquarry.storage import Operation

SILENCE = timedelta(seconds=GIVEN_UP_AFTER_S)
"""Maximum silence of a live instance: the longest deadline of a request plus the time to store its result."""
FORGET_INSTANCES = timedelta(days=1)
SWEEP_BATCH = 1000

_HEARTBEAT = """
    INSERT INTO instances (id, started_at, heartbeat_at) VALUES (:id, :now, :now)
    ON CONFLICT (id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at"""
_FORGET = "DELETE FROM instances WHERE heartbeat_at < :before"
_ABANDONED_ALONE = """
    SELECT hold_id, account_id FROM open_holds
    WHERE instance <> :instance OR created_at < :before
    ORDER BY created_at LIMIT :batch"""
_ABANDONED_SHARED = """
    SELECT hold_id, account_id FROM open_holds
    WHERE created_at < :before AND NOT EXISTS (
        SELECT 1 FROM instances
        WHERE instances.id = open_holds.instance AND instances.id <> :instance AND heartbeat_at >= :before)
        AND instance <> ALL(CAST(:alive AS text[]))
    ORDER BY created_at LIMIT :batch"""
_HEARTBEATS = "SELECT id, heartbeat_at FROM instances"


def heartbeat(instance: str, now: datetime) -> Operation[None]:
    """Record the instance's heartbeat. Also delete instances that have been silent for a long time."""
    yield _HEARTBEAT, {"id": instance, "now": epoch_ms(now)}
    yield _FORGET, {"before": epoch_ms(now - FORGET_INSTANCES)}


def list_heartbeats() -> Operation[dict[str, int]]:
    """Return the time of each instance's last heartbeat, on the instance's own clock, by instance id."""
    rows = yield _HEARTBEATS, {}
    return {row[0]: row[1] for row in rows}


def find_abandoned(
    instance: str, now: datetime, *, shared: bool, alive: Collection[str] = ()
) -> Operation[list[tuple[str, str]]]:
    """Return (hold id, account id) of abandoned holds, oldest first, at most one batch.

    `alive` lists other instances that are known to be running, regardless of their clocks.
    """
    sql, others = (_ABANDONED_SHARED, {"alive": [*alive]}) if shared else (_ABANDONED_ALONE, {})
    rows = yield sql, {"instance": instance, "before": epoch_ms(now - SILENCE), "batch": SWEEP_BATCH, **others}
    return [(hold_id, account_id) for hold_id, account_id in rows]
