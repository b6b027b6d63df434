"""The ad library's official API, with the operator's token. Untested: no response is recorded.

It covers only part of the library. Response format: docs/upstreams/ads-socialnet.md.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import orjson

from webquarry.core.errors import ProviderError
from webquarry.core.settings import PREFIX
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.ads.model.library import COVERAGE, PAGE_SIZE, SocialnetAds, SocialnetParams
from webquarry.net import ANY_STATUS, Net, retry_after_s
from webquarry.providers import socialnet
from webquarry.providers.browser import plain_headers
from webquarry.read import JsonObject, at, json_of, must, take
from webquarry.read.fields import to_id, to_line, to_token
from webquarry.read.losses import lose, read_rows
from webquarry.read.pages import Page, Pages, collect

NAME: Final = "The ad library's API"
TOKEN: Final = "ads_socialnet_token"  # noqa: S105  # the setting's name
AD_LIBRARY_API: Final = Provider(
    name="ad_library_api",
    title="the ad library's API",
    politeness=Politeness(spacing_s=0.5, concurrency=2),
    browser_headers=plain_headers(language=socialnet.ACCEPT_LANGUAGE),
    needs=(TOKEN,),
    unproven=True,
)
API_URL: Final = "https://graph.facebook.com/v23.0/ads_archive"
_EU_AND_GB: Final = "AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
COUNTRIES: Final = tuple(_EU_AND_GB.split())
FIELDS: Final = (
    "id",
    "page_id",
    "page_name",
    "ad_creation_time",
    "ad_creative_bodies",
    "ad_creative_link_captions",
    "ad_creative_link_descriptions",
    "ad_creative_link_titles",
    "ad_delivery_start_time",
    "ad_delivery_stop_time",
    "ad_snapshot_url",
    "publisher_platforms",
    "languages",
    "eu_total_reach",
    "target_ages",
    "target_gender",
    "target_locations",
    "beneficiary_payers",
    "bylines",
    "currency",
    "spend",
    "impressions",
)
_EXPIRED, _FORBIDDEN, _LIMITED = 190, 10, frozenset({4, 17, 32, 613})
_TOKEN_PARAMETER: Final = re.compile(r"access_token=[^&#\s\"']*+&?", re.ASCII)


async def ask(params: SocialnetParams, net: Net) -> tuple[SocialnetAds, Wire]:
    """Return the page's ads that the API covers, and the first response without the token."""
    page_id = params.given_id or await socialnet.find_page_id(net, params.address)
    wires: list[Wire] = []

    async def fetch(cursor: str | None) -> Page[JsonObject, str]:
        wire = await _get(page_id, cursor, net)
        wires.append(wire)
        return await net.read(read_page, wire)

    pages = await collect(fetch, max_pages=params.max_pages, key=_read_ad_id, net=net, source=NAME)
    return _read_ads(page_id, pages), wires[0]


def read(wire: Wire, params: SocialnetParams) -> SocialnetAds:
    """Parse one page of the API's response.

    The page's ID is the requested ID, otherwise the first ad's.
    """
    page = read_page(wire)
    page_id = params.given_id or next((found for ad in page.rows if (found := take(ad, "page_id", to_id))), None)
    if page_id is None:
        raise ProviderError(f"{NAME} does not report whose ads these are.", reason="changed")
    pages = Pages(list(page.rows), page.next, pages_fetched=1, has_more=page.next is not None)
    return _read_ads(page_id, pages)


def read_page(wire: Wire) -> Page[JsonObject, str]:
    """Parse the ads of one page, and remove the token from their URLs.

    Raises ProviderError: "refused" for an error of the API, with advice for the operator; "changed" for an unknown
    format.
    """
    answer = json_of(wire)
    if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
        raise _make_refusal_error(answer["error"], wire)
    if wire.status != 200:
        raise ProviderError(
            f"{NAME} rejected the request (status {wire.status}).", reason="refused", retry_after_s=retry_after_s(wire)
        )
    rows = must(answer, "data", list)
    try:
        ads = read_rows(rows, _read_ad, "data[].id")
    except RecursionError as exc:
        raise ProviderError(f"{NAME} sent an ad that is nested too deeply.", reason="changed") from exc
    if rows and not ads:
        raise ProviderError(f"{NAME} sent ads in an unknown format.", reason="changed")
    return Page(ads, _read_cursor(answer) if ads else None)


