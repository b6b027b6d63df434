"""Trending searches: what people in a country search for now, with traffic and news.

Provider: Google Trends, through its page's API request, the page, the feed, or SerpApi, which has no news and comes
last. See docs/upstreams/trends.md.

Raises EmptyResult if the country has no list. A second request must confirm this.
"""

from typing import TYPE_CHECKING, Final

from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.trends.model.trending_result import Search, Trending, TrendingParams
from webquarry.extractors.trends.sources.chain import confirm
from webquarry.extractors.trends.sources.untested.trending import feed, rpc, serpapi
from webquarry.extractors.trends.sources.widgets import HOST_URL
from webquarry.providers.serpapi import SERPAPI
from webquarry.render import Bold, Line, Link, Md

if TYPE_CHECKING:
    from webquarry.net import Net

MAX_WITH_NEWS: Final = 50
MAX_NEWS: Final = 3
MAX_RELATED: Final = 5


async def _by_call(params: TrendingParams, net: "Net") -> tuple[Trending, Wire]:
    async def fetch(_anew: bool) -> Wire:
        return await rpc.call(params, net)

    return await confirm(fetch, lambda wire: net.read(rpc.read_call, wire, params))


def render(r: Trending) -> str:
    page = Md(f"Trending searches: {r.geo}")
    page.facts({"Searches": r.count, "Within": None if r.hours is None else f"the last {r.hours} hours"})
    page.paragraph("In the provider's order, not by traffic. Traffic is a lower bound.")
    detailed, rest = r.searches[:MAX_WITH_NEWS], r.searches[MAX_WITH_NEWS:]
    page.numbered("Searches", [_write_entry(search) for search in detailed])
    page.numbered("Further searches", [(_write_line(search),) for search in rest], start=len(detailed) + 1)
    if any(search.news or search.related_queries for search in rest):
        page.paragraph(
            f"News and related queries are listed only for the first {MAX_WITH_NEWS}; the JSON format has all of them."
        )
    for sentence in r.warnings:
        page.paragraph(sentence)
    return page.source(f"Google Trends, {HOST_URL}/trending?geo={r.geo}").text()


def _write_entry(search: Search) -> list[Line]:
    related = search.related_queries[:MAX_RELATED]
    news: list[Line] = [
        (Link(article.title, article.url), f"({article.source})" if article.source else None)
        for article in search.news[:MAX_NEWS]
    ]
    return [_write_line(search), f"Also: {', '.join(related)}" if related else None, *news]


def _write_line(search: Search) -> Line:
    """Return the query with its known counts: `**query** 50K+ searches (active, +1,000%)`."""
    activity = {True: "active", False: "ended", None: None}[search.is_active]
    growth = None if search.growth_percent is None else f"{search.growth_percent:+,}%"
    known = ", ".join(filter(None, (activity, growth)))
    return (
        Bold(search.query),
        f"{search.traffic_label} searches" if search.traffic_label else None,
        f"({known})" if known else None,
    )


extractor = Extractor(
    name="trends_trending",
    path="/trends/trending",
    version=2,
    group="trends",
    title="Trending searches",
    description=(
        "Returns the searches that are trending on Google in a country in the last 24 hours, with approximate "
        "traffic, growth, related queries, categories and news links. A country without a list returns "
        "`empty_result`."
    ),
    params=TrendingParams,
    result=Trending,
    credits=1,
    fresh=hours(1),
    sources=(
        Source(rpc.TRENDING_RPC, None, rpc.read_call, ask=_by_call),
        Source(rpc.TRENDING_PAGE, rpc.page, rpc.read_page),
        Source(feed.TRENDING_RSS, feed.fetch, feed.read),
        Source(SERPAPI, serpapi.fetch, serpapi.read),
    ),
    render=render,
    ends={
        "empty_result": "The country has no list of trending searches.",
    },
    example={"geo": "US"},
)
