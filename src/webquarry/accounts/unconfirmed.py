"""Deletion of accounts whose email address was never confirmed. Such accounts were never used."""

from datetime import datetime, timedelta

from webquarry.core.clock import epoch_ms
from webquarry.logs.audit import hide_details
from webquarry.storage import Operation

KEPT = timedelta(days=30)
"""Time within which an address can be confirmed. Until then, its owner can request another email."""
BATCH = 200

_UNUSED = """
    verified_at IS NULL AND password_hash IS NOT NULL AND disabled_at IS NULL AND deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM api_keys WHERE account_id = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM sessions WHERE account_id = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM audit_events WHERE account_id = accounts.id AND action <> 'account.created')
    AND NOT EXISTS (SELECT 1 FROM ledger WHERE account_id = accounts.id
        AND (kind <> 'grant' OR request_id <> 'new-' || accounts.id))"""
_FIND = f"SELECT id FROM accounts WHERE created_at < :before AND {_UNUSED} ORDER BY created_at LIMIT :batch"  # noqa: S608  # constants
# an update that changes nothing locks the row against a simultaneous confirmation
_LOCK = f"UPDATE accounts SET balance = balance WHERE id = :id AND {_UNUSED} RETURNING id"  # noqa: S608  # constants
_DELETE = (
    "DELETE FROM mail_codes WHERE account_id = :id",
    "DELETE FROM ledger WHERE account_id = :id",  # the grant that a new account receives
    "DELETE FROM accounts WHERE id = :id",
)


def sweep(now: datetime) -> Operation[bool]:
    """Delete a batch of accounts that were not confirmed within `KEPT`. Return whether more may be left."""
    rows = yield _FIND, {"before": epoch_ms(now - KEPT), "batch": BATCH}
    for (id,) in rows:
        if not (yield _LOCK, {"id": id}):
            continue
        for sql in _DELETE:
            yield sql, {"id": id}
        yield from hide_details(id)
    return len(rows) == BATCH
