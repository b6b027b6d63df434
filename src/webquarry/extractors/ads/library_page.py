"""The ad library as its public page gives it: the first 30 ads within the page's scripts, more by the page's own query.

What looks like no ads has four meanings, and only one is that there are none (`_judge_none`). Wire notes:
docs/upstreams/ads-socialnet.md.
"""

import json
import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Final
from urllib.parse import urlencode

from webquarry.errors import Absent, ProviderError
from webquarry.extractors.ads.library import COVERAGE, PAGE_SIZE, SocialnetAds, SocialnetParams
from webquarry.net import ANY_STATUS, Net
from webquarry.providers import socialnet
from webquarry.providers.browser import plain_headers
from webquarry.read import at, take
from webquarry.read.fields import to_address, to_count, to_id, to_line, to_token
from webquarry.read.framing import unguarded
from webquarry.read.html import html_of
from webquarry.read.losses import lose
from webquarry.read.pages import Page, Pages, collect
from webquarry.read.values import parse_json, reach
from webquarry.read.walls import WALL_WAIT_S, is_page, unreadable
from webquarry.types import Manners, Provider, Wire

NAME: Final = "The ad library"
AD_LIBRARY_PAGE: Final = Provider(
    name="ad_library_page",
    title="the ad library's page",
    manners=Manners(spacing_s=1.5, concurrency=1),
    browser_headers=plain_headers(language=socialnet.ACCEPT_LANGUAGE),
    uses=("ads_socialnet_doc_id",),
    keeps_cookies=True,
    unproven=True,
)
LIBRARY_URL: Final = f"{socialnet.HOST_URL}/ads/library/"
QUERY_URL: Final = f"{socialnet.HOST_URL}/api/graphql/"
QUERY: Final = "AdLibrarySearchPaginationQuery"
DOC_ID: Final = "24922295957467452"
"""Of the query for more ads, as projects of August 2026 name it; it changes with the site's scripts."""
CALLS_A_PAGE: Final = 3
"""The query gives some ten ads, whatever number it is asked for."""
LOADS: Final = 3
"""Of the page, which at times comes without its data."""
LIMITED: Final = 1675004
EXPIRED: Final = frozenset({1357001, 1357004})
MAX_DOCUMENTS: Final = 50
MAX_VARIABLES: Final = 8_192
"""Characters of the variables that a page may name; longer ones are not sent back."""
_CONNECTION, _RECORD = "search_results_connection", "ad_library_page_info"
_LSD: Final = re.compile(rb'"LSD",\[\],\{"token":"([^"\\]{1,200})"')


class Unprefetched(ProviderError):
    """The page came without its data, as it does at times: asking again may help."""


@dataclass(frozen=True, slots=True)
class LibraryPage:
    """What one answer holds. count: of the whole library, None where the answer does not tell. variables, lsd: by which
    the page asks for more."""

    ads: list[dict[str, Any]] = field(default_factory=list)
    count: int | None = None
    cursor: str | None = None
    page_id: str | None = None
    page_name: str | None = None
    page_url: str | None = None
    lsd: str | None = None
    variables: dict[str, Any] = field(default_factory=dict)

    @property
    def is_counted(self) -> bool:
        return self.count is not None and self.count >= len(self.ads)


async def ask(params: SocialnetParams, net: Net) -> tuple[SocialnetAds, Wire]:
    """The page's ads and the wire of the first 30.

    An id within an address may be that of the page's profile, which the library does not know: the page's own is then
    looked for.
    """
    page_id = params.given_id
    if page_id is None:
        return await _ask(await socialnet.find_page_id(net, params.address), params, net)
    try:
        return await _ask(page_id, params, net)
    except Absent:
        if params.page_id is not None:
            raise
        found = await socialnet.find_page_id(net, params.address)
        if found == page_id:
            raise
    return await _ask(found, params, net)


