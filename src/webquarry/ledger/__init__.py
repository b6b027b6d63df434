"""Credits: an append-only ledger of signed rows, and balances, each the sum of an account's rows."""

from webquarry.core.attempt import Attempt
from webquarry.core.credits import MAX_CREDITS
from webquarry.ledger.booking import Hold, Settled, UnknownAccount, UnknownHold
from webquarry.ledger.ledger import Ledger
from webquarry.ledger.maintenance import Daily, Maintenance
from webquarry.ledger.receipts import Receipt
from webquarry.ledger.usage import STATUSES, AccountUsage, DayUsage, Entry, Period, Place, Status, last_days
from webquarry.ledger.verify import Difference

__all__ = [
    "MAX_CREDITS",
    "STATUSES",
    "AccountUsage",
    "Attempt",
    "Daily",
    "DayUsage",
    "Difference",
    "Entry",
    "Hold",
    "Ledger",
    "Maintenance",
    "Period",
    "Place",
    "Receipt",
    "Settled",
    "Status",
    "UnknownAccount",
    "UnknownHold",
    "last_days",
]
