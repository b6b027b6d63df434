"""The feed of trending searches: RSS with Google Trends' own elements. Only the title is required."""

from datetime import datetime
from typing import Any, Final

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Wire
from webquarry.extractors.trends.model.traffic import label, read_number
from webquarry.extractors.trends.model.trending_result import Article, Search, Trending, TrendingParams, make_trending
from webquarry.extractors.trends.sources import widgets
from webquarry.extractors.trends.sources.untested.trending.host import get, make_provider
from webquarry.extractors.trends.sources.values import read_web_address
from webquarry.extractors.trends.sources.widgets import HOST_URL
from webquarry.net import Net
from webquarry.read.block_pages import unreadable
from webquarry.read.fields import to_line
from webquarry.read.losses import read_rows
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file import xml
from webquarry_convert.text.instants import parse

TRENDING_RSS: Final = make_provider("trending_rss", "Google Trends, feed of trending searches")
TEN_ONLY: Final = "Only the ten searches in Google Trends' feed are returned because the full list was not available."
NO_FEED: Final = "Google Trends sent something other than its feed."
_OWN: Final = "{https://trends.google.com/trending/rss}"


async def fetch(params: TrendingParams, net: Net) -> Wire:
    """Fetch the feed of ten searches, as XML.

    Raises EmptyResult if the country has no feed, and ProviderError "refused" or "blocked" for any status except 200.
    """
    url = f"{HOST_URL}/trending/rss?geo={params.geo}"
    wire = await get(url, net, absent=404)
    # an empty list may be temporary, so it is only accepted if the second response is also empty
    if wire.status == 404:
        wire = await get(url, net, absent=404)
    if wire.status == 404:
        raise EmptyResult(f"Google Trends has no list of trending searches for {params.geo}.")
    return wire


def read(wire: Wire, params: TrendingParams) -> Trending:
    try:
        root = xml.parse(wire.body)
    except ConversionFailed as exc:
        widgets.check(wire)
        raise unreadable(wire, "Google Trends", NO_FEED) from exc
    channel = root.find("channel") if root.tag == "rss" else None
    if channel is None:
        widgets.check(wire)
        raise unreadable(wire, "Google Trends", NO_FEED)
    rows = channel.findall("item")
    if not rows:  # a country without a list has status 404
        raise ProviderError("Google Trends sent a feed without searches.", reason="changed")
    searches = read_rows(enumerate(rows, 1), _read_search, "item")
    return make_trending(params.geo, "rss", None, rows, searches, [TEN_ONLY])


def _read_search(ranked: tuple[int, Any]) -> Search | None:
    """Parse a search with its rank. Returns None if it has no title."""
    rank, item = ranked
    query = to_line(item.findtext("title"))
    if query is None:
        return None
    traffic = read_number(item.findtext(f"{_OWN}approx_traffic"))
    news = read_rows(item.findall(f"{_OWN}news_item"), _read_article, "news_item")
    picture = read_web_address(to_line(item.findtext(f"{_OWN}picture")))
    return Search(
        rank=rank,
        query=query,
        traffic=traffic,
        traffic_label=label(traffic),
        growth_percent=None,
        started_at=_read_instant(item.findtext("pubDate")),
        ended_at=None,
        is_active=None,
        related_queries=[],
        categories=[],
        image=picture or next((article.image for article in news if article.image), None),
        news=news,
    )


def _read_article(found: Any) -> Article | None:
    title = to_line(found.findtext(f"{_OWN}news_item_title"))
    url = read_web_address(to_line(found.findtext(f"{_OWN}news_item_url")))
    if title is None or url is None:
        return None
    return Article(
        title=title,
        url=url,
        source=to_line(found.findtext(f"{_OWN}news_item_source")),
        published_at=None,
        image=read_web_address(to_line(found.findtext(f"{_OWN}news_item_picture"))),
    )


def _read_instant(text: str | None) -> datetime | None:
    found = parse(text or "")
    return found if isinstance(found, datetime) else None