def read(wire: Wire, params: SocialnetParams) -> SocialnetAds:
    """The ads of the library's page. The page's id is the one asked for, else that of its record or its first ad."""
    page = read_page(wire)
    page_ids = (take(ad, "page_id", to_id) for ad in page.ads)
    page_id = params.given_id or page.page_id or next(filter(None, page_ids), None)
    if page_id is None:
        raise ProviderError(f"{NAME} does not tell whose ads these are.", reason="changed")
    pages: Pages[dict[str, Any], str] = Pages(
        rows=list({_ad_id(ad): ad for ad in reversed(page.ads)}.values())[::-1],
        next=page.cursor,
        pages_fetched=1,
        has_more=page.cursor is not None,
    )
    return _ads(page_id, page, pages)


def read_page(wire: Wire) -> LibraryPage:
    """The first ads, from the scripts of the page; or those of an answer to its query, which tells no number of all.

    Absent when the library says that it knows no such page. ProviderError: "blocked" for a wall and where ads are
    withheld, "refused" for a refusal, "changed" for anything else; `Unprefetched` for a page without its data.
    """
    socialnet.refuse_walls(wire)
    if wire.status != 200:
        raise ProviderError(f"{NAME} refused the request (status {wire.status}).", reason="refused")
    values = list(_values(wire))
    data = _data_of(values)
    lsd = _LSD.search(wire.body)
    if data is None:
        raise _without_data(wire, values, has_session=lsd is not None)
    if reach(data, "xfb_ad_library_is_captcha_required") is True:
        raise ProviderError(f"{NAME} asks whether a person is there.", reason="blocked")
    connection = _connection(data)
    ads = [ad for edge in _objects(connection, "edges") for ad in _objects(edge.get("node"), "collated_results")]
    known = [ad for ad in ads if _ad_id(ad)]
    if len(known) < len(ads):
        lose("collated_results[].ad_archive_id", len(ads) - len(known))
    count = take(connection, "count", to_count)
    record, is_unknown = _record_of(values)
    if not known:
        _judge_none(connection, count, len(ads), record, is_unknown=is_unknown, is_first=_is_first(connection, wire))
    goes_on = at(connection, "page_info.has_next_page", bool)
    return LibraryPage(
        ads=known,
        count=count,
        cursor=take(connection, "page_info.end_cursor", to_token) if goes_on else None,
        page_id=take(record, "page_id", to_id),
        page_name=take(record, "page_name", to_line),
        page_url=take(record, "page_profile_uri", to_address),
        lsd=lsd[1].decode("ascii", "replace") if lsd else None,
        variables=next((found for value in values for found in _variables(value)), {}),
    )


def library_url(page_id: str) -> str:
    """The page of the library with the active ads of a page."""
    query = {
        "active_status": "active",
        "ad_type": "all",
        "country": "ALL",
        "is_targeted_country": "false",
        "media_type": "all",
        "search_type": "page",
        "view_all_page_id": page_id,
    }
    return f"{LIBRARY_URL}?{urlencode(query)}"


async def _ask(page_id: str, params: SocialnetParams, net: Net) -> tuple[SocialnetAds, Wire]:
    first, wire = await _load(page_id, net)

    async def fetch(cursor: str | None) -> Page[dict[str, Any], str]:
        page = first if cursor is None else await _more(page_id, first, cursor, net)
        return Page(page.ads, page.cursor)

    pages = await collect(
        fetch,
        max_pages=1 + CALLS_A_PAGE * (params.max_pages - 1),
        max_rows=PAGE_SIZE * params.max_pages,
        key=_ad_id,
        net=net,
        source=NAME,
    )
    pages.pages_fetched = 1 + ceil((pages.pages_fetched - 1) / CALLS_A_PAGE)
    return _ads(page_id, first, pages), wire


async def _load(page_id: str, net: Net) -> tuple[LibraryPage, Wire]:
    """The library's page; again where it came without its data, or with fewer ads counted than shown, and once where it
    was asked too often."""
    refused = 0
    for last in (False,) * (LOADS - 1) + (True,):
        wire = await net.get(library_url(page_id), ok_on=ANY_STATUS, absent_on=())
        if wire.status == 429 and not refused and "retry-after" not in wire.headers:
            refused += 1
            continue
        try:
            page = await net.read(read_page, wire)
        except Unprefetched:
            if last:
                raise
            continue
        if page.is_counted or last:
            return page, wire
    raise ProviderError(f"{NAME} takes no more requests from this address for now.", reason="refused")


