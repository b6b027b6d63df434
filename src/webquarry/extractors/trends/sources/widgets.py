"""Google Trends' widget service, which `trends_api` and `trends_embed` share.

A question has several widgets. Each widget has a `request`, and a `token` that signs the request. `trends_api` gets
both from explore, and `trends_embed` gets them from a page for embedding. `data` fetches a widget's data. See
docs/upstreams/trends.md.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import quote, urlencode

from webquarry.core.errors import InvalidParams, ProviderError
from webquarry.core.types import Politeness, Wire
from webquarry.core.urls import MAX_URL
from webquarry.net import ANY_STATUS, Net, retry_after_s
from webquarry.providers import google
from webquarry.providers.browser import ACCEPT_DATA, plain_headers
from webquarry.read import at, must, take
from webquarry.read.fields import to_token
from webquarry.read.framing import guarded_json, unguarded

Kind = Literal["TIMESERIES", "GEO_MAP", "RELATED_QUERIES"]

HOST_URL: Final = "https://trends.google.com"
LANGUAGE: Final = "en-US"
MANNERS: Final = Politeness(spacing_s=2.0, concurrency=1)
HEADERS: Final = plain_headers(ACCEPT_DATA, language=LANGUAGE, referer=f"{HOST_URL}/trends/explore")
"""Headers that the host's own page sends with its requests."""

MAX_REQUEST: Final = 4 * MAX_URL
"""Maximum number of characters of a widget's request, several times the longest address."""
MAX_ID: Final = 100

_DATA: Final[Mapping[Kind, str]] = {
    "TIMESERIES": "multiline",
    "GEO_MAP": "comparedgeo",
    "RELATED_QUERIES": "relatedsearches",
}
_ERROR_PAGE: Final = re.compile(
    rb"\s*<(?:!doctype html|html)\b.{0,4096}?<title>Error (\d{3})", re.DOTALL | re.IGNORECASE
)
_REJECTED: Final = (400, 401)


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the service.

    geo: "" is the whole world. time: one of the forms in docs/upstreams/trends.md. gprop: the kind of searches, "" for
    web searches.
    """

    keywords: tuple[str, ...]
    geo: str
    time: str
    category: int
    gprop: str

    @property
    def request(self) -> str:
        """Return the question as JSON, as the service expects it."""
        items = [{"keyword": keyword, "geo": self.geo, "time": self.time} for keyword in self.keywords]
        return _read_json({"comparisonItem": items, "category": self.category, "property": self.gprop})


@dataclass(frozen=True, slots=True)
class Widget:
    """A part of the response whose data can be fetched.

    request: the original JSON, with its order of fields, because the token signs it.
    """

    id: str
    request: Mapping[str, Any]
    token: str

    @classmethod
    def read(cls, node: Any, name: str = "") -> "Widget":
        """Parse a widget. name: the default for a missing name.

        Raises ProviderError "changed" if the widget's data cannot be fetched.
        """
        request: dict[str, Any] = must(node, "request", dict)
        token = take(node, "token", to_token, required=True)
        try:
            is_askable = token is not None and len(_read_json(request)) <= MAX_REQUEST
        except RecursionError:
            is_askable = False
        if token is None or not is_askable:
            raise ProviderError("Google Trends sent a widget without a request.", reason="changed")
        return cls((at(node, "id", str) or name)[:MAX_ID], request, token)


async def ask(net: Net, path: str, query: Mapping[str, str], *, accept: str = ACCEPT_DATA) -> Wire:
    """Return the host's response, with any status. Redirects are not followed, because their targets are always block
    pages.

    Raises InvalidParams if the question is too long for an address.
    """
    url = f"{HOST_URL}{path}?{urlencode({'hl': LANGUAGE, 'tz': '0', **query}, quote_via=quote)}"
    if len(url) > MAX_URL:
        raise InvalidParams("Parameter 'q' is too long for the provider once it is URL-encoded. Use less text.")
    return await net.get(url, accept=accept, cookies=google.CONSENT, ok_on=ANY_STATUS, absent_on=(), follow=False)


async def data(net: Net, kind: Kind, widget: Widget, resolution: str | None = None) -> Wire:
    """Fetch a widget's data without checking the response.

    resolution: the map's division, if it is not the default. It is the only field of a request that may change under
    the same token.
    """
    request = widget.request if resolution is None else {**widget.request, "resolution": resolution}
    return await ask(net, f"/trends/api/widgetdata/{_DATA[kind]}", {"req": _read_json(request), "token": widget.token})


def read_status(wire: Wire) -> int:
    """Return the status of the response. Some error pages have status 200 and the actual status in the title."""
    named = _ERROR_PAGE.match(wire.body) if wire.status == 200 else None
    return int(named[1]) if named else wire.status


def is_rejected(wire: Wire) -> bool:
    """Return whether the request or its token is invalid, so that a retry would fail too."""
    return read_status(wire) in _REJECTED


def check(wire: Wire) -> None:
    """Accept a successful response.

    Raises ProviderError "blocked" for a block page, and "refused" for any other status.
    """
    status = read_status(wire)
    google.refuse_block_pages(wire, "Google Trends")
    if status != 200:
        cause = (
            "Google Trends is rate-limiting this address."
            if status == 429
            else f"Google Trends rejected the request (status {status})."
        )
        raise ProviderError(cause, reason="refused", retry_after_s=retry_after_s(wire))


def check_question(wire: Wire) -> None:
    """Check the response like `check`, for the first request of a question.

    An error in this response means that the parameters are invalid.
    """
    if read_status(wire) == 400:
        raise InvalidParams("Google Trends does not support this combination of 'geo', 'time', 'cat' and 'gprop'.")
    check(wire)


def check_json(wire: Wire) -> None:
    """Check a response with data as `check` does. A success also needs a JSON type and the guard prefix."""
    check(wire)
    if not (wire.content_type == "application/json" and unguarded(wire.body) is not None):
        raise _make_no_data_error(wire)


def check_data(wire: Wire, resolution: str | None) -> None:
    """Check the response like `check_json`, for a widget's data."""
    if resolution is not None and read_status(wire) == 400:
        raise InvalidParams(f"Parameter 'resolution' can't be {resolution} for this 'geo'.")
    check_json(wire)


def answer_of(wire: Wire) -> Any:
    """Return the JSON after the guard prefix.

    Raises the errors of `check_guard`, and ProviderError "changed" if it is not JSON.
    """
    check_guard(wire)
    return guarded_json(wire, "Google Trends")


def check_guard(wire: Wire) -> None:
    """Accept a response that begins with the guard prefix of data.

    Raises ProviderError "refused" for an error page, "blocked" for any other HTML page, and "changed" for any other
    response.
    """
    check(wire)
    if unguarded(wire.body) is None:
        raise _make_no_data_error(wire)


def _make_no_data_error(wire: Wire) -> ProviderError:
    if wire.body.lstrip()[:1] == b"<":  # a page with a success status in place of data is a block page
        return ProviderError("Google Trends sent a page instead of data.", reason="blocked")
    return ProviderError("Google Trends sent a response that is not data.", reason="changed")


def _read_json(value: Any) -> str:
    """Write JSON as browsers do."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
