"""One ad of the search engine: its format, its previews, when and where it was shown, and who pays for it.

Upstream: the Ads Transparency Center. Response format: docs/upstreams/ads-searchengine.md. An unknown pair of IDs
raises Absent. If the advertiser or the first day can't be fetched, that field is null.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final, Literal

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Params, Result, Source, field, hours, param
from webquarry.extractors.ads import advertiser as advertisers
from webquarry.extractors.ads.advertiser import Advertiser
from webquarry.extractors.ads.creatives import read_page
from webquarry.extractors.ads.sources.transparency.center import (
    ADS_TRANSPARENCY,
    NAME,
    TOPIC,
    AdvertiserId,
    CreativeId,
    answer_of,
    ask,
    attempt,
    day_at,
    format_of,
    make_creative_url,
)
from webquarry.extractors.ads.sources.transparency.previews import Variant, read_variants
from webquarry.extractors.ads.sources.transparency.regions import BY_CODE, BY_REGION
from webquarry.net import Net
from webquarry.read import JsonObject, at, must, take
from webquarry.read.fields import to_whole
from webquarry.read.losses import lose
from webquarry.render import Link, Md

MAX_SHOWN: Final = 40
"""Maximum number of regions, and of variants, in markdown; `data` has all of them."""
FIRST_PAGE: Final = 100
"""Number of creatives on the single page that is searched for a creative's first day.

This is the provider's maximum.
"""
NO_ADVERTISER: Final = "The advertiser could not be looked up."
NO_FIRST_DAY: Final = "The provider does not report when this creative was first shown."


class CreativeParams(Params):
    advertiser_id: AdvertiserId = param("Advertiser ID.", example="AR00000000000000000001")
    creative_id: CreativeId = param("Creative ID.", example="CR00000000000000000001")
    include_advertiser: Literal["true", "false"] = param(
        "Whether to look up the advertiser. With `false`, only one request is sent to the provider, and a first day "
        "that is missing from the creative is not looked up.",
        default="true",
    )


class Region(Result):
    code: int | None = field(
        "Region number used by the provider: 2000 plus the numeric ISO 3166-1 code.", wire="1.17[].1"
    )
    country: str | None = field("Two-letter ISO 3166-1 code.", wire="1.7[]")
    name: str | None = field("Name in English.")
    last_shown: date | None = field("Last day shown in this region, UTC.", wire="1.17[].5")
    raw: Any = field("Raw value from the provider: an object or a country code.", wire="1.17[] | 1.7[]")


class Creative(Result):
    advertiser_id: str = field("Advertiser ID.", wire="1.1")
    creative_id: str = field("Creative ID.", wire="1.2")
    format: Literal["text", "image", "video", "unknown"] = field(
        "Format label from the provider, which labels some images as text.", wire="1.8"
    )
    format_code: int | None = field("Format number from the provider: 1 text, 2 image, 3 video.", wire="1.8")
    first_shown: date | None = field("First day shown, UTC.", wire="1.3")
    last_shown: date | None = field("Last day shown, UTC.", wire="1.4")
    days_shown: int | None = field("Number of days the ad was shown.", unit="days", wire="1.6")
    variants: list[Variant] = field("All previews.", wire="1.5[]")
    regions: list[Region] = field("Regions where the ad was shown.", wire="1.17[] | 1.7[]")
    advertiser: Advertiser | None = field("The advertiser; null if not requested or if the lookup failed.")
    raw: JsonObject = field("Raw record from the provider.", wire="1")
    warnings: list[str] = field("Warnings about this response.")


async def lookup(params: CreativeParams, net: Net) -> tuple[Creative, Wire]:
    """Fetch the creative, then add the advertiser and the first day if the requests for them succeed."""
    question = {"1": params.advertiser_id, "2": params.creative_id, "5": TOPIC}
    wire = await ask(net, "LookupService/GetCreativeById", question)
    found = await net.read(read, wire, params)
    if params.include_advertiser == "false":
        return found, wire
    advertiser = await attempt(net, lambda: _advertiser(params, net))
    warnings = [] if advertiser else [NO_ADVERTISER]
    first_shown, days_shown = found.first_shown, found.days_shown
    if first_shown is None:
        first_shown, days = await attempt(net, lambda: _listed(params, net)) or (None, None)
        days_shown = days if days_shown is None else days_shown
    beside = {"advertiser": advertiser, "first_shown": first_shown, "days_shown": days_shown}
    shown_warnings = [sentence for sentence in found.warnings if first_shown is None or sentence != NO_FIRST_DAY]
    return found.model_copy(update={**beside, "warnings": [*shown_warnings, *warnings]}), wire


def read(wire: Wire, params: CreativeParams) -> Creative:
    """Parse the requested creative, without its advertiser.

    Raises Absent if the provider has no such creative or hides it from logged-out users, and ProviderError "changed"
    if the response describes another creative.
    """
    answer = answer_of(wire)
    if not answer:
        raise Absent(f"{NAME} shows no creative with this ID to logged-out visitors.")
    record = must(answer, "1", dict)
    ids = must(record, "1", str), must(record, "2", str)
    if ids != (params.advertiser_id, params.creative_id):
        raise ProviderError(f"{NAME} returned a different creative than {params.creative_id}.", reason="changed")
    code, first_shown = take(record, "8", to_whole, required=True), day_at(record, "3")
    return Creative(
        advertiser_id=ids[0],
        creative_id=ids[1],
        format=format_of(code),
        format_code=code,
        first_shown=first_shown,
        last_shown=day_at(record, "4"),
        days_shown=take(record, "6", _to_days),
        variants=[variant for node in at(record, "5", list) or [] for variant in read_variants(node)],
        regions=list(_read_regions(record)),
        advertiser=None,
        raw=record,
        warnings=[] if first_shown else [NO_FIRST_DAY],
    )


def read_listed(wire: Wire, params: CreativeParams) -> tuple[date | None, int | None]:
    """Return the first day shown and the number of days, from a list of the advertiser's creatives."""
    items = [item for item in read_page(wire).items if item["2"] == params.creative_id]
    return (day_at(items[0], "6"), take(items[0], "13", _to_days)) if items else (None, None)


