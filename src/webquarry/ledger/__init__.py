"""Credits: an append-only ledger of signed rows, and the balance that is their sum."""

from webquarry.ledger.keeper import Keeper
from webquarry.ledger.ledger import Ledger
from webquarry.ledger.operations import MAX_CREDITS, Attempt, Hold, Receipt, Settled, UnknownAccount, UnknownHold
from webquarry.ledger.verify import Difference

__all__ = [
    "MAX_CREDITS",
    "Attempt",
    "Difference",
    "Hold",
    "Keeper",
    "Ledger",
    "Receipt",
    "Settled",
    "UnknownAccount",
    "UnknownHold",
]
