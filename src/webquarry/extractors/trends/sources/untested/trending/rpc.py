"""Google Trends' own list, from its page's API request and from the page.

Both are arrays with values identified by position.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from urllib.parse import quote

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Wire
from webquarry.extractors.trends.model.traffic import label
from webquarry.extractors.trends.model.trending_result import (
    Article,
    Search,
    SourceName,
    Trending,
    TrendingParams,
    make_trending,
)
from webquarry.extractors.trends.sources import widgets
from webquarry.extractors.trends.sources.untested.trending.host import HOURS, get, make_provider
from webquarry.extractors.trends.sources.values import count_at, read_moment, read_web_address
from webquarry.extractors.trends.sources.widgets import HOST_URL, LANGUAGE
from webquarry.net import ANY_STATUS, Net
from webquarry.providers import google
from webquarry.read import at, texts
from webquarry.read.block_pages import unreadable
from webquarry.read.fields import to_line
from webquarry.read.framing import block_for, blocks_of, reply_to
from webquarry.read.losses import read_rows

TRENDING_RPC: Final = make_provider("trending_rpc", "Google Trends, trending now")
TRENDING_PAGE: Final = make_provider("trending_page", "Google Trends, page of trending searches")
NEWS_EACH: Final = 3
RPC: Final = "i0OFE"

# Positions in an item
TERM, NEWS, GEO, STARTED, ENDED, TRAFFIC, GROWTH, RELATED, CATEGORIES = 0, 1, 2, 3, 4, 6, 8, 9, 10
# Positions in an article
TITLE, ADDRESS, PUBLISHER, PUBLISHED, IMAGE = range(5)

UNKNOWN_PLACE: Final = 3
NO_NEWS: Final = "This list has no news because the provider with news was not available."
CATEGORY_NAMES: Final = {
    1: "Autos and Vehicles",
    2: "Beauty and Fashion",
    3: "Business and Finance",
    4: "Entertainment",
    5: "Food and Drink",
    6: "Games",
    7: "Health",
    8: "Hobbies and Leisure",
    9: "Jobs and Education",
    10: "Law and Government",
    11: "Other",
    13: "Pets and Animals",
    14: "Politics",
    15: "Science",
    16: "Shopping",
    17: "Sports",
    18: "Technology",
    19: "Travel and Transportation",
    20: "Climate",
}


async def call(params: TrendingParams, net: Net) -> Wire:
    """Send the page's own API request for all searches of the last `HOURS`, each with up to `NEWS_EACH` articles.

    Raises ProviderError "refused" or "blocked" for any status except 200. An error of the API itself is in the
    response.
    """
    arguments = json.dumps([None, None, params.geo, NEWS_EACH, LANGUAGE, HOURS, 1], separators=(",", ":"))
    calls = json.dumps([[[RPC, arguments, None, "generic"]]], separators=(",", ":"))
    wire = await net.post(
        f"{HOST_URL}/_/TrendsUi/data/batchexecute?rpcids={RPC}&source-path=%2Ftrending&hl={LANGUAGE}",
        body=f"f.req={quote(calls, safe='')}".encode(),
        content_type="application/x-www-form-urlencoded;charset=UTF-8",
        cookies=google.CONSENT,
        ok_on=ANY_STATUS,
        absent_on=(),
        follow=False,
    )
    widgets.check(wire)
    return wire


async def page(params: TrendingParams, net: Net) -> Wire:
    """Fetch the page, whose scripts contain the searches of the last day.

    Raises ProviderError "refused" or "blocked" for any status except 200.
    """
    return await get(f"{HOST_URL}/trending?geo={params.geo}&hl={LANGUAGE}", net)


def read_call(wire: Wire, params: TrendingParams) -> Trending:
    """Parse the API's response. Raises EmptyResult if the API does not know the country."""
    return _list(read_result(wire, RPC), params, "batchexecute", [])