async def _advertiser(params: CreativeParams, net: Net) -> Advertiser:
    wire = await advertisers.fetch(params.advertiser_id, net)
    advertiser = advertisers.AdvertiserParams(advertiser_id=params.advertiser_id)
    return await net.read(advertisers.read, wire, advertiser)


async def _listed(params: CreativeParams, net: Net) -> tuple[date | None, int | None]:
    filters = {"12": {"1": "", "2": True}, "13": {"1": [params.advertiser_id]}}
    wire = await ask(net, "SearchService/SearchCreatives", {"2": FIRST_PAGE, "3": filters, "7": TOPIC})
    return await net.read(read_listed, wire, params)


def _read_regions(record: Mapping[str, Any]) -> Iterator[Region]:
    """Yield the regions in which the ad was shown.

    Commercial ads have region numbers; political ads have country codes.
    """
    seen: set[str] = set()
    for node in _list(record, "17"):
        code = take(node, "1", to_whole, required=True)
        country = BY_REGION.get(code or 0)
        if country is not None:
            seen.add(country.code)
        code_of, name = country or (None, None)
        yield Region(code=code, country=code_of, name=name, last_shown=day_at(node, "5"), raw=node)
    for node in _list(record, "7"):
        known = BY_CODE.get(node.strip().upper()) if isinstance(node, str) else None
        if known is None:
            lose("1.7[]")
            yield Region(code=None, country=None, name=None, last_shown=None, raw=node)
        elif known[1].code not in seen:
            seen.add(known[1].code)
            yield Region(code=known[0], country=known[1].code, name=known[1].name, last_shown=None, raw=node)


def _list(record: Mapping[str, Any], key: str) -> list[Any]:
    return (at(record, key, list) or []) if key in record else []


def _to_days(value: Any) -> int | None:
    found = to_whole(value)
    return found if found is not None and found >= 0 else None


def render(r: Creative) -> str:
    page = Md(f"Ad {r.creative_id}").table(
        "",
        ("Format", "First shown", "Last shown", "Days shown", "Previews", "Regions"),
        [(r.format, r.first_shown, r.last_shown, r.days_shown, len(r.variants), len(r.regions) or None)],
    )
    page.facts([("Ads Transparency Center", Link(r.creative_id, make_creative_url(r.advertiser_id, r.creative_id)))])
    page.facts(advertisers.write_facts(r.advertiser) if r.advertiser else [("Advertiser id", r.advertiser_id)])
    page.table(
        "Previews",
        ("Preview", "Size in pixels"),
        [(Link(v.kind, v.url), _size(v)) for v in r.variants[:MAX_SHOWN]],
    )
    page.table(
        "Regions",
        ("Code", "Country", "Last shown"),
        [(x.country or x.code, x.name, x.last_shown) for x in r.regions[:MAX_SHOWN]],
    )
    for name, rows in (("previews", r.variants), ("regions", r.regions)):
        if len(rows) > MAX_SHOWN:
            page.paragraph(f"The first {MAX_SHOWN} of {len(rows)} {name} are shown here; `data` has all of them.")
    for sentence in r.warnings:
        page.paragraph(sentence)
    page.paragraph("Landing pages are not available for any format.")
    return page.source("Google Ads Transparency Center").text()


def _size(variant: Variant) -> str | None:
    return f"{variant.width} × {variant.height}" if variant.width and variant.height else None


extractor = Extractor(
    name="ads_searchengine_creative",
    path="/ads/searchengine/creative",
    version=2,
    group="ads",
    title="Search engine ad",
    description=(
        "Returns the format, all previews, the first and last day shown, the regions and the advertiser of a "
        "creative from Google's Ads Transparency Center, as shown to logged-out visitors. Get the IDs from a "
        "domain's ads. Landing pages are not available for any format."
    ),
    params=CreativeParams,
    result=Creative,
    credits=1,
    fresh=hours(24),
    sources=(Source(ADS_TRANSPARENCY, None, read, ask=lookup),),
    render=render,
    ends={
        "not_found": "The creative or the advertiser does not exist.",
    },
    example={"advertiser_id": "AR00000000000000000001", "creative_id": "CR00000000000000000001"},
)
