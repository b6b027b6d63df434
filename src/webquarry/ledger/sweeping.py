"""Holds whose server is gone: found here, refunded by the ledger.

SQLite has one server at a time (the folder lock), so at its start every hold of another instance is abandoned. On
PostgreSQL servers heartbeat, and a hold is abandoned when its instance has been silent for longer than any call
may take. On both a server's own hold is abandoned when it is older than that.

Heartbeats carry the clock of who writes them, and clocks of servers differ: so a server that keeps house also times on
its own how long those of the others have not moved (`Ledger.watch`), and takes for dead only who is silent by both.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from webquarry.core.clock import epoch_ms
from webquarry.core.types import GIVEN_UP_AFTER_S
from webquarry.storage import Operation

SILENCE = timedelta(seconds=GIVEN_UP_AFTER_S)
"""The largest deadline of a call, and what storing its answer may take."""
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
    """Say that the instance lives; forget those that have not for long."""
    yield _HEARTBEAT, {"id": instance, "now": epoch_ms(now)}
    yield _FORGET, {"before": epoch_ms(now - FORGET_INSTANCES)}


def list_heartbeats() -> Operation[dict[str, int]]:
    """The last heartbeat of each instance, by its id, on that instance's clock."""
    rows = yield _HEARTBEATS, {}
    return {row[0]: row[1] for row in rows}


def find_abandoned(
    instance: str, now: datetime, *, shared: bool, alive: Collection[str] = ()
) -> Operation[list[tuple[str, str]]]:
    """(hold id, account id) of abandoned holds, oldest first, at most one batch. alive: others that are, whatever the
    clocks say."""
    sql, others = (_ABANDONED_SHARED, {"alive": [*alive]}) if shared else (_ABANDONED_ALONE, {})
    rows = yield sql, {"instance": instance, "before": epoch_ms(now - SILENCE), "batch": SWEEP_BATCH, **others}
    return [(hold_id, account_id) for hold_id, account_id in rows]
