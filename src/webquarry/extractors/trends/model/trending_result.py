"""Parameters and result of the endpoint, shared by all providers."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from webquarry.core.errors import EmptyResult
from webquarry.endpoints.declare import Params, Result, field, param
from webquarry.extractors.trends.model.places import CountryCode
from webquarry.extractors.trends.sources.values import has_enough

SourceName = Literal["batchexecute", "html", "rss", "serpapi"]


class TrendingParams(Params):
    geo: CountryCode = param("Two-letter country code.", default="US", example="US")


class Article(Result):
    title: str = field("Headline of the article.")
    url: str = field("URL of the article.")
    source: str | None = field("Name of the publisher.")
    published_at: datetime | None = field("Publication time, UTC.")
    image: str | None = field("URL of its image.")


class Search(Result):
    rank: int = field("Position in the provider's order, which is not by traffic.")
    query: str = field("Search query.", wire="[0]")
    traffic: int | None = field("Minimum number of searches, rounded.", wire="[6]")
    traffic_label: str | None = field("Formatted traffic: `50K+`.")
    growth_percent: int | None = field("Growth of the searches.", unit="percent", wire="[8]")
    started_at: datetime | None = field("Time when the search started trending, UTC.", wire="[3][0]")
    ended_at: datetime | None = field(
        "Time when the search stopped trending; null if it is still trending.", wire="[4][0]"
    )
    is_active: bool | None = field("Whether the search is still trending.")
    related_queries: list[str] = field("Related queries, including other spellings.", wire="[9]")
    categories: list[str] = field("Names of the search's categories.", wire="[10]")
    image: str | None = field("URL of the image of the first article that has one.")
    news: list[Article] = field("Articles about it.", wire="[1]")


class Trending(Result):
    geo: str = field("Requested country or region, as a code.")
    hours: int | None = field("Period covered by the list; null if unknown.", unit="hours")
    source: SourceName = field(
        "Source of the list: `batchexecute` (complete, with news), `html` (complete), `rss` (ten searches, with "
        "news) or `serpapi`."
    )
    count: int = field("Number of searches.")
    searches: list[Search] = field("Trending searches, in the provider's order.")
    warnings: list[str] = field("Warnings about this response.")


def make_trending(
    geo: str, source: SourceName, hours: int | None, rows: Sequence[Any], searches: list[Search], warnings: list[str]
) -> Trending:
    """Return the result. rows: the provider's rows. searches: the rows that could be parsed.

    Raises EmptyResult for an empty list, and ProviderError "changed" if less than half of the rows are readable.
    """
    if not rows:
        raise EmptyResult(f"Nothing is trending in {geo} now.")
    return Trending(
        geo=geo,
        hours=hours,
        source=source,
        count=len(searches),
        searches=searches,
        warnings=[*has_enough(len(searches), len(rows), "searches"), *warnings],
    )