def without_token(value: Any) -> Any:
    """Return the value with access tokens removed from all its URLs."""
    if isinstance(value, str):
        return _without_parameter(value) if "access_token=" in value else value
    if isinstance(value, list):
        return [without_token(item) for item in value]
    if isinstance(value, dict):
        return {name: without_token(item) for name, item in value.items()}
    return value


async def _get(page_id: str, cursor: str | None, net: Net) -> Wire:
    question = {
        "search_page_ids": f'["{page_id}"]',
        "ad_reached_countries": orjson.dumps(COUNTRIES).decode(),
        "ad_active_status": "ACTIVE",
        "ad_type": "ALL",
        "fields": ",".join(FIELDS),
        "limit": str(PAGE_SIZE),
        **({} if cursor is None else {"after": cursor}),
    }
    token = net.setting(TOKEN)
    wire = await net.get(
        f"{API_URL}?{urlencode(question)}",
        accept="application/json",
        secrets={"access_token": token},
        ok_on=ANY_STATUS,
        absent_on=(),
    )
    return replace(wire, body=_without(token, wire.body))


def _without(token: str, body: bytes) -> bytes:
    """Return the body without the token, so that it can be stored. The API repeats the token in URLs."""
    for form in (token, quote(token, safe="")):
        body = body.replace(form.encode(), b"")
    return body


def _read_cursor(answer: Mapping[str, Any]) -> str | None:
    """Return the cursor of the next page, or None if the response has no URL for a next page."""
    following = answer.get("paging", {}).get("next") if isinstance(answer.get("paging"), dict) else None
    if not isinstance(following, str):
        return None
    named = take(answer, "paging.cursors.after", to_token, required=True)
    try:
        return named or parse_qs(urlsplit(following).query[:8000]).get("after", [None])[0]
    except ValueError:
        lose("paging.next")
        return None


def _make_refusal_error(error: Mapping[str, Any], wire: Wire) -> ProviderError:
    code = at(error, "code", int)
    cause = f"code {code}" + (f": {detail[:200]}" if (detail := take(error, "message", to_line)) else "")
    variable = PREFIX + TOKEN.upper()
    if code == _EXPIRED:
        message = f"{NAME} rejected the configured token ({cause}). Renew {variable}."
    elif code == _FORBIDDEN:
        message = (
            f"{NAME} returns no ads for this token ({cause}). {variable} must belong to a user with a "
            "confirmed identity and location."
        )
    elif code in _LIMITED:
        message = f"{NAME} is rate-limiting this token ({cause})."
    else:
        message = f"{NAME} rejected the request ({cause})."
    return ProviderError(without_token(message), reason="refused", retry_after_s=retry_after_s(wire))


def _without_parameter(text: str) -> str:
    return _TOKEN_PARAMETER.sub("", text).rstrip("?&")


def _read_ads(page_id: str, pages: Pages[JsonObject, str]) -> SocialnetAds:
    name = next((found for ad in pages.rows if (found := take(ad, "page_name", to_line))), None)
    return SocialnetAds(
        page_id=page_id,
        page_name=name,
        page_url=f"{socialnet.HOST_URL}/{page_id}",
        source="official_api",
        active_status="active",
        total_count=None,
        count=len(pages.rows),
        pages_fetched=pages.pages_fetched,
        has_more=pages.has_more,
        next_cursor=pages.next if pages.has_more else None,
        partial=True,
        coverage=COVERAGE["official_api"],
        ads=pages.rows,
        warnings=[*pages.warnings, "This provider covers only part of the library."],
    )


def _read_ad(row: Any) -> JsonObject | None:
    """Return an ad that has an ID, without the token."""
    return without_token(row) if isinstance(row, dict) and _read_ad_id(row) else None


def _read_ad_id(ad: Mapping[str, Any]) -> str | None:
    return to_id(ad.get("id"))
