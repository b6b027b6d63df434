"""Directory in which the operator finds, lists and deletes accounts.

Deleting an account removes all personal data: address, password, second factor, sessions, connected apps, names of
keys, receipts, details of events, and conversions of uploads. The request log's sweep deletes the account's requests.
The account's id stays in its events and in the ledger, whose entries never change, so that the accounting remains
complete. Its email address can be used to sign up again.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Literal, get_args

from webquarry.accounts.accounts import NO_MAIL
from webquarry.accounts.people import People
from webquarry.core.caller import Caller
from webquarry.core.clock import Clock, epoch_ms, from_epoch_ms
from webquarry.core.errors import NotFound
from webquarry.logs.audit import CLI, Actor, hide_details, make_event, record_after
from webquarry.storage import Database, Operation

PAGE = 50


@dataclass(frozen=True, slots=True)
class Listing:
    """An account as the operator sees it. `disabled_at` is when its keys, sessions and tokens were disabled."""

    id: str
    email: str
    balance: int
    created_at: datetime
    disabled_at: datetime | None
    is_admin: bool
    has_password: bool
    has_factor: bool
    passkeys: int

    @property
    def caller(self) -> Caller:
        """The caller that is used when the operator reads the account's data."""
        return Caller(self.id, "operator")


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of accounts, and the sum of their balances."""

    accounts: int
    disabled: int
    admins: int
    credits: int


Column = Literal["email", "balance", "created_at"]
COLUMNS: tuple[Column, ...] = get_args(Column)


@dataclass(frozen=True, slots=True)
class Order:
    """Sort order of a list of accounts."""

    column: Column = "email"
    is_descending: bool = False

    def place_of(self, listing: Listing) -> str:
        """Return a cursor for an account in this order; the next page starts after it."""
        value = epoch_ms(listing.created_at) if self.column == "created_at" else getattr(listing, self.column)
        return f"{value}:{listing.id}"

    def read_place(self, text: str) -> tuple[str | int, str] | None:
        """Parse a cursor into the account's sort value and id. Return None if the cursor is empty, which means the
        start of the list.
        """
        value, _, id = text.rpartition(":")
        if self.column == "email":
            return (value, id) if value else None
        return (int(value), id) if value.isascii() and value.isdigit() and len(value) < 19 else None


_COLUMNS = """
    SELECT id, email, balance, created_at, disabled_at, is_admin, password_hash IS NOT NULL,
        EXISTS (SELECT 1 FROM second_factors WHERE account_id = accounts.id AND confirmed_at IS NOT NULL),
        (SELECT COUNT(*) FROM passkeys WHERE account_id = accounts.id)
    FROM accounts"""
_MATCH = "deleted_at IS NULL AND (CAST(:part AS TEXT) = '' OR email LIKE :pattern ESCAPE '!')"
_COUNT = """
    SELECT COUNT(*), COUNT(disabled_at), CAST(COALESCE(SUM(is_admin), 0) AS BIGINT),
        CAST(COALESCE(SUM(balance), 0) AS BIGINT)
    FROM accounts WHERE deleted_at IS NULL"""
_ONE = f"""{_COLUMNS}
    WHERE deleted_at IS NULL AND (id = :id OR email = :id)"""
_FORGET_PERSON = """
    UPDATE accounts SET email = :email, password_hash = NULL, verified_at = NULL, is_admin = 0,
        disabled_at = COALESCE(disabled_at, :now), deleted_at = :now
    WHERE id = :id AND (deleted_at IS NULL OR deleted_at = :now) RETURNING id"""
_FORGET_REST = (
    "DELETE FROM sessions WHERE account_id = :id",
    "DELETE FROM second_factors WHERE account_id = :id",
    "DELETE FROM passkeys WHERE account_id = :id",
    "DELETE FROM recovery_codes WHERE account_id = :id",
    "DELETE FROM mail_codes WHERE account_id = :id",
    "DELETE FROM oauth_codes WHERE account_id = :id",
    "DELETE FROM oauth_grants WHERE account_id = :id",  # the grants' tokens are deleted with them
    "DELETE FROM receipts WHERE account_id = :id",
    "DELETE FROM playground_calls WHERE account_id = :id",
    "DELETE FROM shares WHERE account_id = :id",
    "DELETE FROM webhooks WHERE account_id = :id",  # their deliveries are deleted with them
)
_END_KEYS = """
    UPDATE api_keys SET name = 'deleted', prefix = '', revoked_at = COALESCE(revoked_at, :now) WHERE account_id = :id"""
_END_CONVERSIONS = "UPDATE conversions SET expires_at = :now WHERE owner = :id AND expires_at > :now"


BY_EMAIL = Order()


class Directory:
    def __init__(self, database: Database, clock: Clock, people: People) -> None:
        self._database = database
        self._clock = clock
        self._people = people

    async def list_page(
        self, *, part: str = "", order: Order = BY_EMAIL, after: str = "", batch: int = PAGE
    ) -> list[Listing]:
        """Return accounts whose address contains `part`, starting after a cursor."""
        return await self._database.read(partial(_list_page, part.strip().lower(), order, after, batch))

    async def count(self) -> Counts:
        """Return totals over all accounts that are not deleted."""
        return await self._database.read(_count)

    async def find(self, id: str) -> Listing:
        """Return the account with this id or address. Raises NotFound if there is no such account."""
        found = await self._database.read(partial(_find, id.strip().lower()))
        if found is None:
            raise NotFound(f"No account has the ID {id}.")
        return found

    async def delete(self, account_id: str, *, by: Actor = CLI) -> None:
        """Delete the account permanently. It stops working immediately in this process and within 5 s in others.

        Raises NotFound if there is no such account.
        """
        now = self._clock.now()
        event = make_event(by, account_id, "account.deleted", now)
        if not await self._database.write(record_after(partial(_delete, account_id, now), event), account=account_id):
            raise NotFound("Account not found.")
        self._people.forget(account_id)


def _list_page(part: str, order: Order, after: str, batch: int) -> Operation[list[Listing]]:
    escaped = part.replace("!", "!!").replace("%", "!%").replace("_", "!_")
    values: dict[str, str | int] = {"part": part, "pattern": f"%{escaped}%", "batch": batch}
    place, column = order.read_place(after), order.column
    direction, is_after = ("DESC", "<") if order.is_descending else ("ASC", ">")
    where = _MATCH
    if place is not None:
        where = f"{_MATCH} AND ({column}, id) {is_after} (:value, :id)"
        values["value"], values["id"] = place
    sql = f"{_COLUMNS} WHERE {where} ORDER BY {column} {direction}, id {direction} LIMIT :batch"
    return [_listing(row) for row in (yield sql, values)]


def _count() -> Operation[Counts]:
    rows = yield _COUNT, {}
    return Counts(*rows[0])


def _find(id: str) -> Operation[Listing | None]:
    rows = yield _ONE, {"id": id}
    return _listing(rows[0]) if rows else None


def _delete(id: str, now: datetime) -> Operation[bool]:
    at = epoch_ms(now)
    if not (yield _FORGET_PERSON, {"id": id, "email": f"{id}@deleted{NO_MAIL}", "now": at}):
        return False
    for sql in _FORGET_REST:
        yield sql, {"id": id}
    yield _END_KEYS, {"id": id, "now": at}
    yield _END_CONVERSIONS, {"id": id, "now": at}
    yield from hide_details(id)
    return True


def _listing(row: tuple[Any, ...]) -> Listing:
    id, email, balance, created_at, disabled_at, is_admin, has_password, has_factor, passkeys = row
    return Listing(
        id=id,
        email=email,
        balance=balance,
        created_at=from_epoch_ms(created_at),
        disabled_at=None if disabled_at is None else from_epoch_ms(disabled_at),
        is_admin=bool(is_admin),
        has_password=bool(has_password),
        has_factor=bool(has_factor),
        passkeys=passkeys,
    )
