"""The ads that a page of the social network runs, as shown by its public ad library.

Upstreams: the library's page, without a key; its official API, which covers part of the library, if a token is set.
Response format: docs/upstreams/ads-socialnet.md. If the library reports no ads, the list is empty. An unknown page
raises Absent. A response that counts ads but shows no ads raises ProviderError "blocked".
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from webquarry.endpoints.declare import PAGE_DEADLINE_S, Extractor, Source, hours
from webquarry.extractors.ads.model.library import SocialnetAds, SocialnetParams
from webquarry.extractors.ads.sources.untested import library_api, library_page
from webquarry.extractors.ads.sources.untested.library_api import AD_LIBRARY_API
from webquarry.extractors.ads.sources.untested.library_page import AD_LIBRARY_PAGE
from webquarry.providers.socialnet import LIBRARY_URL
from webquarry.read import take
from webquarry.read.fields import to_address, to_day, to_id, to_line, to_text
from webquarry.read.values import reach
from webquarry.render import Line, Link, Md

T = TypeVar("T")

MAX_SHOWN: Final = 30
"""Maximum number of ads in markdown; `data` has all of them."""
MAX_BODY: Final = 600
_ID: Final = {"library_page": "ad_archive_id", "official_api": "id"}
_PLACEHOLDER: Final = "{{"
_IMAGES: Final = ("resized_image_url", "original_image_url", "video_preview_image_url")


def render(r: SocialnetAds) -> str:
    page = Md(f"{r.page_name or r.page_id}: ads on the social network")
    page.table(
        "",
        ("Ads in the library", "Ads here", "More available"),
        [(None if r.total_count is None else f"{r.total_count:,}", r.count, r.has_more)],
    )
    page.facts([("Page", Link(r.page_name or r.page_url, r.page_url)), ("Page id", r.page_id), ("Covers", r.coverage)])
    if not r.ads:
        page.paragraph("No ads." if not r.partial else "This provider has no ads for the page.")
    for ad in r.ads[:MAX_SHOWN]:
        page.heading(f"{_read_advertiser(ad, r)}: {take(ad, _ID[r.source], to_id)}")
        (_write_ad if r.source == "library_page" else _write_archived)(page, ad)
    if r.ads:
        shown = min(len(r.ads), MAX_SHOWN)
        of_all = f"{r.total_count:,} in the library" if r.total_count is not None else f"{r.count:,} fetched"
        page.paragraph(f"Showing {shown} of {of_all}." + (" `data` has all fetched ads." * (shown < r.count)))
    for sentence in r.warnings:
        page.paragraph(sentence)
    return page.source("Meta Ad Library").text()


def _read_advertiser(ad: Mapping[str, Any], r: SocialnetAds) -> str:
    """Return the name of the page that runs the ad. In partnerships, the snapshot names another page."""
    is_own = take(ad, "page_id", to_id) in (None, r.page_id)
    return take(ad, "page_name", to_line) or (is_own and r.page_name) or "Ad"


def _write_ad(page: Md, ad: Mapping[str, Any]) -> None:
    """Write an ad of the library's page.

    Dynamic ads leave placeholders such as `{{product.name}}` in the snapshot; their first card has the real text.
    """
    snapshot = reach(ad, "snapshot")
    ad_id = take(ad, "ad_archive_id", to_id) or ""
    leads_to, image = _read_value(snapshot, "link_url", to_address), _read_image(snapshot)
    page.facts(
        [
            ("In the library", Link(ad_id, f"{LIBRARY_URL}?id={ad_id}")),
            ("Format", take(snapshot, "display_format", to_line)),
            ("Platforms", _words(reach(ad, "publisher_platform"))),
            ("Shown", _shown(ad)),
            ("Title", _read_value(snapshot, "title", to_line)),
            ("Call to action", _read_value(snapshot, "cta_text", to_line)),
            ("Leads to", Link(_read_value(snapshot, "caption", to_line) or _read_host(leads_to) or "", leads_to)),
            ("Image", Link("image", image) if image else None),
        ]
    )
    _write_body(page, _read_value(snapshot, "body", _to_body))


def _write_archived(page: Md, ad: Mapping[str, Any]) -> None:
    """Write an ad of the official API, which has no format, call to action or images."""
    ad_id = take(ad, "id", to_id) or ""
    began, ended = (take(ad, f"ad_delivery_{end}_time", to_day) for end in ("start", "stop"))
    facts: list[tuple[str, Line]] = [
        ("In the library", Link(ad_id, f"{LIBRARY_URL}?id={ad_id}")),
        ("Platforms", _words(reach(ad, "publisher_platforms"))),
        ("Shown", _write_span(began, ended, is_active=ended is None)),
        ("Title", _first(reach(ad, "ad_creative_link_titles"), to_line)),
        ("Leads to", _first(reach(ad, "ad_creative_link_captions"), to_line)),
    ]
    page.facts(facts)
    _write_body(page, _first(reach(ad, "ad_creative_bodies"), to_text))


def _write_body(page: Md, text: str | None) -> None:
    if text:
        cut = text if len(text) <= MAX_BODY else f"{text[:MAX_BODY].rstrip()} …"
        page.quote(*(line for line in cut.split("\n") if line.strip()))


def _read_value(snapshot: Any, name: str, convert: Callable[[Any], T | None]) -> T | None:
    """Return a snapshot's value, or its first card's value if the snapshot's value is missing or a placeholder.

    If the card has no value either, return the placeholder.
    """
    own = take(snapshot, name, convert)
    if own is not None and _PLACEHOLDER not in str(own):
        return own
    return take(snapshot, f"cards[0].{name}", convert) or own


def _to_body(value: Any) -> str | None:
    """Return an ad's text: an object with a text, or plain text in cards and older ads."""
    return to_text(value.get("text") if isinstance(value, dict) else value)


