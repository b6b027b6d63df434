"""Statements: the data about an account, which are the same over HTTP, on pages and in tools. Reading them is free."""

import base64
import binascii
from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from webquarry.accounts import Accounts, ApiKey, Caller
from webquarry.core.clock import Clock, end_of_day
from webquarry.core.errors import InvalidParams, NotFound
from webquarry.endpoints.declare import Params, Result, field, param
from webquarry.ledger import DayUsage, Entry, Ledger, Period, Place, Receipt, Status
from webquarry.ledger.spending import first_of, month_of, renewal

DEFAULT_DAYS = 30
MAX_DAYS = 366
MAX_ENTRIES = 100
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_A_DATE = "must be a date such as 2026-11-30"
_CALLER = r"^(key_|session:|grant:)[A-Za-z0-9_-]{1,64}$"
_A_CALLER = "must be the ID of a key, session or connected app of this account, as listed in the usage entries"


class UsageParams(Params):
    since: str | None = param(
        "First day (UTC). Default: 29 days before `until`.", default=None, pattern=_DATE, rule=_A_DATE
    )
    until: str | None = param("Last day (UTC). Default: today.", default=None, pattern=_DATE, rule=_A_DATE)
    endpoint: str | None = param(
        "Return only requests to this endpoint.", default=None, max_length=64, example="search"
    )
    key_id: str | None = param(
        "Return only requests of the key, session or connected app with this ID.",
        default=None,
        pattern=_CALLER,
        rule=_A_CALLER,
    )
    status: Literal["charged", "refunded", "open", "granted"] | None = param(
        "Return only entries with this status. `days` always covers all entries.", default=None
    )
    limit: int = param("Entries per page.", default=50, min_value=1, max_value=MAX_ENTRIES)
    cursor: str | None = param("`next_cursor` of the previous page.", default=None, max_length=64)


class KeyStatement(Result):
    id: str = field("ID of the key.")
    name: str = field("Name of the key.")
    prefix: str = field("Prefix of the key.")
    created_at: datetime = field("Creation time.")
    expires_at: datetime | None = field("Expiry time; null if it never expires.")
    last_used_at: datetime | None = field("Time when the key was last used, accurate to about one minute.")
    monthly_cap: int | None = field("Credits that the key can spend per calendar month (UTC); null for no cap.")
    spent_this_month: int = field("Credits spent this month, including credits held for running requests.")


class AccountStatement(Result):
    account: str = field("ID of the account.")
    email: str | None = field("Email address; null for connected apps.")
    created_at: datetime = field("Creation time.")
    credits: int = field("Balance in credits.")
    credits_this_month: int = field("Credits charged this calendar month (UTC).")
    renews_at: datetime = field("Time when the month ends and monthly caps renew.")
    requests_per_minute: int = field("Requests that a key can send in any 60 seconds.")
    account_requests_per_minute: int = field(
        "Requests that all keys of the account together can send in any 60 seconds."
    )
    key: KeyStatement | None = field("Key used for this request; null for a session or a connected app.")


class DayStatement(Result):
    day: date = field("Day on which the requests started (UTC).")
    endpoint: str = field("Name of the endpoint.")
    credits: int = field("Credits charged.")
    calls: int = field("Requests for which credits were held. Cached responses are free and not counted.")
    refunded: int = field("How many of these requests failed and were refunded.")


class EntryStatement(Result):
    at: datetime = field("Time when the request started or the credits were granted.")
    status: Status = field(
        "`charged`, `refunded` (the request failed), `open` (the request is running) or `granted` (credits were added)."
    )
    credits: int = field("Change to the balance: negative for a request, positive for a grant.")
    held: int = field("Credits held while the request ran.")
    endpoint: str | None = field("Name of the endpoint; null for a grant.")
    request_id: str | None = field("Request ID. For a refunded request, use it to look up the receipt.")
    key_id: str | None = field("ID of the key, session or connected app that sent the request.")
    note: str | None = field("Note, if there is one.")


