"""Playground history: an account's past requests, which can be opened again."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.storage import Database, Operation

KEPT: Final = 200
"""Maximum number of requests kept per account. The oldest requests are deleted first."""


@dataclass(frozen=True, slots=True)
class PastCall:
    """A past request in the playground.

    `id` is the request's id prefixed with its time, so that ids sort by time. `question` contains its parameters as a
    URL query. `file_name` is set for an upload. `conversion_id` is the result's id, or None if it failed. `code` is
    `ok` or an error code. `cache` is `hit`, `miss`, `joined`, or `none` for an error.
    """

    id: str
    account_id: str
    endpoint: str
    question: str
    file_name: str | None
    conversion_id: str | None
    code: str
    cache: str
    charged: int
    took_ms: int
    created_at: datetime


_ADD = """
    INSERT INTO playground_calls
        (id, account_id, endpoint, question, file_name, conversion_id, code, cache, charged, took_ms, created_at)
    SELECT CAST(:id AS TEXT), accounts.id, CAST(:endpoint AS TEXT), CAST(:question AS TEXT), CAST(:file_name AS TEXT),
        CAST(:conversion_id AS TEXT), CAST(:code AS TEXT), CAST(:cache AS TEXT), CAST(:charged AS BIGINT),
        CAST(:took_ms AS BIGINT), CAST(:created_at AS BIGINT)
    FROM accounts WHERE accounts.id = :account_id AND deleted_at IS NULL
    ON CONFLICT (id) DO NOTHING"""
_BOUND = """
    DELETE FROM playground_calls WHERE account_id = :account_id AND id < (
        SELECT MIN(id) FROM (
            SELECT id FROM playground_calls WHERE account_id = :account_id ORDER BY id DESC LIMIT :kept
        ) AS newest)"""
_CALLS = """
    SELECT id, account_id, endpoint, question, file_name, conversion_id, code, cache, charged, took_ms, created_at
    FROM playground_calls WHERE account_id = :account_id"""
_NEWEST = f"{_CALLS} AND id < :before ORDER BY id DESC LIMIT :most"
_OF_CONVERSION = f"{_CALLS} AND conversion_id = :conversion_id ORDER BY id DESC LIMIT 1"
_FORGET = "DELETE FROM playground_calls WHERE account_id = :account_id"
_END = "~"
"""A string that sorts after every id."""


class History:
    """Requests made in the playground, in one store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, call: PastCall) -> None:
        """Store a request, keeping at most KEPT per account."""
        await self._database.write(partial(_add, call), account=call.account_id, admitted=True)

    async def newest(self, account_id: str, most: int, before: str | None = None) -> list[PastCall]:
        """Return the account's latest requests, newest first.

        With `before`, the id of a request, return only requests made earlier.
        """
        return await self._database.read(partial(_newest, account_id, most, before or _END))

    async def of_conversion(self, account_id: str, conversion_id: str) -> PastCall | None:
        """Return the account's latest request that resulted in this conversion, or None."""
        return await self._database.read(partial(_of_conversion, account_id, conversion_id))

    async def forget(self, account_id: str) -> None:
        """Delete all requests of the account."""
        await self._database.write(partial(_forget, account_id), account=account_id)


def _add(call: PastCall) -> Operation[None]:
    values = {name: getattr(call, name) for name in PastCall.__slots__}
    yield _ADD, {**values, "created_at": epoch_ms(call.created_at)}
    yield _BOUND, {"account_id": call.account_id, "kept": KEPT}


def _newest(account_id: str, most: int, before: str) -> Operation[list[PastCall]]:
    rows = yield _NEWEST, {"account_id": account_id, "most": most, "before": before}
    return [_past_call(row) for row in rows]


def _of_conversion(account_id: str, conversion_id: str) -> Operation[PastCall | None]:
    rows = yield _OF_CONVERSION, {"account_id": account_id, "conversion_id": conversion_id}
    return _past_call(rows[0]) if rows else None


def _forget(account_id: str) -> Operation[None]:
    yield _FORGET, {"account_id": account_id}


def _past_call(row: tuple[Any, ...]) -> PastCall:
    id, account_id, endpoint, question, file_name, conversion_id, code, cache, charged, took_ms, created_at = row
    return PastCall(
        id=id,
        account_id=account_id,
        endpoint=endpoint,
        question=question,
        file_name=file_name,
        conversion_id=conversion_id,
        code=code,
        cache=cache,
        charged=charged,
        took_ms=took_ms,
        created_at=from_epoch_ms(created_at),
    )
