"""The proof that the books are right: every balance recomputed from its rows, every hold followed to its end."""

from dataclasses import dataclass

from webquarry.storage import Operation


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is wrong in the ledger; hold_id where it concerns a hold."""

    account_id: str
    hold_id: str | None
    message: str


# each gives account id, hold id, found, expected
_CHECKS: tuple[tuple[str, str], ...] = (
    (
        "the balance is {found}, its rows sum to {expected}",
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
        "the hold of {found} sets nothing aside",
        "SELECT account_id, hold_id, amount, 0 FROM ledger WHERE kind = 'hold' AND amount >= 0 ORDER BY seq",
    ),
    (
        "the hold has {found} closing or open rows, not one",
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
        "the closing row gives back {found} of {expected} held",
        """
        SELECT c.account_id, c.hold_id, c.amount, -h.amount
        FROM ledger c JOIN ledger h ON h.hold_id = c.hold_id AND h.kind = 'hold'
        WHERE (c.kind = 'settle' AND (c.amount < 0 OR c.amount > -h.amount))
            OR (c.kind = 'refund' AND c.amount <> -h.amount)
        ORDER BY c.seq""",
    ),
    (
        "a correction gives back {found}, {expected} was charged",
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
        "the hold has {found} corrections, not one",
        """
        SELECT MIN(account_id), hold_id, COUNT(*), 1 FROM ledger
        WHERE kind = 'grant' AND hold_id IS NOT NULL
        GROUP BY hold_id HAVING COUNT(*) > 1 ORDER BY hold_id""",
    ),
)


def differences() -> Operation[list[Difference]]:
    """Everything that is wrong; empty when the books are right. To be run on one snapshot."""
    found: list[Difference] = []
    for message, sql in _CHECKS:
        rows = yield sql, {}
        found += [
            Difference(account_id, hold_id, message.format(found=value, expected=expected))
            for account_id, hold_id, value, expected in rows
        ]
    return found
