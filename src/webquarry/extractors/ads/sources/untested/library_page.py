"""The ad library's public page: the first 30 ads from the page's scripts, more from the page's own query.

Response format: docs/upstreams/ads-socialnet.md.
"""

import json
import uuid
from collections.abc import Mapping
from math import ceil
from typing import Any, Final
from urllib.parse import urlencode

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.ads.model.library import COVERAGE, PAGE_SIZE, SocialnetAds, SocialnetParams
from webquarry.extractors.ads.sources.untested.library_answer import (
    NAME,
    LibraryPage,
    Unprefetched,
    read_ad_id,
    read_page,
)
from webquarry.net import ANY_STATUS, Net
from webquarry.providers import socialnet
from webquarry.providers.browser import plain_headers
from webquarry.read import JsonObject, take
from webquarry.read.fields import to_address, to_id, to_line
from webquarry.read.pages import Page, Pages, collect

AD_LIBRARY_PAGE: Final = Provider(
    name="ad_library_page",
    walled=True,
    title="the ad library's page",
    politeness=Politeness(spacing_s=1.5, concurrency=1),
    browser_headers=plain_headers(language=socialnet.ACCEPT_LANGUAGE),
    uses=("ads_socialnet_doc_id",),
    keeps_cookies=True,
    unproven=True,
)
QUERY_URL: Final = f"{socialnet.HOST_URL}/api/graphql/"
QUERY: Final = "AdLibrarySearchPaginationQuery"
DOC_ID: Final = "24922295957467452"
"""ID of the query for more ads, taken from open-source projects in August 2026. It changes with the site's scripts."""
CALLS_A_PAGE: Final = 3
"""Number of requests per page. The query returns about ten ads, whatever the requested number."""
LOADS: Final = 3
"""Maximum number of times that the page is loaded, because it sometimes comes without its data."""


async def ask(params: SocialnetParams, net: Net) -> tuple[SocialnetAds, Wire]:
    """Return the page's ads, and the provider's response with the first 30.

    An ID from a URL may belong to the page's profile, which the library does not know. In this case, the page's own ID
    is looked up.
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
    """Parse the ads of the library's page.

    The page's ID is the requested ID, otherwise the ID in its record or in its first ad.
    """
    page = read_page(wire)
    page_ids = (take(ad, "page_id", to_id) for ad in page.ads)
    page_id = params.given_id or page.page_id or next(filter(None, page_ids), None)
    if page_id is None:
        raise ProviderError(f"{NAME} does not report whose ads these are.", reason="changed")
    pages: Pages[JsonObject, str] = Pages(
        rows=list({read_ad_id(ad): ad for ad in reversed(page.ads)}.values())[::-1],
        next=page.cursor,
        pages_fetched=1,
        has_more=page.cursor is not None,
    )
    return _read_ads(page_id, page, pages)


async def _ask(page_id: str, params: SocialnetParams, net: Net) -> tuple[SocialnetAds, Wire]:
    first, wire = await _load(page_id, net)

    async def fetch(cursor: str | None) -> Page[JsonObject, str]:
        page = first if cursor is None else await _more(page_id, first, cursor, net)
        return Page(page.ads, page.cursor)

    pages = await collect(
        fetch,
        max_pages=1 + CALLS_A_PAGE * (params.max_pages - 1),
        max_rows=PAGE_SIZE * params.max_pages,
        key=read_ad_id,
        net=net,
        source=NAME,
    )
    pages.pages_fetched = 1 + ceil((pages.pages_fetched - 1) / CALLS_A_PAGE)
    return _read_ads(page_id, first, pages), wire


async def _load(page_id: str, net: Net) -> tuple[LibraryPage, Wire]:
    """Load the library's page, with retries.

    The page is loaded again if its data is missing or its count is lower than the number of ads shown. After a rate
    limit, it is loaded again once.
    """
    refused = 0
    for last in (False,) * (LOADS - 1) + (True,):
        wire = await net.get(socialnet.library_url(page_id), ok_on=ANY_STATUS, absent_on=())
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
    raise ProviderError(f"{NAME} is rate-limiting this address.", reason="refused")


async def _more(page_id: str, first: LibraryPage, cursor: str, net: Net) -> LibraryPage:
    """Return the ads after a cursor.

    They are requested with the page's own query and the parameters that the page contains.
    """
    if first.lsd is None:
        raise ProviderError(f"{NAME} returned no token for the next page.", reason="changed")
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
        "variables": json.dumps(_make_question(page_id, first.variables, cursor), separators=(",", ":")),
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
            "Referer": socialnet.LIBRARY_URL,
        },
        ok_on=ANY_STATUS,
        absent_on=(),
        follow=False,
    )
    return await net.read(read_page, wire)


def _make_question(page_id: str, question: Mapping[str, Any], cursor: str) -> dict[str, Any]:
    """Return the query's variables: the variables that the page would send, or known variables if the page contains
    none.

    Session IDs do not affect the response. The same page always gets the same session ID.
    """
    session = str(uuid.uuid5(uuid.NAMESPACE_URL, socialnet.library_url(page_id)))
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


def _read_ads(page_id: str, first: LibraryPage, pages: Pages[dict[str, Any], str]) -> SocialnetAds:
    own = [ad for ad in pages.rows if take(ad, "page_id", to_id) == page_id]
    name = first.page_name or next((found for ad in own if (found := take(ad, "page_name", to_line))), None)
    # in partnerships, the snapshot belongs to another page
    shown = [ad for ad in own if take(ad, "snapshot.page_id", to_id) in (None, page_id)]
    links = (take(ad, "snapshot.page_profile_uri", to_address) for ad in shown)
    warnings = list(pages.warnings)
    if not first.is_counted:
        warnings.append(f"{NAME} did not report the number of ads.")
    return SocialnetAds(
        page_id=page_id,
        page_name=name,
        page_url=first.page_url or next(filter(None, links), None) or f"{socialnet.HOST_URL}/{page_id}",
        source="library_page",
        active_status="active",
        total_count=first.count if first.is_counted else None,
        count=len(pages.rows),
        pages_fetched=pages.pages_fetched,
        has_more=pages.has_more,
        next_cursor=pages.next if pages.has_more else None,
        partial=False,
        coverage=COVERAGE["library_page"],
        ads=pages.rows,
        warnings=warnings,
    )
