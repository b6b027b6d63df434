"""Usage: the cost of an account's requests, computed from its ledger rows. A request is a hold with its closing row."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal, get_args

from webquarry.core.clock import end_of_day, epoch_ms, from_epoch_ms
from webquarry.storage import Operation

Status = Literal["charged", "refunded", "open", "granted"]
STATUSES: tuple[Status, ...] = get_args(Status)
Place = tuple[int, int]
"""Position of an entry in chronological order: milliseconds since 1970, and the row number."""


@dataclass(frozen=True, slots=True)
class Period:
    """A period from `begins`, inclusive, to `ends`, exclusive."""

    begins: datetime
    ends: datetime


def last_days(now: datetime, days: int) -> Period:
    """Return the period of the last `days` days, including today (UTC)."""
    ends = end_of_day(now.astimezone(UTC).date())
    return Period(ends - timedelta(days=days), ends)


@dataclass(frozen=True, slots=True)
class DayUsage:
    """Requests to one endpoint on one day (UTC). `credits` counts charges of finished requests."""

    day: date
    endpoint: str
    credits: int
    calls: int
    refunded: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A request with a hold, or a grant.

    `amount` is the change of the balance, negative for a request. `held` is the number of credits that were reserved.
    `request_id`, `endpoint` and `key_id` are set for requests.
    """

    place: Place
    at: datetime
    status: Status
    amount: int
    held: int
    endpoint: str | None
    request_id: str | None
    key_id: str | None
    note: str | None


@dataclass(frozen=True, slots=True)
class AccountUsage:
    """Totals of an account's requests."""

    account_id: str
    credits: int
    calls: int
    refunded: int


# uses the index of holds to find the closing row, and the index of grants to find the correction
_DAYS = """
    SELECT day, endpoint, CAST(SUM(charged) AS BIGINT), COUNT(*), CAST(SUM(refunded) AS BIGINT)
    FROM (
        SELECT h.created_at / 86400000 AS day, h.endpoint AS endpoint,
            CASE WHEN c.kind IS NULL THEN 0 ELSE -h.amount - c.amount - COALESCE(g.amount, 0) END AS charged,
            CASE WHEN c.kind = 'refund' OR g.amount IS NOT NULL THEN 1 ELSE 0 END AS refunded
        FROM ledger h
            LEFT JOIN ledger c ON c.hold_id = h.hold_id AND c.kind IN ('settle', 'refund')
            LEFT JOIN ledger g ON g.request_id = 'correction:' || h.hold_id AND g.kind = 'grant'
        WHERE h.account_id = :account_id AND h.kind = 'hold'
            AND h.created_at >= :begins AND h.created_at < :ends
            AND (CAST(:endpoint AS TEXT) IS NULL OR h.endpoint = :endpoint)
            AND (CAST(:key_id AS TEXT) IS NULL OR h.key_id = :key_id)
    ) calls
    GROUP BY day, endpoint ORDER BY day, endpoint"""
_ENTRIES = """
    SELECT created_at, seq, status, amount, held, endpoint, request_id, key_id, note
    FROM (
        SELECT h.created_at, h.seq, h.amount + COALESCE(c.amount, 0) + COALESCE(g.amount, 0) AS amount,
            CASE WHEN h.kind = 'grant' THEN 'granted' WHEN c.kind IS NULL THEN 'open'
                WHEN c.kind = 'refund' OR g.amount IS NOT NULL THEN 'refunded' ELSE 'charged' END AS status,
            CASE WHEN h.kind = 'hold' THEN -h.amount ELSE 0 END AS held,
            h.endpoint, CASE WHEN h.kind = 'hold' THEN h.request_id END AS request_id, h.key_id,
            COALESCE(g.note, c.note, h.note) AS note
        FROM ledger h
            LEFT JOIN ledger c ON c.hold_id = h.hold_id AND c.kind IN ('settle', 'refund')
            LEFT JOIN ledger g ON g.request_id = 'correction:' || h.hold_id AND g.kind = 'grant'
        WHERE h.account_id = :account_id AND (h.kind = 'hold' OR (h.kind = 'grant' AND h.hold_id IS NULL))
            AND h.created_at >= :begins AND h.created_at < :ends
            AND (h.created_at, h.seq) < (:before_at, :before_seq)
            AND (CAST(:endpoint AS TEXT) IS NULL OR h.endpoint = :endpoint)
            AND (CAST(:key_id AS TEXT) IS NULL OR h.key_id = :key_id)
    ) entries
    WHERE CAST(:status AS TEXT) IS NULL OR status = :status
    ORDER BY created_at DESC, seq DESC LIMIT :batch"""
