"""The ledger: grants, holds, charges and refunds. `booking` describes the rows; DESIGN section 2 gives the reasons."""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path

from webquarry.core.clock import Clock, epoch_ms
from webquarry.core.errors import BudgetReached, CapReached, InsufficientCredits, JobHalted, Overloaded
from webquarry.core.log import log
from webquarry.ledger import booking, receipts, spending, sweeping, usage
from webquarry.ledger.booking import Also, Hold, Settled, Short
from webquarry.ledger.receipts import Receipt
from webquarry.ledger.spending import Capped, Halted, OverBudget, month_of
from webquarry.ledger.unconfirmed_refunds import UnconfirmedRefund, UnconfirmedRefunds
from webquarry.ledger.usage import AccountUsage, DayUsage, Entry, Period, Place, Status
from webquarry.ledger.verify import Difference, differences
from webquarry.logs.audit import CLI, Actor, make_event, record_after
from webquarry.storage import Database, StorageError
from webquarry.storage.conversions import Conversion, Recorded, encode

BALANCE_AGE_S = 5.0
"""Maximum age in seconds of a balance shown with a free response."""
BALANCES_REMEMBERED = 10_000
CONFIRM_WITHIN_S = 5.0
"""Seconds for which an error response waits for its refund's confirmation, before the refund is stored as
unconfirmed."""


def random_text() -> str:
    """Return 128 random bits in hex."""
    return secrets.token_hex(16)


def make_cap_error(price: int, capped: Capped, now: datetime) -> CapReached:
    return CapReached(price, name=capped.name, cap=capped.cap, spent=capped.spent, renews_at=spending.renewal(now))


