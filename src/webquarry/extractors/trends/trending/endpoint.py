"""Trending searches: what is searched for now in a country, with traffic and news.

Upstream: Google Trends, by the call of its page, by the page, as a feed, or by SerpApi, which gives no news and comes
last. Wire notes: docs/upstreams/trends.md. A country without a list → EmptyResult, believed when it is said twice.
"""

from typing import TYPE_CHECKING

from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Source, hours
from webquarry.extractors.trends.sources import confirm
from webquarry.extractors.trends.trending import feed, rpc, serpapi
from webquarry.extractors.trends.trending.render import render
from webquarry.extractors.trends.trending.result import Trending, TrendingParams
from webquarry.providers.serpapi import SERPAPI

if TYPE_CHECKING:
    from webquarry.net import Net


async def _by_call(params: TrendingParams, net: "Net") -> tuple[Trending, Wire]:
    async def fetch(_anew: bool) -> Wire:
        return await rpc.call(params, net)

    return await confirm(fetch, lambda wire: net.read(rpc.read_call, wire, params))


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
