"""Holds whose server is gone: found here, refunded by the ledger.

SQLite has one server at a time (the folder lock), so at its start every hold of another instance is abandoned. On
PostgreSQL servers heartbeat, and a hold is abandoned when its instance has been silent for longer than any call
may take. On both a server's own hold is abandoned when it is older than that.
"""

from datetime import datetime, timedelta

from webquarry.clock import epoch_ms
from webquarry.storage import Operation
from webquarry.types import GIVEN_UP_AFTER_S

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
    ORDER BY created_at LIMIT :batch"""


def heartbeat(instance: str, now: datetime) -> Operation[None]:
    """Say that the instance lives; forget those that have not for long."""
    yield _HEARTBEAT, {"id": instance, "now": epoch_ms(now)}
    yield _FORGET, {"before": epoch_ms(now - FORGET_INSTANCES)}


def find_abandoned(instance: str, now: datetime, *, shared: bool) -> Operation[list[tuple[str, str]]]:
    """(hold id, account id) of abandoned holds, oldest first, at most one batch."""
    sql = _ABANDONED_SHARED if shared else _ABANDONED_ALONE
    rows = yield sql, {"instance": instance, "before": epoch_ms(now - SILENCE), "batch": SWEEP_BATCH}
    return [(hold_id, account_id) for hold_id, account_id in rows]
