"""The ledger under generated histories: it stays correct after any operations in any order."""

import asyncio
from dataclasses import dataclass, field
from itertools import count

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.clock import ManualClock
from webquarry.accounts import Accounts
from webquarry.core.errors import CapReached, InsufficientCredits
from webquarry.ledger import Hold, Ledger, Receipt, booking
from webquarry.storage import Database
from webquarry.storage.conversions import Conversion, Conversions
from webquarry.storage.database import query

ACCOUNTS = 2
START = 12
CAP = 15
PLACE = st.integers(0, 30)
"""An index into the existing items. It is reduced modulo their number."""

Moves = list[tuple[str, *tuple[int, ...]]]
moves: st.SearchStrategy[Moves] = st.lists(
    st.one_of(
        st.tuples(st.just("grant"), st.integers(0, ACCOUNTS - 1), st.integers(1, 9)),
        st.tuples(st.just("grant again"), PLACE),
        st.tuples(st.just("hold"), st.integers(0, ACCOUNTS - 1), st.integers(1, 9)),
        st.tuples(st.just("hold again"), PLACE),
        st.tuples(st.just("settle"), PLACE, st.integers(0, 9)),
        st.tuples(st.just("refund"), PLACE),
        st.tuples(st.just("sweep"), PLACE),
    ),
    min_size=15,
    max_size=60,
)
generated = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], database=None)
numbers = count()


@dataclass
class Known:
    """A hold from the caller's point of view. charged: None while it is open; answer: of the first settle."""

    hold: Hold
    charged: int | None = None
    refunded: bool = False
    answer: str | None = None


@dataclass
class History:
    """Performs operations on the ledger and, in parallel, on plain numbers."""

    database: Database
    ledger: Ledger
    clock: ManualClock
    ids: list[str]
    balances: dict[str, int]
    keys: dict[str, str]
    grants: list[tuple[str, int, str]] = field(default_factory=list)
    holds: list[Known] = field(default_factory=list)

    @classmethod
    async def begin(cls, database: Database) -> "History":
        clock = ManualClock()
        made = [await Accounts(database, clock).create(f"{next(numbers)}@example.com", START) for _ in range(ACCOUNTS)]
        ids = [account.id for account, _ in made]
        accounts = Accounts(database, clock)
        keys = {id: (await accounts.create_key(id, "capped", monthly_cap=CAP))[0].id for id in ids}
        return cls(database, Ledger(database, clock, "i"), clock, ids, dict.fromkeys(ids, START), keys)

    async def play(self, kind: str, *values: int) -> None:
        self.clock.advance(0.001)
        if kind == "grant":
            id, amount, request_id = self.ids[values[0]], values[1], f"grant-{next(numbers)}"
            self.grants.append((id, amount, request_id))
            self.balances[id] += amount
            assert await self.ledger.grant(id, amount, "given", request_id=request_id) == self.balances[id]
        elif kind == "grant again" and self.grants:
            id, amount, request_id = self.grants[values[0] % len(self.grants)]
            assert await self.ledger.grant(id, amount, "given", request_id=request_id) == self.balances[id]
        elif kind == "hold":
            await self._hold(self.ids[values[0]], values[1])
        elif kind != "grant again" and self.holds:
            await self._on_hold(kind, self.holds[values[0] % len(self.holds)], *values[1:])

    async def _hold(self, id: str, amount: int) -> None:
        try:
            hold = await self.ledger.hold(id, amount, request_id="r", endpoint="e", key_id=self.keys[id])
        except CapReached:
            assert amount <= self.balances[id]
            assert self.spent(id) + amount > CAP
        except InsufficientCredits as exc:
            assert exc.balance == self.balances[id] < amount  # noqa: PT017  # a refusal is one of two right outcomes
        else:
            self.balances[id] -= amount
            assert self.spent(id) + amount <= CAP
            self.holds.append(Known(hold))

    def spent(self, id: str) -> int:
        """Return the credits that the account's key has spent or holds."""
        own = (known for known in self.holds if known.hold.account_id == id)
        return sum(known.hold.amount if known.charged is None else known.charged for known in own)

    async def _on_hold(self, kind: str, known: Known, share: int = 0) -> None:
        hold = known.hold
        id = hold.account_id
        first = known.charged is None
        if kind == "hold again":
            assert await self.database.write(lambda: booking.hold(hold)) == self.balances[id]
            return
        if kind == "settle":
            asked = min(share, hold.amount)
            settled = await self.ledger.settle(hold, asked, self._answer(known))
            if first:
                known.charged = asked
                self.balances[id] += hold.amount - asked
            assert settled.charged == known.charged
            assert settled.balance == self.balances[id]
            assert settled.late == known.refunded
            return
        if first:
            known.charged, known.refunded = 0, True
            self.balances[id] += hold.amount
        elif kind == "refund" and known.charged and not known.refunded:  # after an error the charge is refunded, once
            self.balances[id] += known.charged
            known.charged, known.refunded = 0, True
        if kind == "refund":
            receipt = Receipt("r", id, "e", "provider_error", "down", "No.", (), self.clock.now())
            assert await self.ledger.refund(hold, receipt) == self.balances[id]
        else:
            await self.database.write(lambda: booking.release(hold.id, self.clock.now()))

    def _answer(self, known: Known) -> Conversion:
        known.answer = known.answer or f"cv_{next(numbers)}"
        now = self.clock.now()
        return Conversion(known.answer, "e", 1, None, None, now, None, now, None, None, b"{}", b"")


