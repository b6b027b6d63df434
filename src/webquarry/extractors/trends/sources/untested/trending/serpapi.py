"""The list of trending searches through SerpApi."""

from collections.abc import Sequence
from typing import Any

from webquarry.core.types import Wire
from webquarry.extractors.trends.model.traffic import label
from webquarry.extractors.trends.model.trending_result import Search, Trending, TrendingParams, make_trending
from webquarry.extractors.trends.sources.untested.trending.host import HOURS
from webquarry.extractors.trends.sources.values import count_at, read_moment
from webquarry.net import Net
from webquarry.providers import serpapi
from webquarry.read import at, must, texts
from webquarry.read.fields import to_line
from webquarry.read.losses import read_rows


async def fetch(params: TrendingParams, net: Net) -> Wire:
    return await serpapi.ask(net, "google_trends_trending_now", geo=params.geo, hours=str(HOURS), hl="en")


def read(wire: Wire, params: TrendingParams) -> Trending:
    rows: Sequence[Any] = must(serpapi.answer_of(wire), "trending_searches", list)
    searches = read_rows(enumerate(rows, 1), _read_search, "trending_searches[]")
    return make_trending(params.geo, "serpapi", HOURS, rows, searches, ["This provider has no news."])


def _read_search(ranked: tuple[int, Any]) -> Search | None:
    """Parse a search with its rank. Returns None if it has no term."""
    rank, row = ranked
    term = to_line(at(row, "query", str))
    if term is None:
        return None
    traffic = count_at(row, "search_volume")
    return Search(
        rank=rank,
        query=term,
        traffic=traffic,
        traffic_label=label(traffic),
        growth_percent=at(row, "increase_percentage", int),
        started_at=read_moment(at(row, "start_timestamp", int)),
        ended_at=read_moment(row.get("end_timestamp")),  # present only for trends that have ended
        is_active=at(row, "active", bool),
        related_queries=[
            query for query in read_rows(texts(row, "trend_breakdown[]"), to_line, "trend_breakdown[]") if query != term
        ],
        categories=read_rows(texts(row, "categories[].name"), to_line, "categories[].name"),
        image=None,
        news=[],
    )
