"""Spending: what each key has spent in a calendar month (UTC), and whether its monthly cap leaves room for more.

The sum is booked in the transaction of each move of money, whose account row is locked before: so a cap holds to the
credit, however many calls and servers there are. What is given back is given back to the month of its hold. Sessions
and grants are booked as keys are; only keys have a cap.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.storage import Operation


@dataclass(frozen=True, slots=True)
class Capped:
    """A hold that the key's cap does not allow. spent: of this month, what is held included."""

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
_CAP = """
    SELECT k.name, k.monthly_cap, COALESCE(s.spent, 0)
    FROM api_keys k LEFT JOIN spending s ON s.key_id = k.id AND s.month = :month
    WHERE k.id = :key_id AND k.monthly_cap IS NOT NULL"""


def month_of(instant: datetime) -> int:
    """The calendar month of an instant as it is stored, such as 202611."""
    at = from_epoch_ms(epoch_ms(instant))
    return 100 * at.year + at.month


def first_of(month: int) -> datetime:
    return datetime(month // 100, month % 100, 1, tzinfo=UTC)


def next_month(month: int) -> int:
    return month + 1 if month % 100 < 12 else month + 89


def renewal(instant: datetime) -> datetime:
    """When the month of an instant ends, and every cap renews."""
    return first_of(next_month(month_of(instant)))


def book(key_id: str, month: int, amount: int) -> Operation[Capped | None]:
    """Add `amount` to what the key has spent; `Capped` when its cap leaves no room, and then nothing is changed."""
    if (yield _BOOK, {"key_id": key_id, "month": month, "amount": amount}):
        return None
    capped = yield from find_cap(key_id, month)
    if capped is None:  # lifted between the two statements: nothing is refused for it
        return (yield from book(key_id, month, amount))
    return capped


def give_back(key_id: str | None, month: int, amount: int) -> Operation[None]:
    """Take `amount` off what the key had spent in that month. key_id: None where nothing was booked."""
    if key_id is not None and amount:
        yield _GIVE_BACK, {"key_id": key_id, "month": month, "amount": amount}


def find_cap(key_id: str, month: int) -> Operation[Capped | None]:
    """The key's cap and what it has spent of it; None without a cap."""
    rows = yield _CAP, {"key_id": key_id, "month": month}
    return Capped(*rows[0]) if rows else None
