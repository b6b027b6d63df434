from support.world import House, Told, World, query_of
from webquarry.extractors.trends.sources.untested import serpapi
from webquarry.extractors.trends.sources.widgets import Question
from webquarry.providers.serpapi import SERPAPI

SEARCH = "/search.json"


def house(answer: Told) -> House:
    return House(World({SEARCH: [answer]}), serpapi_key="a-key")


async def test_request_has_all_parameters() -> None:
    asking = house(Told(200, b"{}"))
    with asking.net(SERPAPI) as net:
        await serpapi.answers(net, Question(("coffee", "tea"), "US", "all", 7, "news"), "TIMESERIES")
    assert query_of(asking.world.asked[0][1]) == {
        "engine": "google_trends",
        "q": "coffee,tea",
        "data_type": "TIMESERIES",
        "date": "all",
        "cat": "7",
        "hl": "en",
        "tz": "0",
        "geo": "US",
        "gprop": "news",
    }


async def test_map_is_requested_with_its_level() -> None:
    asking = house(Told(200, b"{}"))
    with asking.net(SERPAPI) as net:
        await serpapi.answers(net, Question(("coffee",), "", "all", 0, ""), "GEO_MAP_0", resolution="CITY")
    asked = query_of(asking.world.asked[0][1])
    assert (asked["region"], "geo" in asked, "gprop" in asked) == ("CITY", False, False)
