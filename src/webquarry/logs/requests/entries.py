"""Logged requests, and filters for them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

StatusClass = Literal["2xx", "4xx", "5xx"]
CacheFilter = Literal["hit", "miss", "joined", "none"]
STATUS_CLASSES: tuple[StatusClass, ...] = get_args(StatusClass)
CACHE_STATES: tuple[CacheFilter, ...] = get_args(CacheFilter)


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """A request that was answered.

    `id` begins with its time, so that ids sort by time. `params` is a shortened query without secrets. `code` is `ok`
    or an error code. `cache` is `hit`, `miss`, `joined`, or `none` for an error and for responses that are never
    cached. `key_id` is the key, session or grant that sent it.
    """

    id: str
    account_id: str
    at: datetime
    endpoint: str
    params: str
    status: int
    code: str
    cache: str
    credits: int
    took_ms: int
    request_id: str
    key_id: str


@dataclass(frozen=True, slots=True)
class Filter:
    """Filter for requests from `begins`, inclusive, to `ends`, exclusive. A field that is None matches all requests."""

    begins: datetime
    ends: datetime
    endpoint: str | None = None
    status: StatusClass | None = None
    cache: CacheFilter | None = None
    request_id: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether the filter matches all requests of the period."""
        return all(each is None for each in (self.endpoint, self.status, self.cache, self.request_id))


@dataclass(frozen=True, slots=True)
class Page:
    """Requests that match, newest first.

    `next` is the id before which the search continues; None if no older request matches. A page may have fewer requests
    than requested, or none, because a search examines a limited number of requests.
    """

    requests: list[LoggedRequest]
    next: str | None
