"""Google Maps through two RPCs of its own web page: a search for places, and a single place.

Neither needs a key or a browser. Both return arrays with values identified by position, after a line that prevents
scripts of other sites from reading them. Response format: docs/upstreams/maps.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

from webquarry.core.errors import ProviderError
from webquarry.core.locale import Country, Language
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.core.urls import normalise_url
from webquarry.extractors.maps.model.map_ids import Cid, Fid, fid_among
from webquarry.extractors.maps.model.map_view import MapView, degrees
from webquarry.net import ANY_STATUS, Kept, Net, accept_wire
from webquarry.providers import google
from webquarry.providers.browser import plain_headers
from webquarry.providers.languages import accept_language, google_language
from webquarry.read.framing import guarded_json

MAPS_RPC = Provider(
    name="maps_rpc",
    walled=True,
    title="Google Maps",
    politeness=Politeness(spacing_s=2.0),
    browser_headers=plain_headers("*/*"),
    keeps_cookies=True,
)

HOME_URL = "https://www.google.com/maps?hl=en"
PAGE_SIZE = 20
MAX_ANSWER_BYTES = 4 * 1024 * 1024
"""Maximum size of a response in bytes, ten times the usual size; the rest is not read."""
SESSION_S = 30 * 60.0
SESSION_RETRY_S = 5 * 60.0
_SESSION_COOKIE = "NID"

_WHOLE_EARTH_M = 25_000_000
_SEARCH_PB = (
    "!4m12!1m3!1d{diameter}!2d{longitude}!3d{latitude}!2m3!1f0!2f0!3f0!3m2!1i1024!2i768!4f13.1!7i{size}!8i{offset}!10b1"
    "!12m6!1m1!18b1!2m1!20e3!6m1!114b1!17m1!3e1!20m57!2m2!1i203!2i100!3m2!2i4!5b1!6m6!1m2!1i86!2i86!1m2!1i408!2i240"
    "!7m33!1m3!1e1!2b0!3e3!1m3!1e2!2b1!3e2!1m3!1e2!2b0!3e3!1m3!1e8!2b0!3e3!1m3!1e10!2b0!3e3!1m3!1e10!2b1!3e2"
    "!1m3!1e10!2b0!3e4!1m3!1e9!2b1!3e2!2b1!9b0!15m8!1m7!1m2!1m1!1e2!2m2!1i195!2i195!3i20"
)
_PLACE_PB = (
    "!1m13!1s{fid}!3m8!1m3!1d5000!2d0!3d0!3m2!1i1024!2i768!4f13.1!4m2!3d0!4d0!12m4!2m3!1i360!2i120!4i8"
    "!13m57!2m2!1i203!2i100!3m2!2i4!5b1!6m6!1m2!1i86!2i86!1m2!1i408!2i240!7m33!1m3!1e1!2b0!3e3!1m3!1e2!2b1!3e2"
    "!1m3!1e2!2b0!3e3!1m3!1e8!2b0!3e3!1m3!1e10!2b0!3e3!1m3!1e10!2b1!3e2!1m3!1e10!2b0!3e4!1m3!1e9!2b1!3e2!2b1!9b0"
    "!15m8!1m7!1m2!1m1!1e2!2m2!1i195!2i195!3i20!14m3!1s0ahUKEwixxxxxxxxxxxxxxxxxxxxxxxxx!7e81!15i10112"
    "!15m108!1m26!13m9!2b1!3b1!4b1!6i1!8b1!9b1!14b1!20b1!25b1!18m15!3b1!4b1!5b1!6b1!13b1!14b1!17b1!21b1!22b1!30b1"
    "!32b1!33m1!1b1!34b1!36e2!10m1!8e3!11m1!3e1!17b1!20m2!1e3!1e6!24b1!25b1!26b1!27b1!29b1!30m1!2b1!36b1!37b1"
    "!39m3!2m2!2i1!3i1!43b1!52b1!54m1!1b1!55b1!56m1!1b1!61m2!1m1!1e1!65m5!3m4!1m3!1m2!1i224!2i298!72m22"
    "!1m8!2b1!5b1!7b1!12m4!1b1!2b1!4m1!1e1!4b1!8m10!1m6!4m1!1e1!4m1!1e3!4m1!1e4"
    "!3sother_user_google_review_posts__and__hotel_and_vr_partner_review_posts!6m1!1e1!9b1!89b1!90m2!1m1!1e2"
    "!98m3!1b1!2b1!3b1!103b1!113b1!114m3!1b1!2m1!1b1!117b1!122m1!1b1!126b1!127b1!128m1!1b0!21m0!22m1!1e81"
    "!30m8!3b1!6m2!1b1!2b1!7m2!1e3!2b1!9b1!34m5!7b1!10b1!14b1!15m1!1b0!37i785"
)
_SMALL_PLACE_PB = "!1m17!1s{fid}!3m12!1m3!1d10000!2d0!3d0!2m3!1f0!2f0!3f0!3m2!1i1024!2i768!4f13.1!4m2!3d0!4d0"
"""A request for fewer values of a place. It has fewer elements that can become outdated."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search for one page of places.

    view: where to search, or None if the query and the client's location decide. page: starts at 1.
    """

    query: str
    view: MapView | None
    page: int
    country: Country
    language: Language

    @property
    def url(self) -> str:
        view = self.view
        pb = _SEARCH_PB.format(
            diameter=_WHOLE_EARTH_M if view is None else round(view.diameter_m),
            longitude="0" if view is None else degrees(view.longitude),
            latitude="0" if view is None else degrees(view.latitude),
            size=PAGE_SIZE,
            offset=PAGE_SIZE * (self.page - 1),
        )
        query = {"tbm": "map", "authuser": "0", **_locale(self.country, self.language), "q": self.query, "pb": pb}
        return f"https://www.google.com/search?{_write_query(query)}"

    @property
    def fault(self) -> str | None:
        """The reason why this search is not possible, as a sentence, or None if it is possible."""
        try:
            normalise_url(self.url)
        except ValueError:
            return f"The query is too long for {MAPS_RPC.title} once it is URL-encoded. Use fewer words."
        return None


async def search(request: Search, net: Net) -> Wire:
    """Request a search. The response is an array (`read_array`).

    Raises ProviderError for block pages and refusals.
    """
    await begin_session(net)
    return _understood(await _fetch(request.url, request.country, request.language, net))


async def place(fid: Fid, country: Country, language: Language, net: Net) -> Wire:
    """Request one place. The response is an array (`read_array`).

    If the request is rejected with status 400, a request for fewer values follows. Raises ProviderError for block pages
    and refusals.
    """
    await begin_session(net)
    wire = await _fetch(_place_url(_PLACE_PB, fid, country, language), country, language, net)
    if wire.status == 400:
        wire = await _fetch(_place_url(_SMALL_PLACE_PB, fid, country, language), country, language, net)
    return _understood(wire)


async def find_fid(cid: Cid, country: Country, language: Language, net: Net) -> Fid:
    """Return the fid for a cid from the place's page, or a fid without its first half if the page lacks it.

    Raises ProviderError for block pages and refusals.
    """
    url = f"https://www.google.com/maps?{_write_query({'cid': cid, 'hl': google_language(language)})}"
    wire = await _fetch(url, country, language, net)
    if wire.status in (403, 429):
        accept_wire(wire, (200,), ())
    return await net.read(read_fid, wire, cid)


def read_fid(wire: Wire, cid: Cid) -> Fid:
    """Return the fid for this cid from a page, or a fid without its first half if the page lacks it."""
    return fid_among(wire.url.encode() + b"\n" + wire.body, cid) or cid.alone


def read_array(wire: Wire) -> list[Any]:
    """Return a response's array, which may follow a guard line.

    Raises ProviderError: "blocked" for a block page, "changed" for any other response.
    """
    google.refuse_block_pages(wire, MAPS_RPC.title)
    answer = guarded_json(wire, MAPS_RPC.title, is_guarded=None)
    if not isinstance(answer, list):
        raise ProviderError(f"{MAPS_RPC.title} sent a response that is not an array.", reason="changed")
    return answer


async def begin_session(net: Net) -> None:
    """Get the session cookie, without which responses lack review counts and prices.

    All requests of this process share one cookie, which is renewed after half an hour. If the source sets no cookie,
    requests are sent without a cookie, and the next attempt to get one is made five minutes later. Raises ProviderError
    for block pages and refusals.
    """
    await _sessions(net).get("", partial(_ask_home, net), lasts_s=lambda has: SESSION_S if has else SESSION_RETRY_S)


def has_session(net: Net) -> bool:
    """Return whether there is a session cookie."""
    return net.cookie(HOME_URL, _SESSION_COOKIE) is not None


def end_session(net: Net) -> None:
    """Forget the session, so that the next request begins a new one."""
    net.forget_cookies()
    _sessions(net).forget("")


def _sessions(net: Net) -> Kept[str, bool]:
    """Return the store of session states: whether the source has set the cookie."""
    return Kept.of(net, "session")


async def _ask_home(net: Net) -> bool:
    net.forget_cookies()
    accept_wire(await _fetch(HOME_URL, Country("us"), Language("en"), net), (200,), ())
    return has_session(net)


async def _fetch(url: str, country: Country, language: Language, net: Net) -> Wire:
    """Return the response, whatever its status. After a consent page, retry once in a new session.

    Raises ProviderError for block pages.
    """
    get = partial(
        net.get,
        url,
        headers={"Accept-Language": accept_language(language, country)},
        cookies=google.CONSENT,
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
        truncate=True,
    )
    wire = await get()
    if google.is_consent(wire):
        end_session(net)
        wire = await get()
    google.refuse_block_pages(wire, MAPS_RPC.title)
    return wire


def _understood(wire: Wire) -> Wire:
    if wire.status == 400:
        raise ProviderError(
            f"{MAPS_RPC.title} rejected the request (status 400). Its format may have changed.", reason="refused"
        )
    return accept_wire(wire, (200,), ())


def _place_url(pb: str, fid: Fid, country: Country, language: Language) -> str:
    query = {"authuser": "0", **_locale(country, language), "pb": pb.format(fid=fid)}
    return f"https://www.google.com/maps/preview/place?{_write_query(query)}"


def _locale(country: Country, language: Language) -> Mapping[str, str]:
    return {"hl": google_language(language), "gl": country}


def _write_query(query: Mapping[str, str]) -> str:
    return urlencode(query, quote_via=quote, safe="!")