class UsageStatement(Result):
    since: date = field("First day.")
    until: date = field("Last day.")
    credits: int = field("Credits charged in this period.")
    calls: int = field("Requests for which credits were held.")
    refunded: int = field("How many of these requests failed and were refunded.")
    days: list[DayStatement] = field("Totals by day and endpoint, oldest first. Days without requests are omitted.")
    entries: list[EntryStatement] = field("Requests and grants, newest first.")
    next_cursor: str | None = field("Cursor for the next page of entries; null on the last page.")


class AttemptStatement(Result):
    provider: str = field("Name of the provider.")
    reason: str | None = field("Why the provider failed; null if it succeeded.")
    took_ms: int = field("Duration of the attempt.", unit="ms")


class ReceiptStatement(Result):
    endpoint: str = field("Name of the endpoint.")
    code: str = field("Code of the error.")
    reason: str | None = field("A more specific reason, if there is one.")
    message: str = field("Error message that was returned.")
    attempts: list[AttemptStatement] = field("Providers that were tried, in order.")
    failed_at: datetime = field("Time of the failure.")
    refunded: int | None = field("Credits refunded.")


class ReceiptsStatement(Result):
    request_id: str = field("Request ID.")
    receipts: list[ReceiptStatement] = field(
        "Receipts, newest first. There can be several because clients can choose request IDs."
    )


class Statements:
    """Reads an account's statements.

    `endpoints` are the names of all endpoints. `keep_days` is how long receipts are kept.
    """

    def __init__(
        self,
        accounts: Accounts,
        ledger: Ledger,
        clock: Clock,
        *,
        endpoints: Collection[str],
        rate_limit: int,
        account_rate_limit: int,
        keep_days: int,
    ) -> None:
        self._accounts = accounts
        self._ledger = ledger
        self._clock = clock
        self._endpoints = frozenset(endpoints)
        self._rate_limit = rate_limit
        self._account_rate_limit = account_rate_limit
        self._keep_days = keep_days

    async def read_account(self, caller: Caller) -> AccountStatement:
        """Return the caller's balance and key. Raises NotFound if the account was just deleted."""
        account = await self._accounts.by_id(caller.account_id)
        if account is None:
            raise NotFound("Account not found.")
        now = self._clock.now()
        month = Period(first_of(month_of(now)), renewal(now))
        used = (await self._ledger.usage_by_account(month, [account.id])).get(account.id)
        return AccountStatement(
            account=account.id,
            email=None if caller.key_id.startswith("grant:") else account.email,
            created_at=account.created_at,
            credits=account.balance,
            credits_this_month=used.credits if used else 0,
            renews_at=renewal(now),
            requests_per_minute=self._rate_limit,
            account_requests_per_minute=self._account_rate_limit,
            key=await self._read_key(caller),
        )

    async def read_usage(self, caller: Caller, params: UsageParams) -> UsageStatement:
        """Return the account's usage in a period by day and endpoint, with one page of the period's entries.

        Raises InvalidParams for an invalid period, endpoint, key or cursor.
        """
        since, until = await self.check_usage(caller, params)
        period = make_period(since, until)
        before = None if params.cursor is None else read_cursor(params.cursor)
        days = await self._ledger.usage(caller.account_id, period, endpoint=params.endpoint, key_id=params.key_id)
        entries = await self._ledger.entries(
            caller.account_id,
            period,
            status=params.status,
            endpoint=params.endpoint,
            key_id=params.key_id,
            before=before,
            batch=params.limit + 1,
        )
        shown = entries[: params.limit]
        return UsageStatement(
            since=since,
            until=until,
            credits=sum(day.credits for day in days),
            calls=sum(day.calls for day in days),
            refunded=sum(day.refunded for day in days),
            days=[_tell_day(day) for day in days],
            entries=[_tell_entry(entry) for entry in shown],
            next_cursor=make_cursor(shown[-1].place) if len(entries) > len(shown) else None,
        )

    async def read_receipts(self, caller: Caller, request_id: str) -> ReceiptsStatement:
        """Return the receipts that explain why requests with this id failed.

        Raises NotFound if there is no such receipt, or if it has expired.
        """
        found = await self._ledger.receipts(caller.account_id, request_id)
        if not found:
            raise NotFound(
                f"No receipt found: no request of this account with this ID was refunded in the last "
                f"{self._keep_days} days."
            )
        return ReceiptsStatement(request_id=request_id, receipts=[_tell_receipt(receipt) for receipt in found])

    async def _read_key(self, caller: Caller) -> KeyStatement | None:
        key = await self._accounts.find_key(caller.key_id)
        if key is None:
            return None
        return tell_key(key, (await self._ledger.spending(caller.account_id)).get(key.id, 0))

    async def check_usage(self, caller: Caller, params: UsageParams) -> tuple[date, date]:
        """Return the first and last day of the period. Raises InvalidParams for an invalid period, endpoint or key."""
        if params.endpoint is not None and params.endpoint not in self._endpoints:
            raise InvalidParams("Parameter 'endpoint' must be the name of an endpoint, such as search.")
        if params.key_id is not None and params.key_id.startswith("key_"):
            key = await self._accounts.find_key(params.key_id)
            if key is None or key.account_id != caller.account_id:
                raise InvalidParams(f"Parameter 'key_id' {_A_CALLER}.")
        until = self._clock.now().date() if params.until is None else _read_date("until", params.until)
        if params.since is not None:
            since = _read_date("since", params.since)
        else:
            since = date.fromordinal(max(1, until.toordinal() - DEFAULT_DAYS + 1))
        if since > until:
            raise InvalidParams(f"Parameter 'since' must not be after 'until', which is {until}.")
        if until - since >= timedelta(days=MAX_DAYS):
            raise InvalidParams(f"Parameters 'since' and 'until' can span at most {MAX_DAYS} days.")
        return since, until


