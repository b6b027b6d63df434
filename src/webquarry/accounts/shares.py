"""Shared responses: links with which anyone can read a response from an account's playground history."""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

from webquarry.core.clock import epoch_ms, from_epoch_ms
from webquarry.core.errors import InvalidParams
from webquarry.storage import Database, Operation

MAX_SHARES: Final = 100
"""Maximum number of links per account."""
Values = dict[str, str | int]
_ID: Final = re.compile(r"sh_[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Share:
    """A link to a response.

    `id` is the secret in the link: 128 random bits. `question` holds the request's parameters as a URL query. The link
    works until `expires_at`, when the response is deleted.
    """

    id: str
    account_id: str
    conversion_id: str
    endpoint: str
    question: str
    created_at: datetime
    expires_at: datetime


_SHARES = """
    SELECT s.id, s.account_id, s.conversion_id, s.endpoint, s.question, s.created_at, c.expires_at
    FROM shares s JOIN conversions c ON c.id = s.conversion_id JOIN accounts a ON a.id = s.account_id
    WHERE c.expires_at > :now AND a.disabled_at IS NULL"""
_BY_ID = f"{_SHARES} AND s.id = :id"
_LISTED = f"{_SHARES} AND s.account_id = :account_id ORDER BY s.created_at DESC, s.id"
_OF_CONVERSION = f"{_SHARES} AND s.account_id = :account_id AND s.conversion_id = :conversion_id"
_COUNT = "SELECT COUNT(*) FROM shares WHERE account_id = :account_id AND conversion_id <> :conversion_id"
# only a public response that the account has in its history, and never the response to a file
_ADD = """
    INSERT INTO shares (id, account_id, conversion_id, endpoint, question, created_at)
    SELECT CAST(:id AS TEXT), a.id, c.id, p.endpoint, p.question, CAST(:now AS BIGINT)
    FROM playground_calls p JOIN conversions c ON c.id = p.conversion_id JOIN accounts a ON a.id = p.account_id
    WHERE p.account_id = :account_id AND p.conversion_id = :conversion_id AND p.file_name IS NULL
        AND c.owner IS NULL AND c.expires_at > :now AND a.deleted_at IS NULL
    ORDER BY p.id DESC LIMIT 1
    ON CONFLICT (account_id, conversion_id) DO NOTHING"""
_END = "DELETE FROM shares WHERE account_id = :account_id AND id = :id"


class Shares:
    """The links of all accounts, in one store. A link is deleted with its response."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def share(self, account_id: str, conversion_id: str, now: datetime) -> Share | None:
        """Create a link to a response, or return the existing one.

        Return None unless the response is public, still stored, and in the account's playground history. Raises
        InvalidParams if the account has too many links.
        """
        id = f"sh_{secrets.token_hex(16)}"
        return await self._database.write(partial(_share, id, account_id, conversion_id, now), account=account_id)

    async def find(self, id: str, now: datetime) -> Share | None:
        """Return the link with this id, or None if it has ended or its response has expired."""
        if not _ID.fullmatch(id):
            return None
        return await self._database.read(partial(_find, _BY_ID, {"id": id, "now": epoch_ms(now)}))

    async def of_conversion(self, account_id: str, conversion_id: str, now: datetime) -> Share | None:
        """Return the account's link to a response, or None."""
        values: Values = {"account_id": account_id, "conversion_id": conversion_id, "now": epoch_ms(now)}
        return await self._database.read(partial(_find, _OF_CONVERSION, values))

    async def list_shares(self, account_id: str, now: datetime) -> list[Share]:
        """Return the account's links, newest first."""
        return await self._database.read(partial(_list, account_id, now))

    async def end(self, account_id: str, id: str) -> None:
        """Delete a link of this account. Do nothing if it has no such link."""
        await self._database.write(partial(_end, account_id, id), account=account_id)


def _share(id: str, account_id: str, conversion_id: str, now: datetime) -> Operation[Share | None]:
    values: Values = {"account_id": account_id, "conversion_id": conversion_id}
    [(count,)] = yield _COUNT, values
    if count >= MAX_SHARES:
        raise InvalidParams(f"An account can share at most {MAX_SHARES} responses. Stop sharing one of them first.")
    values["now"] = epoch_ms(now)
    yield _ADD, {**values, "id": id}
    return (yield from _find(_OF_CONVERSION, values))


def _find(sql: str, values: Values) -> Operation[Share | None]:
    rows = yield sql, values
    return _from_row(rows[0]) if rows else None


def _list(account_id: str, now: datetime) -> Operation[list[Share]]:
    rows = yield _LISTED, {"account_id": account_id, "now": epoch_ms(now)}
    return [_from_row(row) for row in rows]


def _end(account_id: str, id: str) -> Operation[None]:
    yield _END, {"account_id": account_id, "id": id}


def _from_row(row: tuple[Any, ...]) -> Share:
    id, account_id, conversion_id, endpoint, question, created_at, expires_at = row
    return Share(
        id, account_id, conversion_id, endpoint, question, from_epoch_ms(created_at), from_epoch_ms(expires_at)
    )
