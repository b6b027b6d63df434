"""A domain's ads on the search engine: every creative that links to it, as listed by the transparency center.

Upstream: the Ads Transparency Center. Response format: docs/upstreams/ads-searchengine.md. Without creatives, the list
is empty if the response is the provider's known form of "nothing". A list that announces more and holds no items raises
ProviderError "changed".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Final

from webquarry.core.errors import ProviderError
from webquarry.core.types import Domain, Wire
from webquarry.endpoints.declare import PAGE_DEADLINE_S, Extractor, Params, Result, Source, field, hours, param
from webquarry.extractors.ads.sources.transparency.center import (
    ADS_TRANSPARENCY,
    NAME,
    TOPIC,
    AdvertiserId,
    CreativeId,
    answer_of,
    ask,
    day_at,
    format_of,
    make_advertiser_url,
    make_creative_url,
)
from webquarry.extractors.ads.sources.transparency.previews import read_image
from webquarry.net import Net
from webquarry.read import JsonObject, take
from webquarry.read.fields import to_line, to_token, to_whole
from webquarry.read.losses import read_rows
from webquarry.read.pages import Page, Pages, collect
from webquarry.render import Link, Md

PAGE_SIZE: Final = 40
MAX_SHOWN: Final = 120
"""Maximum number of creatives in markdown; `data` has all of them."""
_KNOWN: Final = frozenset({"1", "2", "4", "5"})


class CreativesParams(Params):
    domain: Domain = param(
        "Domain that the ads link to: a bare domain or a full URL. A subdomain is reduced to its registrable domain.",
        example="example.com",
    )
    max_pages: int = param("Maximum number of pages to fetch, 40 creatives each.", default=3, min_value=1, max_value=20)


class TotalEstimate(Result):
    min: int | None = field("Lower bound of the provider's estimate.", wire="4")
    max: int | None = field("Upper bound of the provider's estimate.", wire="5")


class Creatives(Result):
    domain: str = field("Registrable domain that the ads link to.")
    count: int = field("Number of returned creatives.")
    pages_fetched: int = field("Number of pages fetched from the provider.")
    has_more: bool = field("Whether more creatives exist than were fetched.")
    next_cursor: str | None = field(
        "The provider's token for the next page. It can't be used as a parameter: increase `max_pages` instead.",
        wire="2",
    )
    total_estimate: TotalEstimate = field(
        "The provider's estimate of the total number of creatives; null if unavailable."
    )
    creatives: list[JsonObject] = field(
        "Raw items from the provider: `1` advertiser ID, `2` creative ID, `3` preview, `4` format (1 text, 2 image, "
        "3 video), `6` and `7` first and last shown, `12` advertiser, `13` days shown, `14` domain.",
        wire="1[]",
    )
    warnings: list[str] = field("Warnings about this response.")


@dataclass(frozen=True, slots=True)
class CreativesPage:
    """One page of creatives.

    items: the provider's objects that have both IDs, unchanged. left_out: the number of objects that lack an ID.
    cursor: the token for the next page.
    """

    items: list[JsonObject]
    cursor: str | None = None
    least: int | None = None
    most: int | None = None
    left_out: int = 0


@dataclass(slots=True)
class _Fetched:
    """The fetched pages, and the provider's first response."""

    pages: list[CreativesPage] = dataclass_field(default_factory=list)
    wire: Wire | None = None


async def search(params: CreativesParams, net: Net) -> tuple[Creatives, Wire]:
    """Return the creatives of at most `max_pages` pages, and the provider's first response."""
    read = _Fetched()

    async def fetch(cursor: str | None) -> Page[JsonObject, str]:
        wire = await ask(net, "SearchService/SearchCreatives", write_domain_question(params.domain.registrable, cursor))
        page = await net.read(read_page, wire)
        read.wire = read.wire or wire
        read.pages.append(page)
        return Page(page.items, page.cursor)

    pages = await collect(fetch, max_pages=params.max_pages, key=_read_creative_id, net=net, source=NAME)
    if read.wire is None:
        raise AssertionError("a first page without a wire")
    return _creatives(params, pages, read.pages), read.wire


def read(wire: Wire, params: CreativesParams) -> Creatives:
    """Parse one page of a domain's creatives."""
    page = read_page(wire)
    pages: Pages[JsonObject, str] = Pages(
        rows=list({_read_creative_id(item): item for item in reversed(page.items)}.values())[::-1],
        next=page.cursor,
        pages_fetched=1,
        has_more=page.cursor is not None,
    )
    return _creatives(params, pages, [page])


def read_page(wire: Wire) -> CreativesPage:
    """Parse a page's items and the cursor of the next page.

    Raises the errors of `answer_of`. Also raises ProviderError "changed" if no item of the page has its IDs, or if a
    page without items is not the provider's known form of "nothing".
    """
    answer = answer_of(wire)
    rows = [] if answer.get("1") is None else answer["1"]
    if not isinstance(rows, list):
        raise ProviderError(f"{NAME} sent a list in an unknown format.", reason="changed")
    items = read_rows(rows, _read_item, "1[]")
    least, most = (take(answer, key, _to_estimate) for key in ("4", "5"))
    cursor = take(answer, "2", to_token)
    is_nothing = not rows and answer.keys() <= _KNOWN and not least and not most
    if not items and not is_nothing and cursor is None:
        raise ProviderError(f"{NAME} sent a list in an unknown format.", reason="changed")
    return CreativesPage(items, cursor, least, most, len(rows) - len(items))


