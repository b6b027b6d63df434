"""Bookings: the ledger's transactions, as plain SQL on both backends.

Rows are signed and append-only: grant +g, hold -h, then one closing row: settle +(h - charged) or refund +h. The
balance column changes only in the same transaction. Each operation recognizes an earlier run by a key (a grant by its
request id, the others by their hold id) and then changes nothing.

An error is never charged. If a settle was committed without confirmation, so that the caller received an error, another
row, a grant that refers to the hold, returns the charge.

An account's row is updated before its ledger row is added, so that `seq` follows the order of the balances, and before
the rows of its key's and its job's spending (`spending`), so that two servers lock rows in the same order.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.core.credits import MAX_CREDITS
from webquarry.core.errors import InvalidParams
from webquarry.ledger import receipts, spending
from webquarry.ledger.receipts import Receipt
from webquarry.ledger.spending import Capped, Halted, OverBudget, month_of
from webquarry.storage import Operation
from webquarry.storage.conversions import Record, insert

ANY_BALANCE = 10**15
"""A limit that no balance reaches. It is used when credits are returned, so that earlier grants cannot prevent the
return.
"""
CORRECTION = "charged although the request failed"


class UnknownAccount(LookupError):
    """No account has this id."""


class UnknownHold(LookupError):
    """No hold has this id."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Credits reserved for one request, until a closing row returns the credits that the request did not use.

    `key_id` is the key, session or grant that made the request; None if unknown. `job_id` is the job whose budget pays
    for the request; None for a single request.
    """

    id: str
    account_id: str
    amount: int
    request_id: str
    endpoint: str
    instance: str
    created_at: datetime
    key_id: str | None = None
    job_id: str | None = None


@dataclass(frozen=True, slots=True)
class Short:
    """A refused hold, with the account's balance."""

    balance: int


@dataclass(frozen=True, slots=True)
class Settled:
    """A closed hold: the credits charged and the remaining balance.

    `late` means that the hold had already been refunded.
    """

    charged: int
    balance: int
    late: bool


Also = Callable[[Settled], Operation[None]]
"""Additional operation in the transaction that settles a hold. If it raises, the hold is not settled."""

_BALANCE = "SELECT balance FROM accounts WHERE id = :account_id"
_GIVE = "UPDATE accounts SET balance = balance + :amount WHERE id = :account_id RETURNING balance"
_GIVE_ONCE = """
    UPDATE accounts SET balance = balance + :amount,
        low_balance_told = CASE WHEN balance + :amount >= low_balance THEN NULL ELSE low_balance_told END
    WHERE id = :account_id AND balance <= :before
        AND NOT EXISTS (SELECT 1 FROM ledger WHERE request_id = :request_id AND kind = 'grant')
    RETURNING balance"""
_GIVEN = "SELECT 1 FROM ledger WHERE request_id = :request_id AND kind = 'grant'"
_TAKE_ONCE = """
    UPDATE accounts SET balance = balance - :amount
    WHERE id = :account_id AND balance >= :amount
        AND NOT EXISTS (SELECT 1 FROM ledger WHERE hold_id = :hold_id AND kind = 'hold')
    RETURNING balance"""
_ROW = """
    INSERT INTO ledger
        (account_id, kind, amount, hold_id, request_id, endpoint, instance, key_id, job_id, note, created_at)
    VALUES (:account_id, :kind, :amount, :hold_id, :request_id, :endpoint, :instance, :key_id, :job_id, :note,
        :created_at)"""
_OPEN = """
    INSERT INTO open_holds (hold_id, account_id, amount, request_id, endpoint, instance, key_id, job_id, created_at)
    VALUES (:hold_id, :account_id, :amount, :request_id, :endpoint, :instance, :key_id, :job_id, :created_at)"""
_CLAIM = """
    DELETE FROM open_holds WHERE hold_id = :hold_id
    RETURNING account_id, amount, request_id, endpoint, instance, key_id, job_id, created_at"""
_HELD = "SELECT 1 FROM ledger WHERE hold_id = :hold_id AND kind = 'hold'"
_CLOSING = "SELECT kind, amount FROM ledger WHERE hold_id = :hold_id AND kind IN ('settle', 'refund')"


def balance(account_id: str) -> Operation[int]:
    rows = yield _BALANCE, {"account_id": account_id}
    if not rows:
        raise UnknownAccount(f"There is no account {account_id}.")
    result: int = rows[0][0]
    return result


def grant(account_id: str, amount: int, *, request_id: str, note: str, now: datetime) -> Operation[int]:
    """Add `amount` credits, once per request id.

    Return the new balance. Raises InvalidParams if it would exceed MAX_CREDITS.
    """
    if amount > MAX_CREDITS:  # the database might not even accept the amount as a number
        raise _too_many()
    values = {"account_id": account_id, "amount": amount, "request_id": request_id}
    rows = yield _GIVE_ONCE, {**values, "before": MAX_CREDITS - amount}
    if not rows:  # already granted, no such account, or the balance would be too large
        left = yield from balance(account_id)
        if not (yield _GIVEN, {"request_id": request_id}):
            raise _too_many()
        return left
    yield _row("grant", values, note=note, now=now)
    result: int = rows[0][0]
    return result


