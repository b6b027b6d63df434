"""Bills: what one call was charged, as the ledger holds it, and the sentence that says it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from webquarry.core.error_boundary import Border
from webquarry.core.errors import ServiceError

Refund = Callable[[ServiceError], Awaitable[None]]


def tell_charge(credits: int) -> str:
    """Return the sentence that every surface uses: "Nothing was charged.", "1 credit was charged."."""
    if credits == 0:
        return "Nothing was charged."
    return f"{credits} credit{' was' if credits == 1 else 's were'} charged."


@dataclass(slots=True)
class Bill:
    """What a call was charged. A surface makes one for each call, and reads from it what it says of the charge.

    credits: charged so far. balance: what the account had left then; None while nothing was charged.
    """

    credits: int = 0
    balance: int | None = None
    _refund: Refund | None = field(default=None, repr=False)

    def book(self, credits: int, balance: int, refund: Refund) -> None:
        """Note what the ledger has just settled, and how it is made good."""
        self.credits, self.balance, self._refund = credits, balance, refund

    def clear(self) -> None:
        """Note that the ledger has given everything back."""
        self.credits, self.balance, self._refund = 0, None, None

    async def give_back(self, error: ServiceError) -> None:
        """Make the charge good when the call ends in this error after all: an error is never charged.

        Where even that fails, the log has it, and `credits` stays what the ledger holds.
        """
        if self._refund is None:
            return
        try:
            with Border("charge.kept", credits=self.credits):
                await self._refund(error)
        except ServiceError:
            return
