"""Spending of each key per calendar month (UTC), and checks against its monthly cap.

The sum changes in the same transaction as the balance, after the account's row was locked, so a cap is exact to the
credit, regardless of the number of requests and servers. Refunds are booked to the month of their hold. Sessions and
grants are booked like keys, but only keys have a cap. Sums of the last months are kept; the ledger's rows have the same
information for all time.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.storage import Operation

KEPT_MONTHS = 3
"""Months before the current one whose sums are kept."""
SWEEP_BATCH = 1000


@dataclass(frozen=True, slots=True)
class Capped:
    """A hold that exceeds the key's cap. `spent` is this month's spending, including holds."""

    name: str
    cap: int
    spent: int


_BOOK = """
    INSERT INTO spending (key_id, month, spent)
    SELECT CAST(:key_id AS TEXT), CAST(:month AS BIGINT), CAST(:amount AS BIGINT)
    WHERE NOT EXISTS (SELECT 1 FROM api_keys WHERE id = :key_id AND monthly_cap < :amount)
    ON CONFLICT (key_id, month) DO UPDATE SET spent = spending.spent + excluded.spent
    WHERE NOT EXISTS (
        SELECT 1 FROM api_keys WHERE id = :key_id AND monthly_cap < spending.spent + excluded.spent)
    RETURNING spent"""
_GIVE_BACK = "UPDATE spending SET spent = spent - :amount WHERE key_id = :key_id AND month = :month"
_SWEEP = """
    DELETE FROM spending WHERE (key_id, month) IN
        (SELECT key_id, month FROM spending WHERE month < :first LIMIT :batch) RETURNING month"""
_CAP = """
    SELECT k.name, k.monthly_cap, COALESCE(s.spent, 0)
    FROM api_keys k LEFT JOIN spending s ON s.key_id = k.id AND s.month = :month
    WHERE k.id = :key_id AND k.monthly_cap IS NOT NULL"""


def month_of(instant: datetime) -> int:
    """Return the calendar month of a time in its stored form, such as 202611."""
    at = from_epoch_ms(epoch_ms(instant))
    return 100 * at.year + at.month


def first_of(month: int) -> datetime:
    return datetime(month // 100, month % 100, 1, tzinfo=UTC)


def next_month(month: int) -> int:
    return month + 1 if month % 100 < 12 else month + 89


def first_kept(now: datetime) -> int:
    """Return the oldest month whose sums are kept at `now`."""
    at = from_epoch_ms(epoch_ms(now))
    year, month = divmod(12 * at.year + at.month - 1 - KEPT_MONTHS, 12)
    return 100 * year + month + 1


def sweep(now: datetime) -> Operation[bool]:
    """Delete a batch of sums of months that are no longer kept. Return whether more may be left."""
    rows = yield _SWEEP, {"first": first_kept(now), "batch": SWEEP_BATCH}
    return len(rows) == SWEEP_BATCH


def renewal(instant: datetime) -> datetime:
    """Return the end of the month, when caps are renewed."""
    return first_of(next_month(month_of(instant)))


def book(key_id: str, month: int, amount: int) -> Operation[Capped | None]:
    """Add `amount` to the key's spending. If its cap does not allow it, change nothing and return `Capped`."""
    if (yield _BOOK, {"key_id": key_id, "month": month, "amount": amount}):
        return None
    capped = yield from find_cap(key_id, month)
    if capped is None:  # the cap was removed between the two statements
        return (yield from book(key_id, month, amount))
    return capped


def give_back(key_id: str | None, month: int, amount: int) -> Operation[None]:
    """Subtract `amount` from the key's spending in that month. `key_id` is None if nothing was booked."""
    if key_id is not None and amount:
        yield _GIVE_BACK, {"key_id": key_id, "month": month, "amount": amount}


def find_cap(key_id: str, month: int) -> Operation[Capped | None]:
    """Return the key's cap and what it has spent, or None if it has no cap."""
    rows = yield _CAP, {"key_id": key_id, "month": month}
    return Capped(*rows[0]) if rows else None
