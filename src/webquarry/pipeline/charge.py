"""Charges of runs. Each charge has one hold, which is either settled with the result or refunded with a receipt."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from webquarry.core.caller import Caller
from webquarry.core.clock import Clock
from webquarry.core.errors import InsufficientCredits, InternalError, ServiceError
from webquarry.core.metrics import Metrics
from webquarry.core.tracing import span
from webquarry.core.types import Wire
from webquarry.ledger import Attempt, Hold, Ledger, Receipt, Settled
from webquarry.pipeline.call import Order
from webquarry.storage import Operation
from webquarry.storage.conversions import Conversion, Conversions, Recorded, extend


@dataclass(frozen=True, slots=True)
class Billing:
    """Services that charges share."""

    ledger: Ledger
    conversions: Conversions
    clock: Clock
    metrics: Metrics

    async def check(self, caller: Caller, price: int) -> None:
        """Raise InsufficientCredits or CapReached if the balance or the key's cap does not cover the price.

        A recently seen balance is trusted if it is sufficient; otherwise it is read again, because credits may have
        been added.
        """
        if price == 0 or caller.internal:
            return
        balance = self.ledger.recent_balance(caller.account_id)
        if balance is None or balance < price:
            balance = await self.ledger.balance(caller.account_id)
        if balance < price:
            raise InsufficientCredits(price, balance)
        await self.ledger.check_cap(caller.key_id, price)

    async def hold(self, order: Order, price: int) -> "Charge":
        """Reserve the price.

        Raises InsufficientCredits or CapReached. Free requests and the operator reserve nothing.
        """
        if price == 0 or order.caller.internal:
            return Charge(self, order, None)
        claim = order.claim
        with span("hold", credits=price):
            hold = await self.ledger.hold(
                order.caller.account_id,
                price,
                request_id=order.request_id,
                endpoint=order.call.extractor.name,
                key_id=order.caller.key_id,
                job_id=claim.job_id if claim else None,
                hold_id=claim.hold_id if claim else None,
            )
        return Charge(self, order, hold)


@dataclass(frozen=True, slots=True)
class Charge:
    """The hold for a run, or None if it is free."""

    till: Billing
    order: Order
    hold: Hold | None

    async def settle(self, due: int, conversion: Conversion, recorded: Recorded | None, wire: Wire | None) -> int:
        """Store the result and settle the hold in one transaction. Return the credits charged."""
        if self.hold is None:
            if self.order.call.file is None or not self.order.caller.internal:  # files of the operator have no owner
                await self.till.conversions.keep(conversion, recorded)
            return 0
        also = await self.order.claim.prepare(conversion, wire) if self.order.claim else None
        with span("settle", credits=due):
            settled = await asyncio.shield(self.till.ledger.settle(self.hold, due, conversion, recorded, also))
        self.order.bill.book(settled.charged, settled.balance, self.refund)
        self.till.metrics.charged(conversion.endpoint, settled.charged)
        if settled.late:
            self.till.metrics.late_settles.inc()
        return settled.charged

    async def settle_unchanged(self, conversion: Conversion, until: datetime) -> None:
        """Return the whole hold, because a stored result has not changed, and keep the result until then."""
        if self.hold is None:
            return
        end = await self.order.claim.prepare(conversion, cached=True) if self.order.claim else None

        def also(settled: Settled) -> Operation[None]:
            yield from extend(conversion.id, until)
            if end is not None:
                yield from end(settled)

        with span("settle", credits=0):
            settled = await asyncio.shield(self.till.ledger.settle(self.hold, 0, None, None, also))
        self.order.bill.book(0, settled.balance, self.refund)

    async def refund(self, error: BaseException, attempts: Sequence[Attempt] = ()) -> None:
        """Refund everything and store a receipt.

        If the store is unavailable, this happens once it is available again.
        """
        if self.hold is None:
            return
        refused = error if isinstance(error, ServiceError) else InternalError()
        receipt = Receipt(
            request_id=self.order.request_id,
            account_id=self.order.caller.account_id,
            endpoint=self.order.call.extractor.name,
            code=refused.code,
            reason=refused.reason or ("stopped" if isinstance(error, asyncio.CancelledError) else None),
            message=refused.message,
            attempts=tuple(attempts),
            created_at=self.till.clock.now(),
        )
        with span("refund", code=receipt.code):
            await asyncio.shield(self.till.ledger.refund_surely(self.hold, receipt))
        self.order.bill.clear()
