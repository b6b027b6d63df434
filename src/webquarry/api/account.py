"""`/api/v1/account`: an account's data about itself. Free, but each request counts towards the rate limit."""

from collections.abc import Mapping

from webquarry.api.operations import Handler, Operation, Reply, Request
from webquarry.api.request_statements import RequestsParams, RequestsStatement, RequestStatements
from webquarry.api.statements import (
    AccountStatement,
    ReceiptsStatement,
    Statements,
    UsageParams,
    UsageStatement,
)
from webquarry.endpoints.params import parse

ACCOUNT = Operation(
    name="account",
    method="GET",
    path="/account",
    title="Your account",
    description="Your balance, the credits spent this month, and the expiry date and monthly cap of the key in use.",
    tag="account",
    result=AccountStatement,
)
USAGE = Operation(
    name="account_usage",
    method="GET",
    path="/account/usage",
    title="Usage and ledger",
    description="Credits by day and endpoint, and every request and grant in the period. Cached responses are free "
    "and aren't listed.",
    tag="account",
    params=UsageParams,
    result=UsageStatement,
)
RECEIPTS = Operation(
    name="account_receipts",
    method="GET",
    path="/account/receipts/{request_id}",
    title="Receipts of a failed request",
    description="Why a request failed: the providers that were tried, their reasons and durations, and the credits "
    "that were refunded. The request ID is in the `X-Request-Id` header of each response.",
    tag="account",
    result=ReceiptsStatement,
)
REQUESTS = Operation(
    name="account_requests",
    method="GET",
    path="/account/requests",
    title="Request log",
    description="Every request, newest first. Cached, failed and refused requests are included. Requests are kept "
    "for some days. Parameters are shortened, and values that may be secret are left out.",
    tag="account",
    params=RequestsParams,
    result=RequestsStatement,
)
OPERATIONS = (ACCOUNT, USAGE, RECEIPTS, REQUESTS)


class AccountApi:
    """Answers requests about an account. Raises the errors of `Statements`, and InvalidParams for an invalid query."""

    def __init__(self, statements: Statements, requests: RequestStatements) -> None:
        self._statements = statements
        self._requests = requests

    @property
    def handlers(self) -> Mapping[Operation, Handler]:
        return {
            ACCOUNT: self._read_account,
            USAGE: self._read_usage,
            RECEIPTS: self._read_receipts,
            REQUESTS: self._read_requests,
        }

    async def _read_account(self, request: Request) -> Reply:
        return Reply.of(await self._statements.read_account(request.caller))

    async def _read_usage(self, request: Request) -> Reply:
        return Reply.of(await self._statements.read_usage(request.caller, parse(UsageParams, request.query)))

    async def _read_receipts(self, request: Request) -> Reply:
        return Reply.of(await self._statements.read_receipts(request.caller, request.id))

    async def _read_requests(self, request: Request) -> Reply:
        return Reply.of(await self._requests.read(request.caller, parse(RequestsParams, request.query)))
