"""Verification of the ledger: recomputes every balance from its rows and checks that each hold was closed correctly."""

from dataclasses import dataclass
from datetime import datetime

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.ledger.spending import first_kept, first_of, month_of, next_month
from webquarry.storage import Operation


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between the ledger's actual and expected values. `hold_id` is set if it concerns a hold."""

    account_id: str
    hold_id: str | None
    message: str


# each query returns account id, hold id, actual and expected value
_CHECKS: tuple[tuple[str, str], ...] = (
    (
        "the balance is {found}, but the rows add up to {expected}",
        """
        SELECT a.id, NULL, a.balance, CAST(COALESCE(s.total, 0) AS BIGINT)
        FROM accounts a LEFT JOIN (SELECT account_id, SUM(amount) AS total FROM ledger GROUP BY account_id) s
            ON s.account_id = a.id
        WHERE a.balance <> COALESCE(s.total, 0) ORDER BY a.id""",
    ),
    (
        "the balance was {found} after row {expected}",
        """
        SELECT account_id, hold_id, CAST(running AS BIGINT), seq
        FROM (SELECT account_id, hold_id, seq, SUM(amount) OVER (PARTITION BY account_id ORDER BY seq) AS running
              FROM ledger) r
        WHERE running < 0 ORDER BY account_id, seq""",
    ),
    (
        "the grant of {found} takes credits",
        "SELECT account_id, NULL, amount, 0 FROM ledger WHERE kind = 'grant' AND amount < 0 ORDER BY seq",
    ),
    (
        "the hold of {found} reserves no credits",
        "SELECT account_id, hold_id, amount, 0 FROM ledger WHERE kind = 'hold' AND amount >= 0 ORDER BY seq",
    ),
    (
        "the hold has {found} closing or open rows instead of one",
        """
        SELECT h.account_id, h.hold_id, h.ends, 1
        FROM (SELECT account_id, hold_id, seq,
                  (SELECT COUNT(*) FROM ledger c WHERE c.hold_id = l.hold_id AND c.kind IN ('settle', 'refund'))
                  + (SELECT COUNT(*) FROM open_holds o WHERE o.hold_id = l.hold_id) AS ends
              FROM ledger l WHERE kind = 'hold') h
        WHERE h.ends <> 1 ORDER BY h.seq""",
    ),
    (
        "a closing row of {found} has no hold of its account",
        """
        SELECT c.account_id, c.hold_id, c.amount, 0 FROM ledger c
        WHERE c.kind IN ('settle', 'refund') AND NOT EXISTS (
            SELECT 1 FROM ledger h
            WHERE h.hold_id = c.hold_id AND h.kind = 'hold' AND h.account_id = c.account_id)
        ORDER BY c.seq""",
    ),
    (
        "an open hold of {found} has no row of this amount and account",
        """
        SELECT o.account_id, o.hold_id, o.amount, 0 FROM open_holds o
        WHERE NOT EXISTS (
            SELECT 1 FROM ledger h
            WHERE h.hold_id = o.hold_id AND h.kind = 'hold' AND h.account_id = o.account_id AND h.amount = -o.amount)
        ORDER BY o.hold_id""",
    ),
    (
        "the closing row returns {found} of {expected} held",
        """
        SELECT c.account_id, c.hold_id, c.amount, -h.amount
        FROM ledger c JOIN ledger h ON h.hold_id = c.hold_id AND h.kind = 'hold'
        WHERE (c.kind = 'settle' AND (c.amount < 0 OR c.amount > -h.amount))
            OR (c.kind = 'refund' AND c.amount <> -h.amount)
        ORDER BY c.seq""",
    ),
    (
        "a correction returns {found}, but {expected} was charged",
        """
        SELECT g.account_id, g.hold_id, g.amount, COALESCE(
            (SELECT -h.amount - c.amount FROM ledger c JOIN ledger h ON h.hold_id = c.hold_id AND h.kind = 'hold'
             WHERE c.hold_id = g.hold_id AND c.kind = 'settle' AND c.account_id = g.account_id), 0)
        FROM ledger g
        WHERE g.kind = 'grant' AND g.hold_id IS NOT NULL AND g.amount <> COALESCE(
            (SELECT -h.amount - c.amount FROM ledger c JOIN ledger h ON h.hold_id = c.hold_id AND h.kind = 'hold'
             WHERE c.hold_id = g.hold_id AND c.kind = 'settle' AND c.account_id = g.account_id), 0)
        ORDER BY g.seq""",
    ),
    (
        "the job's recorded spending is {found}, but its rows add up to {expected}",
        """
        SELECT j.account_id, j.id, j.spent, CAST(COALESCE(s.spent, 0) AS BIGINT)
        FROM jobs j LEFT JOIN (
            SELECT job_id, -SUM(amount) AS spent FROM ledger WHERE job_id IS NOT NULL GROUP BY job_id) s
            ON s.job_id = j.id
        WHERE j.spent <> COALESCE(s.spent, 0) ORDER BY j.id""",
    ),
    (
        "the hold has {found} corrections instead of one",
        """
        SELECT MIN(account_id), hold_id, COUNT(*), 1 FROM ledger
        WHERE kind = 'grant' AND hold_id IS NOT NULL
        GROUP BY hold_id HAVING COUNT(*) > 1 ORDER BY hold_id""",
    ),
)