async def _more(page_id: str, first: LibraryPage, cursor: str, net: Net) -> LibraryPage:
    """What the page's own query gives behind a cursor, with what the page told of itself."""
    if first.lsd is None:
        raise ProviderError(f"{NAME} gave no token to ask for more with.", reason="changed")
    form = {
        "av": "0",
        "__user": "0",
        "__a": "1",
        "__comet_req": "1",
        "lsd": first.lsd,
        "jazoest": f"2{sum(map(ord, first.lsd))}",
        "fb_api_caller_class": "RelayModern",
        "fb_api_req_friendly_name": QUERY,
        "server_timestamps": "true",
        "variables": json.dumps(_question(page_id, first.variables, cursor), separators=(",", ":")),
        "doc_id": net.setting("ads_socialnet_doc_id") or DOC_ID,
    }
    wire = await net.post(
        QUERY_URL,
        body=urlencode(form).encode(),
        content_type="application/x-www-form-urlencoded",
        accept="*/*",
        headers={
            "X-FB-LSD": first.lsd,
            "X-FB-Friendly-Name": QUERY,
            "Origin": socialnet.HOST_URL,
            "Referer": LIBRARY_URL,
        },
        ok_on=ANY_STATUS,
        absent_on=(),
        follow=False,
    )
    return await net.read(read_page, wire)


def _question(page_id: str, question: Mapping[str, Any], cursor: str) -> dict[str, Any]:
    """The variables of the query: those that the page itself would send, else the known ones. Ids of a session mean
    nothing to the answer; one page has always the same."""
    session = str(uuid.uuid5(uuid.NAMESPACE_URL, library_url(page_id)))
    known: dict[str, Any] = {
        "activeStatus": "ACTIVE",
        "adType": "ALL",
        "bylines": [],
        "collationToken": session,
        "contentLanguages": [],
        "countries": ["ALL"],
        "excludedIDs": [],
        "isTargetedCountry": False,
        "location": None,
        "mediaType": "ALL",
        "multiCountryFilterMode": None,
        "pageIDs": [],
        "potentialReachInput": [],
        "publisherPlatforms": [],
        "queryString": "",
        "regions": [],
        "searchType": "PAGE",
        "sessionID": session,
        "sortData": None,
        "source": None,
        "startDate": None,
    }
    return {**known, **question, "viewAllPageID": page_id, "cursor": cursor, "first": PAGE_SIZE}


def _ads(page_id: str, first: LibraryPage, pages: Pages[dict[str, Any], str]) -> SocialnetAds:
    own = [ad for ad in pages.rows if take(ad, "page_id", to_id) == page_id]
    name = first.page_name or next((found for ad in own if (found := take(ad, "page_name", to_line))), None)
    # of ads in partnership the snapshot is another page's
    shown = [ad for ad in own if take(ad, "snapshot.page_id", to_id) in (None, page_id)]
    links = (take(ad, "snapshot.page_profile_uri", to_address) for ad in shown)
    warnings = list(pages.warnings)
    total = first.count
    if not first.is_counted:
        total = len(pages.rows)
        warnings.append(f"{NAME} did not tell how many ads there are: the number is that of those that are here.")
    return SocialnetAds(
        page_id=page_id,
        page_name=name,
        page_url=first.page_url or next(filter(None, links), None) or f"{socialnet.HOST_URL}/{page_id}",
        source="library_page",
        active_status="active",
        total_count=total,
        count=len(pages.rows),
        pages_fetched=pages.pages_fetched,
        has_more=pages.has_more,
        next_cursor=pages.next if pages.has_more else None,
        partial=False,
        coverage=COVERAGE["library_page"],
        ads=pages.rows,
        warnings=warnings,
    )


def _values(wire: Wire) -> Iterator[Any]:
    """The JSON of the page's scripts that can hold data, or that of an answer that is JSON: one document, or one a
    line."""
    if is_page(wire):
        yield from socialnet.blobs_of(html_of(wire), _CONNECTION, _RECORD, "viewAllPageID")
        return
    body = unguarded(wire.body)
    body = wire.body if body is None else body
    for text in (body, *body.splitlines()[:MAX_DOCUMENTS]):
        try:
            value = parse_json(text)
        except ValueError:
            continue
        yield value
        if text is body:
            return


