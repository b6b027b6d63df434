"""The page of the request log, which lists all requests of the account, with filters and a CSV export."""

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.accounts import Visitor
from webquarry.api.request_statements import RequestsParams, RequestStatements
from webquarry.core.errors import InvalidParams
from webquarry.endpoints.params import parse
from webquarry.logs.requests import CACHE_STATES, STATUS_CLASSES, LoggedRequest
from webquarry.web.account.callers import CallerNames
from webquarry.web.account.export import REQUEST_HEADS, send_csv, write_csv, write_request
from webquarry.web.gate import Gate

REQUESTS = "/account/requests"
FILTER = ("since", "until", "endpoint", "status", "cache", "request_id")


class RequestPages:
    """Routes of `/account/requests`."""

    def __init__(self, gate: Gate, names: CallerNames, requests: RequestStatements) -> None:
        self._gate = gate
        self._names = names
        self._requests = requests

    def routes(self) -> Sequence[BaseRoute]:
        gate = self._gate
        return (
            Route(REQUESTS, gate.page(self.show), methods=["GET"]),
            Route(f"{REQUESTS}.csv", gate.page(self.export), methods=["GET"]),
        )

    async def show(self, request: Request, visitor: Visitor) -> Response:
        """Show requests. An invalid filter is reported next to the form, above unfiltered requests."""
        given, cursor = read_filter(request), request.query_params.get("cursor", "")
        await self._requests.log.store()  # so that the page includes the latest requests to this server
        fault = ""
        try:
            asked = parse(RequestsParams, [*given.items(), *([("cursor", cursor)] if cursor else [])])
            found = await self._requests.read(visitor.caller, asked)
        except InvalidParams as error:
            fault, cursor = error.message, ""
            found = await self._requests.read(visitor.caller, RequestsParams())
        older = f"{REQUESTS}?{urlencode({**given, 'cursor': found.next_cursor})}" if found.next_cursor else ""
        keep = self._requests.log.keep
        return await self._gate.show(
            request,
            "account/requests.html",
            status=400 if fault else 200,
            section="requests",
            found=found,
            keep_days=keep.days if keep else 0,
            callers=await self._names.read(visitor),
            endpoints=self._requests.endpoints,
            statuses=STATUS_CLASSES,
            caches=CACHE_STATES,
            values={**dict.fromkeys(FILTER, ""), **given},
            is_filtered=bool(given) and not fault,
            fault=fault,
            export=f"{REQUESTS}.csv?{urlencode({} if fault else given)}",
            newer=f"{REQUESTS}?{urlencode(given)}" if cursor else "",
            older=older,
        )

    async def export(self, request: Request, visitor: Visitor) -> Response:
        chosen = self._requests.check(parse(RequestsParams, list(read_filter(request).items())))
        await self._requests.log.store()

        place, is_over = None, False

        async def read(_last: LoggedRequest | None, batch: int) -> list[LoggedRequest]:
            nonlocal place, is_over
            found: list[LoggedRequest] = []
            while len(found) < batch and not is_over:
                page = await self._requests.log.find(visitor.account_id, chosen, before=place, batch=batch - len(found))
                found, place, is_over = found + page.requests, page.next, page.next is None
            return found

        write = partial(write_request, callers=await self._names.read(visitor))
        name = f"webquarry-requests-{chosen.begins:%Y-%m-%d}-{chosen.ends:%Y-%m-%d}"
        return send_csv(write_csv(REQUEST_HEADS, read, write), name)


def read_filter(request: Request) -> dict[str, str]:
    """Return the filter fields that were filled in."""
    return {name: text for name in FILTER if (text := request.query_params.get(name, "").strip())}
