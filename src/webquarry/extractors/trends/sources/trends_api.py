"""Google Trends by its explore API, as its own page asks it: a session's cookie, explore, then a widget's data.

One explore answers for interest, regions and related queries of a question, so it is kept while its tokens hold.
Wire notes: docs/upstreams/trends.md.
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
"""Pages that set the session's cookie, whatever their status; the second is large."""
MAX_EXPLORED: Final = 256
MAX_WIDGETS: Final = 100
"""Of one answer; it has four for each keyword."""
_TOKEN_BYTES: Final = 33
_EXPIRY: Final = slice(9, 13)
_MARGIN: Final = timedelta(minutes=1)
_HELD: Final = {"now": timedelta(minutes=2), "today": timedelta(hours=1), "all": timedelta(hours=1)}
_LONGEST_HELD: Final = timedelta(days=1)


async def fetch(question: Question, kind: Kind, net: Net, *, resolution: str | None = None, anew: bool = False) -> Wire:
    """What the widget of this kind shows. anew: by a new explore, even where an earlier one still holds.

    ProviderError: `blocked` or `refused` by the host, `changed` when it gives no such widget. InvalidParams when the
    host finds fault with the question.
    """
    widget = await _widget(question, kind, net, anew=anew)
    wire = await widgets.data(net, kind, widget, resolution)
    if widgets.is_rejected(wire):
        widget = await _widget(question, kind, net, anew=True)
        wire = await widgets.data(net, kind, widget, resolution)
    widgets.check_data(wire, resolution)
    return wire


def read_widgets(wire: Wire) -> tuple[Widget, ...]:
    """The widgets of an answer of explore that can be asked for; titles and notes cannot."""
    answer = widgets.answer_of(wire)
    must(answer, "widgets", list)
    askable = [node for node in each(answer, "widgets[]") if "request" in node]
    return tuple(Widget.read(node) for node in askable[:MAX_WIDGETS])


def chosen(widgets: tuple[Widget, ...], kind: Kind) -> Widget:
    """The first widget of the kind, by what it says of itself: their places differ with the number of keywords."""
    for widget in widgets:
        is_kind = widget.id == kind or widget.id.startswith(f"{kind}_")
        if is_kind and (kind != "RELATED_QUERIES" or widget.request.get("keywordType") == "QUERY"):
            return widget
    raise ProviderError(f"Google Trends offers no {kind} for this question.", reason="changed")


def lasts_s(question: Question, widgets: tuple[Widget, ...], now: datetime) -> float:
    """For how long an answer of explore serves: until the first of its tokens expires, and no longer than the window
    that its requests name in dates is the one asked for. 0 where the token is of an unknown form: who knows how long it
    holds."""
    expiries = [read_expiry(widget.token) for widget in widgets]
    known = [expires for expires in expiries if expires is not None]
    if not known or len(known) < len(expiries):
        return 0.0
    held = _HELD.get(question.time.partition(" ")[0], _LONGEST_HELD)
    return min(min(known) - _MARGIN - now, held).total_seconds()


def read_expiry(token: str) -> datetime | None:
    """When a widget's token expires; None for a token of another form."""
    try:
        content = base64.b64decode(token, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(content) != _TOKEN_BYTES:
        return None
    return datetime.fromtimestamp(int.from_bytes(content[_EXPIRY], "big"), UTC)


async def _widget(question: Question, kind: Kind, net: Net, *, anew: bool) -> Widget:
    """Calls about one question at one time, which are usual (interest, regions and related queries), explore once."""
    explored: Kept[Question, tuple[Widget, ...]] = Kept.of(net, "explored", MAX_EXPLORED)

    async def explore() -> tuple[Widget, ...]:
        return await net.read(read_widgets, await _explore(question, net))

    now = net.deadline.clock.now()
    widgets = await explored.get(question, explore, lasts_s=lambda found: lasts_s(question, found, now), anew=anew)
    return chosen(widgets, kind)


async def _explore(question: Question, net: Net) -> Wire:
    """The answer of explore. 429 without the session's cookie means that it is missing, with it a limit."""
    had_session = await _begin_session(net)
    query = {"req": question.request}
    wire = await widgets.ask(net, "/trends/api/explore", query)
    if widgets.read_status(wire) == 429 and not had_session and _has_session(net):
        wire = await widgets.ask(net, "/trends/api/explore", query)
    widgets.check_question(wire)
    widgets.check_json(wire)
    return wire


async def _begin_session(net: Net) -> bool:
    """Whether there is a session's cookie, once it was asked for where it is missing, by one for all who wait."""
    sessions: Kept[str, bool] = Kept.of(net, "session")
    return _has_session(net) or await sessions.get("", partial(_ask_for_session, net), lasts_s=0.0)


async def _ask_for_session(net: Net) -> bool:
    """Only the pages' headers count: they set the cookie with an error, too."""
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
