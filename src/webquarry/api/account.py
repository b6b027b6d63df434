"""`/api/v1/account`: an account's data about itself. Free, but each request counts towards the rate limit."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from webquarry.accounts import Caller
from webquarry.api.request_statements import RequestsParams, RequestsStatement, RequestStatements
from webquarry.api.statements import (
    AccountStatement,
    ReceiptsStatement,
    Statements,
    UsageParams,
    UsageStatement,
)
from webquarry.core.errors import NotFound
from webquarry.endpoints.declare import Params, Result
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import API_PREFIX

REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class NoParams(Params):
    """Parameters of an endpoint without a query."""


@dataclass(frozen=True, slots=True)
class AccountOperation:
    """One endpoint, as documented. `in_path` is the name and meaning of the path parameter."""

    name: str
    path: str
    title: str
    description: str
    params: type[Params]
    result: type[Result]
    in_path: tuple[str, str] | None = None


ACCOUNT = AccountOperation(
    name="account",
    path="/account",
    title="Your account",
    description="Your balance, the credits spent this month, and the expiry date and monthly cap of the key in use.",
    params=NoParams,
    result=AccountStatement,
)
USAGE = AccountOperation(
    name="account_usage",
    path="/account/usage",
    title="Usage and ledger",
    description="Credits by day and endpoint, and every request and grant of the period. Cached responses are free "
    "and aren't listed.",
    params=UsageParams,
    result=UsageStatement,
)
RECEIPTS = AccountOperation(
    name="account_receipts",
    path="/account/receipts/{request_id}",
    title="Receipts of a failed request",
    description="Why a request failed: the providers that were tried, their reasons and durations, and the credits "
    "that were refunded. The request ID is in the `X-Request-Id` header of each response.",
    params=NoParams,
    result=ReceiptsStatement,
    in_path=("request_id", "`X-Request-Id` of the request."),
)
REQUESTS = AccountOperation(
    name="account_requests",
    path="/account/requests",
    title="Request log",
    description="Every request, newest first. Cached, failed and refused requests are included. Requests are kept "
    "for some days. Parameters are shortened, and values that may be secret are left out.",
    params=RequestsParams,
    result=RequestsStatement,
)
OPERATIONS = (ACCOUNT, USAGE, RECEIPTS, REQUESTS)
Query = Sequence[tuple[str, str]]


class AccountCall(NamedTuple):
    """The account endpoint for a path, with the function that answers its requests."""

    operation: AccountOperation
    answer: Callable[[Caller, Query], Awaitable[Result]]


class AccountApi:
    """Finds the endpoint for a path.

    The function it returns raises what `Statements` raises, and InvalidParams for an invalid query.
    """

    def __init__(self, statements: Statements, requests: RequestStatements) -> None:
        self._statements = statements
        self._requests = requests
        self._receipts = f"{API_PREFIX}/account/receipts/"
        self._calls = {
            API_PREFIX + ACCOUNT.path: AccountCall(ACCOUNT, self._read_account),
            API_PREFIX + USAGE.path: AccountCall(USAGE, self._read_usage),
            API_PREFIX + REQUESTS.path: AccountCall(REQUESTS, self._read_requests),
        }

    def find(self, path: str) -> AccountCall | None:
        if path.startswith(self._receipts) and "/" not in path[len(self._receipts) :]:
            return AccountCall(RECEIPTS, self._read_receipts_of(path[len(self._receipts) :]))
        return self._calls.get(path)

    async def _read_account(self, caller: Caller, query: Query) -> Result:
        parse(NoParams, query)
        return await self._statements.read_account(caller)

    async def _read_usage(self, caller: Caller, query: Query) -> Result:
        return await self._statements.read_usage(caller, parse(UsageParams, query))

    async def _read_requests(self, caller: Caller, query: Query) -> Result:
        return await self._requests.read(caller, parse(RequestsParams, query))

    def _read_receipts_of(self, request_id: str) -> Callable[[Caller, Query], Awaitable[Result]]:
        async def read(caller: Caller, query: Query) -> Result:
            parse(NoParams, query)
            if not REQUEST_ID.fullmatch(request_id):  # there are no receipts for an invalid ID
                raise NotFound("No receipt found. A request ID has 1 to 64 letters, digits, _ and -.")
            return await self._statements.read_receipts(caller, request_id)

        return read
