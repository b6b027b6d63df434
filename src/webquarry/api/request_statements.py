"""An account's request log, for its owner. Reading the log is free."""

import re
from collections.abc import Collection
from datetime import UTC, datetime, timedelta

from webquarry.core.caller import Caller
from webquarry.core.clock import Clock, end_of_day
from webquarry.core.errors import InvalidParams
from webquarry.endpoints.declare import Params, Result, field, param
from webquarry.logs.requests import CacheFilter, Filter, LoggedRequest, RequestLog, StatusClass

MAX_REQUESTS = 100
_INSTANT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2})?Z?)?$"
_AN_INSTANT = "must be a date such as 2026-11-30, or a time such as 2026-11-30T18:00Z"
_CURSOR = re.compile(r"[0-9a-f]{30}")


class RequestsParams(Params):
    since: str | None = param(
        "First day or earliest time (UTC). Default: the oldest request that is kept.",
        default=None,
        pattern=_INSTANT,
        rule=_AN_INSTANT,
    )
    until: str | None = param(
        "Last day or latest time (UTC). Default: now.", default=None, pattern=_INSTANT, rule=_AN_INSTANT
    )
    endpoint: str | None = param(
        "Return only requests to this endpoint.", default=None, max_length=64, example="search"
    )
    status: StatusClass | None = param("Return only requests with a status of this class.", default=None)
    cache: CacheFilter | None = param(
        "Return only requests with this cache state; `none` for errors and for responses that are never cached.",
        default=None,
    )
    request_id: str | None = param(
        "Return only requests with this ID.",
        default=None,
        pattern=r"^[A-Za-z0-9_-]{1,64}$",
        rule="has 1 to 64 letters, digits, _ and -",
    )
    limit: int = param("Requests per page.", default=50, min_value=1, max_value=MAX_REQUESTS)
    cursor: str | None = param("`next_cursor` of the previous page.", default=None, max_length=64)


class RequestStatement(Result):
    at: datetime = field("Time of the response.")
    endpoint: str = field("Name of the endpoint.")
    params: str = field("Shortened parameters. Values that may be secret are replaced by `…`.")
    status: int = field("HTTP status. For a tool, the status of the same error over HTTP.")
    code: str = field("`ok`, or the code of the error.")
    cache: str = field("`hit`, `miss`, `joined`, or `none`.")
    credits: int = field("Credits charged.")
    took_ms: int = field("Duration of the request.", unit="ms")
    request_id: str = field("Request ID.")
    key_id: str = field("ID of the key, session or connected app that sent the request.")


class RequestsStatement(Result):
    since: datetime = field("Earliest time.")
    until: datetime = field("Latest time.")
    not_logged: int = field(
        "Requests in this period that were not logged because there were too many at the same time."
    )
    requests: list[RequestStatement] = field("Requests, newest first. New requests appear within a few seconds.")
    next_cursor: str | None = field(
        "Cursor for the next page; null on the last page. A page can have fewer requests than `limit`, or none, "
        "because a search ends after 500,000 requests."
    )


class RequestStatements:
    """Reads the request log. `endpoints` are the names of all endpoints that a request can be for."""

    def __init__(self, requests: RequestLog, clock: Clock, *, endpoints: Collection[str]) -> None:
        self.endpoints = sorted(endpoints)
        self.log = requests
        self._clock = clock

    async def read(self, caller: Caller, asked: RequestsParams) -> RequestsStatement:
        """Return a page of the account's requests. Raises InvalidParams for an invalid period, endpoint or cursor."""
        chosen = self.check(asked)
        if asked.cursor is not None and not _CURSOR.fullmatch(asked.cursor):
            raise InvalidParams("Parameter 'cursor' must be the next_cursor of an earlier response.")
        found = await self.log.find(caller.account_id, chosen, before=asked.cursor, batch=asked.limit)
        return RequestsStatement(
            since=chosen.begins,
            until=chosen.ends,
            not_logged=await self.log.count_missed(caller.account_id, chosen),
            requests=[_tell(each) for each in found.requests],
            next_cursor=found.next,
        )

    def check(self, asked: RequestsParams) -> Filter:
        """Return the filter of a request. Raises InvalidParams for an invalid period or endpoint."""
        if asked.endpoint is not None and asked.endpoint not in self.endpoints:
            raise InvalidParams("Parameter 'endpoint' must be the name of an endpoint, such as search.")
        now = self._clock.now()
        earliest = now - (self.log.keep or timedelta())
        begins = earliest if asked.since is None else max(earliest, _read_instant("since", asked.since))
        ends = now + timedelta(seconds=1) if asked.until is None else _read_instant("until", asked.until, ends=True)
        if asked.since is not None and ends <= _read_instant("since", asked.since):
            raise InvalidParams("Parameter 'since' must be before 'until'.")
        return Filter(begins, ends, asked.endpoint, asked.status, asked.cache, asked.request_id)


def _read_instant(name: str, text: str, *, ends: bool = False) -> datetime:
    """Parse a time, or a day, which means its start. With `ends`, return the end of the given day, minute or second."""
    try:
        instant = datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError as exc:
        raise InvalidParams(f"Parameter '{name}' {_AN_INSTANT}.") from exc
    if not 2000 <= instant.year < 9999:  # later times cannot be stored
        raise InvalidParams(f"Parameter '{name}' {_AN_INSTANT}.")
    if not ends:
        return instant
    if "T" not in text:
        return end_of_day(instant.date())
    return instant + (timedelta(seconds=1) if text.count(":") == 2 else timedelta(minutes=1))


def _tell(request: LoggedRequest) -> RequestStatement:
    return RequestStatement(
        at=request.at,
        endpoint=request.endpoint,
        params=request.params,
        status=request.status,
        code=request.code,
        cache=request.cache,
        credits=request.credits,
        took_ms=request.took_ms,
        request_id=request.request_id,
        key_id=request.key_id,
    )