def hold(h: Hold) -> Operation[int | Short | Capped | Halted | OverBudget]:
    """Reserve `h.amount` if the balance, the key's monthly cap and the job allow it. Return the new balance."""
    values = {
        "hold_id": h.id,
        "account_id": h.account_id,
        "amount": h.amount,
        "request_id": h.request_id,
        "endpoint": h.endpoint,
        "instance": h.instance,
        "key_id": h.key_id,
        "job_id": h.job_id,
    }
    rows = yield _TAKE_ONCE, {name: values[name] for name in ("hold_id", "account_id", "amount")}
    if not rows:
        held = yield _HELD, {"hold_id": h.id}
        left = yield from balance(h.account_id)
        return left if held else Short(left)
    if h.key_id is not None and (capped := (yield from spending.book(h.key_id, month_of(h.created_at), h.amount))):
        yield _GIVE, {"account_id": h.account_id, "amount": h.amount}
        return capped
    if h.job_id is not None and (refused := (yield from spending.book_job(h.job_id, h.amount))):
        yield _GIVE, {"account_id": h.account_id, "amount": h.amount}
        yield from spending.give_back(h.key_id, month_of(h.created_at), h.amount)
        return refused
    yield _row("hold", {**values, "amount": -h.amount}, now=h.created_at)
    yield _OPEN, {**values, "created_at": epoch_ms(h.created_at)}
    result: int = rows[0][0]
    return result


def settle(h: Hold, charged: int, record: Record | None, now: datetime, also: Also | None = None) -> Operation[Settled]:
    """Close the hold with `charged` credits and store the result, even if the hold is already closed."""
    claimed = yield _CLAIM, {"hold_id": h.id}
    if claimed:
        settled = Settled(charged, (yield from _close("settle", h.id, claimed[0], h.amount - charged, now)), late=False)
    else:
        kind, returned = yield from _close_hold(h.id)
        was_settled = kind == "settle" and not (yield _GIVEN, {"request_id": _correction_of(h.id)})
        left = yield from balance(h.account_id)
        settled = Settled(h.amount - returned if was_settled else 0, left, late=not was_settled)
    if also is not None:
        yield from also(settled)
    if record is not None:
        yield from insert(record)
    return settled


def refund(h: Hold, receipt: Receipt, now: datetime) -> Operation[int]:
    """Refund the hold completely and store the receipt. Return the new balance.

    Called when the caller gets an error. If the hold was settled anyway, its charge is corrected, once.
    """
    released = yield from release(h.id, now)
    if not released:
        yield from _correct(h, now)
    yield from receipts.keep(h.id, receipt)
    return (yield from balance(h.account_id))


def release(hold_id: str, now: datetime, *, note: str | None = None) -> Operation[bool]:
    """Refund the hold completely if it is open. Return whether it was."""
    claimed = yield _CLAIM, {"hold_id": hold_id}
    if claimed:
        yield from _close("refund", hold_id, claimed[0], claimed[0][1], now, note=note)
    return bool(claimed)


def _correct(h: Hold, now: datetime) -> Operation[None]:
    """Return, once, the credits that a closed hold was charged."""
    kind, returned = yield from _close_hold(h.id)
    charged = h.amount - returned
    values = {"account_id": h.account_id, "amount": charged, "request_id": _correction_of(h.id)}
    if kind != "settle" or not charged:
        return
    if not (yield _GIVE_ONCE, {**values, "before": ANY_BALANCE}):
        return
    yield from spending.give_back(h.key_id, month_of(h.created_at), charged)
    yield from spending.forgive_item(h.id, h.job_id, charged)
    named = {"hold_id": h.id, "endpoint": h.endpoint, "instance": h.instance, "key_id": h.key_id, "job_id": h.job_id}
    yield _row("grant", {**values, **named}, note=CORRECTION, now=now)


def _correction_of(hold_id: str) -> str:
    """Return the request id of the correcting grant. Request ids of callers contain no colon."""
    return f"correction:{hold_id}"


def _close(
    kind: str, hold_id: str, claim: tuple[Any, ...], back: int, now: datetime, *, note: str | None = None
) -> Operation[int]:
    """Write the closing row of a claimed hold and credit `back` to the account. Return the new balance."""
    account_id, _, request_id, endpoint, instance, key_id, job_id, held_at = claim
    if back:
        rows = yield _GIVE, {"account_id": account_id, "amount": back}
        left: int = rows[0][0]
        yield from spending.give_back(key_id, month_of(from_epoch_ms(held_at)), back)
        yield from spending.give_back_job(job_id, back)
    else:  # the balance does not change, so don't lock the account's row
        left = yield from balance(account_id)
    values = {
        "account_id": account_id,
        "amount": back,
        "hold_id": hold_id,
        "request_id": request_id,
        "endpoint": endpoint,
        "instance": instance,
        "key_id": key_id,
        "job_id": job_id,
    }
    yield _row(kind, values, note=note, now=now)
    return left


def _too_many() -> InvalidParams:
    return InvalidParams(f"credits: an account can have at most {MAX_CREDITS} credits.")


def _close_hold(hold_id: str) -> Operation[tuple[str, int]]:
    rows = yield _CLOSING, {"hold_id": hold_id}
    if not rows:
        raise UnknownHold(f"There is no hold {hold_id}.")
    kind, amount = rows[0]
    return kind, amount


def _row(kind: str, values: Mapping[str, Any], *, now: datetime, note: str | None = None) -> tuple[str, dict[str, Any]]:
    absent = dict.fromkeys(("hold_id", "request_id", "endpoint", "instance", "key_id", "job_id"))
    return _ROW, {**absent, **values, "kind": kind, "note": note, "created_at": epoch_ms(now)}
