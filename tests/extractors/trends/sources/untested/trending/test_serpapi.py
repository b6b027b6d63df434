from support.world import House, Told, World, query_of
from webquarry.extractors.trends.model.trending_result import TrendingParams
from webquarry.extractors.trends.sources.untested.trending import serpapi
from webquarry.providers.serpapi import SERPAPI

SEARCH = "/search.json"


def house(answer: Told) -> House:
    return House(World({SEARCH: [answer]}), serpapi_key="a-key")


async def test_trending_is_a_separate_engine() -> None:
    asking = house(Told(200, b"{}"))
    with asking.net(SERPAPI) as net:
        await serpapi.fetch(TrendingParams(geo="GB"), net)
    assert query_of(asking.world.asked[0][1]) == {
        "engine": "google_trends_trending_now",
        "geo": "GB",
        "hours": "24",
        "hl": "en",
    }
