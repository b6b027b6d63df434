"""What the endpoint takes and gives, whoever answers."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from webquarry.core.errors import EmptyResult
from webquarry.endpoints.declare import Params, Result, field, param
from webquarry.extractors.trends.places import CountryCode
from webquarry.extractors.trends.values import has_enough

SourceName = Literal["batchexecute", "html", "rss", "serpapi"]


class TrendingParams(Params):
    geo: CountryCode = param("Country, by its code of two letters.", default="US", example="US")


class Article(Result):
    title: str = field("Headline.")
    url: str = field("Address.")
    source: str | None = field("Who published it.")
    published_at: datetime | None = field("When it was published, UTC.")
    image: str | None = field("Address of its picture.")


class Search(Result):
    rank: int = field("Place in the source's own order, which is not that of traffic.")
    query: str = field("What is searched for.", wire="[0]")
    traffic: int | None = field("Searches at least, a round number.", wire="[6]")
    traffic_label: str | None = field("The same for people: `50K+`.")
    growth_percent: int | None = field("Growth of the searches.", unit="percent", wire="[8]")
    started_at: datetime | None = field("Since when it is trending, UTC.", wire="[3][0]")
    ended_at: datetime | None = field("Until when it was; null while it still is.", wire="[4][0]")
    is_active: bool | None = field("Whether it still is.")
    related_queries: list[str] = field("Other spellings and questions about the same.", wire="[9]")
    categories: list[str] = field("Names of its categories.", wire="[10]")
    image: str | None = field("Address of a picture, of the first article that has one.")
    news: list[Article] = field("Articles about it.", wire="[1]")


class Trending(Result):
    geo: str = field("Country.")
    hours: int | None = field("How far back the list goes; null when the source does not say.", unit="hours")
    source: SourceName = field(
        "Which list: `batchexecute` (the whole, with news), `html` (the whole), `rss` (ten, with news) or `serpapi`."
    )
    count: int = field("Number of searches.")
    searches: list[Search] = field("Searches, in the source's order.")
    warnings: list[str] = field("What a reader of this answer should know.")


def make_trending(
    geo: str, source: SourceName, hours: int | None, rows: Sequence[Any], searches: list[Search], warnings: list[str]
) -> Trending:
    """The answer. rows: of the wire, of which `searches` are those that could be read.

    EmptyResult when the source's list is there and empty; ProviderError (changed) when less than half is readable.
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
