"""Statements for clients: store, find and delete them."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.storage import Operation

UNUSED = timedelta(days=7)
"""Age after which a client without a grant is deleted."""
UNUSED_WHEN_FULL = timedelta(hours=1)
"""Age after which a client without a grant is deleted when the maximum number of clients is reached.

Mass registration therefore blocks other clients for at most this long.
"""
SWEEP_BATCH = 200

_FIND = "SELECT id, name, about, secret_digest, fresh_until FROM oauth_clients WHERE id = :id"
_KEEP = """
    INSERT INTO oauth_clients (id, name, about, secret_digest, created_at, fresh_until, used_at)
    SELECT CAST(:id AS TEXT), CAST(:name AS TEXT), CAST(:about AS TEXT), CAST(:secret AS TEXT), CAST(:now AS BIGINT),
        CAST(:until AS BIGINT), CAST(:now AS BIGINT)
    WHERE (SELECT COUNT(*) FROM oauth_clients) < CAST(:most AS BIGINT)
        OR EXISTS (SELECT 1 FROM oauth_clients WHERE id = CAST(:id AS TEXT))
    ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, about = excluded.about, fresh_until = excluded.fresh_until, used_at = excluded.used_at
    RETURNING id"""
_SWEEP = """
    DELETE FROM oauth_clients WHERE id IN (
        SELECT id FROM oauth_clients WHERE used_at < :before
            AND NOT EXISTS (SELECT 1 FROM oauth_grants WHERE client_id = oauth_clients.id)
            AND NOT EXISTS (SELECT 1 FROM oauth_codes WHERE client_id = oauth_clients.id)
        ORDER BY used_at LIMIT :batch) RETURNING id"""


@dataclass(frozen=True, slots=True)
class ClientRow:
    """A stored client. `about` contains the rest of its metadata as JSON."""

    id: str
    name: str
    about: str
    secret_digest: str | None
    fresh_until: datetime | None


def find(id: str) -> Operation[ClientRow | None]:
    rows = yield _FIND, {"id": id}
    if not rows:
        return None
    id, name, about, secret_digest, fresh_until = rows[0]
    return ClientRow(id, name, about, secret_digest, None if fresh_until is None else from_epoch_ms(fresh_until))


def keep(
    id: str, name: str, about: str, secret_digest: str | None, now: datetime, fresh_until: datetime | None, most: int
) -> Operation[bool]:
    """Add or renew a client. Return False if there are `most` clients and none can be deleted."""
    values = {
        "id": id,
        "name": name,
        "about": about,
        "secret": secret_digest,
        "now": epoch_ms(now),
        "until": None if fresh_until is None else epoch_ms(fresh_until),
        "most": most,
    }
    if (yield _KEEP, values):
        return True
    if not (yield _SWEEP, {"before": epoch_ms(now - UNUSED_WHEN_FULL), "batch": SWEEP_BATCH}):
        return False
    return bool((yield _KEEP, values))


def sweep(now: datetime) -> Operation[bool]:
    """Delete a batch of clients without grants. Return whether more may be left."""
    rows = yield _SWEEP, {"before": epoch_ms(now - UNUSED), "batch": SWEEP_BATCH}
    return len(rows) == SWEEP_BATCH
