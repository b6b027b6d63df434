"""From parameters to a result, with each source, on a simulated Google Trends."""

import json
from typing import Any

import pytest

from support.trends import (
    DATA,
    EMBED,
    EXPLORE,
    NEW_SESSION,
    SESSION,
    data,
    explored,
    token,
    widget,
)
from support.world import House, Told, World, query_of
from webquarry.core.errors import EmptyResult
from webquarry.endpoints.declare import Result
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import load
from webquarry.extractors.trends import geo, interest, related, trending

EMPTY_SERIES = data('{"default":{"timelineData":[],"averages":[]}}')
SERIES = data(
    {"default": {"timelineData": [{"time": "1793491200", "value": [7], "hasData": [True], "formattedValue": ["7"]}]}}
)
EMPTY_LISTS = data('{"default":{"rankedList":[{"rankedKeyword":[]},{"rankedKeyword":[]}]}}')
CALL = "/_/TrendsUi/data/batchexecute"
UNKNOWN = Told(200, b")]}'\n\n" + b'[["wrb.fr","i0OFE",null,null,null,[3],"generic"]]')
LISTED = Told(200, b")]}'\n\n" + b'[["wrb.fr","i0OFE","[null,[[\\"tea\\",null,\\"US\\",[1793491200],null]]]",null]]')


async def answer(declared: Any, provider: str, house: House, **query: str) -> Result:
    [source] = [source for source in declared.sources if source.provider.name == provider]
    params = parse(declared.params, list(query.items()))
    with house.net(source.provider) as net:
        result, _ = await source.answer(params, net)
    return result  # type: ignore[no-any-return]  # of any declaration


def house(**given: list[Told]) -> House:
    names = {"explore": EXPLORE, "data": DATA, "embed": EMBED, "call": CALL}
    return House(World({SESSION: [NEW_SESSION], **{names[name]: answers for name, answers in given.items()}}))


async def test_temporary_lack_of_data_causes_a_new_explore_request() -> None:
    asking = house(explore=[explored(seed=1), explored(seed=2)], data=[EMPTY_SERIES, SERIES])
    result = await answer(interest.extractor, "trends_api", asking, q="coffee")
    assert isinstance(result, interest.Interest)
    assert [query_of(asked)["token"] for asked in asking.world.requests(DATA)] == [token(1), token(2)]


@pytest.mark.parametrize(
    ("declared", "empty", "more"),
    [
        (interest.extractor, EMPTY_SERIES, {}),
        (related.extractor, EMPTY_LISTS, {}),
        (geo.extractor, data({"default": {"geoMapData": []}}), {}),
        (
            geo.extractor,
            data(
                {"default": {"geoMapData": [{"geoCode": "DE", "geoName": "Germany", "value": [1], "hasData": [True]}]}}
            ),
            {"geo": "", "resolution": "CITY"},
        ),
    ],
)
async def test_lack_of_data_is_accepted_after_a_second_response(
    declared: Any, empty: Told, more: dict[str, str]
) -> None:
    asking = house(explore=[explored()], data=[empty])
    with pytest.raises(EmptyResult):
        await answer(declared, "trends_api", asking, q="coffee", **more)
    assert (len(asking.world.requests(EXPLORE)), len(asking.world.requests(DATA))) == (2, 2)


async def test_embedded_pages_are_requested_again_too() -> None:
    page = b"JSON.parse('" + widget_json().replace('"', "\\x22").encode() + b"')"
    asking = house(embed=[Told(200, page, {"content-type": "text/html"})], data=[EMPTY_SERIES, SERIES])
    assert isinstance(await answer(interest.extractor, "trends_embed", asking, q="coffee"), interest.Interest)
    assert len(asking.world.requests(EMBED)) == 2


def widget_json() -> str:
    node = widget("TIMESERIES", {"time": "all"}, token())
    return str(node).replace("'", '"')


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({}, [{"keyword": "coffee", "geo": "US", "time": "today 12-m"}]),
        ({"geo": "", "time": "all"}, [{"keyword": "coffee", "geo": "", "time": "all"}]),
        (
            {"q": "coffee, tea", "geo": "us-ca"},
            [{"keyword": word, "geo": "US-CA", "time": "today 12-m"} for word in ("coffee", "tea")],
        ),
        ({"cat": "71", "gprop": "youtube"}, [{"keyword": "coffee", "geo": "US", "time": "today 12-m"}]),
    ],
)
async def test_all_parameters_are_sent(given: dict[str, str], asked: list[dict[str, str]]) -> None:
    values = [50] * len(asked)
    series = data({"default": {"timelineData": [{"time": "1793491200", "value": values, "hasData": [True] * 2}]}})
    asking = house(explore=[explored()], data=[series])
    result = await answer(interest.extractor, "trends_api", asking, **{"q": "coffee", **given})
    [request] = asking.world.requests(EXPLORE)
    assert json.loads(query_of(request)["req"]) == {
        "comparisonItem": asked,
        "category": int(given.get("cat", "0")),
        "property": given.get("gprop", ""),
    }
    assert isinstance(result, interest.Interest)
    assert (result.category, result.property) == (int(given.get("cat", "0")), given.get("gprop", ""))


async def test_unknown_country_is_accepted_after_two_equal_responses() -> None:
    asking = house(call=[UNKNOWN, LISTED])
    await answer(trending.extractor, "trending_rpc", asking)
    asking = house(call=[UNKNOWN])
    with pytest.raises(EmptyResult):
        await answer(trending.extractor, "trending_rpc", asking)
    assert len(asking.world.asked) == 2


async def test_first_request_with_a_retry_fits_into_its_share_of_the_deadline() -> None:
    asking = house(explore=[explored()], data=[EMPTY_SERIES, SERIES])
    await answer(interest.extractor, "trends_api", asking, q="coffee")
    begun, ended = asking.world.asked[0][0], asking.world.asked[-1][0]
    assert ended - begun == 8.0
    assert ended - begun < interest.extractor.deadline_s / 2  # without a key, two sources share the time


def test_keyword_with_a_comma_skips_serpapi() -> None:
    [first, *rest] = related.extractor.sources
    params = parse(related.extractor.params, [("q", "salt, pepper")])
    assert first.why_skipped(params)
    assert [source.why_skipped(params) for source in rest] == [None, None]
    assert interest.extractor.sources[0].why_skipped(parse(interest.InterestParams, [("q", "salt,pepper")])) is None


def test_sources_are_in_order_and_untested_sources_are_marked() -> None:
    found = {
        extractor.name: [(p.name, p.unproven) for p in extractor.all_providers]
        for extractor in load()
        if extractor.group == "trends"
    }
    by_widgets = [("serpapi", True), ("trends_api", False), ("trends_embed", True)]
    assert found == {
        "trends_interest": by_widgets,
        "trends_related": by_widgets,
        "trends_geo": by_widgets,
        "trends_trending": [
            ("trending_rpc", True),
            ("trending_page", True),
            ("trending_rss", True),
            ("serpapi", True),
        ],
    }