_FIRST_KEYED = "SELECT MIN(created_at), MAX(created_at) FROM ledger WHERE kind = 'hold' AND key_id IS NOT NULL"
_BOOKED_OUTSIDE = """
    SELECT key_id, month, spent FROM spending WHERE month >= :kept AND (month < :first OR month > :last)"""
_SPENDING = """
    SELECT MIN(account_id), key_id, CAST(SUM(booked) AS BIGINT), CAST(SUM(due) AS BIGINT)
    FROM (
        SELECT NULL AS account_id, key_id, spent AS booked, 0 AS due FROM spending WHERE month = :month
        UNION ALL
        SELECT h.account_id, h.key_id, 0, -h.amount - COALESCE(c.amount, 0) - COALESCE(g.amount, 0)
        FROM ledger h
            LEFT JOIN ledger c ON c.hold_id = h.hold_id AND c.kind IN ('settle', 'refund')
            LEFT JOIN ledger g ON g.request_id = 'correction:' || h.hold_id AND g.kind = 'grant'
        WHERE h.kind = 'hold' AND h.key_id IS NOT NULL AND h.created_at >= :begins AND h.created_at < :ends
    ) s
    GROUP BY key_id HAVING SUM(booked) <> SUM(due) ORDER BY key_id"""


def _compare_spending(now: datetime) -> Operation[list[Difference]]:
    """Compare each key's monthly spending with the month's holds and refunds.

    The oldest kept month is left out, because a server whose clock is fast may already have deleted its sums.
    """
    kept = next_month(first_kept(now))
    [(earliest, latest)] = yield _FIRST_KEYED, {}
    first, last = (0, -1) if earliest is None else (month_of(from_epoch_ms(ms)) for ms in (earliest, latest))
    rows = yield _BOOKED_OUTSIDE, {"kept": kept, "first": first, "last": last}
    found = [_misspent(None, key_id, month, spent, 0) for key_id, month, spent in rows if spent]
    month = max(first, kept)
    while month <= last:
        begins, ends = (epoch_ms(first_of(each)) for each in (month, next_month(month)))
        rows = yield _SPENDING, {"month": month, "begins": begins, "ends": ends}
        found += [_misspent(account, key_id, month, booked, due) for account, key_id, booked, due in rows]
        month = next_month(month)
    return found


def _misspent(account_id: str | None, key_id: str, month: int, booked: int, due: int) -> Difference:
    return Difference(
        account_id or "", None, f"{key_id} has recorded spending of {booked} in {month}, but its rows add up to {due}"
    )


def differences(now: datetime) -> Operation[list[Difference]]:
    """Return all differences; empty if the ledger is correct. Must run on one snapshot.

    Spending is only compared for months whose sums are kept at `now`.
    """
    found: list[Difference] = []
    for message, sql in _CHECKS:
        rows = yield sql, {}
        found += [
            Difference(account_id, hold_id, message.format(found=value, expected=expected))
            for account_id, hold_id, value, expected in rows
        ]
    return found + (yield from _compare_spending(now))