# query one account at a time, which uses the index, because the whole ledger spans years
_ACCOUNTS = "SELECT id FROM accounts ORDER BY id"
_TOTAL = """
    SELECT CAST(SUM(CASE WHEN c.kind IS NULL THEN 0
            ELSE -h.amount - c.amount - COALESCE(g.amount, 0) END) AS BIGINT),
        COUNT(*), CAST(SUM(CASE WHEN c.kind = 'refund' OR g.amount IS NOT NULL THEN 1 ELSE 0 END) AS BIGINT)
    FROM ledger h
        LEFT JOIN ledger c ON c.hold_id = h.hold_id AND c.kind IN ('settle', 'refund')
        LEFT JOIN ledger g ON g.request_id = 'correction:' || h.hold_id AND g.kind = 'grant'
    WHERE h.account_id = :account_id AND h.kind = 'hold' AND h.created_at >= :begins AND h.created_at < :ends"""
_SPENT = """
    SELECT key_id, spent FROM spending
    WHERE month = :month AND (key_id IN (SELECT id FROM api_keys WHERE account_id = :account_id)
        OR key_id IN (SELECT 'grant:' || id FROM oauth_grants WHERE account_id = :account_id))"""
_END = (2**62, 0)


def read_days(
    account_id: str, period: Period, *, endpoint: str | None = None, key_id: str | None = None
) -> Operation[list[DayUsage]]:
    """Return the charges in the period, grouped by day and endpoint, optionally for one endpoint or key only."""
    rows = yield _DAYS, {"account_id": account_id, **_bounds(period), "endpoint": endpoint, "key_id": key_id}
    return [DayUsage(_day(row[0]), row[1], row[2], row[3], row[4]) for row in rows]


def read_entries(
    account_id: str,
    period: Period,
    *,
    status: Status | None = None,
    endpoint: str | None = None,
    key_id: str | None = None,
    before: Place | None = None,
    batch: int,
) -> Operation[list[Entry]]:
    """Return the newest matching entries of the period, optionally only entries before a position."""
    at, seq = before or _END
    rows = yield (
        _ENTRIES,
        {
            "account_id": account_id,
            **_bounds(period),
            "status": status,
            "endpoint": endpoint,
            "key_id": key_id,
            "before_at": at,
            "before_seq": seq,
            "batch": batch,
        },
    )
    return [Entry((row[0], row[1]), from_epoch_ms(row[0]), *row[2:]) for row in rows]


def read_by_account(period: Period, account_ids: Sequence[str] | None) -> Operation[list[AccountUsage]]:
    """Return each account's charges in the period, for these accounts (default: all). Accounts without requests are
    omitted.
    """
    if account_ids is None:
        account_ids = [id for (id,) in (yield _ACCOUNTS, {})]
    used = []
    for account_id in account_ids:
        [(credits, calls, refunded)] = yield _TOTAL, {"account_id": account_id, **_bounds(period)}
        if calls:
            used.append(AccountUsage(account_id, credits, calls, refunded))
    return used


def read_spending(account_id: str, month: int) -> Operation[dict[str, int]]:
    """Return the spending of the account's keys and connected apps in a month, including holds."""
    rows = yield _SPENT, {"account_id": account_id, "month": month}
    return {key_id: int(spent) for key_id, spent in rows}


def _bounds(period: Period) -> dict[str, Any]:
    return {"begins": epoch_ms(period.begins), "ends": epoch_ms(period.ends)}


def _day(number: int) -> date:
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=number)).date()