async def test_every_history_keeps_the_ledger_correct(database: Database) -> None:
    async def play(history_moves: Moves) -> None:
        history = await History.begin(database)
        for kind, *values in history_moves:
            await history.play(kind, *values)
        for id, balance in history.balances.items():
            assert await history.ledger.balance(id) == balance >= 0
        for known in history.holds:
            if known.answer:
                assert await Conversions(database).by_id(known.answer, ManualClock().now()) is not None
        assert await history.ledger.verify() == []

    loop = asyncio.get_running_loop()

    @generated
    @given(moves)
    def check(history: Moves) -> None:
        asyncio.run_coroutine_threadsafe(play(history), loop).result()

    await asyncio.to_thread(check)
    kinds = await database.read(lambda: query("SELECT DISTINCT kind, 1 FROM ledger", {}))
    assert {kind for kind, _ in kinds} == {"grant", "hold", "settle", "refund"}


async def test_concurrent_operations_keep_the_ledger_correct(database: Database) -> None:
    """Concurrent holds, settles, refunds and sweeps of the same accounts and the same holds."""
    history = await History.begin(database)
    ledger, ids = history.ledger, history.ids
    for id in ids:
        await ledger.grant(id, 60, "given")
    outcomes = await asyncio.gather(
        *[
            ledger.hold(ids[n % ACCOUNTS], 1 + n % 3, request_id="r", endpoint="e", key_id=f"key_{n % ACCOUNTS}")
            for n in range(200)
        ],
        return_exceptions=True,
    )
    holds = [outcome for outcome in outcomes if isinstance(outcome, Hold)]
    assert holds
    assert len(holds) < 200
    now = history.clock.now()

    async def close(hold: Hold, n: int) -> int:
        receipt = Receipt("r", hold.account_id, "e", "provider_error", "down", "No.", (), now)
        ends = (
            ledger.settle(hold, hold.amount, None),
            ledger.refund(hold, receipt),
            database.write(lambda: booking.release(hold.id, now)),
            ledger.settle(hold, 0, None),
        )
        await asyncio.gather(*ends[n % 4 :], *ends[: n % 4])
        return hold.amount

    await asyncio.gather(*[close(hold, n) for n, hold in enumerate(holds)])
    assert await ledger.verify() == []
    rows = await database.read(lambda: query("SELECT COUNT(*) FROM open_holds", {}))
    assert rows[0][0] == 0