def make_period(since: date, until: date) -> Period:
    """Return the period from the start of the first day (UTC) to the end of the last."""
    return Period(datetime(since.year, since.month, since.day, tzinfo=UTC), end_of_day(until))


def tell_key(key: ApiKey, spent: int) -> KeyStatement:
    return KeyStatement(
        id=key.id,
        name=key.name,
        prefix=key.prefix,
        created_at=key.created_at,
        expires_at=key.expires_at,
        last_used_at=key.last_used_at,
        monthly_cap=key.monthly_cap,
        spent_this_month=spent,
    )


def make_cursor(place: Place) -> str:
    return base64.urlsafe_b64encode("{}.{}".format(*place).encode()).decode().rstrip("=")


def read_cursor(text: str) -> Place:
    """Return the position in a cursor. Raises InvalidParams if it is invalid."""
    try:
        at, _, seq = base64.b64decode(f"{text}===", altchars=b"-_", validate=False).decode("ascii").partition(".")
        place = int(at), int(seq)
    except (binascii.Error, ValueError) as exc:
        raise _make_cursor_error() from exc
    if not all(0 <= number < 2**62 for number in place):
        raise _make_cursor_error()
    return place


def _make_cursor_error() -> InvalidParams:
    return InvalidParams("Parameter 'cursor' must be the next_cursor of an earlier response.")


def _read_date(name: str, text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError as exc:
        raise InvalidParams(f"Parameter '{name}' {_A_DATE}.") from exc
    if not 2000 <= day.year < 9999:  # later times cannot be stored
        raise InvalidParams(f"Parameter '{name}' {_A_DATE}.")
    return day


def _tell_day(day: DayUsage) -> DayStatement:
    return DayStatement(day=day.day, endpoint=day.endpoint, credits=day.credits, calls=day.calls, refunded=day.refunded)


def _tell_entry(entry: Entry) -> EntryStatement:
    return EntryStatement(
        at=entry.at,
        status=entry.status,
        credits=entry.amount,
        held=entry.held,
        endpoint=entry.endpoint,
        request_id=entry.request_id,
        key_id=entry.key_id,
        note=entry.note,
    )


def _tell_receipt(receipt: Receipt) -> ReceiptStatement:
    return ReceiptStatement(
        endpoint=receipt.endpoint,
        code=receipt.code,
        reason=receipt.reason,
        message=receipt.message,
        attempts=[
            AttemptStatement(provider=attempt.provider, reason=attempt.reason, took_ms=attempt.ms)
            for attempt in receipt.attempts
        ],
        failed_at=receipt.created_at,
        refunded=receipt.refunded,
    )