def read_page(wire: Wire, params: TrendingParams) -> Trending:
    """Parse the data block in the page's scripts."""
    block = block_for(blocks_of(wire), RPC, "ds:0")
    if block is None:
        widgets.check(wire)
        raise unreadable(wire, "Google Trends", "Google Trends sent a page without the list.")
    return _list(block.data, params, "html", [NO_NEWS])


def read_result(wire: Wire, call: str) -> Any:
    """Return the result of the named API method.

    Raises EmptyResult if the API does not know the requested item. Raises ProviderError "refused" for any other error
    of the API, "blocked" for an HTML page, and "changed" for any other response.
    """
    widgets.check_guard(wire)
    reply = reply_to(wire, call, "Google Trends")
    if not reply.is_error:
        return reply.content
    if reply.code == UNKNOWN_PLACE and reply.call == call:
        raise EmptyResult("Google Trends has no list of trending searches for this country.")
    raise ProviderError("Google Trends rejected the request.", reason="refused")


def read_articles(rows: Any) -> list[Article]:
    """Parse articles from arrays `[title, address, publisher, [seconds], image]`.

    Unreadable articles are counted as dropped.
    """
    return read_rows(rows, _read_article, f"[{NEWS}][]") if isinstance(rows, list) else []


def _read_article(row: Any) -> Article | None:
    title, url = to_line(at(row, f"[{TITLE}]", str)), read_web_address(at(row, f"[{ADDRESS}]", str))
    if title is None or url is None:
        return None
    image = row[IMAGE] if len(row) > IMAGE else None  # the image is optional
    return Article(
        title=title,
        url=url,
        source=to_line(at(row, f"[{PUBLISHER}]", str)),
        published_at=read_moment(at(row, f"[{PUBLISHED}][0]", int)),
        image=read_web_address(image) if isinstance(image, str) else None,
    )


def _list(answer: Any, params: TrendingParams, source: SourceName, warnings: list[str]) -> Trending:
    rows = at(answer, "[1]", list)
    if rows is None:
        raise ProviderError("Google Trends sent a list in an unknown format.", reason="changed")
    places = {place for row in rows if (place := at(row, f"[{GEO}]", str))}
    if places and params.geo not in places:
        raise ProviderError(f"Google Trends returned a different country than {params.geo}.", reason="changed")
    searches = read_rows(enumerate(rows, 1), _read_search, "[1][]")
    return make_trending(params.geo, source, HOURS, rows, searches, warnings)


def _read_search(ranked: tuple[int, Any]) -> Search | None:
    """Parse a search with its rank. Returns None if it has no term."""
    rank, row = ranked
    term = to_line(at(row, f"[{TERM}]", str))
    if term is None:
        return None
    traffic, (ended_at, is_active) = count_at(row, f"[{TRAFFIC}]"), _end(row)
    news = read_articles(row[NEWS] if len(row) > NEWS else None)
    return Search(
        rank=rank,
        query=term,
        traffic=traffic,
        traffic_label=label(traffic),
        growth_percent=at(row, f"[{GROWTH}]", int),
        started_at=read_moment(at(row, f"[{STARTED}][0]", int)),
        ended_at=ended_at,
        is_active=is_active,
        related_queries=[
            query for query in read_rows(texts(row, f"[{RELATED}][]"), to_line, f"[{RELATED}][]") if query != term
        ],
        categories=_read_categories(at(row, f"[{CATEGORIES}]", list) or []),
        image=next((article.image for article in news if article.image), None),
        news=news,
    )


def _end(row: Sequence[Any]) -> tuple[datetime | None, bool | None]:
    """Return the end of a trend, and whether the trend is active.

    Null means active; an unreadable value means unknown.
    """
    if len(row) > ENDED and row[ENDED] is None:
        return None, True
    ended_at = read_moment(at(row, f"[{ENDED}][0]", int))
    return ended_at, None if ended_at is None else False


def _read_categories(ids: Sequence[Any]) -> list[str]:
    return read_rows(ids, lambda number: CATEGORY_NAMES.get(at(number, "", int) or 0), f"[{CATEGORIES}][]")
