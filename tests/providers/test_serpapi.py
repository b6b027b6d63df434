import json
from typing import Any

import pytest

from support.world import NOW, House, Told, World, query_of
from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Wire
from webquarry.providers import serpapi
from webquarry.providers.serpapi import SERPAPI, answer_of

SEARCH = "/search.json"


def house(answer: Told) -> House:
    return House(World({SEARCH: [answer]}), serpapi_key="a-key")


def wire(body: Any) -> Wire:
    return Wire(json.dumps(body).encode(), "", "", 200, {}, NOW)


async def test_key_is_sent_and_appears_nowhere() -> None:
    asking = house(Told(200, b"{}"))
    with asking.net(SERPAPI) as net:
        found = await serpapi.ask(net, "google", q="why & how", gl="us", page_token="")
    [(_, asked)] = asking.world.asked
    assert asked.secrets == {"api_key": "a-key"}
    assert "a-key" not in found.url + found.requested_url + asked.url
    assert query_of(asked) == {"engine": "google", "q": "why & how", "gl": "us"}


@pytest.mark.parametrize(
    ("status", "message"),
    [(401, "key"), (403, "key"), (429, "no more requests"), (400, "400"), (500, "500"), (404, "404"), (410, "410")],
)
async def test_other_statuses_are_refusals(status: int, message: str) -> None:
    with pytest.raises(ProviderError, match=message) as caught, house(Told(status)).net(SERPAPI) as net:
        await serpapi.ask(net, "google", q="tea")
    assert caught.value.reason == "refused"


async def test_requested_wait_is_respected() -> None:
    answer = Told(429, headers={"retry-after": "90"})
    with pytest.raises(ProviderError) as caught, house(answer).net(SERPAPI) as net:
        await serpapi.ask(net, "google", q="tea")
    assert caught.value.retry_after_s == 90


def test_nothing_found_mark_is_an_empty_result() -> None:
    with pytest.raises(EmptyResult):
        answer_of(wire({"error": "Google Trends hasn't returned any results for this query."}))


@pytest.mark.parametrize(
    ("body", "reason", "message"),
    [
        ({"error": "Out of\nsearches"}, "refused", "Out of searches"),
        ({"error": 5}, "refused", "no reason"),
        ([], "changed", "not an object"),
    ],
)
def test_other_errors_are_not_a_lack_of_data(body: Any, reason: str, message: str) -> None:
    with pytest.raises(ProviderError, match=message) as caught:
        answer_of(wire(body))
    assert caught.value.reason == reason
