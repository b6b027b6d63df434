"""Pages about usage: credits by day and endpoint, the ledger with filters and a CSV export, and receipts of failed
requests.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Accounts, Visitor
from webquarry.api.statements import Statements, UsageParams, make_period
from webquarry.core.errors import InvalidParams, NotFound
from webquarry.endpoints.params import parse
from webquarry.ledger import STATUSES, Entry, Ledger
from webquarry.web.account.callers import CallerNames
from webquarry.web.account.chart import draw
from webquarry.web.account.export import LEDGER_HEADS, send_csv, write_csv, write_entry
from webquarry.web.gate import Gate, go_to

USAGE = "/account/usage"
RECEIPTS = "/account/receipts"
FILTER = ("since", "until", "endpoint", "key_id", "status")


class UsagePages:
    """Routes of `/account/usage` and `/account/receipts`. `endpoints` are the names of all endpoints."""

    def __init__(
        self,
        gate: Gate,
        accounts: Accounts,
        ledger: Ledger,
        names: CallerNames,
        statements: Statements,
        endpoints: Sequence[str],
    ) -> None:
        self._gate = gate
        self._accounts = accounts
        self._ledger = ledger
        self._names = names
        self._statements = statements
        self._endpoints = sorted(endpoints)

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        return (
            Route(USAGE, gate.page(self.show), methods=["GET"]),
            Route(f"{USAGE}.csv", gate.page(self.export), methods=["GET"]),
            Route(RECEIPTS, gate.page(self.find_receipt), methods=["GET"]),
            Route(f"{RECEIPTS}/{{request_id}}", gate.page(self.show_receipt), methods=["GET"]),
        )

    async def show(self, request: Request, visitor: Visitor) -> Response:
        """Show usage. An invalid filter is reported next to the form, above unfiltered usage."""
        given = read_filter(request)
        fault, params = "", UsageParams()
        try:
            params = parse(UsageParams, [*given.items(), *read_cursor(request)])
            usage = await self._statements.read_usage(visitor.caller, params)
        except InvalidParams as error:
            fault, params = error.message, UsageParams()
            usage = await self._statements.read_usage(visitor.caller, params)
        by_endpoint: Counter[str] = Counter()
        for day in usage.days:
            by_endpoint[day.endpoint] += day.credits
        callers = await self._names.read(visitor)
        keys = await self._accounts.list_keys(visitor.account_id)
        chosen = {**callers, **{key.id: f"{key.name} ({key.prefix}…)" for key in keys}}
        older = f"{USAGE}?{urlencode({**given, 'cursor': usage.next_cursor})}" if usage.next_cursor else ""
        return await self._gate.show(
            request,
            "account/usage.html",
            status=400 if fault else 200,
            section="usage",
            usage=usage,
            chart=draw(usage.days, usage.since, usage.until),
            by_endpoint=by_endpoint.most_common(),
            callers=callers,
            chosen_callers=name_unknown(chosen, params.key_id),
            endpoints=self._endpoints,
            statuses=STATUSES,
            values={**dict.fromkeys(FILTER, ""), "since": str(usage.since), "until": str(usage.until), **given},
            fault=fault,
            export=f"{USAGE}.csv?{urlencode({} if fault else given)}",
            newer=f"{USAGE}?{urlencode(given)}" if params.cursor else "",
            older=older,
        )

    async def export(self, request: Request, visitor: Visitor) -> Response:
        params = parse(UsageParams, list(read_filter(request).items()))
        since, until = await self._statements.check_usage(visitor.caller, params)
        period = make_period(since, until)

        async def read(last: Entry | None, batch: int) -> list[Entry]:
            return await self._ledger.entries(
                visitor.account_id,
                period,
                status=params.status,
                endpoint=params.endpoint,
                key_id=params.key_id,
                before=last.place if last else None,
                batch=batch,
            )

        write = partial(write_entry, callers=await self._names.read(visitor))
        return send_csv(write_csv(LEDGER_HEADS, read, write), f"webquarry-{since}-{until}")

    async def find_receipt(self, request: Request, _visitor: Visitor) -> Response:
        """Redirect to the receipt for the request id that was entered."""
        request_id = request.query_params.get("request_id", "").strip()
        return go_to(f"{RECEIPTS}/{quote(request_id[:64], safe='')}" if request_id else USAGE)

    async def show_receipt(self, request: Request, visitor: Visitor) -> Response:
        request_id = request.path_params["request_id"]
        values: dict[str, Any] = {"section": "usage", "request_id": request_id}
        try:
            receipts = await self._statements.read_receipts(visitor.caller, request_id)
        except NotFound:
            return await self._gate.show(request, "account/receipt.html", status=404, receipts=[], **values)
        return await self._gate.show(request, "account/receipt.html", receipts=receipts.receipts, **values)


def name_unknown(callers: Mapping[str, str], params: str | None) -> Mapping[str, str]:
    """Return the callers to choose from, including the requested caller even if it is no longer active."""
    return callers if params is None else {params: "an app or another session", **callers}


def read_filter(request: Request) -> dict[str, str]:
    """Return the filter fields that were filled in."""
    return {name: text for name in FILTER if (text := request.query_params.get(name, "").strip())}


def read_cursor(request: Request) -> list[tuple[str, str]]:
    cursor = request.query_params.get("cursor", "")
    return [("cursor", cursor)] if cursor else []
