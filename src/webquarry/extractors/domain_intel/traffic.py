"""Traffic of a site: visits, ranks, engagement, countries, and the keywords and assistants that send visitors.

Upstream: Similarweb, through its API, a reseller of the same object, or its browser extension's request. Response
format: docs/upstreams/similarweb.md. A site without visits raises EmptyResult, because the provider gives the same
response for a name that does not exist.
"""

from webquarry.core.types import Domain
from webquarry.endpoints.declare import Extractor, Params, Source, days, param
from webquarry.extractors.domain_intel.model.traffic_result import AiTraffic, Traffic, TrafficSources
from webquarry.extractors.domain_intel.sources import similarweb
from webquarry.extractors.domain_intel.sources.estimates import find_site
from webquarry.extractors.domain_intel.sources.untested import similarweb_api
from webquarry.render import Md, Piece


class TrafficParams(Params):
    domain: Domain = param(
        "Bare domain or full URL. The host without a leading www is looked up.", example="example.com"
    )


_SOURCES = {
    "direct": "Direct",
    "search": "Search",
    "social": "Social",
    "referrals": "Referrals",
    "mail": "Mail",
    "paid_referrals": "Paid referrals",
}


def render(r: Traffic) -> str:
    md = Md(f"{r.domain}: traffic").paragraph(_write_about(r))
    md.facts([("Title", r.title), ("Description", r.description), ("Category", " / ".join(r.category_path))])
    md.table("Key figures", ("Figure", "Value", "Unit"), _write_key_figures(r))
    md.table("Ranks", ("Among", "Rank"), _write_ranks(r))
    md.table("Visits by month", ("Month", "Visits"), [(p.month, f"{p.visits:,}") for p in r.visits.history])
    md.table("Traffic sources", ("Source", "Share"), _write_sources(r.traffic_sources))
    md.table(
        "Top countries",
        ("Country", "Share"),
        [(c.country or c.country_code or "?", _write_share(c.share)) for c in r.top_countries],
    )
    md.table(
        "Top keywords",
        ("Keyword", "Searches per month", "CPC (USD)", "Estimated visits"),
        [(k.keyword, _count(k.volume), k.cpc, _count(k.estimated_value)) for k in r.top_keywords],
    )
    md.bullets("Similar sites", r.competitors)
    if r.ai_traffic is not None:
        _write_assistants(md, r.ai_traffic)
    return md.bullets("Warnings", r.warnings).source("Similarweb (estimates)").text()


def _write_about(r: Traffic) -> str:
    when = f" in {r.visits.month}" if r.visits.month else ""
    small = " The provider marks the site as small." if r.is_small else ""
    return f"About {r.visits.monthly:,} visits{when}, as estimated by Similarweb.{small}"


def _write_key_figures(r: Traffic) -> list[tuple[Piece, Piece, Piece]]:
    e = r.engagement
    figures: list[tuple[Piece, Piece, Piece]] = [
        ("Visits", _count(r.visits.monthly), "a month"),
        ("Bounce rate", _write_share(e.bounce_rate), "of visits"),
        ("Pages per visit", None if e.pages_per_visit is None else f"{e.pages_per_visit:.2f}", "pages"),
        ("Visit duration", None if e.visit_duration_seconds is None else f"{e.visit_duration_seconds:.0f}", "seconds"),
    ]
    return [figure for figure in figures if figure[1] is not None]


def _write_ranks(r: Traffic) -> list[tuple[Piece, Piece]]:
    country, category = r.rank.country, r.rank.category
    rows: list[tuple[str, int | None]] = [
        ("All sites", r.rank.worldwide),
        (f"Sites visited from {country.name or country.code or 'its first country'}", country.rank),
        (f"Category {category.name}" if category.name else "Its category", category.rank),
    ]
    return [(among, _count(rank)) for among, rank in rows if rank is not None]


def _write_sources(sources: TrafficSources) -> list[tuple[Piece, Piece]]:
    shares = sorted(((getattr(sources, name), label) for name, label in _SOURCES.items()), key=lambda s: -(s[0] or 0))
    return [(label, _write_share(share)) for share, label in shares if share is not None]


def _write_assistants(md: Md, ai: AiTraffic) -> None:
    visits = None if ai.visits is None else f"{ai.visits:,.0f} a month"
    md.heading("AI assistants").facts([("Visits from them", visits), ("Share of all visits", _write_share(ai.share))])
    md.table("", ("Assistant", "Share of these visits"), [(s.name, f"{s.share_percent:.1f} %") for s in ai.sources])
    if ai.prompts:
        md.paragraph("Sample prompts that led to visits:").quote(*ai.prompts)


def _write_share(share: float | None) -> str | None:
    """Return a share as a percentage with two decimals."""
    return None if share is None else f"{100 * share:.2f} %"


def _count(number: int | None) -> str | None:
    return None if number is None else f"{number:,}"


extractor = Extractor(
    name="traffic",
    path="/traffic",
    version=2,
    group="domain_intel",
    title="Traffic estimate",
    description=(
        "Returns Similarweb's traffic estimates for a site: current and previous monthly visits, global, country "
        "and category ranks, bounce rate, pages and time per visit, traffic sources, top countries, top keywords, "
        "similar sites, and visits from AI assistants with sample prompts. A site without visits returns "
        "`empty_result`. The provider that needs no key rejects many data center addresses."
    ),
    params=TrafficParams,
    identity=lambda params: {"domain": find_site(params.domain)},
    result=Traffic,
    credits=1,
    fresh=days(1),
    sources=(
        Source(similarweb_api.SIMILARWEB_API, similarweb_api.lookup_by_key, similarweb.read),
        Source(similarweb_api.RESELLER, None, similarweb_api.read_reseller, ask=similarweb_api.ask_reseller),
        Source(similarweb.SIMILARWEB, similarweb.lookup, similarweb.read),
    ),
    render=render,
    ends={
        "empty_result": "No visits are known for the domain.",
    },
    example={"domain": "example.com"},
)
