"""Spending of each key per calendar month (UTC) and of each job, and checks against the cap or budget.

The sum changes in the same transaction as the balance, after the account's row was locked, so a cap is exact to the
credit however many requests and servers there are. Refunds are booked to the month of their hold. Sessions and grants
are booked like keys, but only keys have a cap. Sums of the last months are kept; the ledger's rows contain the same
information permanently. A job's sum is stored in the job's row, which is locked last.
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
    """A refused hold that would exceed the key's cap. `spent` is this month's spending, including holds."""

    name: str
    cap: int
    spent: int


@dataclass(frozen=True, slots=True)
class Halted:
    """A refused hold for a job that is not running."""


@dataclass(frozen=True, slots=True)
class OverBudget:
    """A refused hold that would exceed its job's budget. `spent` includes holds, `charged` does not."""

    budget: int
    spent: int
    charged: int


_BOOK = """
    INSERT INTO spending (key_id, month, spent)
    SELECT CAST(:key_id AS TEXT), CAST(:month AS BIGINT), CAST(:amount AS BIGINT)
    WHERE NOT EXISTS (SELECT 1 FROM api_keys WHERE id = :key_id AND monthly_cap < :amount)
    ON CONFLICT (key_id, month) DO UPDATE SET spent = spending.spent + excluded.spent
    WHERE NOT EXISTS (
        SELECT 1 FROM api_keys WHERE id = :key_id AND monthly_cap < spending.spent + excluded.spent)
    RETURNING spent"""
_GIVE_BACK = "UPDATE spending SET spent = spent - :amount WHERE key_id = :key_id AND month = :month"
_BOOK_JOB = """
    UPDATE jobs SET spent = spent + :amount
    WHERE id = :job_id AND state = 'running' AND (max_credits IS NULL OR spent + :amount <= max_credits)
    RETURNING spent"""
_GIVE_BACK_JOB = "UPDATE jobs SET spent = spent - :amount WHERE id = :job_id"
_FORGIVE_ITEM = """
    UPDATE job_items SET charged = 0 WHERE job_id = :job_id AND n = :n AND attempt = :attempt AND charged > 0
    RETURNING n"""
_FORGIVE_JOB = "UPDATE jobs SET charged = charged - :amount WHERE id = :job_id"
_JOB = "SELECT state, max_credits, spent, charged FROM jobs WHERE id = :job_id"
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
    """Return the oldest month whose sums are still kept at `now`."""
    at = from_epoch_ms(epoch_ms(now))
    year, month = divmod(12 * at.year + at.month - 1 - KEPT_MONTHS, 12)
    return 100 * year + month + 1


def sweep(now: datetime) -> Operation[bool]:
    """Delete a batch of the sums for months that are no longer kept. Return whether more may be left."""
    rows = yield _SWEEP, {"first": first_kept(now), "batch": SWEEP_BATCH}
    return len(rows) == SWEEP_BATCH


def renewal(instant: datetime) -> datetime:
    """Return the end of the month, which is when caps are renewed."""
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


def book_job(job_id: str, amount: int) -> Operation[Halted | OverBudget | None]:
    """Add `amount` to the job's spending. Change nothing if its budget or state does not allow it, and return why."""
    if (yield _BOOK_JOB, {"job_id": job_id, "amount": amount}):
        return None
    rows = yield _JOB, {"job_id": job_id}
    state, budget, spent, charged = rows[0] if rows else (None, None, 0, 0)
    if state != "running":
        return Halted()
    if budget is None or spent + amount <= budget:  # credits were meanwhile returned between the two statements
        return (yield from book_job(job_id, amount))
    return OverBudget(budget, spent, charged)


def give_back_job(job_id: str | None, amount: int) -> Operation[None]:
    """Subtract `amount` from the job's spending, if there is a job."""
    if job_id is not None and amount:
        yield _GIVE_BACK_JOB, {"job_id": job_id, "amount": amount}


def item_hold_id(job_id: str, n: int, attempt: int) -> str:
    """Return the hold id for an attempt at a job's item. An attempt has at most one hold."""
    return f"hd_{job_id}_{n}_{attempt}"


def forgive_item(hold_id: str, job_id: str | None, amount: int) -> Operation[None]:
    """Record that the item with this hold was not charged after all."""
    if job_id is None:
        return
    yield from give_back_job(job_id, amount)
    n, attempt = map(int, hold_id.rsplit("_", 2)[1:])
    values = {"job_id": job_id, "n": n, "attempt": attempt}
    if (yield _FORGIVE_ITEM, values):
        yield _FORGIVE_JOB, {"job_id": job_id, "amount": amount}


def find_cap(key_id: str, month: int) -> Operation[Capped | None]:
    """Return the key's cap and what it has spent, or None if it has no cap."""
    rows = yield _CAP, {"key_id": key_id, "month": month}
    return Capped(*rows[0]) if rows else None
