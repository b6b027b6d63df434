"""Organic search footprint of a domain: the number of keywords, and the number and value of the visits that they bring.

Upstreams: Semrush's API, DataForSEO, Semrush's toolbar service. Response format: docs/upstreams/semrush.md,
docs/upstreams/dataforseo.md. A domain that the index has never seen raises EmptyResult. Zero is a valid value.
"""

from datetime import datetime
from typing import Any, Final, Literal

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Domain, Wire
from webquarry.endpoints.declare import Extractor, Params, Result, Source, days, field, param
from webquarry.extractors.domain_intel.model.names import find_site
from webquarry.extractors.domain_intel.sources.untested import dataforseo, semrush, toolbar
from webquarry.net import Net
from webquarry.read import each, take
from webquarry.read.fields import to_decimal, to_line
from webquarry.read.values import reach
from webquarry.render import Md

SourceName = Literal["semrush_toolbar", "semrush", "dataforseo"]
TITLES: Final[dict[SourceName, str]] = {
    "semrush_toolbar": "Semrush (toolbar)",
    "semrush": "Semrush",
    "dataforseo": "DataForSEO",
}
LARGEST: Final = 2.0**53
_TOOLBAR_URL: Final = "https://seoquake.publicapi.semrush.com/info.php?url="
_SEMRUSH_URL: Final = (
    "https://api.semrush.com/?type=domain_rank&export_columns=Dn,Rk,Or,Ot,Oc,Ad,At,Ac&database=us&domain="
)
_ROUTE: Final = "dataforseo_labs/google/domain_rank_overview/live"
_US: Final = 2840


class OrganicParams(Params):
    domain: Domain = param(
        "Bare domain or full URL. The host without a leading www is looked up.", example="example.com"
    )


class Organic(Result):
    domain: str = field("Requested host without a leading www.")
    resolved_domain: str | None = field("Domain according to the provider, if available.", wire="domain")
    database: Literal["us"] = field("Country of the searches.")
    organic_rank: int | None = field("Rank among all domains by organic visits.", wire="rank")
    organic_keywords: int | None = field("Number of organic keywords.", wire="keywords")
    organic_traffic: int | None = field("Estimated monthly organic visits.", wire="traffic")
    organic_traffic_cost_usd: float | None = field(
        "Estimated monthly cost of these visits as ads, in US dollars.", unit="USD", wire="costs"
    )
    source: SourceName = field("Name of the provider.")
    fetched_at: datetime = field("Fetch time, UTC.")


async def lookup_by_toolbar(params: OrganicParams, net: Net) -> Wire:
    return await toolbar.ask(net, _TOOLBAR_URL, f"https://{find_site(params.domain)}/")


async def lookup_by_semrush(params: OrganicParams, net: Net) -> Wire:
    return await semrush.ask(net, _SEMRUSH_URL + find_site(params.domain))


async def lookup_by_dataforseo(params: OrganicParams, net: Net) -> Wire:
    question = {"target": find_site(params.domain), "location_code": _US, "language_code": "en"}
    return await dataforseo.ask(net, _ROUTE, question)


def read_toolbar(wire: Wire, params: OrganicParams) -> Organic:
    """Parse the toolbar's response. Raises EmptyResult only for the provider's "not found" mark."""
    elements = toolbar.read_elements(wire)
    if toolbar.is_not_found(elements):
        raise _make_unknown_error(params, "semrush_toolbar")
    rank, keywords = _read_whole(elements.get("rank")), _read_whole(elements.get("keywords"))
    if rank is None and keywords is None:
        raise toolbar.make_changed_error("rank and keywords")
    return Organic(
        domain=find_site(params.domain),
        resolved_domain=to_line(elements.get("domain")),
        database="us",
        organic_rank=rank,
        organic_keywords=keywords,
        organic_traffic=_read_whole(elements.get("traffic")),
        organic_traffic_cost_usd=_read_amount(elements.get("costs")),
        source="semrush_toolbar",
        fetched_at=wire.fetched_at,
    )