def _data_of(values: list[Any]) -> dict[str, Any] | None:
    """The object beside whose results all else stands: the one with ads, else with a number, else any."""
    found = [
        node
        for value in values
        for node in socialnet.objects_with(value, "ad_library_main")
        if isinstance(reach(node, f"ad_library_main.{_CONNECTION}"), dict)
    ]
    ranked = sorted(found, key=lambda node: (not reach(_connection(node), "edges"), "count" not in _connection(node)))
    return ranked[0] if ranked else None


def _connection(data: Mapping[str, Any]) -> dict[str, Any]:
    connection: dict[str, Any] = reach(data, f"ad_library_main.{_CONNECTION}")
    return connection


def _record_of(values: list[Any]) -> tuple[dict[str, Any], bool]:
    """What the library knows of the page, {} when it does not say; and whether it says that it knows none."""
    records = [node[_RECORD] for value in values for node in socialnet.objects_with(value, _RECORD)]
    infos = [info["page_info"] for info in records if isinstance(info, dict) and "page_info" in info]
    record = next((info for info in infos if isinstance(info, dict) and info), None)
    return record or {}, record is None and any(info is None for info in infos)


def _is_first(connection: Mapping[str, Any], wire: Wire) -> bool:
    """Answers to the query for more tell no number and no page: that one holds nothing is the end of the list."""
    return is_page(wire) or "count" in connection


def _judge_none(
    connection: Mapping[str, Any],
    count: int | None,
    unreadable_ads: int,
    record: Mapping[str, Any],
    *,
    is_unknown: bool,
    is_first: bool,
) -> None:
    """Pass where there are no ads; else the error that an answer without any means."""
    if unreadable_ads:
        raise ProviderError(f"{NAME} sent ads of another form.", reason="changed")
    if not isinstance(connection.get("edges"), list):
        raise ProviderError(f"{NAME} sent a list of another form.", reason="changed")
    if not is_first:
        return
    if count:
        raise ProviderError(
            f"{NAME} counts {count:,} ads and withholds them from this address.",
            reason="blocked",
            retry_after_s=WALL_WAIT_S,
        )
    is_deleted = reach(record, "page_is_deleted")
    if count == 0 and (is_unknown or is_deleted is True):
        raise Absent(f"{NAME} knows no page with this id.")
    if count != 0 or is_deleted is not False or reach(connection, "page_info.has_next_page"):
        raise ProviderError(f"{NAME} shows no ads and does not prove that there are none.", reason="changed")


def _without_data(wire: Wire, values: list[Any], *, has_session: bool) -> ProviderError:
    """The error for an answer without results: of the query, of a page without its data, of a login."""
    for value in values:
        for error in _objects(value, "errors"):
            code = take(error, "code", to_count)
            if code == LIMITED:
                return ProviderError(f"{NAME} takes no more requests from this address for now.", reason="refused")
            if code in EXPIRED:
                return ProviderError(f"{NAME} says that the session has ended.", reason="refused")
            return ProviderError(f"{NAME} refused the request (code {code}).", reason="refused")
    if is_page(wire) and has_session:
        return Unprefetched(f"{NAME} sent its page without the ads.", reason="changed")
    found = unreadable(wire, NAME, f"{NAME} sent something else than ads.")
    return socialnet.login_wall() if is_page(wire) and found.reason == "changed" else found


def _variables(value: Any) -> Iterator[dict[str, Any]]:
    """The variables with which the page's own query goes out."""
    for node in socialnet.objects_with(value, "viewAllPageID"):
        try:
            if len(json.dumps(node)) <= MAX_VARIABLES:
                yield node
        except RecursionError:  # nests without end
            lose("viewAllPageID")


def _objects(value: Any, path: str) -> list[dict[str, Any]]:
    found = reach(value, path)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _ad_id(ad: Mapping[str, Any]) -> str | None:
    return to_id(ad.get("ad_archive_id"))
