"""Google Trends' list of what is searched for now: by the call that its page makes, in that page, and as a feed.

They need no session and are seldom limited. Unproven: no whole answer of any is recorded. Wire notes:
docs/upstreams/trends.md.
"""

import json
from typing import Final, Protocol
from urllib.parse import quote

from webquarry.errors import EmptyResult
from webquarry.extractors.trends import widgets
from webquarry.extractors.trends.widgets import HOST_URL, LANGUAGE
from webquarry.net import ANY_STATUS, Net
from webquarry.providers import google
from webquarry.types import Provider, Wire

HOURS: Final = 24
NEWS_EACH: Final = 3
RPC: Final = "i0OFE"


def _provider(name: str, title: str) -> Provider:
    return Provider(
        name=name,
        title=title,
        manners=widgets.MANNERS,
        headers=widgets.HEADERS,
        keeps_cookies=True,
        unproven=True,
    )


TRENDING_RPC: Final = _provider("trending_rpc", "Google Trends, trending now")
TRENDING_PAGE: Final = _provider("trending_page", "Google Trends, page of trending searches")
TRENDING_RSS: Final = _provider("trending_rss", "Google Trends, feed of trending searches")


class HasGeo(Protocol):
    @property
    def geo(self) -> str:
        """Upper case."""
        ...


async def call(params: HasGeo, net: Net) -> Wire:
    """The answer of the page's own call: all searches of the last `HOURS`, each with up to `NEWS_EACH` articles.

    ProviderError (refused, blocked) for any status but 200; an error of the call itself is in the answer.
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


async def page(params: HasGeo, net: Net) -> Wire:
    """The page, in whose scripts the searches of the last day stand. ProviderError (refused, blocked) for any status
    but 200."""
    return await _get(f"{HOST_URL}/trending?geo={params.geo}&hl={LANGUAGE}", net)


async def feed(params: HasGeo, net: Net) -> Wire:
    """The feed of ten searches, as XML. EmptyResult when there is none for the country; ProviderError (refused,
    blocked) for any other status but 200."""
    url = f"{HOST_URL}/trending/rss?geo={params.geo}"
    wire = await _get(url, net, absent=404)
    if wire.status == 404:  # may pass: believed when it is said twice
        wire = await _get(url, net, absent=404)
    if wire.status == 404:
        raise EmptyResult(f"Google Trends keeps no list of trending searches for {params.geo}.")
    return wire


async def _get(url: str, net: Net, *, absent: int | None = None) -> Wire:
    wire = await net.get(url, cookies=google.CONSENT, ok_on=ANY_STATUS, absent_on=(), follow=False)
    if wire.status != absent:
        widgets.check(wire)
    return wire