def read_semrush(wire: Wire, params: OrganicParams) -> Organic:
    try:
        row = semrush.read_row(wire)
    except EmptyResult as exc:
        raise _make_unknown_error(params, "semrush") from exc
    rank = _read_whole(semrush.read_cell(row, "rank", "rk"))
    keywords = _read_whole(semrush.read_cell(row, "organic keywords", "or"))
    if rank is None and keywords is None:
        raise ProviderError("Semrush sent a row without rank and keywords.", reason="changed")
    return Organic(
        domain=find_site(params.domain),
        resolved_domain=semrush.read_cell(row, "domain", "dn"),
        database="us",
        organic_rank=rank,
        organic_keywords=keywords,
        organic_traffic=_read_whole(semrush.read_cell(row, "organic traffic", "ot")),
        organic_traffic_cost_usd=_read_amount(semrush.read_cell(row, "organic cost", "oc")),
        source="semrush",
        fetched_at=wire.fetched_at,
    )


def read_dataforseo(wire: Wire, params: OrganicParams) -> Organic:
    """Parse DataForSEO's response, which has no domain rank.

    Raises EmptyResult if the task succeeded without items.
    """
    result = dataforseo.find_result(wire)
    items = result.get("items")
    if "items" in result and (items is None or items == []):
        raise _make_unknown_error(params, "dataforseo")
    item = next(iter(each(result, "items[]")), None)
    keywords = _read_whole(reach(item, "metrics.organic.count"))
    if keywords is None:
        raise ProviderError("DataForSEO sent a response without a number of keywords.", reason="changed")
    return Organic(
        domain=find_site(params.domain),
        resolved_domain=take(result, "target", to_line),
        database="us",
        organic_rank=None,
        organic_keywords=keywords,
        organic_traffic=_read_whole(reach(item, "metrics.organic.etv")),
        organic_traffic_cost_usd=_read_amount(reach(item, "metrics.organic.estimated_paid_traffic_cost")),
        source="dataforseo",
        fetched_at=wire.fetched_at,
    )


def _read_amount(value: Any) -> float | None:
    found = to_decimal(value)
    return found if found is not None and 0 <= found <= LARGEST else None


def _read_whole(value: Any) -> int | None:
    """Return a count. An estimate with a fraction is rounded."""
    found = _read_amount(value)
    return None if found is None else round(found)


def _make_unknown_error(params: OrganicParams, source: SourceName) -> EmptyResult:
    return EmptyResult(f"{TITLES[source]} has no US search results for {find_site(params.domain)}.")


def render(r: Organic) -> str:
    cost = None if r.organic_traffic_cost_usd is None else f"{r.organic_traffic_cost_usd:,.0f}"
    rows = [
        ("Organic rank", _count(r.organic_rank), "rank among domains"),
        ("Organic keywords", _count(r.organic_keywords), "searches"),
        ("Organic traffic", _count(r.organic_traffic), "visits per month"),
        ("Traffic cost", cost, "USD per month"),
    ]
    md = Md(f"{r.domain}: organic search").paragraph("Estimates, US database.")
    if r.resolved_domain and r.resolved_domain.lower().removeprefix("www.") != r.domain:
        md.paragraph(f"The provider returned data for {r.resolved_domain}.")
    md.table("", ("Figure", "Value", "Unit"), [row for row in rows if row[1] is not None])
    return md.source(TITLES[r.source]).text()


def _count(number: int | None) -> str | None:
    return None if number is None else f"{number:,}"


extractor = Extractor(
    name="seo_organic",
    path="/seo/organic",
    version=1,
    group="domain_intel",
    title="Organic search footprint",
    description=(
        "Returns the number of organic keywords of a domain in the US, its estimated monthly organic visits, their "
        "value as ads in US dollars per month, and its organic rank. A domain that the index doesn't know returns "
        "`empty_result`. A known domain can have zeros."
    ),
    params=OrganicParams,
    identity=lambda params: {"domain": find_site(params.domain)},
    result=Organic,
    credits=1,
    fresh=days(1),
    sources=(
        Source(semrush.SEMRUSH, lookup_by_semrush, read_semrush),
        Source(dataforseo.DATAFORSEO, lookup_by_dataforseo, read_dataforseo),
        Source(toolbar.TOOLBAR, lookup_by_toolbar, read_toolbar),
    ),
    render=render,
    ends={
        "empty_result": "The index doesn't know the domain.",
    },
    example={"domain": "example.com"},
)