def write_domain_question(domain: str, cursor: str | None) -> Mapping[str, Any]:
    """Return the body of a search for a domain's creatives.

    The body contains `true` after the domain. Without this value, the search finds nothing and reports no error.
    """
    question: JsonObject = {"2": PAGE_SIZE, "3": {"12": {"1": domain, "2": True}}}
    return {**question, **({"4": cursor} if cursor is not None else {}), "7": TOPIC}


def _read_item(row: Any) -> JsonObject | None:
    """Return an item if it has both IDs, otherwise None."""
    has_ids = isinstance(row, dict) and _is(AdvertiserId, row.get("1")) and _is(CreativeId, row.get("2"))
    return row if has_ids else None


def _is(kind: type[AdvertiserId | CreativeId], value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(kind.parse(value))
    except ValueError:
        return False


def _read_creative_id(item: Mapping[str, Any]) -> str:
    return str(item["2"])


def _to_estimate(value: Any) -> int | None:
    found = to_whole(value)
    return found if found is not None and found >= 0 else None


def _creatives(params: CreativesParams, pages: Pages[JsonObject, str], read: list[CreativesPage]) -> Creatives:
    if not pages.rows and pages.has_more:
        raise ProviderError(f"{NAME} reports creatives but returned none.", reason="changed")
    warnings = list(pages.warnings)
    if left_out := sum(page.left_out for page in read):
        warnings.append(f"{left_out} items without IDs were omitted.")
    domain = params.domain.registrable
    return Creatives(
        domain=domain,
        count=len(pages.rows),
        pages_fetched=pages.pages_fetched,
        has_more=pages.has_more,
        next_cursor=pages.next if pages.has_more else None,
        total_estimate=TotalEstimate(
            min=next((page.least for page in read if page.least is not None), None),
            max=next((page.most for page in read if page.most is not None), None),
        ),
        creatives=pages.rows,
        warnings=warnings,
    )


def render(r: Creatives) -> str:
    page = Md(f"{r.domain}: ads on the search engine")
    page.table(
        "",
        ("Creatives here", "Estimated total", "Pages read", "More available"),
        [(r.count, _write_estimate(r.total_estimate), r.pages_fetched, r.has_more)],
    )
    if not r.creatives:
        page.paragraph("The transparency center shows no ads for this domain to logged-out visitors.")
    by_advertiser: dict[str, list[JsonObject]] = {}
    for item in r.creatives:
        by_advertiser.setdefault(item["1"], []).append(item)
    page.table(
        "Advertisers",
        ("Advertiser", "Id", "Creatives"),
        [(_name(items), Link(key, make_advertiser_url(key)), len(items)) for key, items in by_advertiser.items()],
    )
    room = MAX_SHOWN
    for key, items in by_advertiser.items():
        rows = [_read_row(item) for item in items[:room]]
        room -= len(rows)
        page.table(_name(items) or key, ("Creative", "Format", "First shown", "Last shown", "Days", "Image"), rows)
    if r.count > MAX_SHOWN:
        page.paragraph(f"The first {MAX_SHOWN} of {r.count} creatives are shown here; `data` has all of them.")
    for sentence in r.warnings:
        page.paragraph(sentence)
    return page.source("Google Ads Transparency Center").text()


def _read_row(item: Mapping[str, Any]) -> tuple[str | int | Link | None, ...]:
    code = take(item, "4", to_whole)
    shown = [day.isoformat() if (day := day_at(item, key)) else None for key in ("6", "7")]
    image = read_image(item.get("3"))
    return (
        Link(item["2"], make_creative_url(item["1"], item["2"])),
        None if code is None else format_of(code),
        *shown,
        take(item, "13", to_whole),
        Link("image", image) if image else None,
    )


def _name(items: list[JsonObject]) -> str | None:
    return next((name for item in items if (name := take(item, "12", to_line))), None)


def _write_estimate(total: TotalEstimate) -> str | None:
    bounds = [f"{bound:,}" for bound in (total.min, total.max) if bound is not None]
    return " to ".join(dict.fromkeys(bounds)) or None


extractor = Extractor(
    name="ads_searchengine",
    path="/ads/searchengine",
    version=2,
    group="ads",
    title="Search engine ads of a domain",
    description=(
        "Lists the ads that link to a domain from Google's Ads Transparency Center, as shown to logged-out "
        "visitors: raw items with advertiser and creative IDs, formats, and first and last day shown. Each page has "
        "40 creatives. Age-restricted ads are not included. A domain without ads returns an empty list."
    ),
    params=CreativesParams,
    identity=lambda params: {"domain": params.domain.registrable, "max_pages": str(params.max_pages)},
    result=Creatives,
    credits=2,
    fresh=hours(24),
    deadline_s=PAGE_DEADLINE_S,
    sources=(Source(ADS_TRANSPARENCY, None, read, ask=search),),
    render=render,
    example={"domain": "example.com"},
)