class Ledger:
    """The ledger of one store, for one running instance.

    `instance` is an id that no earlier run used; it distinguishes active holds from abandoned ones. `doubts` is the
    folder for unconfirmed refunds, or None to keep them in memory.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        instance: str,
        *,
        random: Callable[[], str] = random_text,
        unconfirmed_refunds: Path | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._instance = instance
        self._random = random
        self._unconfirmed_refunds = UnconfirmedRefunds(unconfirmed_refunds)
        self._balances: OrderedDict[str, tuple[int, float]] = OrderedDict()
        # by instance: its last heartbeat, and the monotonic time when that heartbeat was first seen
        self._beats: dict[str, tuple[int, float]] = {}

    async def grant(
        self, account_id: str, amount: int, note: str, *, request_id: str | None = None, by: Actor = CLI
    ) -> int:
        """Grant credits. Return the new balance. Repeating a request id changes nothing.

        Raises ValueError if `amount` is not positive, InvalidParams if the balance would exceed MAX_CREDITS,
        LookupError if there is no such account.
        """
        if amount <= 0:
            raise ValueError("a grant must be at least one credit")
        key, now = request_id or self._random(), self._clock.now()
        event = make_event(by, account_id, "credits.granted", now, id=f"grant-{key}", credits=amount, note=note)
        grant = partial(booking.grant, account_id, amount, request_id=key, note=note, now=now)
        left = await self._database.write(record_after(grant, event), account=account_id)
        return self._seen(account_id, left)

    async def hold(
        self,
        account_id: str,
        amount: int,
        *,
        request_id: str,
        endpoint: str,
        key_id: str | None = None,
        job_id: str | None = None,
        hold_id: str | None = None,
    ) -> Hold:
        """Reserve `amount`. Raises InsufficientCredits, or CapReached for the key's monthly cap.

        For a job, raises BudgetReached, or JobHalted if it is not running. `hold_id` is an id that no other request
        has; by default it is random. A canceled call leaves no hold.
        """
        if amount <= 0:
            raise ValueError("a hold must be at least one credit; free requests need no hold")
        now = self._clock.now()
        # ids begin with the time, so that entries made at about the same time are adjacent in the indexes and fewer
        # pages are written
        id = hold_id or f"{epoch_ms(now):012x}{self._random()}"
        hold = Hold(id, account_id, amount, request_id, endpoint, self._instance, now, key_id, job_id)
        granted = self._database.submit(lambda: booking.hold(hold), account=account_id)
        try:
            left = await granted
        except asyncio.CancelledError:
            # The hold may still be granted, so queue a release that runs after it.
            with suppress(StorageError):  # if the store is closed, the next start releases it
                end = partial(booking.release, hold.id, self._clock.now(), note="cancelled")
                self._database.submit(end, account=account_id, admitted=True)
            raise
        if isinstance(left, Short):
            self._seen(account_id, left.balance)
            raise InsufficientCredits(amount, left.balance)
        if isinstance(left, Capped):
            raise make_cap_error(amount, left, now)
        if isinstance(left, OverBudget):
            may_pass = left.charged + amount <= left.budget
            raise BudgetReached(amount, budget=left.budget, spent=left.spent, may_pass=may_pass)
        if isinstance(left, Halted):
            raise JobHalted
        self._seen(account_id, left)
        return hold

    async def settle(
        self,
        hold: Hold,
        charged: int,
        conversion: Conversion | None,
        recorded: Recorded | None = None,
        also: Also | None = None,
    ) -> Settled:
        """Charge `charged` credits of the hold, return the rest and store the result with the provider's response, in
        one transaction.

        If the hold was refunded meanwhile, the result is stored and nothing is charged (`late`). `also` runs in the
        same transaction. If it raises, nothing is charged or stored, and its error is raised.
        """
        if not 0 <= charged <= hold.amount:
            raise ValueError(f"cannot charge {charged} of {hold.amount} held")
        record = None if conversion is None else await encode(conversion, recorded)
        now = self._clock.now()
        settled = await self._database.write(
            lambda: booking.settle(hold, charged, record, now, also), account=hold.account_id, admitted=True
        )
        if settled.late:
            log.warning("ledger.settled_late", hold_id=hold.id, extractor=hold.endpoint, credits=charged)
        self._seen(hold.account_id, settled.balance)
        return settled

    async def refund(self, hold: Hold, receipt: Receipt) -> int:
        """Refund the whole hold, correcting a charge if needed, and store the receipt. Return the new balance."""
        now = self._clock.now()
        left = await self._database.write(
            lambda: booking.refund(hold, receipt, now), account=hold.account_id, admitted=True
        )
        return self._seen(hold.account_id, left)

    async def refund_surely(self, hold: Hold, receipt: Receipt) -> None:
        """Refund now or, if the store does not respond, record an unconfirmed refund for `resolve`."""
        try:
            async with asyncio.timeout(CONFIRM_WITHIN_S):
                await self.refund(hold, receipt)
        except (Overloaded, StorageError, TimeoutError) as exc:
            await asyncio.to_thread(self._unconfirmed_refunds.keep, UnconfirmedRefund(hold, receipt))
            self._balances.pop(hold.account_id, None)
            log.warning("ledger.in_doubt", hold_id=hold.id, extractor=hold.endpoint, fault=type(exc).__name__)

    @property
    def unconfirmed_refunds(self) -> int:
        """Number of unconfirmed refunds."""
        return len(self._unconfirmed_refunds)

    async def load_unconfirmed_refunds(self) -> None:
        """Load unconfirmed refunds of earlier processes."""
        await asyncio.to_thread(self._unconfirmed_refunds.load)

    async def resolve(self) -> int:
        """Retry unconfirmed refunds.

        Return the number of retried refunds. Raises Overloaded if the store still does not respond.
        """
        resolved = 0
        for unconfirmed in self._unconfirmed_refunds:
            try:
                await self.refund(unconfirmed.hold, unconfirmed.receipt)
            except LookupError:  # the store was replaced, and the hold was lost with it
                log.warning("ledger.doubt_of_nothing", hold_id=unconfirmed.hold.id)
            await asyncio.to_thread(self._unconfirmed_refunds.drop, unconfirmed)
            resolved += 1
        if resolved:
            log.warning("ledger.doubts_resolved", holds=resolved)
        return resolved

    async def balance(self, account_id: str) -> int:
        """Return the account's balance from the store."""
        return self._seen(account_id, await self._database.read(lambda: booking.balance(account_id)))

    def recent_balance(self, account_id: str) -> int | None:
        """Return the balance if this process saw it in the last 5 s, or None."""
        known = self._balances.get(account_id)
        if known is None or self._clock.monotonic() - known[1] > BALANCE_AGE_S:
            return None
        return known[0]

    async def receipts(self, account_id: str, request_id: str) -> list[Receipt]:
        """Return the receipts of the account's failed requests with this request id, newest first."""
        return await self._database.read(lambda: receipts.of_request(account_id, request_id))

    async def usage(
        self, account_id: str, period: Period, *, endpoint: str | None = None, key_id: str | None = None
    ) -> list[DayUsage]:
        """Return the account's charges in the period, grouped by day and endpoint."""
        return await self._database.read(lambda: usage.read_days(account_id, period, endpoint=endpoint, key_id=key_id))

    async def entries(
        self,
        account_id: str,
        period: Period,
        *,
        status: Status | None = None,
        endpoint: str | None = None,
        key_id: str | None = None,
        before: Place | None = None,
        batch: int = 50,
    ) -> list[Entry]:
        """Return charged requests and grants, newest first, optionally only entries before a position."""
        return await self._database.read(
            lambda: usage.read_entries(
                account_id, period, status=status, endpoint=endpoint, key_id=key_id, before=before, batch=batch
            )
        )

    async def usage_by_account(
        self, period: Period, account_ids: Sequence[str] | None = None
    ) -> dict[str, AccountUsage]:
        """Return each account's charges in the period, by account id, for these accounts (default: all). Accounts
        without requests are omitted.
        """
        rows = await self._database.read(lambda: usage.read_by_account(period, account_ids))
        return {row.account_id: row for row in rows}

    async def spending(self, account_id: str) -> dict[str, int]:
        """Return this month's spending of the account's keys and connected apps, including holds, by their ids."""
        month = month_of(self._clock.now())
        return await self._database.read(lambda: usage.read_spending(account_id, month))

    async def check_cap(self, key_id: str, amount: int) -> None:
        """Raise CapReached if the key may not spend `amount` more this month. Reserves nothing."""
        now = self._clock.now()
        capped = await self._database.read(lambda: spending.find_cap(key_id, month_of(now)))
        if capped is not None and capped.spent + amount > capped.cap:
            raise make_cap_error(amount, capped, now)

    async def heartbeat(self) -> None:
        """Record a heartbeat, which shows other instances on this store that this one is running."""
        now = self._clock.now()
        await self._database.write(lambda: sweeping.heartbeat(self._instance, now), admitted=True)

    async def watch(self) -> None:
        """Read the heartbeats of other instances, if the store is shared."""
        if not self._database.shared:
            return
        beats, seen_at = await self._database.read(sweeping.list_heartbeats), self._clock.monotonic()
        known = self._beats
        self._beats = {
            id: known[id] if id in known and known[id][0] == beat else (beat, seen_at) for id, beat in beats.items()
        }

    async def sweep(self) -> int:
        """Refund the holds of dead servers. Return the number of refunded holds."""
        refunded = 0
        since = self._clock.monotonic() - sweeping.SILENCE.total_seconds()
        alive = [id for id, (_, seen_at) in self._beats.items() if id != self._instance and seen_at >= since]
        while True:
            now = self._clock.now()
            find = partial(sweeping.find_abandoned, self._instance, now, shared=self._database.shared, alive=alive)
            abandoned = await self._database.read(find)
            if not abandoned:
                return refunded
            ends = [
                self._database.submit(partial(booking.release, hold_id, now, note="abandoned"), account=account_id)
                for hold_id, account_id in abandoned
            ]
            refunded += sum(await asyncio.gather(*ends))
            for _, account_id in abandoned:
                self._balances.pop(account_id, None)
            log.warning("ledger.swept", holds=len(abandoned))

    async def drop_receipts(self, before: datetime) -> bool:
        """Delete one batch of receipts from `before` or earlier. Return whether more may be left."""
        return await self._database.write(lambda: receipts.drop(before)) == receipts.SWEEP_BATCH

    async def sweep_spending(self) -> bool:
        """Delete one batch of old months' spending. Return whether more may be left."""
        return await self._database.write(partial(spending.sweep, self._clock.now()))

    async def verify(self) -> list[Difference]:
        """Recompute every balance and check every hold. Return the differences; empty if there are none."""
        return await self._database.read(partial(differences, self._clock.now()), snapshot=True)

    def _seen(self, account_id: str, balance: int) -> int:
        self._balances[account_id] = (balance, self._clock.monotonic())
        self._balances.move_to_end(account_id)
        if len(self._balances) > BALANCES_REMEMBERED:
            self._balances.popitem(last=False)
        return balance
