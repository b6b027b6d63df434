from typing import Any
from urllib.parse import unquote_plus

import pytest

from support.trends import LIMITED, PAGE, SORRY, error_page
from support.world import House, Told, World
from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Provider
from webquarry.extractors.trends.model.trending_result import TrendingParams
from webquarry.extractors.trends.sources.untested.trending import feed, rpc
from webquarry.extractors.trends.sources.untested.trending.feed import TRENDING_RSS
from webquarry.extractors.trends.sources.untested.trending.rpc import TRENDING_PAGE, TRENDING_RPC

CALL = "/_/TrendsUi/data/batchexecute"
FEED = "/trending/rss"
US = TrendingParams()


async def test_call_requests_a_day_with_three_articles_each() -> None:
    house = House(World({CALL: [Told(200, b")]}'\n\n[]")]}))
    with house.net(TRENDING_RPC) as net:
        await rpc.call(US, net)
    [(_, asked)] = house.world.asked
    assert asked.url.endswith("?rpcids=i0OFE&source-path=%2Ftrending&hl=en-US")
    assert unquote_plus((asked.body or b"").decode()) == (
        'f.req=[[["i0OFE","[null,null,\\"US\\",3,\\"en-US\\",24,1]",null,"generic"]]]'
    )
    assert asked.headers["Content-Type"] == "application/x-www-form-urlencoded;charset=UTF-8"


@pytest.mark.parametrize(
    ("provider", "way"), [(TRENDING_RPC, rpc.call), (TRENDING_PAGE, rpc.page), (TRENDING_RSS, feed.fetch)]
)
@pytest.mark.parametrize(
    ("answer", "reason"),
    [(SORRY, "blocked"), (LIMITED, "refused"), (error_page(400), "refused"), (error_page(500), "refused")],
)
async def test_other_answers_are_errors(provider: Provider, way: Any, answer: Told, reason: str) -> None:
    house = House(World({CALL: [answer], PAGE: [answer]}))
    with pytest.raises(ProviderError) as caught, house.net(provider) as net:
        await way(US, net)
    assert caught.value.reason == reason


async def test_missing_feed_is_accepted_after_two_equal_responses() -> None:
    house = House(World({FEED: [error_page(404), Told(200, b"<rss/>")]}))
    with house.net(TRENDING_RSS) as net:
        assert (await feed.fetch(US, net)).body == b"<rss/>"
    house = House(World({FEED: [error_page(404)]}))
    with pytest.raises(EmptyResult), house.net(TRENDING_RSS) as net:
        await feed.fetch(US, net)
    assert [at - house.world.asked[0][0] for at, _ in house.world.asked] == [0.0, 2.0]


async def test_missing_page_is_not_a_missing_list() -> None:
    house = House(World({PAGE: [error_page(404)]}))
    with pytest.raises(ProviderError) as caught, house.net(TRENDING_PAGE) as net:
        await rpc.page(US, net)
    assert caught.value.reason == "refused"
