"""Bills: the amount that a request was charged according to the ledger, and the sentence that states it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from webquarry.core.error_boundary import ErrorBoundary
from webquarry.core.errors import ServiceError

Refund = Callable[[ServiceError], Awaitable[None]]


def tell_charge(credits: int) -> str:
    """Return the sentence that all interfaces use, such as "Nothing was charged." or "1 credit was charged."."""
    if credits == 0:
        return "Nothing was charged."
    return f"{credits} credit{' was' if credits == 1 else 's were'} charged."


@dataclass(slots=True)
class Bill:
    """The charge for a request. Each interface creates a bill per request and reads the charge from it.

    `credits` is the number of credits charged so far. `balance` is the account's balance after that, or None if nothing
    was charged.
    """

    credits: int = 0
    balance: int | None = None
    _refund: Refund | None = field(default=None, repr=False)

    def book(self, credits: int, balance: int, refund: Refund) -> None:
        """Record a charge that the ledger has settled, and how to refund it."""
        self.credits, self.balance, self._refund = credits, balance, refund

    def clear(self) -> None:
        """Record that the ledger has refunded everything."""
        self.credits, self.balance, self._refund = 0, None, None

    async def give_back(self, error: ServiceError) -> None:
        """Refund the charge because the request ended with this error after the charge. Errors are never charged.

        If the refund fails, the failure is logged and `credits` stays as in the ledger.
        """
        if self._refund is None:
            return
        try:
            with ErrorBoundary("charge.kept", credits=self.credits):
                await self._refund(error)
        except ServiceError:
            return