def _shown(ad: Mapping[str, Any]) -> str | None:
    """Return the days on which an ad was shown.

    Active ads also have an end date, which is the last day on which the ad was seen.
    """
    began, ended = (take(ad, name, to_day) for name in ("start_date", "end_date"))
    return _write_span(began, ended, is_active=reach(ad, "is_active") is True)


def _write_span(began: date | None, ended: date | None, *, is_active: bool) -> str | None:
    if is_active:
        return f"active since {began.isoformat()}" if began else "active"
    days = [day.isoformat() for day in (began, ended) if day]
    return " to ".join(days) or None


def _words(values: Any) -> list[str]:
    names = values if isinstance(values, list) else []
    return [name.replace("_", " ").capitalize() for name in names if isinstance(name, str)]


def _read_image(snapshot: Any) -> str | None:
    places = (f"{kind}[0].{name}" for kind in ("images", "cards", "videos") for name in _IMAGES)
    found = (to_address(reach(snapshot, place)) for place in places)
    return next(filter(None, found), None)


def _first(values: Any, convert: Callable[[Any], T | None]) -> T | None:
    rows = values if isinstance(values, list) else []
    return next((found for one in rows if (found := convert(one)) is not None), None)


def _read_host(url: str | None) -> str | None:
    return urlsplit(url).hostname if url else None


extractor = Extractor(
    name="ads_socialnet",
    path="/ads/socialnet",
    version=2,
    group="ads",
    title="Social network ads of a page",
    description=(
        "Lists the ads that a page currently runs on Facebook, Instagram and their network, from Meta's ad library: "
        "raw nodes with texts, calls to action, formats and dates, and the total count. Each page has 30 ads. A "
        "page name or URL is resolved to the page ID at no extra charge. A page without ads returns an empty list. "
        "The library blocks many servers, which results in a `provider_error`."
    ),
    params=SocialnetParams,
    identity=lambda params: {"page": params.page_id or params.address, "max_pages": str(params.max_pages)},
    result=SocialnetAds,
    credits=2,
    fresh=hours(24),
    deadline_s=PAGE_DEADLINE_S,
    sources=(
        Source(AD_LIBRARY_PAGE, None, library_page.read, ask=library_page.ask),
        Source(AD_LIBRARY_API, None, library_api.read, ask=library_api.ask),
    ),
    render=render,
    ends={
        "not_found": "The page does not exist or was removed.",
    },
    example={"page_id": "100000000000001"},
)
