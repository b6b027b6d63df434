"""Google Trends through the explore API of its own page: a session cookie, explore, then a widget's data.

One explore response serves the interest, regions and related queries of a request, so it is cached until its tokens
expire. See docs/upstreams/trends.md.
"""

import base64
import binascii
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from webquarry.core.errors import ProviderError
from webquarry.core.types import Provider, Wire
from webquarry.extractors.trends.sources import widgets
from webquarry.extractors.trends.sources.widgets import HOST_URL, Kind, Question, Widget
from webquarry.net import ANY_STATUS, Kept, Net
from webquarry.providers import google
from webquarry.read import each, must

TRENDS_API: Final = Provider(
    name="trends_api",
    walled=True,
    title="Google Trends",
    politeness=widgets.MANNERS,
    browser_headers=widgets.HEADERS,
    keeps_cookies=True,
)

SESSION_COOKIE: Final = "NID"
SESSION_URLS: Final = (f"{HOST_URL}/trends/explore?q=x&geo=US&hl=en", f"{HOST_URL}/trending?geo=US&hl=en")
"""Pages that set the session cookie, with any status. The second page is large."""
MAX_EXPLORED: Final = 256
MAX_WIDGETS: Final = 100
"""Maximum number of widgets in a response, which has four widgets for each keyword."""
_TOKEN_BYTES: Final = 33
_EXPIRY: Final = slice(9, 13)
_MARGIN: Final = timedelta(minutes=1)
_HELD: Final = {"now": timedelta(minutes=2), "today": timedelta(hours=1), "all": timedelta(hours=1)}
_LONGEST_HELD: Final = timedelta(days=1)


async def fetch(question: Question, kind: Kind, net: Net, *, resolution: str | None = None, anew: bool = False) -> Wire:
    """Fetch the data of the widget of this kind.

    anew: whether to send a new explore request even if an earlier response is valid. Raises ProviderError "blocked" or
    "refused" if the host refuses the request, and "changed" if the widget is missing. Raises InvalidParams if the host
    rejects the parameters.
    """
    widget = await _widget(question, kind, net, anew=anew)
    wire = await widgets.data(net, kind, widget, resolution)
    if widgets.is_rejected(wire):
        widget = await _widget(question, kind, net, anew=True)
        wire = await widgets.data(net, kind, widget, resolution)
    widgets.check_data(wire, resolution)
    return wire


def read_widgets(wire: Wire) -> tuple[Widget, ...]:
    """Return the widgets of an explore response that have data. Widgets with titles and notes have no data."""
    answer = widgets.answer_of(wire)
    must(answer, "widgets", list)
    askable = [node for node in each(answer, "widgets[]") if "request" in node]
    return tuple(Widget.read(node) for node in askable[:MAX_WIDGETS])


def chosen(widgets: tuple[Widget, ...], kind: Kind) -> Widget:
    """Return the first widget of the kind, identified by its own name.

    Positions vary with the number of keywords.
    """
    for widget in widgets:
        is_kind = widget.id == kind or widget.id.startswith(f"{kind}_")
        if is_kind and (kind != "RELATED_QUERIES" or widget.request.get("keywordType") == "QUERY"):
            return widget
    raise ProviderError(f"Google Trends has no {kind} for this request.", reason="changed")


def lasts_s(question: Question, widgets: tuple[Widget, ...], now: datetime) -> float:
    """Return the number of seconds for which an explore response is valid.

    The response is valid until its first token expires, and only while the dates in its requests still match the
    window. Returns 0 for a token of an unknown form, whose expiry is unknown.
    """
    expiries = [read_expiry(widget.token) for widget in widgets]
    known = [expires for expires in expiries if expires is not None]
    if not known or len(known) < len(expiries):
        return 0.0
    held = _HELD.get(question.time.partition(" ")[0], _LONGEST_HELD)
    return min(min(known) - _MARGIN - now, held).total_seconds()


def read_expiry(token: str) -> datetime | None:
    """Return when a widget's token expires, or None for a token of another form."""
    try:
        content = base64.b64decode(token, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(content) != _TOKEN_BYTES:
        return None
    return datetime.fromtimestamp(int.from_bytes(content[_EXPIRY], "big"), UTC)


async def _widget(question: Question, kind: Kind, net: Net, *, anew: bool) -> Widget:
    """Return the widget.

    Concurrent requests with the same parameters, as for interest, regions and related queries, share one explore
    request.
    """
    explored: Kept[Question, tuple[Widget, ...]] = Kept.of(net, "explored", MAX_EXPLORED)

    async def explore() -> tuple[Widget, ...]:
        return await net.read(read_widgets, await _explore(question, net))

    now = net.deadline.clock.now()
    widgets = await explored.get(question, explore, lasts_s=lambda found: lasts_s(question, found, now), anew=anew)
    return chosen(widgets, kind)


async def _explore(question: Question, net: Net) -> Wire:
    """Fetch the explore response.

    Status 429 without the session cookie means that the cookie is missing; with the cookie, it means a rate limit.
    """
    had_session = await _begin_session(net)
    query = {"req": question.request}
    wire = await widgets.ask(net, "/trends/api/explore", query)
    if widgets.read_status(wire) == 429 and not had_session and _has_session(net):
        wire = await widgets.ask(net, "/trends/api/explore", query)
    widgets.check_question(wire)
    widgets.check_json(wire)
    return wire


async def _begin_session(net: Net) -> bool:
    """Return whether there is a session cookie.

    If the cookie is missing, it is requested once for all waiting tasks.
    """
    sessions: Kept[str, bool] = Kept.of(net, "session")
    return _has_session(net) or await sessions.get("", partial(_ask_for_session, net), lasts_s=0.0)


async def _ask_for_session(net: Net) -> bool:
    """Request the session cookie. The pages set it even with an error status, so only the headers are used."""
    for url in SESSION_URLS:
        if _has_session(net):
            break
        wire = await net.get(
            url,
            cookies=google.CONSENT,
            ok_on=ANY_STATUS,
            absent_on=(),
            follow=False,
            truncate=True,
            max_wire_bytes=1,
            max_bytes=1,
        )
        if (block_page := google.find_block_page_of(wire, "Google Trends")) is not None:
            raise block_page
    return _has_session(net)


def _has_session(net: Net) -> bool:
    return net.cookie(HOST_URL, SESSION_COOKIE) is not None
