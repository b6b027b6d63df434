"""Statements for logged requests: write, find and delete them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import orjson

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.logs.requests.entries import Filter, LoggedRequest, Page
from webquarry.storage import Operation

SWEEP_BATCH = 1000
LOOKED_AT = 50_000
"""Number of requests that one operation examines. This takes about 0.1 s, for which other reads may have to wait."""
Row = tuple[str | int, ...]
"""A request to be stored. See `_STORED`."""
BATCH = 100
"""Maximum number of requests per statement, limited so that other writes need not wait long."""

_STORED = "id, created_at, endpoint, params, status, code, cache, credits, took_ms, request_id, key_id"
"""Columns of a row to be stored, in order. `_NUMBERS` lists the numeric columns."""
_NUMBERS = ("created_at", "status", "credits", "took_ms")
_VALUES = ", ".join(
    f"CAST(item.value ->> {place} AS {'BIGINT' if name in _NUMBERS else 'TEXT'})"
    for place, name in enumerate(_STORED.split(", "))
)
# requests of a deleted account are not stored, because the deletion would miss them
_ADD = f"""
    INSERT INTO request_log (account_id, {_STORED})
    SELECT CAST(:account_id AS TEXT), {_VALUES} FROM {{rows}}
    WHERE EXISTS (SELECT 1 FROM accounts WHERE accounts.id = :account_id AND deleted_at IS NULL)
    ON CONFLICT (id) DO NOTHING"""  # noqa: S608  # names of columns
_ADD_ALONE = _ADD.format(rows="json_each(:rows) AS item")
_ADD_SHARED = _ADD.format(rows="json_array_elements(CAST(:rows AS json)) AS item(value)")
_ADD_GAP = """
    INSERT INTO request_log_gaps (id, account_id, created_at, requests) VALUES (:id, :account_id, :at, :requests)
    ON CONFLICT (id) DO NOTHING"""
_FIND = f"""
    SELECT account_id, {_STORED} FROM request_log
    WHERE account_id = :account_id AND id >= :begins AND id < :ends
        AND (CAST(:endpoint AS TEXT) IS NULL OR endpoint = :endpoint)
        AND status >= :status_from AND status < :status_to
        AND (CAST(:cache AS TEXT) IS NULL OR cache = :cache)
        AND (CAST(:request_id AS TEXT) IS NULL OR request_id = :request_id)
    ORDER BY id DESC LIMIT :batch"""  # noqa: S608  # names of columns
_LAST_LOOKED_AT = """
    SELECT id FROM request_log WHERE account_id = :account_id AND id >= :begins AND id < :ends
    ORDER BY id DESC LIMIT 1 OFFSET :skipped"""
_COUNT_GAPS = """
    SELECT CAST(COALESCE(SUM(requests), 0) AS BIGINT) FROM request_log_gaps
    WHERE account_id = :account_id AND created_at >= :begins AND created_at < :ends"""
_SWEEPS = (
    """DELETE FROM request_log WHERE id IN (
        SELECT id FROM request_log WHERE id < :before ORDER BY id LIMIT :batch) RETURNING 1""",
    """DELETE FROM request_log WHERE id IN (
        SELECT request_log.id FROM accounts CROSS JOIN request_log
        WHERE deleted_at > :deleted_after AND account_id = accounts.id LIMIT :batch) RETURNING 1""",
    """DELETE FROM request_log_gaps WHERE id IN (
        SELECT id FROM request_log_gaps WHERE created_at < :before_ms LIMIT :batch) RETURNING 1""",
)
_LATE = timedelta(days=2)
"""Tolerance for differences between servers' clocks: an account that was deleted this long before the oldest requests
may still have requests.
"""


def make_id(at_ms: int, number: int, writer: str) -> str:
    """Return the id of a writer's request with this number. A writer's ids sort by time, then by number."""
    return f"{at_ms:012x}{number:010x}{writer}"


def write_start(at: datetime) -> str:
    """Return the prefix of the ids of requests at this time."""
    return f"{epoch_ms(at):012x}"


def add(account_id: str, rows: Sequence[Row], *, shared: bool) -> Operation[None]:
    """Store requests of an account. Requests that are already stored are kept."""
    sql = _ADD_SHARED if shared else _ADD_ALONE
    for start in range(0, len(rows), BATCH):
        yield sql, {"account_id": account_id, "rows": orjson.dumps(rows[start : start + BATCH]).decode()}


def add_gap(account_id: str, id: str, at_ms: int, requests: int) -> Operation[None]:
    """Store the number of requests that were not logged."""
    yield _ADD_GAP, {"id": id, "account_id": account_id, "at": at_ms, "requests": requests}


def find(account_id: str, chosen: Filter, before: str | None, batch: int) -> Operation[Page]:
    """Return requests that match, optionally only those before an id. Examines at most `LOOKED_AT` requests."""
    ends = write_start(chosen.ends)
    bounds = {
        "account_id": account_id,
        "begins": write_start(chosen.begins),
        "ends": ends if before is None else min(before, ends),
    }
    status = 100 * int(chosen.status[0]) if chosen.status else 0
    oldest = () if chosen.is_open else (yield _LAST_LOOKED_AT, {**bounds, "skipped": LOOKED_AT - 1})
    if oldest:
        bounds["begins"] = oldest[0][0]
    rows = yield (
        _FIND,
        {
            **bounds,
            "endpoint": chosen.endpoint,
            "status_from": status,
            "status_to": status + 100 if status else 1000,
            "cache": chosen.cache,
            "request_id": chosen.request_id,
            "batch": batch + 1,
        },
    )
    requests = [_from_row(row) for row in rows[:batch]]
    if len(rows) > batch:
        return Page(requests, requests[-1].id)
    return Page(requests, oldest[0][0] if oldest else None)


def count_gaps(account_id: str, chosen: Filter) -> Operation[int]:
    """Return the number of the period's requests that were not logged."""
    bounds = {"begins": epoch_ms(chosen.begins), "ends": epoch_ms(chosen.ends)}
    rows = yield _COUNT_GAPS, {"account_id": account_id, **bounds}
    return int(rows[0][0])


def sweep(before: datetime) -> Operation[bool]:
    """Delete a batch of requests that are older than `before` or belong to deleted accounts.

    Return whether more may be left.
    """
    is_more = False
    values = {
        "before": write_start(before),
        "before_ms": epoch_ms(before),
        "deleted_after": epoch_ms(before - _LATE),
        "batch": SWEEP_BATCH,
    }
    for sql in _SWEEPS:
        rows = yield sql, values
        is_more = is_more or len(rows) == SWEEP_BATCH
    return is_more


def _from_row(row: tuple[Any, ...]) -> LoggedRequest:
    account_id, id, at, *rest = row
    return LoggedRequest(id, account_id, from_epoch_ms(at), *rest)
