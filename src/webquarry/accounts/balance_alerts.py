"""Emails about low balances. An owner gets one each time the balance falls below the threshold they chose.

Each server checks every 30 seconds. If there are several servers, only the server that claims an alert sends the email.
A grant that raises the balance to the threshold also re-arms the alert, in the same transaction.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from webquarry.accounts.post import Post
from webquarry.core.background import try_round
from webquarry.core.errors import InvalidParams
from webquarry.ledger import MAX_CREDITS
from webquarry.storage import Database, Operation

CHECK_EVERY_S: Final = 30.0
BATCH: Final = 200

_SET = """
    UPDATE accounts SET low_balance = CAST(:threshold AS BIGINT),
        low_balance_told = CASE WHEN balance < CAST(:threshold AS BIGINT) THEN 'known' END
    WHERE id = :account_id AND deleted_at IS NULL"""
_FIND = "SELECT low_balance FROM accounts WHERE id = :account_id"
# credits on hold return to the balance unless the request succeeds
_IS_LOW = """
    low_balance_told IS NULL AND disabled_at IS NULL AND verified_at IS NOT NULL
        AND balance < low_balance AND balance + (
            SELECT COALESCE(SUM(amount), 0) FROM open_holds WHERE open_holds.account_id = accounts.id) < low_balance"""
_IS_OVER = "low_balance_told IS NOT NULL AND balance >= low_balance"
_LOOK = f"SELECT 1 FROM accounts WHERE low_balance IS NOT NULL AND (({_IS_LOW}) OR ({_IS_OVER})) LIMIT 1"  # noqa: S608
_ARM = f"UPDATE accounts SET low_balance_told = NULL WHERE low_balance IS NOT NULL AND {_IS_OVER}"  # noqa: S608
_CLAIM = f"""
    UPDATE accounts SET low_balance_told = :claim WHERE id IN (
        SELECT id FROM accounts WHERE low_balance IS NOT NULL AND {_IS_LOW} ORDER BY id LIMIT :batch)
    AND low_balance_told IS NULL"""  # noqa: S608
_CLAIMED = """
    SELECT email, balance, low_balance FROM accounts WHERE low_balance IS NOT NULL AND low_balance_told = :claim"""


@dataclass(frozen=True, slots=True)
class LowBalance:
    """A balance that has fallen below its threshold."""

    email: str
    balance: int
    threshold: int


class BalanceAlerts:
    """The alerts of one store. `post` sends emails; without it, no emails are sent."""

    def __init__(
        self, database: Database, post: Post | None, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._database = database
        self._post = post
        self._sleep = sleep

    @property
    def sends_mail(self) -> bool:
        return self._post is not None

    async def set(self, account_id: str, threshold: int | None) -> None:
        """Set the threshold, or turn alerts off with None.

        If the balance is already below the threshold, no email is sent until the balance has recovered and falls again.
        Raises InvalidParams if the threshold is out of bounds.
        """
        if threshold is not None and not 1 <= threshold <= MAX_CREDITS:
            raise InvalidParams(f"threshold: must be a whole number from 1 to {MAX_CREDITS:,}, or empty for no email.")
        await self._database.write(partial(_set, account_id, threshold), account=account_id)

    async def find(self, account_id: str) -> int | None:
        """Return the account's threshold, or None if it has none."""
        return await self._database.read(partial(_find, account_id))

    async def check(self) -> None:
        """Email owners whose balance has fallen below its threshold, and re-arm alerts whose balance has recovered."""
        if self._post is None or not await self._database.read(_look):
            return
        for low in await self._database.write(partial(_claim, secrets.token_hex(12))):
            self._post.tell_low_balance(low.email, low.balance, low.threshold)

    async def run(self) -> None:
        """Check periodically, forever."""
        while True:
            await try_round("balance_alerts", self.check())
            await self._sleep(CHECK_EVERY_S)


def _set(account_id: str, threshold: int | None) -> Operation[None]:
    yield _SET, {"account_id": account_id, "threshold": threshold}


def _find(account_id: str) -> Operation[int | None]:
    rows = yield _FIND, {"account_id": account_id}
    return rows[0][0] if rows else None


def _look() -> Operation[bool]:
    return bool((yield _LOOK, {}))


def _claim(claim: str) -> Operation[list[LowBalance]]:
    """Re-arm alerts, and claim and return the alerts that are due. Repeating a claim returns the same alerts."""
    yield _ARM, {}
    yield _CLAIM, {"claim": claim, "batch": BATCH}
    rows = yield _CLAIMED, {"claim": claim}
    return [LowBalance(*row) for row in rows]
